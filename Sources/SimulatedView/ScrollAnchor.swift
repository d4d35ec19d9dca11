import CollectionLayouts

/// What is to stay where it is on the screen while the layout changes.
enum ScrollAnchor: Hashable {
    /// The content's beginning is in sight, and remains so.
    case beginning
    /// A cell, and how far its upper corner is from that of the bounds: the left one, or the right one
    /// where content runs from right to left.
    case cell(ItemPath, distance: Point, isRightToLeft: Bool)

    /// The first cell that is wholly in sight, or else the first that is partly; nil where there is
    /// none.
    ///
    /// - Parameters:
    ///   - cells: the cells' attributes, as last applied.
    ///   - visible: the bounds without what lies over them.
    init?(
        _ cells: some Sequence<LayoutAttributes>,
        in bounds: Rect,
        visible: Rect,
        isRightToLeft: Bool
    ) {
        var best: (isWhole: Bool, path: ItemPath, frame: Rect)?
        for attributes in cells {
            let frame = attributes.frame
            guard frame.intersects(visible) else { continue }
            let isWhole =
                frame.minY >= visible.minY
                && (isRightToLeft ? frame.maxX <= visible.maxX : frame.minX >= visible.minX)
            if let found = best,
                found.isWhole != isWhole ? found.isWhole : found.path < attributes.path
            {
                continue
            }
            best = (isWhole, attributes.path, frame)
        }
        guard let best else { return nil }
        let frame = best.frame
        let x = isRightToLeft ? frame.maxX - bounds.maxX : frame.minX - bounds.minX
        self = .cell(
            best.path,
            distance: Point(x: x, y: frame.minY - bounds.minY),
            isRightToLeft: isRightToLeft
        )
    }

    /// The content offset that keeps the anchor where it was; nil where the cell is nowhere.
    ///
    /// - Parameter width: that of the bounds now.
    func offset(start: Point, width: Double, _ frame: (ItemPath) -> Rect?) -> Point? {
        switch self {
        case .beginning: start
        case .cell(let path, let distance, let isRightToLeft):
            frame(path).map { frame in
                let x = isRightToLeft ? frame.maxX - width : frame.minX
                return Point(x: x - distance.x, y: frame.minY - distance.y)
            }
        }
    }
}
