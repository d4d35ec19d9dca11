import CollectionElements

/// A rectangle by its axes along and across the scroll direction.
struct AxisRect: Hashable, Sendable {
    var along: Double
    var across: Double
    var alongExtent: Double
    var acrossExtent: Double
}

extension AxisRect {
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

extension Rect {
    /// What bounds that jump from here to `other` leave out, as far as a view may have asked about it: a
    /// viewport ahead. nil where they meet.
    func skipped(to other: Rect, _ direction: ScrollDirection) -> Rect? {
        let (old, new) = (AxisRect(self, direction), AxisRect(other, direction))
        var between = old
        if new.along > old.alongEnd {
            between.along = old.alongEnd
            between.alongExtent = min(new.along - old.alongEnd, old.alongExtent)
        } else if new.alongEnd < old.along {
            between.alongExtent = min(old.along - new.alongEnd, old.alongExtent)
            between.along = old.along - between.alongExtent
        } else {
            return nil
        }
        return between.rect(direction)
    }
}
