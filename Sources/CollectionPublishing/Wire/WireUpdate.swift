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

extension WireUpdate {
    init(_ update: PublishedUpdate) throws(WireError) {
        let (changeSet, contents) = (update.changeSet, update.contents)
        if update.from.number < 0 { throw WireError(update.from) }
        if let mismatch = update.mismatch { throw WireError(.mismatch, mismatch) }
        from = update.from
        to = update.to
        digest = update.digest
        place = try update.place.map { place throws(WireError) in try WirePlace(place) }
        removedItems = changeSet.itemRemovals.map(\.path)
        removedSections = changeSet.sectionRemovals.map(\.section)
        insertedSections = try Self.sectionInsertions(of: changeSet, contents)
        insertedItems = try Self.itemInsertions(of: changeSet, contents)
        changedItems = []
        for (change, item) in zip(changeSet.reconfigurations, contents.changedItems) {
            try WireError.check("item", item.number, item.payload)
            changedItems.append(ItemChange(newPath: change.newPath, payload: item.payload))
        }
        changedSections = []
        for change in contents.changedSections {
            try WireError.check("section", change.section.number, change.section.payload)
            let payload = change.section.payload
            changedSections.append(SectionChange(newIndex: change.newIndex, payload: payload))
        }
    }

    private static func sectionInsertions(
        of changeSet: ValidatedChangeSet,
        _ contents: PublishedContents
    ) throws(WireError) -> [SectionInsertion] {
        var inserted = contents.insertedSections[...]
        var insertions: [SectionInsertion] = []
        for edit in changeSet.sectionInsertions {
            let source: SectionInsertion.Source
            if edit.role == .move, let oldIndex = edit.associatedWith {
                source = .old(oldIndex)
            } else if let next = inserted.popFirst() {
                source = .new(try WireSection(next.section, next.items))
            } else {
                continue
            }
            insertions.append(SectionInsertion(newIndex: edit.section, source: source))
        }
        return insertions
    }

    private static func itemInsertions(
        of changeSet: ValidatedChangeSet,
        _ contents: PublishedContents
    ) throws(WireError) -> [ItemInsertion] {
        var inserted = contents.insertedItems[...]
        var insertions: [ItemInsertion] = []
        for edit in changeSet.itemInsertions {
            let source: ItemInsertion.Source
            if edit.role == .move, let oldPath = edit.associatedWith {
                source = .old(oldPath)
            } else if let next = inserted.popFirst() {
                try WireError.check("item", next.number, next.payload)
                source = .new(next)
            } else {
                continue
            }
            insertions.append(ItemInsertion(newPath: edit.path, source: source))
        }
        return insertions
    }
}

extension WireUpdate: Codable {
    private enum CodingKeys: String, CodingKey {
        case from, to, digest, place
        case removedItems = "removeItems"
        case removedSections = "removeSections"
        case insertedSections = "insertSections"
        case insertedItems = "insertItems"
        case changedItems = "changeItems"
        case changedSections = "changeSections"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(from, forKey: .from)
        try container.encode(to, forKey: .to)
        try container.encodeIfPresent(digest, forKey: .digest)
        try container.encodeIfPresent(place, forKey: .place)
        try container.encodeUnlessEmpty(removedItems, forKey: .removedItems)
        try container.encodeUnlessEmpty(removedSections, forKey: .removedSections)
        try container.encodeUnlessEmpty(insertedSections, forKey: .insertedSections)
        try container.encodeUnlessEmpty(insertedItems, forKey: .insertedItems)
        try container.encodeUnlessEmpty(changedItems, forKey: .changedItems)
        try container.encodeUnlessEmpty(changedSections, forKey: .changedSections)
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
extension WireUpdate.SectionInsertion: Codable {
    private enum CodingKeys: String, CodingKey {
        case newIndex = "at"
        case oldIndex = "from"
        case number = "n"
        case payload = "p"
        case items
    }

    func encode(to encoder: any Encoder) throws {
        if case .new(let section) = source { try section.encode(to: encoder) }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(newIndex, forKey: .newIndex)
        if case .old(let oldIndex) = source { try container.encode(oldIndex, forKey: .oldIndex) }
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
extension WireUpdate.ItemInsertion: Codable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(newPath.section)
        try container.encode(newPath.item)
        switch source {
        case .old(let oldPath): try container.encode(oldPath)
        case .new(let item):
            try container.encode(item.number)
            try container.encodeLast(item.payload)
        }
    }

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
extension WireUpdate.ItemChange: Codable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(newPath.section)
        try container.encode(newPath.item)
        try container.encodeLast(payload)
    }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        newPath = try container.decodePath()
        payload = try container.decodeLast()
    }
}

/// `[section, "payload"]`, without the last element if the header has no payload.
extension WireUpdate.SectionChange: Codable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(newIndex)
        try container.encodeLast(payload)
    }

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
