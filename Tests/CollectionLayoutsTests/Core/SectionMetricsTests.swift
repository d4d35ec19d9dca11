import Testing

@testable import CollectionLayouts

/// A section's context that says something of its layout.
final class MetricsContext: SectionMetricsProviding {
    let sectionMetrics: SectionMetrics

    init(_ metrics: SectionMetrics) { sectionMetrics = metrics }
}

@Suite("What is said of a section, and by whom")
struct SectionMetricsTests {
    private static let answer = SectionMetrics(
        itemSize: Size(width: 100, height: 11),
        insets: EdgeInsets(top: 1, bottom: 2),
        lineSpacing: 3,
        headerExtent: 4,
        footerExtent: 5
    )
    private static let context = SectionMetrics(
        itemSize: Size(width: 100, height: 21),
        insets: EdgeInsets(top: 31, bottom: 32),
        lineSpacing: 33,
        headerExtent: 34,
        footerExtent: 35
    )

    /// Where header, items and footer begin and end.
    private func found(_ layout: CollectionLayout) -> [[Double]] {
        let places: [LayoutPlace] =
            [.header(0)] + (0..<2).map { .cell(ItemPath(section: 0, item: $0)) } + [.footer(0)]
        return places.map { place in
            layout.frame(place).map { [$0.minY, $0.maxY] } ?? []
        }
    }

    /// The same, by what holds.
    private func expected(_ engine: LayoutEngine, _ metrics: SectionMetrics) -> [[Double]] {
        let isList = engine == .list
        let height = metrics.itemSize?.height ?? (isList ? 44 : 50)
        let insets = isList ? .zero : metrics.insets ?? .zero
        let spacing = isList ? 0 : metrics.lineSpacing ?? 10
        let (header, footer) = (metrics.headerExtent ?? 0, metrics.footerExtent ?? 0)
        let first = header + insets.top
        let second = first + height + spacing
        let end = second + height + insets.bottom
        return [
            header > 0 ? [0, header] : [], [first, first + height], [second, second + height],
            footer > 0 ? [end, end + footer] : [],
        ]
    }

    /// Member by member: every combination of those that the view answers, with a context and without.
    @Test(arguments: LayoutEngine.allCases, [false, true])
    func whatHoldsIsTheAnswerThenTheContextThenTheLayout(
        _ engine: LayoutEngine,
        _ hasContext: Bool
    ) {
        let (answer, context) = (Self.answer, Self.context)
        for bits in 0..<32 {
            func has(_ bit: Int) -> Bool { bits >> bit & 1 == 1 }
            let host = ScriptedHost([ScriptedSection(items: [nil, nil])], width: 100)
            let other = hasContext ? context : SectionMetrics()
            if hasContext { host.sections[0].context = MetricsContext(context) }
            if has(0) { host.sections[0].itemSize = answer.itemSize }
            if has(1) { host.sections[0].inset = answer.insets }
            if has(2) { host.sections[0].line = answer.lineSpacing }
            if has(3) { host.sections[0].header = answer.headerExtent }
            if has(4) { host.sections[0].footer = answer.footerExtent }
            let holds = SectionMetrics(
                itemSize: has(0) ? answer.itemSize : other.itemSize,
                insets: has(1) ? answer.insets : other.insets,
                lineSpacing: has(2) ? answer.lineSpacing : other.lineSpacing,
                headerExtent: has(3) ? answer.headerExtent : other.headerExtent,
                footerExtent: has(4) ? answer.footerExtent : other.footerExtent
            )
            let layout = host.lay(engine.make())
            #expect(found(layout) == expected(engine, holds), "\(bits)")
            #expect(layout.errors.isEmpty)
            // Nobody answers for the view, and the context is believed alone.
            host.metrics = nil
            layout.invalidateLayout()
            layout.prepare()
            #expect(found(layout) == expected(engine, other), "\(bits)")
        }
    }

    /// The size of one item goes before what is said of all.
    @Test(arguments: LayoutEngine.allCases)
    func anItemsOwnSizeGoesBeforeThatOfItsSection(_ engine: LayoutEngine) {
        let host = ScriptedHost([
            ScriptedSection(items: [nil, Size(width: 100, height: 7)], line: 0)
        ])
        host.sections[0].context = MetricsContext(Self.context)
        // A measurement says what nobody else does.
        for item in 0..<2 {
            host.measured[.cell(ItemPath(section: 0, item: item))] = Size(width: 90, height: 90)
        }
        let heights = host.lay(engine.make()).frames().map(\.size.height)
        #expect(heights == [21, 7])
    }

    @Test(arguments: ScrollDirection.allCases)
    func theSpacingBetweenItemsComesFromTheContextToo(_ direction: ScrollDirection) {
        for engine in LayoutEngine.flows {
            let host = ScriptedHost([ScriptedSection(items: [nil, nil, nil, nil])])
            host.bounds.size = Size(width: 70, height: 70)
            host.sections[0].context = MetricsContext(
                SectionMetrics(itemSize: Size(width: 10, height: 10), interitemSpacing: 20)
            )
            let axis = direction == .vertical ? 0 : 1
            let frames = host.lay(engine.make(direction)).frames()
            let across = frames.map { [$0.minX, $0.minY][axis] }
            #expect(across == [0, 30, 60, 0])
        }
    }

    /// And is reported the same.
    @Test(arguments: LayoutEngine.allCases)
    func whatIsNoDistanceCountsAsZeroWhoeverSaysIt(_ engine: LayoutEngine) {
        for value in [-1, .nan, .infinity, -.infinity] as [Double] {
            let metrics = SectionMetrics(
                itemSize: Size(width: value, height: value),
                insets: EdgeInsets(left: .nan),
                lineSpacing: value,
                interitemSpacing: value,
                headerExtent: value,
                footerExtent: value
            )
            var found: [[LayoutError]] = []
            for isContext in [true, false] {
                let host = ScriptedHost([ScriptedSection(items: [nil])])
                if isContext {
                    host.sections[0].context = MetricsContext(metrics)
                } else {
                    host.sections[0].itemSize = metrics.itemSize
                    host.sections[0].inset = metrics.insets
                    host.sections[0].line = metrics.lineSpacing
                    host.sections[0].interitem = metrics.interitemSpacing
                    (host.sections[0].header, host.sections[0].footer) = (value, value)
                }
                let layout = host.lay(engine.make())
                #expect(layout.frames().map(\.size.height) == [0])
                #expect(layout.frame(.header(0)) == nil && layout.frame(.footer(0)) == nil)
                #expect(layout.collectionViewContentSize.height == 0)
                found.append(layout.errors)
            }
            #expect(found[0] == found[1] && found[0].count >= 3, "\(value)")
        }
    }
}
