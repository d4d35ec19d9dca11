import TestSupport
import Testing

@testable import CollectionLayouts

/// Stacks rows, records what it lays out, and checks the documented guarantees of its input.
private struct RecordingLayout: SectionLayout {
    final class Notes: @unchecked Sendable {  // one thread
        var prepared: [Int] = []
        var updated: [Int] = []
        var failures: [String] = []
    }

    final class Context: SectionContext {}

    let notes: Notes

    struct Rows: SectionArrangement {
        let heights: [Double]
        let width: Double
        let context: (any SectionContext)?

        var extent: Double { heights.reduce(0, +) }
        var headerFrame: Rect? { nil }
        var footerFrame: Rect? { nil }
        var itemCount: Int { heights.count }

        func frame(ofItem item: Int) -> Rect? {
            guard heights.indices.contains(item) else { return nil }
            let top = heights[..<item].reduce(0, +)
            return Rect(x: 0, y: top, width: width, height: heights[item])
        }
    }

    private func height(_ item: Int, _ input: SectionInput) -> Double {
        input.size(ofItem: item)?.height ?? 5
    }

    func prepare(_ input: SectionInput) -> any SectionArrangement {
        notes.prepared.append(input.section)
        let heights = (0..<input.itemCount).map { height($0, input) }
        return Rows(heights: heights, width: input.acrossExtent, context: input.sectionContext)
    }

    func update(
        _ arrangement: any SectionArrangement,
        replacing spans: [ItemSpan],
        _ input: SectionInput
    ) -> any SectionArrangement {
        notes.updated.append(input.section)
        guard let former = arrangement as? Rows else {
            notes.failures.append("not the last arrangement")
            return prepare(input)
        }
        if former.width != input.acrossExtent { notes.failures.append("another width") }
        if former.context !== input.sectionContext {
            notes.failures.append("another section's context")
        }
        var heights = former.heights
        for span in spans {
            let start = span.new.lowerBound
            let new = span.new.map { height($0, input) }
            heights.replaceSubrange(start..<(start + span.old.count), with: new)
        }
        let areApart = zip(spans, spans.dropFirst()).allSatisfy {
            $0.old.upperBound < $1.old.lowerBound && $0.new.upperBound < $1.new.lowerBound
        }
        // All other items must have their old sizes.
        let expected = (0..<input.itemCount).map { height($0, input) }
        if heights != expected || !areApart { notes.failures.append("spans \(spans)") }
        return Rows(heights: heights, width: former.width, context: input.sectionContext)
    }
}

/// Records its surroundings and changes nothing.
private final class RecordingFeature: LayoutFeature {
    var seen: [LayoutPlace: LayoutEnvironment] = [:]

    func rewrite(_ attributes: LayoutAttributes, in environment: LayoutEnvironment)
        -> LayoutAttributes
    {
        seen[attributes.place] = environment
        return attributes
    }
}

/// Returns frames for more items than exist, also finds them, and places views at given frames.
private struct InvalidLayout: SectionLayout, SectionArrangement {
    var headerFrame: Rect?
    var decorations: [SectionDecoration] = []
    var extent = 100.0

    func prepare(_ input: SectionInput) -> any SectionArrangement { self }
    var footerFrame: Rect? { nil }
    var itemCount: Int { 99 }
    func frame(ofItem item: Int) -> Rect? {
        item == 1 ? nil : Rect(x: Double(item) * 10, y: .nan, width: 10, height: -1)
    }
    func items(in rect: Rect) -> [Int] { Array(-3...9) }
}

/// The guarantees of a composed layout to custom section layouts and features.
@Suite("Section layouts")
struct SectionLayoutTests {
    // MARK: Input of section layouts

    @Test func anUpdateReceivesTheLastArrangementAndAllChangedSpans() throws {
        for seed in 0..<UInt64(10) {
            var random = SeededNumbers(seed: seed)
            let notes = RecordingLayout.Notes()
            func section(_ count: Int) -> ScriptedSection {
                ScriptedSection(
                    items: (0..<count).map { _ in
                        Size(width: 9, height: Double(random.next(below: 90)))
                    },
                    context: RecordingLayout.Context()
                )
            }
            let host = ScriptedHost((0..<5).map { _ in section(6) })
            let layout = host.lay(ComposedLayout(defaultLayout: RecordingLayout(notes: notes)))
            for _ in 0..<30 {
                let event = random.next(below: 4)
                if event == 0, let index = host.sections.indices.randomElement(using: &random) {
                    let items = host.sections[index].items.indices.filter { $0 % 3 == 1 }
                    for item in items {
                        host.sections[index].items[item] = Size(width: 1, height: 7)
                    }
                    layout.invalidate { $0.invalidateItems(at: items.map { ItemPath(index, $0) }) }
                    layout.prepare()
                } else if event == 1 {
                    let places = layout.everything.keys.sorted()
                    guard let place = places.randomElement(using: &random) else { continue }
                    layout.prefer(Size(width: 5, height: Double(random.next(below: 50))), to: place)
                } else {
                    let old = host.sections
                    let drawn = RandomUpdate(from: host.shape, &random, rate: 0.2)
                    let update = try drawn.changes.validated(from: host.shape, to: drawn.newShape)
                    let items = try update.apply(to: old.map(\.items)) { _ in
                        Size(width: 9, height: Double(random.next(below: 90)))
                    }
                    let sections = items.indices.map { index in
                        var inserted = section(0)
                        inserted.items = items[index]
                        let isKept = update.sectionInsertion(at: index)?.role != .reload
                        if isKept, let origin = update.oldSection(for: index) {
                            inserted.context = old[origin].context
                        }
                        return inserted
                    }
                    try layout.update(host, to: sections) { changes in
                        for operation in drawn.changes.operations { changes.record(operation) }
                    }
                }
            }
            #expect(notes.failures == [] && notes.updated.count > 10, "seed \(seed)")
        }
    }

    /// The layout queries a context when its section is inserted and when everything is
    /// invalidated, but not when the section moves or is laid out again.
    @Test func aContextProvidesItsLayoutWhenItsSectionIsInserted() throws {
        final class Context: SectionLayoutProviding, @unchecked Sendable {  // one thread
            var queries = 0
            var sectionLayout: any SectionLayout {
                queries += 1
                return MasonrySectionLayout(columnCount: 2)
            }
        }
        let context = Context()
        let host = ScriptedHost((0..<3).map { _ in .uniform(2, 10, 10) })
        host.sections[0].context = context
        let layout = ComposedLayout()
        var providerCalls: [Int] = []
        layout.layoutProvider = { section, _ in
            providerCalls.append(section)
            return nil
        }
        _ = host.lay(layout)
        #expect(context.queries == 1 && providerCalls == [1, 2])
        var sections = host.sections
        sections.append(sections.removeFirst())
        sections[2].items.insert(Size(width: 1, height: 1), at: 0)
        try layout.update(host, to: sections) {
            $0.moveSection(0, toSection: 2)
            $0.insertItems(at: [ItemPath(2, 0)])
        }
        layout.invalidateSections([0, 1, 2])
        layout.prepare()
        #expect(context.queries == 1 && providerCalls == [1, 2])
        layout.invalidate { $0.invalidatesEverything = true }
        layout.prepare()
        #expect(context.queries == 2 && providerCalls == [1, 2, 0, 1])
    }

    /// The layout from the documentation of ``SectionLayout``, with an input made by hand.
    @Test func aSectionLayoutWorksWithoutAView() {
        let context = WorldMetricsContext(
            SectionMetrics(itemSize: Size(width: 3, height: 4), lineSpacing: 5, headerExtent: 20)
        )
        let input = SectionInput(
            section: 2,
            acrossExtent: 320,
            itemCount: 3,
            sectionContext: context,
            metrics: SectionMetrics(lineSpacing: 7)
        ) { item in item == 2 ? nil : Size(width: 100, height: Double(10 + item)) }
        #expect(input.sectionContext === context && input.metrics.lineSpacing == 7)
        #expect(input.headerExtent == 20 && input.footerExtent == nil)
        #expect((0..<3).map { input.size(ofItem: $0)?.height } == [10, 11, 4])
        let arrangement = FlowSectionLayout().prepare(input)
        #expect(arrangement.extent == 31)
        #expect(arrangement.headerFrame == Rect(x: 0, y: 0, width: 320, height: 20))
        #expect(arrangement.items(in: Rect(x: 105, y: 20, width: 10, height: 5)) == [1])
        let nothing = SectionInput(acrossExtent: .nan, itemCount: -1) { _ in nil }
        #expect(MasonrySectionLayout(columnCount: 2).prepare(nothing).extent == 0)
        // An arrangement with only the required members is queried about every item.
        let rows = RecordingLayout(notes: RecordingLayout.Notes()).prepare(input)
        let rect = Rect(x: 0, y: 5, width: 9, height: 6)
        var found: [Int] = []
        rows.forEachItem(in: rect) { item, frame in
            if frame == rows.frame(ofItem: item) { found.append(item) }
        }
        #expect(rows.items(in: rect) == [0, 1] && found == [0, 1] && rows.decorations == [])
        // An item without a frame is nowhere.
        struct Gap: SectionArrangement {
            var extent: Double { 9 }
            var headerFrame: Rect? { nil }
            var footerFrame: Rect? { nil }
            var itemCount: Int { 3 }
            func frame(ofItem item: Int) -> Rect? {
                item == 1 ? nil : Rect(x: 0, y: 0, width: 9, height: 9)
            }
        }
        #expect(Gap().items(in: rect) == [0, 2])
    }

    @Test func aFlowLayoutWithoutRoomBetweenInsetsIsEmpty() {
        let host = ScriptedHost([.uniform(3, 1, 1)])
        host.adjustedContentInset = EdgeInsets(left: 200, right: 120)
        let layout = host.lay(FlowLayout())
        #expect(layout.collectionViewContentSize == .zero)
    }

    // MARK: Invalid arrangements

    @Test func invalidValuesOfAnArrangementAreReplaced() {
        let nowhere = Rect(x: .nan, y: -.infinity, width: -1, height: 1e300)
        let decoration = SectionDecoration(.background, frame: nowhere, zIndex: .max)
        let nonsense = InvalidLayout(
            headerFrame: nowhere,
            decorations: [decoration],
            extent: -.infinity
        )
        let host = ScriptedHost([ScriptedSection(), .uniform(3, 1, 1)])
        let layout = host.lay(ComposedLayout(defaultLayout: nonsense))
        #expect(layout.collectionViewContentSize == Size(width: 320, height: 0))
        #expect(layout.errors.map(LayoutModel.key) == ["sectionExtent in 0", "sectionExtent in 1"])
        let frames = [LayoutPlace.header(1), .background(1)].map { layout.frame($0) }
        #expect(frames == [.zero, .zero])
        // No more items are placed than the view has.
        let expected: [Rect?] = [0, nil, 20, nil].map { x in
            x.map { Rect(x: $0, y: 0, width: 10, height: 0) }
        }
        #expect((0..<4).map { layout.frame(.cell(ItemPath(1, $0))) } == expected)
        #expect(layout.everything.keys.filter { $0.category == .cell }.count == 2)
        let limit = ComposedLayout.largestExtent
        let values: [(Double, position: Double, extent: Double)] = [
            (limit, limit, limit), (limit.nextUp, 0, 0), (-limit, -limit, 0), (.infinity, 0, 0),
        ]
        for (value, position, extent) in values {
            let frame = Rect(x: value, y: 0, width: 0, height: value)
            let usable = Rect(x: position, y: 0, width: 0, height: extent)
            #expect(SectionElement(.header(0), frame).frame == usable, "\(value)")
        }
    }

    @Test func spansThatDoNotFitCauseAFullLayout() {
        let sizes = (0..<4).map { Size(width: 50, height: Double(10 + $0)) }
        let layouts: [any SectionLayout] = [
            FlowSectionLayout(), MasonrySectionLayout(columnCount: 2),
            FlowSectionLayout().background(.background),
        ]
        for layout in layouts {
            let input = SectionInput(acrossExtent: 100, itemCount: 4) { sizes[$0] }
            let short = SectionInput(acrossExtent: 100, itemCount: 2) { sizes[$0] }
            let expected = layout.prepare(input)
            let others: [any SectionArrangement] = [
                layout.prepare(short), InvalidLayout(), FlowSectionLayout().prepare(input),
            ]
            func check(_ found: any SectionArrangement) {
                let frames = (0..<4).map { found.frame(ofItem: $0) }
                #expect(frames == (0..<4).map { expected.frame(ofItem: $0) })
            }
            for other in others { check(layout.update(other, replacing: [], input)) }
            let misplaced = [
                ItemSpan(old: 9..<12, new: 9..<12), ItemSpan(old: 2..<9, new: 2..<2),
                ItemSpan(old: (-3)..<0, new: (-3)..<0), ItemSpan(old: 4..<4, new: 4..<5),
                ItemSpan(old: .min ..< .max, new: 0..<1), ItemSpan(old: 0..<0, new: 0..<(.max)),
            ]
            for span in misplaced { check(layout.update(expected, replacing: [span], input)) }
        }
    }

    // MARK: Decorations

    @Test func decorationsAreNumberedByKindFromTheOutside() {
        let card = SupplementaryKind(rawValue: "card")
        let inner = FlowSectionLayout().background(.background, insets: EdgeInsets(left: 9))
        let outer = inner.background(card).background(.background, zIndex: -2)
        let host = ScriptedHost([.uniform(1, 10, 10), ScriptedSection(), .uniform(2, 10, 40)])
        let layout = host.lay(ComposedLayout(defaultLayout: outer))
        let places: [LayoutPlace] = [
            .background(2), .background(2, 1), .background(2, 2), .background(2, -1),
            LayoutPlace(.decoration(card), ItemPath(2, 0)),
            LayoutPlace(.supplementary(card), ItemPath(2, 0)),
            .background(1),
        ]
        let found = places.map { layout.layoutAttributes(for: $0) }
        #expect(found.map { $0?.frame.minX } == [0, 9, nil, nil, 0, nil, nil])
        #expect(found.map { $0?.zIndex } == [-2, -1, nil, nil, -1, nil, nil])
        let kinds = layout.layoutAttributesForElements(in: everywhere).filter {
            $0.indexPath.section == 2
        }
        #expect(
            kinds.map(\.place).filter { $0.category != .cell } == [places[0], places[4], places[1]]
        )
        let insets = EdgeInsets(top: .nan, left: -5, bottom: .infinity, right: 1e300)
        layout.defaultLayout = FlowSectionLayout().background(.background, insets: insets)
        layout.invalidateLayout()
        layout.prepare()
        #expect(layout.frame(.background(2)) == Rect(x: 0, y: 10, width: 320, height: 40))
        #expect(
            layout.errors.map(LayoutModel.key).suffix(4)
                == Array(repeating: "spacing in 2", count: 4)
        )
    }

    // MARK: Features

    @Test(arguments: ScrollDirection.allCases, [false, true])
    func featuresReceiveTheCurrentSectionAndView(
        _ direction: ScrollDirection,
        _ isRightToLeft: Bool
    ) {
        let host = ScriptedHost([.uniform(1, 10, 10), .uniform(3, 20, 10)], width: 100, height: 90)
        (host.sections[1].header, host.sections[1].footer) = (5, 7)
        host.isRightToLeft = isRightToLeft
        host.adjustedContentInset = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        let layout = host.lay(ComposedLayout(scrollDirection: direction))
        let recorder = RecordingFeature()
        layout.features = [recorder]
        host.bounds.origin = Point(x: 11, y: 7)
        for scale in [0.5, 3, 0, -2, .nan, .infinity] {
            host.displayScale = scale
            let (x, width) = direction == .vertical ? (0.0, 94.0) : (isRightToLeft ? 0 : 10, 32)
            let expected = LayoutEnvironment(
                sectionFrame: direction == .vertical
                    ? Rect(x: x, y: 10, width: width, height: 22)
                    : Rect(x: x, y: 0, width: width, height: 86),
                headerExtent: 5,
                footerExtent: 7,
                bounds: host.bounds,
                visibleRect: host.bounds.inset(by: host.adjustedContentInset),
                scrollDirection: direction,
                isRightToLeft: isRightToLeft,
                displayScale: scale == 0.5 || scale == 3 ? scale : 1
            )
            recorder.seen = [:]
            _ = layout.everything
            let byPath = RecordingFeature()
            #expect(recorder.seen.count == 6)
            layout.features = [byPath]
            for place in recorder.seen.keys { _ = layout.layoutAttributes(for: place) }
            layout.features = [recorder]
            for seen in [recorder.seen, byPath.seen] {
                let other = seen.filter { $0.key.path.section == 1 && $0.value != expected }
                #expect(other.isEmpty && seen.count == 6, "\(scale)")
            }
        }
    }

    /// Each feature receives the result of the previous one, and queries extend as far as the
    /// features reach.
    @Test func featuresRewriteInOrderAndExtendQueriesByTheirReach() {
        struct Pile: LayoutFeature {
            let reach: Double
            var factor = 1.0

            func followsContentOffset(_ category: ElementCategory) -> Bool { category == .cell }

            func rewrite(
                _ attributes: LayoutAttributes,
                in environment: LayoutEnvironment
            ) -> LayoutAttributes {
                var piled = attributes
                piled.center.y = 50
                piled.alpha = piled.alpha * factor + environment.contentOffset.y / 1024
                return piled
            }
        }
        let host = ScriptedHost((0..<9).map { _ in .uniform(1, 100, 100) }, width: 100, height: 150)
        let layout = host.lay(ComposedLayout())
        let rect = Rect(x: 0, y: 10, width: 100, height: 80)
        let reaches: [([Double], Int)] = [
            ([0], 1), ([15], 2), ([-500], 1), ([.nan], 1), ([-.infinity], 1), ([-500, 15], 2),
            ([8, 7], 2), ([.infinity, .infinity], 9), ([1e300], 9),
        ]
        for (reach, count) in reaches {
            layout.features = reach.map { Pile(reach: $0) }
            #expect(layout.layoutAttributesForElements(in: rect).count == count, "\(reach)")
        }
        layout.features = [Pile(reach: 0, factor: 0.5), Pile(reach: 0, factor: 0.25)]
        host.bounds.origin.y = 64
        let alpha = layout.layoutAttributesForItem(at: ItemPath(3, 0))?.alpha
        #expect(alpha == (0.5 + 0.0625) * 0.25 + 0.0625)
        // Lists elements that follow the offset and look different, at the old and new bounds and
        // between.
        let bounds = host.bounds.offsetBy(dy: 500)
        #expect(layout.shouldInvalidateLayout(forBoundsChange: bounds))
        let listed = layout.invalidationContext(forBoundsChange: bounds).places
        #expect(
            listed
                == Set((0..<8).map { LayoutPlace.cell(ItemPath($0, 0)) }).subtracting([
                    .cell(ItemPath(4, 0))
                ])
        )
    }
}
