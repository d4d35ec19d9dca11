import CollectionElements

/// A node that is told whether its item is selected, and whether a touch is on it.
///
/// Each is told by turns, also while the item has no cell: as soon as it changes, by touch or by program, and
/// where an update or another node of the item brings it about, at the end of the view's pass. The node of an item
/// that goes while it is selected hears that it is so no more. A node that is made while its item is selected is
/// told when the item is shown next.
///
/// Threading: called on the main lane, never within a pass of the view.
///
/// Source: the selected and highlighted states of Texture's cell node.
public protocol SelectableNode: CollectionNode {
    /// The item was selected, or deselected. Does nothing by default.
    func selectionDidChange(to isSelected: Bool)

    /// A touch came onto the item, or left it. Does nothing by default.
    func highlightDidChange(to isHighlighted: Bool)
}

extension SelectableNode {
    /// Does nothing.
    public func selectionDidChange(to isSelected: Bool) {}

    /// Does nothing.
    public func highlightDidChange(to isHighlighted: Bool) {}
}
