// Where an element is now, for who has nothing but the element; that is, its node.

/// Who keeps the maps that elements are in.
package protocol ElementOwner: AnyObject, Sendable {
    /// The newest accepted map and the one that is shown, as they are at one instant.
    var maps: (pending: ElementMap, visible: ElementMap) { get }

    /// An element wants to be measured again. From any thread.
    func setNeedsLayout(_ element: CollectionElement)

    /// Somebody wants the size of an element, which may have been put off. From any thread.
    func setNeedsMeasuring(_ element: CollectionElement)

    /// The view may offer other sizes than elements were measured for. From any thread.
    func setNeedsRelayout()
}

extension CollectionElement {
    private var owner: (any ElementOwner)? { surroundings.owner }

    /// Where the element is in the newest accepted state of the data source; nil where it is not there any more, or
    /// its controller is gone. From anywhere.
    ///
    /// Complexity: O(log n).
    public final var dataSourcePlace: ElementPlace? { owner?.maps.pending.place(of: self) }

    /// Where the view shows the element; nil where it does not show it yet, or no longer, or its controller is gone.
    /// From anywhere.
    ///
    /// Complexity: O(log n).
    public final var viewPlace: ElementPlace? { owner?.maps.visible.place(of: self) }

    /// Has the element measured again, because its node wants another size than it had. From anywhere.
    ///
    /// All that is asked for until the main lane comes to it becomes one update, which measures on workers, as
    /// always. It waits for the end of a batch that is open, and for room in the backlog unless that is merged. The
    /// data source is not asked, but for the node of an element that failed. Nothing happens where the element is
    /// removed, or not measured yet. A node that asks for this whenever it is measured keeps the controller busy for
    /// ever.
    ///
    /// Source: Texture's `setNeedsLayout` of a cell node.
    public final func setNeedsLayout() { owner?.setNeedsLayout(self) }

    /// Has the element measured soon, where its controller put that off. From anywhere, as often as one likes.
    ///
    /// All that is asked for until the main lane comes to it becomes one update, as with ``setNeedsLayout()``; the
    /// view is told of the sizes. Nothing happens where the element is measured, or about to be. A
    /// `SimulatedCollectionView` asks for what it shows, and its range controller for what comes into a range.
    public final func setNeedsMeasuring() {
        if content.isPending { owner?.setNeedsMeasuring(self) }
    }
}
