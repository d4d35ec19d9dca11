/// The result of a flow layout: all data that its queries use, except the viewport.
struct FlowState: Sendable {
    var environment: FlowEnvironment
    var sections: SectionStack<FlowSection>

    /// The extent of the content along the scroll direction.
    var contentExtent: Double {
        environment.alongLeading + sections.extent + environment.alongTrailing
    }

    var contentSize: Size {
        Size(along: contentExtent, across: environment.dimension, environment.direction)
    }

    /// Returns the start of a section along the scroll direction.
    func start(ofSection section: Int) -> Double {
        environment.alongLeading + sections.start(of: section)
    }

    /// Returns a rectangle in content coordinates.
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

    /// Returns a rectangle, in content coordinates, that fills the view across the scroll
    /// direction.
    func rect(along: Double, extent: Double) -> Rect {
        let size = Size(along: extent, across: environment.dimension, environment.direction)
        return rect(FlowFrame(along: along, across: 0, size: size))
    }

    /// Returns the interval along the scroll direction that a rectangle in content coordinates
    /// covers; `nil` for an invalid rectangle.
    func along(_ rect: Rect) -> ClosedRange<Double>? {
        if environment.direction == .vertical { return interval(rect.minY, rect.maxY) }
        guard environment.mirrorsSections else { return interval(rect.minX, rect.maxX) }
        return interval(contentExtent - rect.maxX, contentExtent - rect.minX)
    }

    /// Returns the interval across the scroll direction that a rectangle in content coordinates
    /// covers.
    func across(_ rect: Rect) -> ClosedRange<Double>? {
        if environment.direction == .horizontal { return interval(rect.minY, rect.maxY) }
        guard environment.mirrorsLines else { return interval(rect.minX, rect.maxX) }
        return interval(environment.dimension - rect.maxX, environment.dimension - rect.minX)
    }

    /// Returns the interval with one more pixel on either side, because frames are rounded
    /// afterwards.
    private func interval(_ low: Double, _ high: Double) -> ClosedRange<Double>? {
        .searched(low, high, pixel: 1 / environment.scale, within: contentExtent)
    }

    /// Calls `body` with the sections that overlap an interval, and possibly with adjacent
    /// sections.
    func visitSections(
        _ interval: ClosedRange<Double>,
        _ body: (_ index: Int, _ section: FlowSection, _ start: Double) -> Void
    ) {
        sections.visit(interval, from: environment.alongLeading, body)
    }
}

extension ClosedRange<Double> {
    /// Returns the range; `nil` if the numbers form no interval, for example after computing with
    /// infinities.
    static func checked(_ low: Double, _ high: Double) -> ClosedRange? {
        low <= high ? low...high : nil
    }

    /// Returns the interval, widened by the rounding errors between searching and comparing; `nil`
    /// if the numbers form no interval.
    ///
    /// A search compares sums that start at the section or at the edge of the content, so they are
    /// added in a different order than in the computation of frames. The two therefore differ in
    /// the last digits, depending on the largest number involved. Results are compared exactly
    /// afterwards, so a wider interval only visits a few more elements, while a narrower one would
    /// miss an element.
    ///
    /// - Parameters:
    ///   - pixel: The additional distance by which frames may be moved.
    ///   - extent: The extent of the content.
    static func searched(
        _ low: Double,
        _ high: Double,
        pixel: Double = 0,
        within extent: Double
    ) -> ClosedRange? {
        // This is enough for several dozen rounding errors, each of half a unit in the last of 53
        // digits.
        let digits = 0x1p-47
        func room(_ edge: Double) -> Double {
            // Infinite values are not rounded.
            let sums = (edge.isFinite ? abs(edge) : 0) + (extent.isFinite ? abs(extent) : 0)
            return pixel + sums * digits
        }
        return checked(low - room(low), high + room(high))
    }
}

// Queries. The results are the same whether the state is the newest or the one before an update;
// the caller passes the viewport that headers and footers are pinned to.

extension FlowState {
    /// Returns the attributes of all elements in `rect`: items, then headers, then footers.
    ///
    /// - Parameter visitedItems: A counter that increases by the number of visited items.
    func elements(
        in rect: Rect,
        _ viewport: Viewport?,
        _ visitedItems: inout Int
    ) -> [LayoutAttributes] {
        guard let along = along(rect), let across = across(rect) else { return [] }
        var found: [LayoutAttributes] = []
        visitSections(along) { index, section, start in
            guard
                let local = ClosedRange.checked(along.lowerBound - start, along.upperBound - start)
            else { return }
            section.visitItems(along: local, across: across) { item, frame in
                visitedItems += 1
                var frame = frame
                frame.along += start
                let path = ItemPath(section: index, item: item)
                let attributes = LayoutAttributes(.cell(path), frame: self.rect(frame))
                // Callers see the frame that is computed from the centre; it may differ in the last
                // digit from the frame that the attributes were made from.
                if attributes.frame.intersects(rect) { found.append(attributes) }
            }
        }
        for kind in [SupplementaryKind.header, .footer] {
            found += supplements(kind, ofSectionsIn: rect, viewport: viewport)
                .map(\.attributes).filter { $0.frame.intersects(rect) }
        }
        return found
    }

    func attributes(for place: LayoutPlace, _ viewport: Viewport?) -> LayoutAttributes? {
        switch place.category {
        case .cell: frame(ofItem: place.path).map { LayoutAttributes(place, frame: $0) }
        case .supplementary(let kind): supplement(kind, at: place.path, viewport)?.attributes
        case .decoration: nil
        }
    }

    func frame(ofItem path: ItemPath) -> Rect? {
        guard let section = sections.element(at: path.section),
            var frame = section.frame(ofItem: path.item)
        else { return nil }
        frame.along += start(ofSection: path.section)
        return rect(frame)
    }

    func frame(ofSection section: Int) -> Rect? {
        sections.element(at: section).map {
            rect(along: start(ofSection: section), extent: $0.extent)
        }
    }

    func supplement(
        _ kind: SupplementaryKind,
        at path: ItemPath,
        _ viewport: Viewport?
    ) -> FlowSupplement? {
        guard path.item == 0, kind == .header || kind == .footer,
            let section = sections.element(at: path.section)
        else { return nil }
        let start = start(ofSection: path.section)
        let frame =
            kind == .header
            ? header(of: section, at: start, in: viewport)
            : footer(of: section, at: start, in: viewport)
        return frame.map { FlowSupplement(section: path.section, kind: kind, frame: $0) }
    }
}

extension FlowSupplement {
    var attributes: LayoutAttributes {
        let place = LayoutPlace(.supplementary(kind), ItemPath(section: section, item: 0))
        var attributes = LayoutAttributes(place, frame: frame)
        attributes.zIndex = 10
        return attributes
    }
}

// The places of headers and footers, and their pinned places while their section scrolls.

/// A header or footer before its attributes are made.
struct FlowSupplement {
    let section: Int
    let kind: SupplementaryKind
    let frame: Rect
}

extension FlowState {
    /// The part of the viewport that shows content: the bounds without the content inset, along the
    /// scroll direction.
    struct Viewport {
        let interval: ClosedRange<Double>
        let pinsHeaders: Bool
        let pinsFooters: Bool
    }

    /// Returns the frame of a section's header, or `nil` if it has none.
    ///
    /// - Parameter start: The start of the section.
    func header(of section: FlowSection, at start: Double, in viewport: Viewport?) -> Rect? {
        let metrics = section.rules.metrics
        guard metrics.header > 0 else { return nil }
        var along = start
        if let viewport, viewport.pinsHeaders {
            along = pinned(section, at: start)
                .headerStart(at: along, visibleFrom: viewport.interval.lowerBound)
        }
        return rect(along: along, extent: metrics.header)
    }

    /// Returns the frame of a section's footer, or `nil` if it has none.
    func footer(of section: FlowSection, at start: Double, in viewport: Viewport?) -> Rect? {
        let metrics = section.rules.metrics
        guard metrics.footer > 0 else { return nil }
        var along = start + section.extent - metrics.footer
        if let viewport, viewport.pinsFooters {
            along = pinned(section, at: start)
                .footerStart(at: along, visibleTo: viewport.interval.upperBound)
        }
        return rect(along: along, extent: metrics.footer)
    }

    private func pinned(_ section: FlowSection, at start: Double) -> PinnedSection {
        PinnedSection(
            start: start,
            end: start + section.extent,
            headerExtent: section.rules.metrics.header,
            footerExtent: section.rules.metrics.footer
        )
    }

    /// Returns the headers or footers that may lie in a rectangle; pinned ones only if their
    /// sections do.
    func supplements(
        _ kind: SupplementaryKind,
        ofSectionsIn rect: Rect,
        viewport: Viewport?
    ) -> [FlowSupplement] {
        guard let along = along(rect) else { return [] }
        let isPinned =
            kind == .header ? viewport?.pinsHeaders ?? false : viewport?.pinsFooters ?? false
        var found: [FlowSupplement] = []
        visitSections(along) { index, section, start in
            guard
                !isPinned || self.rect(along: start, extent: section.extent).intersects(rect)
            else { return }
            let frame =
                kind == .header
                ? header(of: section, at: start, in: viewport)
                : footer(of: section, at: start, in: viewport)
            guard let frame else { return }
            found.append(FlowSupplement(section: index, kind: kind, frame: frame))
        }
        return found
    }
}

/// The pinned places of a section's header and footer while it scrolls: positions along the scroll
/// direction that ascend from the first section to the last.
///
/// Source: UICollectionViewFlowLayout, rule by rule.
struct PinnedSection {
    let start: Double
    let end: Double
    let headerExtent: Double
    let footerExtent: Double

    /// Returns the start of the header: not before the visible interval, and early enough that the
    /// header and then the footer fit in the section.
    func headerStart(at natural: Double, visibleFrom visible: Double) -> Double {
        min(max(natural, visible), end - footerExtent - headerExtent)
    }

    /// Returns the start of the footer: within the visible interval up to its end, and after the
    /// header.
    func footerStart(at natural: Double, visibleTo visible: Double) -> Double {
        max(min(natural, visible - footerExtent), start + headerExtent)
    }
}
