/// A rectangle as layouts compute: along and across the scroll direction, from where lines begin.
struct FlowFrame: Hashable, Sendable {
    var along: Double
    var across: Double
    var size: Size

    func rect(_ direction: ScrollDirection) -> Rect {
        Rect(origin: Point(along: along, across: across, direction), size: size)
    }
}
