import CollectionChanges

private enum OutlineKeys: String, CodingKey { case version, items }

private enum ItemKeys: String, CodingKey { case id, level, isExpanded }

extension SectionSnapshot: Encodable where ItemID: Encodable {
    /// Encodes every item before its children, with its level, and whether it is expanded.
    ///
    /// ```json
    /// {"version": 1, "items": [
    ///  {"id": "fruit", "level": 0, "isExpanded": true},
    ///  {"id": "apple", "level": 1}]}
    /// ```
    ///
    /// Complexity: O(n).
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: OutlineKeys.self)
        try container.encode(CodableVersion.current, forKey: .version)
        var list = container.nestedUnkeyedContainer(forKey: .items)
        // The items that can be the parent of the next item.
        var ancestors: [ItemID] = []
        for item in items {
            let parent = parent(of: item)
            while let last = ancestors.last, last != parent { ancestors.removeLast() }
            var entry = list.nestedContainer(keyedBy: ItemKeys.self)
            try entry.encode(item, forKey: .id)
            try entry.encode(ancestors.count, forKey: .level)
            if isExpanded(item) { try entry.encode(true, forKey: .isExpanded) }
            ancestors.append(item)
        }
    }
}

extension SectionSnapshot: Decodable where ItemID: Decodable {
    /// Decodes the items.
    ///
    /// - Throws: `DecodingError` if an item occurs twice, with the ``SnapshotError`` as its
    ///   underlying error, or if a level is negative or more than one greater than that of the item
    ///   before.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: OutlineKeys.self)
        try CodableVersion.check(container, forKey: .version)
        self.init()
        var list = try container.nestedUnkeyedContainer(forKey: .items)
        var ancestors: [ItemID] = []
        while !list.isAtEnd {
            let entry = try list.nestedContainer(keyedBy: ItemKeys.self)
            let item = try entry.decode(ItemID.self, forKey: .id)
            let level = try entry.decode(Int.self, forKey: .level)
            guard (0...ancestors.count).contains(level) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .level,
                    in: entry,
                    debugDescription:
                        "expected a level from 0 to \(ancestors.count), found \(level)"
                )
            }
            ancestors.removeSubrange(level...)
            do {
                if let parent = ancestors.last {
                    try append([item], to: parent)
                } else {
                    try append([item])
                }
                if try entry.decodeIfPresent(Bool.self, forKey: .isExpanded) == true {
                    try expand([item])
                }
            } catch let error as SnapshotError {
                throw DecodingError.dataCorrupted(error, at: entry.codingPath)
            }
            ancestors.append(item)
        }
    }
}
