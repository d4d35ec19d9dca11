import TestSupport
import Testing

@testable import CollectionLayouts

/// Stacks rows, and notes what it is asked to lay out, and whether that is as promised.
private struct SpyLayout: SectionLayout {
    final class Notes: @unchecked Sendable {  // one thread
        var prepared: [Int] = []
        var updated: [Int] = []
        var mistakes: [String] = []
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
        return Rows(heights: heights, width: input.acrossExtent, context: input.context)
    }

    func update(
        _ arrangement: any SectionArrangement,
        replacing spans: [ItemSpan],
        _ input: SectionInput
    ) -> any SectionArrangement {
        notes.updated.append(input.section)
        guard let former = arrangement as? Rows else {
            notes.mistakes.append("not the last answer")
            return prepare(input)
        }
        if former.width != input.acrossExtent { notes.mistakes.append("other surroundings") }
        if former.context !== input.context { notes.mistakes.append("another section's context") }
        var heights = former.heights
        for span in spans {
            let start = span.new.lowerBound
            let new = span.new.map { height($0, input) }
            heights.replaceSubrange(start..<(start + span.old.count), with: new)
        }
        let areApart = zip(spans, spans.dropFirst()).allSatisfy {
            $0.old.upperBound < $1.old.lowerBound && $0.new.upperBound < $1.new.lowerBound
        }
        // The others are of the sizes that they were.
        let expected = (0..<input.itemCount).map { height($0, input) }
        if heights != expected || !areApart { notes.mistakes.append("spans \(spans)") }
        return Rows(heights: heights, width: former.width, context: input.context)
    }
}

/// Writes down what it is told, and changes nothing.
private final class Witness: LayoutFeature {
    var seen: [LayoutPlace: LayoutSurroundings] = [:]

    func rewrite(_ attributes: LayoutAttributes, in surroundings: LayoutSurroundings)
        -> LayoutAttributes
    {
        seen[attributes.place] = surroundings
        return attributes
    }
}

/// Answers for more items than there are, finds them too, and puts views where a test says.
private struct Overfull: SectionLayout, SectionArrangement {
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

/// What section layouts and features of one's own are promised by a composed layout.
@Suite("Section layouts")
struct SectionLayoutTests {
    // MARK: What section layouts are handed

    @Test func anUpdateLeadsFromTheLastAnswerAndNamesAllThatIsOther() throws {
        for seed in 0..<UInt64(10) {
            var random = SeededNumbers(seed: seed)
            let notes = SpyLayout.Notes()
            func section(_ count: Int) -> ScriptedSection {
                ScriptedSection(
                    items: (0..<count).map { _ in
                        Size(width: 9, height: Double(random.next(below: 90)))
                    },
                    context: SpyLayout.Context()
                )
            }
            let host = ScriptedHost((0..<5).map { _ in section(6) })
            let layout = host.lay(ComposedLayout(defaultLayout: SpyLayout(notes: notes)))
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
                        var fresh = section(0)
                        fresh.items = items[index]
                        let isKept = update.sectionInsertion(at: index)?.role != .reload
                        if isKept, let origin = update.oldSection(for: index) {
                            fresh.context = old[origin].context
                        }
                        return fresh
                    }
                    try layout.update(host, to: sections) { changes in
                        for operation in drawn.changes.operations { changes.record(operation) }
                    }
                }
            }
            #expect(notes.mistakes == [] && notes.updated.count > 10, "seed \(seed)")
        }
    }

    /// Asked when a section comes, and when everything is invalidated; not when it moves or is laid out again.
    @Test func aContextIsAskedForItsLayoutWhenItsSectionComes() throws {
        final class Context: SectionLayoutProviding, @unchecked Sendable {  // one thread
            var questions = 0
            var sectionLayout: any SectionLayout {
                questions += 1
                return MasonrySectionLayout(columnCount: 2)
            }
        }
        let context = Context()
        let host = ScriptedHost((0..<3).map { _ in .uniform(2, 10, 10) })
        host.sections[0].context = context
        let layout = ComposedLayout()
        var asked: [Int] = []
        layout.layoutProvider = { section, _ in
            asked.append(section)
            return nil
        }
        _ = host.lay(layout)
        #expect(context.questions == 1 && asked == [1, 2])
        var sections = host.sections
        sections.append(sections.removeFirst())
        sections[2].items.insert(Size(width: 1, height: 1), at: 0)
        try layout.update(host, to: sections) {
            $0.moveSection(0, toSection: 2)
            $0.insertItems(at: [ItemPath(2, 0)])
        }
        layout.invalidateSections([0, 1, 2])
        layout.prepare()
        #expect(context.questions == 1 && asked == [1, 2])
        layout.invalidate { $0.invalidatesEverything = true }
        layout.prepare()
        #expect(context.questions == 2 && asked == [1, 2, 0, 1])
    }

    /// The layout in the documentation of ``SectionLayout``, and an input that is made by hand.
    @Test func aLayoutIsTriedOnItsOwn() {
        let context = WorldMetricsContext(
            SectionMetrics(itemSize: Size(width: 3, height: 4), lineSpacing: 5, headerExtent: 20)
        )
        let input = SectionInput(
            section: 2,
            acrossExtent: 320,
            itemCount: 3,
            context: context,
            metrics: SectionMetrics(lineSpacing: 7)
        ) { item in item == 2 ? nil : Size(width: 100, height: Double(10 + item)) }
        #expect(input.context === context && input.metrics.lineSpacing == 7)
        #expect(input.headerExtent == 20 && input.footerExtent == nil)
        #expect((0..<3).map { input.size(ofItem: $0)?.height } == [10, 11, 4])
        let arrangement = FlowSectionLayout().prepare(input)
        #expect(arrangement.extent == 31)
        #expect(arrangement.headerFrame == Rect(x: 0, y: 0, width: 320, height: 20))
        #expect(arrangement.items(in: Rect(x: 105, y: 20, width: 10, height: 5)) == [1])
        let nothing = SectionInput(acrossExtent: .nan, itemCount: -1) { _ in nil }
        #expect(MasonrySectionLayout(columnCount: 2).prepare(nothing).extent == 0)
        // Who says no more than must be said is asked about every item.
        let rows = SpyLayout(notes: SpyLayout.Notes()).prepare(input)
        let rect = Rect(x: 0, y: 5, width: 9, height: 6)
        var found: [Int] = []
        rows.forEachItem(in: rect) { item, frame in
            if frame == rows.frame(ofItem: item) { found.append(item) }
        }
        #expect(rows.items(in: rect) == [0, 1] && found == [0, 1] && rows.decorations == [])
    }

    // MARK: What is not believed

    @Test func anArrangementThatAnswersNonsenseIsNotBelieved() {
        let nowhere = Rect(x: .nan, y: -.infinity, width: -1, height: 1e300)
        let decoration = SectionDecoration(.background, frame: nowhere, zIndex: .max)
        let nonsense = Overfull(headerFrame: nowhere, decorations: [decoration], extent: -.infinity)
        let host = ScriptedHost([ScriptedSection(), .uniform(3, 1, 1)])
        let layout = host.lay(ComposedLayout(defaultLayout: nonsense))
        #expect(layout.collectionViewContentSize == Size(width: 320, height: 0))
        #expect(layout.errors.map(LayoutModel.key) == ["sectionExtent in 0", "sectionExtent in 1"])
        let frames = [LayoutPlace.header(1), .background(1)].map { layout.frame($0) }
        #expect(frames == [.zero, .zero])
        // There are no more items than the view has.
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

    @Test func spansThatDoNotFitAreNotBelieved() {
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
                layout.prepare(short), Overfull(), FlowSectionLayout().prepare(input),
            ]
            for other in others {
                let found = layout.update(other, replacing: [], input)
                let frames = (0..<4).map { found.frame(ofItem: $0) }
                #expect(frames == (0..<4).map { expected.frame(ofItem: $0) })
            }
        }
    }

    // MARK: Decorations

    @Test func decorationsAreNumberedByKindAndBackgroundsFromTheOutside() {
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
    func featuresAreToldOfTheSectionAndTheViewAsTheyAre(
        _ direction: ScrollDirection,
        _ isRightToLeft: Bool
    ) {
        let host = ScriptedHost([.uniform(1, 10, 10), .uniform(3, 20, 10)], width: 100, height: 90)
        (host.sections[1].header, host.sections[1].footer) = (5, 7)
        host.isRightToLeft = isRightToLeft
        host.adjustedContentInset = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        let layout = host.lay(ComposedLayout(scrollDirection: direction))
        let witness = Witness()
        layout.features = [witness]
        host.bounds.origin = Point(x: 11, y: 7)
        for scale in [0.5, 3, 0, -2, .nan, .infinity] {
            host.displayScale = scale
            let (x, width) = direction == .vertical ? (0.0, 94.0) : (isRightToLeft ? 0 : 10, 32)
            let expected = LayoutSurroundings(
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
            witness.seen = [:]
            _ = layout.everything
            let byPath = Witness()
            #expect(witness.seen.count == 6)
            layout.features = [byPath]
            for place in witness.seen.keys { _ = layout.layoutAttributes(for: place) }
            layout.features = [witness]
            for seen in [witness.seen, byPath.seen] {
                let other = seen.filter { $0.key.path.section == 1 && $0.value != expected }
                #expect(other.isEmpty && seen.count == 6, "\(scale)")
            }
        }
    }

    /// In order, each with what the one before it answered; and queries look as far as they reach.
    @Test func featuresRewriteInOrderAndReachAsFarAsTheySay() {
        struct Pile: LayoutFeature {
            let reach: Double
            var factor = 1.0

            func followsContentOffset(_ category: ElementCategory) -> Bool { category == .cell }

            func rewrite(
                _ attributes: LayoutAttributes,
                in surroundings: LayoutSurroundings
            ) -> LayoutAttributes {
                var piled = attributes
                piled.center.y = 50
                piled.alpha = piled.alpha * factor + surroundings.contentOffset.y / 1024
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
        // What follows the offset and is shown otherwise is listed, old and new and what is jumped over.
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

    @Test func insetsOfAReferenceAreThoseOfTheViewNotMirrored() {
        for isRightToLeft in [false, true] {
            let host = ScriptedHost([.uniform(1, 40, 10)], width: 100)
            host.isRightToLeft = isRightToLeft
            host.safeAreaInsets = EdgeInsets(top: 5, left: 30, bottom: 5, right: 10)
            var flow = FlowSectionLayout()
            flow.insetReference = .fromSafeArea
            let layout = host.lay(ComposedLayout(defaultLayout: flow))
            // Alone on its line, and so in the middle of what is free; along, nothing is added.
            #expect(layout.frames().map(\.origin) == [Point(x: 40, y: 0)])
            host.safeAreaInsets.left = 50
            layout.prepare()
            #expect(layout.frames().map(\.minX) == [50], "whoever asked is laid out again")
        }
    }
}
