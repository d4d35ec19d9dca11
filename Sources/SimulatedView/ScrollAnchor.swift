import CollectionLayouts

/// What is to stay where it is on the screen while the layout changes.
enum ScrollAnchor: Hashable {
    /// The content's beginning is in sight, and remains so.
    case beginning
    /// A cell, and how far its origin is from that of the bounds.
    case cell(ItemPath, distance: Point)

    /// The first cell that is wholly in sight, or else the first that is partly; nil where there is
    /// none.
    ///
    /// - Parameters:
    ///   - cells: the cells' attributes, as last applied.
    ///   - visible: the bounds without what lies over them.
    init?(_ cells: some Sequence<LayoutAttributes>, in bounds: Rect, visible: Rect) {
        var best: (isWhole: Bool, path: ItemPath, frame: Rect)?
        for attributes in cells {
            let frame = attributes.frame
            guard frame.intersects(visible) else { continue }
            let isWhole = frame.minX >= visible.minX && frame.minY >= visible.minY
            if let found = best,
                found.isWhole != isWhole ? found.isWhole : found.path < attributes.path
            {
                continue
            }
            best = (isWhole, attributes.path, frame)
        }
        guard let best else { return nil }
        self = .cell(
            best.path,
            distance: Point(x: best.frame.minX - bounds.minX, y: best.frame.minY - bounds.minY)
        )
    }

    /// The content offset that keeps the anchor where it was; nil where the cell is nowhere.
    func offset(start: Point, _ frame: (ItemPath) -> Rect?) -> Point? {
        switch self {
        case .beginning: start
        case .cell(let path, let distance):
            frame(path).map { Point(x: $0.minX - distance.x, y: $0.minY - distance.y) }
        }
    }
}
