import CollectionLayouts

/// The touch that is on a view, from down to up: at most one.
struct TouchState {
    /// The item that is touched, and whether the touch is still on it; nil where there is no touch, or
    /// none that may highlight.
    private var touch: (path: ItemPath, isInside: Bool)?

    var path: ItemPath? { touch?.path }

    var isInside: Bool { touch?.isInside == true }

    var highlighted: ItemPath? { isInside ? path : nil }

    mutating func begin(at path: ItemPath) { touch = (path, true) }

    mutating func move(inside: Bool) { touch?.isInside = inside }

    mutating func cancel() { touch = nil }

    /// Follows the item through an update; a touch on what is gone is over.
    mutating func rebase(_ newPath: (ItemPath) -> ItemPath?) {
        touch = touch.flatMap { old in newPath(old.path).map { ($0, old.isInside) } }
    }
}

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
