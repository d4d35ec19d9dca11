import CollectionLayouts

/// The items that are selected, in the order in which they were.
struct SelectedItems {
    private(set) var paths: [ItemPath] = []
    private var members: Set<ItemPath> = []

    func contains(_ path: ItemPath) -> Bool { members.contains(path) }

    mutating func insert(_ path: ItemPath) {
        if members.insert(path).inserted { paths.append(path) }
    }

    mutating func remove(_ path: ItemPath) {
        if members.remove(path) != nil { paths.removeAll { $0 == path } }
    }

    /// Leaves those that were selected last.
    ///
    /// - Returns: the others.
    mutating func keepLast(_ count: Int) -> [ItemPath] {
        let removed = Array(paths.dropLast(count))
        paths = paths.suffix(count)
        members = Set(paths)
        return removed
    }

    mutating func removeAll() {
        paths = []
        members = []
    }

    /// Follows the items through an update; what is gone is no longer selected.
    ///
    /// Complexity: as many questions as there are selected items.
    mutating func rebase(_ newPath: (ItemPath) -> ItemPath?) {
        paths = paths.compactMap(newPath)
        members = Set(paths)
    }
}

/// What is selected and touched, and what touches may select.
struct SelectionState {
    var items = SelectedItems()
    var touch = TouchState()
    var isAllowed = true
    var isMultipleAllowed = false
    /// What nodes were told of it.
    var looks = NodeLooks()
    /// What is to be looked for at the end of the pass.
    var untold = Untold()

    struct Untold {
        /// Items that came into sight.
        var paths: [ItemPath] = []
        /// Whether items came, went or moved.
        var isEverything = false

        var isDue: Bool { isEverything || !paths.isEmpty }
    }
}
