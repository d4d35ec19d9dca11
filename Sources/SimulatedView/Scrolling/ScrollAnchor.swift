import CollectionLayouts

/// What is to stay where it is on the screen while the layout changes.
enum ScrollAnchor: Hashable {
    /// The content's beginning is visible, and remains so.
    case beginning
    /// A cell, and how far its leading corner is from that of the bounds.
    case cell(ItemPath, distance: Point, isRightToLeft: Bool)

    /// The first cell whose beginning is visible, or else the first that is partly; nil where there is
    /// none.
    ///
    /// - Parameters:
    ///   - cells: the cells' attributes.
    ///   - visible: the bounds without what lies over them.
    init?(
        _ cells: some Sequence<LayoutAttributes>,
        in bounds: Rect,
        visible: Rect,
        isRightToLeft: Bool
    ) {
        var best: (showsStart: Bool, path: ItemPath, frame: Rect)?
        for attributes in cells {
            let frame = attributes.frame
            guard frame.intersects(visible) else { continue }
            let isLeading =
                isRightToLeft ? frame.maxX <= visible.maxX : frame.minX >= visible.minX
            let showsStart = isLeading && frame.minY >= visible.minY
            if let found = best,
                found.showsStart != showsStart
                    ? found.showsStart : found.path < attributes.indexPath
            {
                continue
            }
            best = (showsStart, attributes.indexPath, frame)
        }
        guard let best else { return nil }
        let corner = Self.corner(of: best.frame, isRightToLeft)
        self = .cell(
            best.path,
            distance: Point(
                x: corner.x - (isRightToLeft ? bounds.maxX : bounds.minX),
                y: corner.y - bounds.minY
            ),
            isRightToLeft: isRightToLeft
        )
    }

    /// The content offset that keeps the anchor where it was; nil where the cell is nowhere.
    ///
    /// - Parameters:
    ///   - start: the offset at the content's beginning.
    ///   - width: that of the viewport.
    ///   - frame: where a cell is now.
    func offset(start: Point, width: Double, _ frame: (ItemPath) -> Rect?) -> Point? {
        switch self {
        case .beginning: start
        case .cell(let path, let distance, let isRightToLeft):
            frame(path).map { frame in
                let corner = Self.corner(of: frame, isRightToLeft)
                let x = corner.x - distance.x - (isRightToLeft ? width : 0)
                return Point(x: x, y: corner.y - distance.y)
            }
        }
    }

    private static func corner(of frame: Rect, _ isRightToLeft: Bool) -> Point {
        Point(x: isRightToLeft ? frame.maxX : frame.minX, y: frame.minY)
    }
}
