import CollectionLayouts

/// The touch that is on a view, from down to up: at most one.
struct TouchState {
    /// The item that is touched; nil where there is no touch, or none that may highlight.
    private(set) var path: ItemPath?
    /// Whether the touch is still on the item.
    private(set) var isInside = false

    var highlighted: ItemPath? { isInside ? path : nil }

    mutating func begin(at path: ItemPath) {
        self.path = path
        isInside = true
    }

    mutating func move(inside: Bool) { isInside = inside }

    mutating func cancel() {
        path = nil
        isInside = false
    }

    /// Follows the item through an update; a touch on what is gone is over.
    mutating func rebase(_ newPath: (ItemPath) -> ItemPath?) {
        guard let path else { return }
        self.path = newPath(path)
        if self.path == nil { isInside = false }
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
