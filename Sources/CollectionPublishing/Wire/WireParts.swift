import PersistentTrees

// The parts of messages. Small parts that occur often are encoded as arrays.

/// A section that is inserted, with its items.
struct WireSection: Hashable, Sendable {
    var section: PublishedSection
    var items: [PublishedItem]
}

extension WireSection: Decodable {
    private enum CodingKeys: String, CodingKey {
        case number = "n"
        case payload = "p"
        case items
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
private struct WireItem: Decodable {
    let item: PublishedItem

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        let number = try container.decode(UInt64.self)
        item = PublishedItem(number: number, payload: try container.decodeLast())
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

extension WireReset: Decodable {
    private enum CodingKeys: String, CodingKey {
        case version, reason, digest, place, sections
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

    /// Returns the place, if its numbers are in range.
    func checked() throws(ReplicaError) -> WindowPlace {
        let possible = 0...WireMessage.greatestInteger
        if place.numbers.allSatisfy(possible.contains) { return place }
        throw ReplicaError(
            .unreadable,
            "the numbers of a window's place must be from 0, but are \(place.numbers)"
        )
    }
}

extension WirePlace: Decodable {
    private enum CodingKeys: String, CodingKey {
        case totalSections = "sections"
        case totalItems = "items"
        case firstSection = "section"
        case firstItem = "item"
        case itemsBefore = "before"
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
