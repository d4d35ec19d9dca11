/// What a flow layout has laid out: everything that its queries look at, but the viewport.
struct FlowState: Sendable {
    var environment: FlowEnvironment
    var sections: SectionStack<FlowSection>

    /// How far the content reaches along the scroll direction.
    var contentExtent: Double {
        environment.alongLeading + sections.extent + environment.alongTrailing
    }

    var contentSize: Size {
        Size(along: contentExtent, across: environment.dimension, environment.direction)
    }

    /// Where a section begins, along.
    func start(ofSection section: Int) -> Double {
        environment.alongLeading + sections.start(of: section)
    }

    /// A rectangle in content coordinates.
    func rect(_ frame: FlowFrame) -> Rect {
        let size = frame.size
        var x = frame.across
        var y = frame.along
        if environment.direction == .horizontal {
            (x, y) = (frame.along, frame.across)
            if environment.mirrorsSections { x = contentExtent - x - size.width }
        } else if environment.mirrorsLines {
            x = environment.dimension - x - size.width
        }
        return Rect(
            origin: Point(x: environment.rounded(x), y: environment.rounded(y)),
            size: size
        )
    }

    /// A rectangle over the whole dimension.
    func rect(along: Double, extent: Double) -> Rect {
        let size = Size(along: extent, across: environment.dimension, environment.direction)
        return rect(FlowFrame(along: along, across: 0, size: size))
    }

    /// The interval along the scroll direction that a rectangle in content coordinates covers; nil for
    /// what is no rectangle.
    func along(_ rect: Rect) -> ClosedRange<Double>? {
        if environment.direction == .vertical { return interval(rect.minY, rect.maxY) }
        guard environment.mirrorsSections else { return interval(rect.minX, rect.maxX) }
        return interval(contentExtent - rect.maxX, contentExtent - rect.minX)
    }

    /// The same across.
    func across(_ rect: Rect) -> ClosedRange<Double>? {
        if environment.direction == .horizontal { return interval(rect.minY, rect.maxY) }
        guard environment.mirrorsLines else { return interval(rect.minX, rect.maxX) }
        return interval(environment.dimension - rect.maxX, environment.dimension - rect.minX)
    }

    /// A pixel more on either side, since what is found is rounded afterwards.
    private func interval(_ low: Double, _ high: Double) -> ClosedRange<Double>? {
        .searched(low, high, pixel: 1 / environment.scale, within: contentExtent)
    }

    /// Calls `body` with the sections that reach into an interval, and perhaps with neighbours.
    func visitSections(
        _ interval: ClosedRange<Double>,
        _ body: (_ index: Int, _ section: FlowSection, _ start: Double) -> Void
    ) {
        sections.visit(interval, from: environment.alongLeading, body)
    }
}

extension ClosedRange<Double> {
    /// nil where the numbers are no interval, as where infinities have met on the way.
    static func checked(_ low: Double, _ high: Double) -> ClosedRange? {
        low <= high ? low...high : nil
    }

    /// The interval with room for what is rounded between searching and comparing; nil for what is no
    /// interval.
    ///
    /// Whoever searches compares sums, from the section's start or from the edge of the content, in another
    /// order than frames are made of, so that the two differ in the last digits; which those are
    /// depends on the largest number that takes part. What is found is compared exactly afterwards, so more
    /// room costs some elements looked at, and too little loses one.
    ///
    /// - Parameters:
    ///   - pixel: how far frames are moved in addition.
    ///   - extent: how far the content reaches.
    static func searched(
        _ low: Double,
        _ high: Double,
        pixel: Double = 0,
        within extent: Double
    ) -> ClosedRange? {
        // Some dozens of roundings, each by half of the last of 53 digits.
        let digits = 0x1p-47
        func room(_ edge: Double) -> Double {
            // What is infinite is not rounded.
            let sums = (edge.isFinite ? abs(edge) : 0) + (extent.isFinite ? abs(extent) : 0)
            return pixel + sums * digits
        }
        return checked(low - room(low), high + room(high))
    }
}
