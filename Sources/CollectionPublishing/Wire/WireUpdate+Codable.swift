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

/// An object: that of the section with its index, or the index and where it was.
extension WireUpdate.SectionInsertion: Codable {
    private enum CodingKeys: String, CodingKey {
        case newIndex = "at"
        case oldIndex = "from"
        case number = "n"
        case payload = "p"
        case items
    }

    func encode(to encoder: any Encoder) throws {
        if case .fresh(let section) = source { try section.encode(to: encoder) }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(newIndex, forKey: .newIndex)
        if case .old(let oldIndex) = source { try container.encode(oldIndex, forKey: .oldIndex) }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        newIndex = try container.decode(Int.self, forKey: .newIndex)
        guard container.contains(.oldIndex) else {
            source = .fresh(try WireSection(from: decoder))
            return
        }
        source = .old(try container.decode(Int.self, forKey: .oldIndex))
        for key in [CodingKeys.number, .payload, .items] where container.contains(key) {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: container,
                debugDescription: "a section that moves must bring nothing"
            )
        }
    }
}

/// `[section, item, number, "payload"]`, without the last where there is none, or `[section, item, [oldSection,
/// oldItem]]`.
extension WireUpdate.ItemInsertion: Codable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(newPath.section)
        try container.encode(newPath.item)
        switch source {
        case .old(let oldPath): try container.encode(oldPath)
        case .fresh(let item):
            try container.encode(item.number)
            try container.encodeLast(item.payload)
        }
    }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        newPath = try container.decodePath()
        // Not a number: then it must be a place. A decoder that fails stays where it is.
        if let number = try? container.decode(UInt64.self) {
            source = .fresh(PublishedItem(number: number, payload: try container.decodeLast()))
        } else {
            source = .old(try container.decode(ItemPath.self))
            try container.checkEnd()
        }
    }
}

/// `[section, item, "payload"]`, without the last where there is none.
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

/// `[section, "payload"]`, without the last where there is none.
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
    /// Reads two numbers that stand in the array itself.
    fileprivate mutating func decodePath() throws -> ItemPath {
        let section = try decode(Int.self)
        return ItemPath(section: section, item: try decode(Int.self))
    }
}
