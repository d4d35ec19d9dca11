/// How a row of a ``ListLayout`` comes and goes.
///
/// Source: UITableView.RowAnimation.
public enum RowAnimation: String, Hashable, Sendable, CaseIterable {
    /// It fades at its place.
    case fade
    /// It slides over the left edge.
    case left
    /// It slides over the right edge.
    case right
    /// It slides over the upper edge of its place.
    case top
    /// It slides over the lower edge of its place.
    case bottom
    /// It is there, or gone, at once.
    case none

    /// The row where it comes from or goes to.
    func applied(to row: LayoutAttributes) -> LayoutAttributes {
        var row = row
        switch self {
        case .fade: row.alpha = 0
        case .left: row.center.x -= row.size.width
        case .right: row.center.x += row.size.width
        case .top: row.center.y -= row.size.height
        case .bottom: row.center.y += row.size.height
        case .none: break
        }
        return row
    }
}
