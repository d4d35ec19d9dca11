import CollectionChanges
import PersistentTrees

private enum SnapshotKeys: String, CodingKey {
    case version, sections, reloadedSections, reloadedItems, reconfiguredItems
}

private enum SectionKeys: String, CodingKey { case id, items }

extension CollectionSnapshot: Encodable where SectionID: Encodable, ItemID: Encodable {
    /// Encodes the sections with their items, in order, and the marks, if there are any.
    ///
    /// ```json
    /// {"version": 1, "sections": [
    ///  {"id": "today", "items": [1, 2]},
    ///  {"id": "older", "items": []}],
    ///  "reloadedItems": [2]}
    /// ```
    ///
    /// The keys of the other marks are `reloadedSections` and `reconfiguredItems`.
    ///
    /// Complexity: O(n).
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: SnapshotKeys.self)
        try container.encode(CodableVersion.current, forKey: .version)
        var sections = container.nestedUnkeyedContainer(forKey: .sections)
        for entry in entries {
            var section = sections.nestedContainer(keyedBy: SectionKeys.self)
            try section.encode(entry.id, forKey: .id)
            try section.encode(entry.items.map(\.id), forKey: .items)
        }
        func encodeMarks<ID: Encodable>(_ marks: [ID], _ key: SnapshotKeys) throws {
            if !marks.isEmpty { try container.encode(marks, forKey: key) }
        }
        try encodeMarks(reloadedSectionIdentifiers, .reloadedSections)
        try encodeMarks(reloadedItemIdentifiers, .reloadedItems)
        try encodeMarks(reconfiguredItemIdentifiers, .reconfiguredItems)
    }
}

extension CollectionSnapshot: Decodable where SectionID: Decodable, ItemID: Decodable {
    /// Decodes the sections and marks.
    ///
    /// - Throws: `DecodingError` if an identifier occurs twice, or if a marked section or item is
    ///   not in the snapshot. The ``SnapshotError`` is its underlying error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: SnapshotKeys.self)
        try CodableVersion.check(container, forKey: .version)
        var sections: [(SectionID, [ItemID])] = []
        var list = try container.nestedUnkeyedContainer(forKey: .sections)
        while !list.isAtEnd {
            let section = try list.nestedContainer(keyedBy: SectionKeys.self)
            let id = try section.decode(SectionID.self, forKey: .id)
            sections.append((id, try section.decode([ItemID].self, forKey: .items)))
        }
        func marks<ID: Decodable>(_ key: SnapshotKeys) throws -> [ID] {
            try container.decodeIfPresent([ID].self, forKey: key) ?? []
        }
        let reloadedSections: [SectionID] = try marks(.reloadedSections)
        let reloadedItems: [ItemID] = try marks(.reloadedItems)
        let reconfiguredItems: [ItemID] = try marks(.reconfiguredItems)
        do {
            try self.init(sections: sections)
            try reloadSections(reloadedSections)
            try reloadItems(reloadedItems)
            try reconfigureItems(reconfiguredItems)
        } catch {
            throw DecodingError.dataCorrupted(error, at: container.codingPath)
        }
    }
}

extension DecodingError {
    /// Returns the error for data that is not a valid snapshot.
    static func dataCorrupted(_ error: SnapshotError, at path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(
            Context(codingPath: path, debugDescription: error.message, underlyingError: error)
        )
    }
}
