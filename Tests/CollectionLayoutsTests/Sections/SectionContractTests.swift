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

    let notes: Notes

    struct Rows: SectionArrangement {
        let heights: [Double]
        let width: Double
        let direction: ScrollDirection

        var extent: Double { heights.reduce(0, +) }
        var headerFrame: Rect? { nil }
        var footerFrame: Rect? { nil }
        var itemCount: Int { heights.count }

        func frame(ofItem item: Int) -> Rect? {
            guard heights.indices.contains(item) else { return nil }
            return AxisRect(
                along: heights[..<item].reduce(0, +),
                across: 0,
                alongExtent: heights[item],
                acrossExtent: width
            ).rect(direction)
        }
    }

    private func height(_ item: Int, _ input: SectionInput) -> Double {
        input.size(ofItem: item)?.along(input.scrollDirection) ?? 5
    }

    func prepare(_ input: SectionInput) -> any SectionArrangement {
        notes.prepared.append(input.section)
        return Rows(
            heights: (0..<input.itemCount).map { height($0, input) },
            width: input.acrossExtent,
            direction: input.scrollDirection
        )
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
        if former.width != input.acrossExtent || former.direction != input.scrollDirection {
            notes.mistakes.append("other surroundings")
        }
        var heights = former.heights
        for span in spans {
            let start = span.new.lowerBound
            heights.replaceSubrange(
                start..<(start + span.old.count),
                with: span.new.map { height($0, input) }
            )
        }
        for (span, next) in zip(spans, spans.dropFirst()) {
            if span.old.upperBound >= next.old.lowerBound
                || span.new.upperBound >= next.new.lowerBound
            {
                notes.mistakes.append("spans \(spans)")
            }
        }
        // The others are of the sizes that they were.
        let expected = (0..<input.itemCount).map { height($0, input) }
        if heights != expected { notes.mistakes.append("\(heights) in place of \(expected)") }
        return Rows(heights: heights, width: former.width, direction: former.direction)
    }
}

@Suite("What section layouts are handed")
struct SectionContractTests {
    @Test(arguments: Array(1...10) as [UInt64])
    func anUpdateLeadsFromTheLastAnswerAndNamesAllThatIsOther(_ seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let notes = SpyLayout.Notes()
        let host = SectionTestHost()
        host.sections = (0..<5).map { _ in host.makeRandomSection(&random) }
        let layout = host.lay(ComposedLayout(defaultLayout: SpyLayout(notes: notes)))
        for _ in 0..<40 {
            switch random.next(below: 5) {
            case 0:
                let section = random.next(below: max(1, host.sections.count))
                guard host.sections.indices.contains(section) else { continue }
                let context = LayoutInvalidationContext()
                for item in host.sections[section].items.indices where random.chance(0.3) {
                    host.sections[section].items[item].size = host.makeRandomItem(&random).size
                    context.invalidateItems(at: [ItemPath(section: section, item: item)])
                }
                guard context.isPartial else { continue }
                layout.invalidateLayout(with: context)
                layout.prepare()
            case 1:
                host.bounds.size.width = random.chance(0.5) ? 320 : 200
                layout.invalidateLayout(
                    with: layout.invalidationContext(forBoundsChange: host.bounds)
                )
                layout.prepare()
            case 2:
                let shown = layout.layoutAttributesForElements(in: everywhere)
                guard let original = shown.randomElement(using: &random) else { continue }
                _ = layout.prefer(host.makeRandomItem(&random).size, to: original)
            default:
                let draft = RandomUpdate(from: host.shape, &random, rate: 0.2)
                let update = try draft.changes.validated(from: host.shape, to: draft.newShape)
                host.apply(update, &random)
                layout.prepare(applying: update)
            }
        }
        #expect(notes.mistakes == [])
        #expect(notes.updated.count > 10)
    }

    @Test func whatMerelyChangesItsPlaceIsNotLaidOut() throws {
        let notes = SpyLayout.Notes()
        let host = SectionTestHost()
        let size = Size(width: 10, height: 10)
        host.sections = (0..<9).map { _ in host.makeSection([size, size]) }
        let layout = host.lay(ComposedLayout(defaultLayout: SpyLayout(notes: notes)))
        #expect(notes.prepared == Array(0..<9))
        var changes = HierarchyChangeSet()
        changes.moveSection(8, toSection: 0)
        changes.moveSection(2, toSection: 7)
        changes.deleteSections([4])
        changes.insertSections([3])
        let update = try changes.validated(from: host.shape, to: host.shape)
        var random = SeededNumbers(seed: 1)
        host.apply(update, &random)
        layout.prepare(applying: update)
        #expect(notes.prepared.dropFirst(9) == [3] && notes.updated == [])
    }

    /// Asked when a section comes, and when everything is invalidated; not when it moves.
    @Test func aContextIsAskedForItsLayoutWhenItsSectionIsPreparedForTheFirstTime() throws {
        final class Context: SectionLayoutProviding, @unchecked Sendable {  // one thread
            var questions = 0
            var sectionLayout: any SectionLayout {
                questions += 1
                return MasonrySectionLayout(columnCount: 2)
            }
        }
        let context = Context()
        let host = SectionTestHost()
        let size = Size(width: 10, height: 10)
        host.sections = (0..<3).map { _ in host.makeSection([size, size]) }
        host.sections[0].context = context
        let layout = host.lay(ComposedLayout())
        #expect(context.questions == 1)
        var changes = HierarchyChangeSet()
        changes.moveSection(0, toSection: 2)
        changes.insertItems(at: [ItemPath(section: 2, item: 0)])
        let update = try changes.validated(from: [2, 2, 2], to: [2, 2, 3])
        var random = SeededNumbers(seed: 1)
        host.apply(update, &random)
        layout.prepare(applying: update)
        layout.invalidateSections([0, 1, 2])
        layout.prepare()
        #expect(context.questions == 1)
        let everything = ComposedInvalidationContext()
        everything.invalidatesEverything = true
        layout.invalidateLayout(with: everything)
        layout.prepare()
        #expect(context.questions == 2)
    }

    @Test func anotherProviderHasNoEffectUntilEverythingIsInvalidated() throws {
        let host = SectionTestHost()
        let size = Size(width: 100, height: 10)
        host.sections = (0..<2).map { _ in host.makeSection([size, size]) }
        let layout = host.lay(ComposedLayout())
        func widths() -> [Double] { (0..<2).map { layout.frames(ofSection: $0)[0].size.width } }
        #expect(widths() == [100, 100])
        layout.layoutProvider = { _, _ in MasonrySectionLayout(columnCount: 4) }
        layout.invalidateSections([0])
        layout.prepare()
        let context = LayoutInvalidationContext()
        context.invalidateItems(at: [ItemPath(section: 1, item: 0)])
        layout.invalidateLayout(with: context)
        layout.prepare()
        #expect(widths() == [100, 100])
        layout.invalidateLayout()
        layout.prepare()
        #expect(widths() == [72.5, 72.5])
    }

    @Test func invalidSectionsKeepWhatTheirViewsPreferred() throws {
        let host = SectionTestHost()
        let size = Size(width: 100, height: 10)
        host.sections = (0..<2).map { _ in host.makeSection([size, size]) }
        let layout = host.lay(ComposedLayout())
        for section in 0..<2 {
            let path = ItemPath(section: section, item: 1)
            let original = try #require(layout.layoutAttributesForItem(at: path))
            #expect(layout.prefer(Size(width: 60, height: 44), to: original) != nil)
        }
        host.bounds.origin.y = 0
        layout.invalidateSections([0, 1])
        #expect(host.contexts.last?.isPartial == true)
        layout.prepare()
        for section in 0..<2 {
            #expect(layout.frames(ofSection: section)[1].size == Size(width: 60, height: 44))
        }
        let count = host.contexts.count
        layout.invalidateSections([])
        #expect(host.contexts.count == count, "none is none")
    }

    /// Half a pixel, from the size that it has and from the one that it preferred.
    @Test(arguments: [1.0, 2, 4])
    func halfAPixelIsADifferenceAndLessIsNone(_ scale: Double) throws {
        let host = SectionTestHost()
        host.displayScale = scale
        host.sections = [host.makeSection([Size(width: 100, height: 10)])]
        let layout = host.lay(ComposedLayout())
        let original = try #require(
            layout.layoutAttributesForItem(at: ItemPath(section: 0, item: 0))
        )
        func isPreferred(_ growth: Double) -> Bool {
            var preferred = original
            preferred.size.height += growth
            return layout.shouldInvalidateLayout(
                forPreferredLayoutAttributes: preferred,
                withOriginalAttributes: original
            )
        }
        let half = 0.5 / scale
        #expect([half, -half, 2 * half, 7].map(isPreferred) == [true, true, true, true])
        #expect([0, half * 0.99, -half * 0.99].map(isPreferred) == [false, false, false])
    }

    // MARK: Orders

    @Test(arguments: Array(1...20) as [UInt64])
    func elementsComeBySectionItemsThenHeaderAndFooterThenDecorations(_ seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let composition = RandomComposition(&random)
        let layout = composition.makeLayout()
        layout.prepare()
        func rank(_ category: ElementCategory) -> Int {
            switch category {
            case .cell: 0
            case .supplementary(.header): 1
            case .supplementary: 2
            case .decoration: 3
            }
        }
        let places = layout.layoutAttributesForElements(in: everywhere).map(\.place)
        let keys = places.map { [$0.path.section, rank($0.category), $0.path.item] }
        #expect(keys == keys.sorted { $0.lexicographicallyPrecedes($1) })
        #expect(Set(places).count == places.count)
        let surrounding = places.filter { (1...2).contains(rank($0.category)) }
        #expect(surrounding.allSatisfy { $0.path.item == 0 })
    }

    @Test(arguments: Array(1...20) as [UInt64])
    func aFlowAnswersItemsThenHeadersThenFooters(_ seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let host = ScriptedHost((0..<4).map { _ in FlowScenario.section(&random) })
        let layout = FlowLayout()
        layout.sectionHeadersPinToVisibleBounds = seed.isMultiple(of: 2)
        _ = host.lay(layout)
        let places = layout.layoutAttributesForElements(in: everywhere).map(\.place)
        let ranks = places.map { place in
            switch place.category {
            case .cell: 0
            case .supplementary(.header): 1
            default: 2
            }
        }
        #expect(ranks == ranks.sorted())
        for rank in 0...2 {
            let paths = zip(ranks, places).filter { $0.0 == rank }.map(\.1.path)
            #expect(paths == paths.sorted())
        }
    }
}
