import CollectionPipeline

/// What the original's map becomes when a path that was named twice is applied twice.
struct DuplicateReplay {
    private(set) var asks: [String] = []
    private(set) var map: [[String]] = []
    /// Set where the map has no such place; what the map is then matters no more.
    private(set) var applyError: String?

    /// - Parameters:
    ///   - removals: the items to remove, in order, as often as they are removed.
    ///   - insertions: the items to insert, in order, as often as they are inserted.
    init(_ update: ValidatedChangeSet, removals: [ItemPath], insertions: [ItemPath]) {
        let oldCounts = update.oldShape.itemCounts
        map = oldCounts.enumerated().map { section, count in
            (0..<count).map { "o\(section).\($0)" }
        }
        for edit in update.sectionInsertions { asks.append("c\(edit.section)") }
        for path in removals {
            let count = map[path.section].count
            guard path.item < count else {
                applyError =
                    "NSInternalInconsistencyException: Invalid item index \(path.item) – only"
                    + " \(count) items in section \(path.section)"
                return
            }
            map[path.section].remove(at: path.item)
        }
        applySections(update)
        for path in insertions {
            let item = ask(path)
            guard path.item <= map[path.section].count else {
                applyError = "NSRangeException"
                return
            }
            map[path.section].insert(item, at: path.item)
        }
    }

    private var itemCount = 0

    private mutating func applySections(_ update: ValidatedChangeSet) {
        for edit in update.sectionRemovals { map.remove(at: edit.section) }
        for edit in update.sectionInsertions {
            let items = (0..<edit.freshItemCount).map {
                ask(ItemPath(section: edit.section, item: $0))
            }
            map.insert(items, at: edit.section)
        }
    }

    private mutating func ask(_ path: ItemPath) -> String {
        asks.append("b\(path.section).\(path.item)")
        defer { itemCount += 1 }
        return "n\(itemCount)"
    }
}
