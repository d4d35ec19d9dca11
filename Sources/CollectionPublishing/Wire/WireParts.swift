import PersistentTrees

// The parts of messages. Small parts that occur often are encoded as arrays.

/// A section that is inserted, with its items.
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

/// An item as `[number, "payload"]`, or `[number]` if it has no payload.
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
    /// The payload as text. The initializers have checked that it is UTF-8.
    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension UnkeyedEncodingContainer {
    /// Writes a payload, unless it is `nil`.
    mutating func encodeLast(_ payload: PublishedPayload?) throws {
        if let payload { try encode(payload.text) }
    }
}

extension UnkeyedDecodingContainer {
    /// Reads the payload that ends the array; `nil` if no element is left.
    mutating func decodeLast() throws -> PublishedPayload? {
        if isAtEnd { return nil }
        let payload = PublishedPayload(utf8: try decode(String.self))
        try checkEnd()
        return payload
    }

    /// Throws unless all elements have been read.
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
    /// Reads a list; returns an empty one if the key is missing.
    func decodeList<Element: Decodable>(forKey key: Key) throws -> [Element] {
        try decodeIfPresent([Element].self, forKey: key) ?? []
    }
}

/// The wire form of a reset: the whole state at one version.
struct WireReset: Hashable, Sendable {
    var version: PublishedVersion
    /// The reason, as text for human readers. It is not a ``ResetReason``, because a later release
    /// may add reasons.
    var reason: String
    var digest: StateDigest
    var place: WirePlace?
    var sections: [WireSection]

    init(_ snapshot: PublishedSnapshot, _ reason: ResetReason) throws(WireError) {
        version = snapshot.version
        self.reason = reason.rawValue
        digest = snapshot.digest
        place = try snapshot.place.map { place throws(WireError) in try WirePlace(place) }
        sections = try snapshot.state.entries.map { entry throws(WireError) in
            try WireSection(entry.section, Array(entry.items))
        }
    }

    /// Returns the snapshot that the reset contains. Throws if the message is invalid by itself.
    ///
    /// Complexity: O(n).
    func snapshot(within limits: ShapeLimits) throws(ReplicaError) -> PublishedSnapshot {
        var numbers = WireNumbers()
        for section in sections { try numbers.insert(section) }
        let shape = HierarchyShape(sections.map(\.items.count))
        do throws(HierarchyUpdateError) {
            try limits.check(shape)
        } catch {
            throw ReplicaError(.mismatch, "the state at \(version) is too large: \(error.summary)")
        }
        let entries = sections.map {
            PublishedState.SectionEntry($0.section, PublishedState.Items($0.items))
        }
        let state = PublishedState(PublishedState.Entries(entries), shape: shape)
        return PublishedSnapshot(
            version: version,
            state: state,
            digest: digest,
            place: try place?.checked()
        )
    }
}

extension WireReset: Codable {
    private enum CodingKeys: String, CodingKey {
        case version, reason, digest, place, sections
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(reason, forKey: .reason)
        try container.encode(digest, forKey: .digest)
        try container.encodeIfPresent(place, forKey: .place)
        try container.encodeUnlessEmpty(sections, forKey: .sections)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(PublishedVersion.self, forKey: .version)
        reason = try container.decode(String.self, forKey: .reason)
        digest = try container.decode(StateDigest.self, forKey: .digest)
        place = try container.decodeIfPresent(WirePlace.self, forKey: .place)
        sections = try container.decodeList(forKey: .sections)
    }
}

/// The numbers of the sections and items that a message inserts. Each must be in range and occur
/// only once.
///
/// This does not check whether the state already has one of the numbers: the digest reveals that.
struct WireNumbers {
    private var items: Set<UInt64> = []
    private var sections: Set<UInt64> = []

    mutating func insert(_ section: WireSection) throws(ReplicaError) {
        try Self.insert("section", section.section.number, into: &sections)
        for item in section.items { try insert(item) }
    }

    mutating func insert(_ item: PublishedItem) throws(ReplicaError) {
        try Self.insert("item", item.number, into: &items)
    }

    private static func insert(
        _ noun: String,
        _ number: UInt64,
        into numbers: inout Set<UInt64>
    ) throws(ReplicaError) {
        guard number > 0, number <= WireMessage.greatestInteger else {
            throw ReplicaError(
                .unreadable,
                "every \(noun) number must be from 1 to \(WireMessage.greatestInteger), but is"
                    + " \(number)"
            )
        }
        guard numbers.insert(number).inserted else {
            throw ReplicaError(.unreadable, "a message must insert \(noun) \(number) only once")
        }
    }
}

/// The wire form of a ``WindowPlace``.
struct WirePlace: Hashable, Sendable {
    let place: WindowPlace

    init(_ place: WindowPlace) throws(WireError) {
        self.place = place
        guard isPossible else {
            throw WireError(
                .outOfRange,
                "the numbers of a window's place must be from 0 to \(WireMessage.greatestInteger),"
                    + " but are \(place.numbers)"
            )
        }
    }

    /// Whether every JSON reader can represent the numbers as integers.
    private var isPossible: Bool {
        place.numbers.allSatisfy { (0...WireMessage.greatestInteger).contains($0) }
    }

    /// Returns the place, if its numbers are in range.
    func checked() throws(ReplicaError) -> WindowPlace {
        if isPossible { return place }
        throw ReplicaError(
            .unreadable,
            "the numbers of a window's place must be from 0, but are \(place.numbers)"
        )
    }
}

extension WirePlace: Codable {
    private enum CodingKeys: String, CodingKey {
        case totalSections = "sections"
        case totalItems = "items"
        case firstSection = "section"
        case firstItem = "item"
        case itemsBefore = "before"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(place.totalSections, forKey: .totalSections)
        try container.encode(place.totalItems, forKey: .totalItems)
        try container.encode(place.firstSection, forKey: .firstSection)
        try container.encode(place.firstItem, forKey: .firstItem)
        try container.encode(place.itemsBefore, forKey: .itemsBefore)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        place = WindowPlace(
            totalSections: try container.decode(Int.self, forKey: .totalSections),
            totalItems: try container.decode(Int.self, forKey: .totalItems),
            firstSection: try container.decode(Int.self, forKey: .firstSection),
            firstItem: try container.decode(Int.self, forKey: .firstItem),
            itemsBefore: try container.decode(Int.self, forKey: .itemsBefore)
        )
    }
}
