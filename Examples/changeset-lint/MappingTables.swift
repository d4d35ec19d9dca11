import CollectionPipeline

/// The index mappings of a change set written out in full, as the vectors have them: −1 for what
/// has none on the other side, and null all over where everything was reloaded.
///
/// The rows of items stay within their section: an item that moved to another section is −1.
struct MappingTables {
    private(set) var sections = JSONValue.null
    private(set) var reverseSections = JSONValue.null
    private(set) var items = JSONValue.null
    private(set) var reverseItems = JSONValue.null

    init(_ update: ValidatedChangeSet) {
        guard !update.isReloadData else { return }
        let (old, new) = (update.oldShape.itemCounts, update.newShape.itemCounts)
        sections = .integers(old.indices.map { update.newSection(for: $0) ?? -1 })
        reverseSections = .integers(new.indices.map { update.oldSection(for: $0) ?? -1 })
        items = Self.rows(old, otherSection: update.newSection, otherPath: update.newPath)
        reverseItems = Self.rows(new, otherSection: update.oldSection, otherPath: update.oldPath)
    }

    private static func rows(
        _ counts: [Int],
        otherSection: (Int) -> Int?,
        otherPath: (ItemPath) -> ItemPath?
    ) -> JSONValue {
        .array(
            counts.enumerated().map { section, count in
                let associatedWith = otherSection(section)
                return .integers(
                    (0..<count).map { item in
                        let path = otherPath(ItemPath(section: section, item: item))
                        return path.flatMap { $0.section == associatedWith ? $0.item : nil } ?? -1
                    }
                )
            }
        )
    }
}
