/// The selected items, in the order in which they were selected.
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

    /// Keeps only the items that were selected last.
    ///
    /// - Returns: The removed items.
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

    /// Maps the paths through an update, and removes items that no longer exist.
    ///
    /// Complexity: one call to `newPath` per selected item.
    mutating func rebase(_ newPath: (ItemPath) -> ItemPath?) {
        paths = paths.compactMap(newPath)
        members = Set(paths)
    }
}

/// The selection, the current touch, and the settings for selection by touch.
struct SelectionState {
    var items = SelectedItems()
    var touch = TouchState()
    var isAllowed = true
    var isMultipleAllowed = false
    /// The states of which nodes were last notified.
    var looks = NodeStateTracker()
    /// The items whose nodes must be checked at the end of the pass.
    var pendingNodeChecks = PendingNodeChecks()

    struct PendingNodeChecks {
        /// Items that became visible.
        var paths: [ItemPath] = []
        /// Whether items were inserted, deleted or moved.
        var isEverything = false

        var isDue: Bool { isEverything || !paths.isEmpty }
    }
}

/// The touch on a view, from down to up; at most one.
struct TouchState {
    /// The touched item, and whether the touch is still on it; `nil` if there is no touch, or the
    /// touch may not highlight its item.
    private var touch: (path: ItemPath, isInside: Bool)?

    var path: ItemPath? { touch?.path }

    var isInside: Bool { touch?.isInside == true }

    var highlighted: ItemPath? { isInside ? path : nil }

    mutating func begin(at path: ItemPath) { touch = (path, true) }

    mutating func move(inside: Bool) { touch?.isInside = inside }

    mutating func cancel() { touch = nil }

    /// Maps the path through an update; if the item no longer exists, the touch ends.
    mutating func rebase(_ newPath: (ItemPath) -> ItemPath?) {
        touch = touch.flatMap { old in newPath(old.path).map { ($0, old.isInside) } }
    }
}
