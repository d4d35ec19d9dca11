/// The wire form of an update: the four runs of the change set, followed by the in-place changes.
struct WireUpdate: Hashable, Sendable {
    /// A section that is inserted: a new one, or one that moves from an old index.
    struct SectionInsertion: Hashable, Sendable {
        enum Source: Hashable, Sendable {
            case new(WireSection)
            case old(Int)
        }

        var newIndex: Int
        var source: Source
    }

    /// An item that is inserted: a new one, or one that moves from an old path.
    struct ItemInsertion: Hashable, Sendable {
        enum Source: Hashable, Sendable {
            case new(PublishedItem)
            case old(ItemPath)
        }

        var newPath: ItemPath
        var source: Source
    }

    /// An item with a new payload.
    struct ItemChange: Hashable, Sendable {
        var newPath: ItemPath
        var payload: PublishedPayload?
    }

    /// A section with a new header payload.
    struct SectionChange: Hashable, Sendable {
        var newIndex: Int
        var payload: PublishedPayload?
    }

    var from: PublishedVersion
    var to: PublishedVersion
    var digest: StateDigest?
    var place: WirePlace?
    /// The old paths of the removed items, descending.
    var removedItems: [ItemPath]
    /// The old indexes of the removed sections, descending.
    var removedSections: [Int]
    /// The inserted sections, ascending by new index. The lists below ascend too.
    var insertedSections: [SectionInsertion]
    var insertedItems: [ItemInsertion]
    var changedItems: [ItemChange]
    var changedSections: [SectionChange]
}

extension WireUpdate: Decodable {
    private enum CodingKeys: String, CodingKey {
        case from, to, digest, place
        case removedItems = "removeItems"
        case removedSections = "removeSections"
        case insertedSections = "insertSections"
        case insertedItems = "insertItems"
        case changedItems = "changeItems"
        case changedSections = "changeSections"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        from = try container.decode(PublishedVersion.self, forKey: .from)
        to = try container.decode(PublishedVersion.self, forKey: .to)
        digest = try container.decodeIfPresent(StateDigest.self, forKey: .digest)
        place = try container.decodeIfPresent(WirePlace.self, forKey: .place)
        removedItems = try container.decodeList(forKey: .removedItems)
        removedSections = try container.decodeList(forKey: .removedSections)
        insertedSections = try container.decodeList(forKey: .insertedSections)
        insertedItems = try container.decodeList(forKey: .insertedItems)
        changedItems = try container.decodeList(forKey: .changedItems)
        changedSections = try container.decodeList(forKey: .changedSections)
    }
}

/// An object: a new section together with its index, or the new index and the old index of a
/// section that moves.
extension WireUpdate.SectionInsertion: Decodable {
    private enum CodingKeys: String, CodingKey {
        case newIndex = "at"
        case oldIndex = "from"
        case number = "n"
        case payload = "p"
        case items
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        newIndex = try container.decode(Int.self, forKey: .newIndex)
        guard container.contains(.oldIndex) else {
            source = .new(try WireSection(from: decoder))
            return
        }
        source = .old(try container.decode(Int.self, forKey: .oldIndex))
        for key in [CodingKeys.number, .payload, .items] where container.contains(key) {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: container,
                debugDescription: "a section that moves must have no contents"
            )
        }
    }
}

/// `[section, item, number, "payload"]`, without the last element if the item has no payload, or
/// `[section, item, [oldSection, oldItem]]`.
extension WireUpdate.ItemInsertion: Decodable {
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        newPath = try container.decodePath()
        // An element that is not a number must be a path. A decoder that fails does not advance.
        if let number = try? container.decode(UInt64.self) {
            source = .new(PublishedItem(number: number, payload: try container.decodeLast()))
        } else {
            source = .old(try container.decode(ItemPath.self))
            try container.checkEnd()
        }
    }
}

/// `[section, item, "payload"]`, without the last element if the item has no payload.
extension WireUpdate.ItemChange: Decodable {
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        newPath = try container.decodePath()
        payload = try container.decodeLast()
    }
}

/// `[section, "payload"]`, without the last element if the header has no payload.
extension WireUpdate.SectionChange: Decodable {
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        newIndex = try container.decode(Int.self)
        payload = try container.decodeLast()
    }
}

extension UnkeyedDecodingContainer {
    /// Reads a path whose two numbers are elements of the array itself.
    fileprivate mutating func decodePath() throws -> ItemPath {
        let section = try decode(Int.self)
        return ItemPath(section: section, item: try decode(Int.self))
    }
}
