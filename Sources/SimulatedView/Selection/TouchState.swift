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
