import CollectionElements

/// A rectangle by its axes along and across the scroll direction.
struct AxisRect: Hashable, Sendable {
    var along: Double
    var across: Double
    var alongExtent: Double
    var acrossExtent: Double

    init(along: Double, across: Double, alongExtent: Double, acrossExtent: Double) {
        self.along = along
        self.across = across
        self.alongExtent = alongExtent
        self.acrossExtent = acrossExtent
    }

    init(_ rect: Rect, _ direction: ScrollDirection) {
        along = rect.origin.along(direction)
        across = rect.origin.across(direction)
        alongExtent = rect.size.along(direction)
        acrossExtent = rect.size.across(direction)
    }

    var alongEnd: Double { along + alongExtent }
    var acrossEnd: Double { across + acrossExtent }

    func rect(_ direction: ScrollDirection) -> Rect {
        Rect(
            origin: Point(along: along, across: across, direction),
            size: Size(along: alongExtent, across: acrossExtent, direction)
        )
    }
}
