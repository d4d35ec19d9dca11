// What messages are made of, and how it is written: as arrays where it is small and there is much of it.

/// A section with the items that it arrives with.
struct WireSection: Hashable, Sendable {
    var section: PublishedSection
    var items: [PublishedItem]

    init(_ section: PublishedSection, _ items: [PublishedItem]) throws(WireError) {
        try WireError.check("section", section.number, section.payload)
        for item in items { try WireError.check("item", item.number, item.payload) }
        self.section = section
        self.items = items
    }
}

extension WireSection: Codable {
    private enum CodingKeys: String, CodingKey {
        case number = "n"
        case payload = "p"
        case items
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(section.number, forKey: .number)
        try container.encodeIfPresent(section.payload?.text, forKey: .payload)
        try container.encodeUnlessEmpty(items.map(WireItem.init), forKey: .items)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let text = try container.decodeIfPresent(String.self, forKey: .payload)
        section = PublishedSection(
            number: try container.decode(UInt64.self, forKey: .number),
            payload: text.map { PublishedPayload(utf8: $0) }
        )
        let items: [WireItem] = try container.decodeList(forKey: .items)
        self.items = items.map(\.item)
    }
}

/// An item as `[number, "payload"]`, or `[number]` where it has none.
private struct WireItem: Codable {
    let item: PublishedItem

    init(_ item: PublishedItem) { self.item = item }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(item.number)
        try container.encodeLast(item.payload)
    }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        let number = try container.decode(UInt64.self)
        item = PublishedItem(number: number, payload: try container.decodeLast())
    }
}

extension PublishedPayload {
    /// The payload of a message as text, of which it was checked that it is UTF-8.
    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension UnkeyedEncodingContainer {
    /// Writes a payload where there is one.
    mutating func encodeLast(_ payload: PublishedPayload?) throws {
        if let payload { try encode(payload.text) }
    }
}

extension UnkeyedDecodingContainer {
    /// Reads a payload, if anything is left.
    mutating func decodeLast() throws -> PublishedPayload? {
        if isAtEnd { return nil }
        let payload = PublishedPayload(utf8: try decode(String.self))
        try checkEnd()
        return payload
    }

    /// Nothing may be left.
    func checkEnd() throws {
        if isAtEnd { return }
        throw DecodingError.dataCorruptedError(
            in: self,
            debugDescription: "the array must have \(currentIndex) elements, but has more"
        )
    }
}

extension KeyedEncodingContainer {
    mutating func encodeUnlessEmpty(_ list: [some Encodable], forKey key: Key) throws {
        if !list.isEmpty { try encode(list, forKey: key) }
    }
}

extension KeyedDecodingContainer {
    /// Reads a list; an empty one where there is none.
    func decodeList<Element: Decodable>(forKey key: Key) throws -> [Element] {
        try decodeIfPresent([Element].self, forKey: key) ?? []
    }
}
