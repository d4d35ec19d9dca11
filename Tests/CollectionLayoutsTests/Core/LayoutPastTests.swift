import TestSupport
import Testing

@testable import CollectionLayouts

/// A view that answers another count than it has, when it is next asked about a section's.
private final class FickleHost: TestHost<ScriptedSection> {
    /// Taken first to last.
    var claims: [Int] = []

    override func numberOfItems(inSection section: Int) -> Int {
        section == 1 && !claims.isEmpty
            ? claims.removeFirst() : super.numberOfItems(inSection: section)
    }
}

/// What layouts know of the state before an update, and of what their view says of it.
@Suite("The past of layouts")
struct LayoutPastTests {
    private func section(_ count: Int, _ random: inout SeededNumbers) -> ScriptedSection {
        var section = ScriptedSection(header: 5)
        section.items = (0..<count).map { _ in
            Size(width: Double(10 + random.next(below: 90)), height: Double(random.next(below: 40)))
        }
        return section
    }

    /// Whatever the view's width is by then, and however often it is asked.
    @Test(arguments: LayoutEngine.allCases, Array(1...15) as [UInt64])
    func whatWasBeforeAnUpdateIsAnsweredAsItWas(_ engine: LayoutEngine, _ seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let counts = (0..<5).map { _ in random.next(below: 12) }
        let host = ScriptedHost(counts.map { section($0, &random) })
        let layout = host.lay(engine.make())
        let before = layout.layoutAttributesForElements(in: everywhere)
        let drawn = RandomUpdate(from: host.shape, &random, rate: 0.2)
        let sections = drawn.newShape.itemCounts.map { section($0, &random) }
        if random.chance(0.5) { host.bounds.size.width = 500 }
        try layout.update(host, to: sections) { changes in
            for operation in drawn.changes.operations { changes.record(operation) }
        }
        let after = layout.layoutAttributesForElements(in: everywhere)
        for attributes in before {
            #expect(layout.layoutAttributesBeforeUpdate(for: attributes.place) == attributes)
        }
        #expect(layout.layoutAttributesForElements(in: everywhere) == after)
        layout.finalizeCollectionViewUpdates()
        #expect(before.allSatisfy { layout.layoutAttributesBeforeUpdate(for: $0.place) == nil })
    }

    /// A subclass may show things otherwise; that is where they come from.
    @Test func whatASubclassShowsIsWhereThingsComeFrom() throws {
        final class Faint: FlowLayout {
            override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
                super.layoutAttributesForElements(in: rect).map {
                    var attributes = $0
                    attributes.alpha = 0.5
                    return attributes
                }
            }
        }
        let host = ScriptedHost([.uniform(100, 320, 40)])
        let layout = host.lay(Faint())
        var sections = host.sections
        sections[0].items.removeLast()
        try layout.update(host, to: sections) {
            $0.deleteItems(at: [ItemPath(section: 0, item: 0)])
        }
        let shown = layout.initialLayoutAttributes(
            forAppearing: .cell(ItemPath(section: 0, item: 0))
        )
        #expect(shown?.alpha == 0.5 && shown?.frame.minY == 50)
        let unseen = layout.initialLayoutAttributes(
            forAppearing: .cell(ItemPath(section: 0, item: 50))
        )
        #expect(unseen?.alpha == 1 && unseen?.frame.minY == 51 * 50)
    }

    /// Asks its layout whenever it is asked.
    private struct Curious: LayoutFeature {
        unowned let layout: ComposedLayout

        func followsContentOffset(_ category: ElementCategory) -> Bool { true }

        func rewrite(_ attributes: LayoutAttributes, in surroundings: LayoutSurroundings)
            -> LayoutAttributes
        {
            layout.report(LayoutError(.spacing, message: "\(layout.work.visitedSections)"))
            return attributes
        }
    }

    @Test func aFeatureMayAskTheLayoutWhileItRewrites() {
        let host = ScriptedHost([.uniform(2, 10, 10), .uniform(2, 10, 10)])
        let layout = host.lay(ComposedLayout())
        layout.features = [Curious(layout: layout)]
        let errors = layout.errorCount
        #expect(layout.layoutAttributesForElements(in: everywhere).count == 4)
        #expect(layout.errorCount == errors + 4)
        let bounds = host.bounds.offsetBy(dy: 5)
        #expect(!layout.shouldInvalidateLayout(forBoundsChange: bounds))
        #expect(layout.errorCount == errors + 12)
    }

    // MARK: Counts

    /// Of a section that came, a layout asks for the count once and believes no other one.
    @Test(arguments: LayoutEngine.allCases, [[3, 9], [9, 3], [0, 3]])
    func ofTwoCountsInOnePassTheOneThatFitsIsLaidOut(_ engine: LayoutEngine, _ claims: [Int])
        throws
    {
        let host = FickleHost([.uniform(2, 10, 10)])
        let layout = host.lay(engine.make())
        var changes = HierarchyChangeSet()
        changes.insertSections([1])
        let update = try changes.validated(from: [2], to: [2, 3])
        host.sections.append(.uniform(3, 10, 10))
        host.claims = claims
        let context = type(of: layout).invalidationContextClass.init()
        context.invalidatesDataSourceCounts = true
        layout.invalidateLayout(with: context)
        layout.prepare(applying: update)
        #expect(layout.frames(ofSection: 1).count == 3)
        let isReported = engine == .flow && claims[0] != 3
        #expect(layout.errors.map(\.code) == (isReported ? [.updateMismatch] : []))
    }

    /// An update starts from other counts than the layout knows, since nobody has said that they changed.
    @Test(arguments: LayoutEngine.allCases)
    func anUpdateOfCountsThatChangedWithoutAWordLaysOutAll(_ engine: LayoutEngine) throws {
        let host = ScriptedHost([.uniform(2, 10, 10), .uniform(4, 10, 10)])
        let layout = host.lay(engine.make())
        host.sections[1] = .uniform(7, 30, 10)
        var sections = host.sections
        sections[0] = .uniform(3, 10, 10)
        try layout.update(host, to: sections) {
            $0.insertItems(at: [ItemPath(section: 0, item: 0)])
        }
        #expect(layout.frames(ofSection: 0).count == 3 && layout.frames(ofSection: 1).count == 7)
        let scratch = host.lay(engine.make())
        #expect(
            layout.layoutAttributesForElements(in: everywhere)
                == scratch.layoutAttributesForElements(in: everywhere)
        )
    }

    /// A section that is laid out again may have another count; an update starts from that.
    @Test func aComposedLayoutKnowsTheCountsOfSectionsThatItLaysOutAgain() throws {
        let host = ScriptedHost([.uniform(2, 10, 10), .uniform(4, 10, 10)])
        let layout = host.lay(ComposedLayout())
        host.sections[1] = .uniform(7, 10, 10)
        layout.invalidateSections([1])
        layout.prepare()
        #expect(layout.state.sections.shape == [2, 7])
        let done = layout.work.laidOutSections
        var sections = host.sections
        sections[0] = .uniform(3, 10, 10)
        try layout.update(host, to: sections) {
            $0.insertItems(at: [ItemPath(section: 0, item: 0)])
        }
        #expect(layout.work.laidOutSections == done + 1)
    }

    // MARK: What is noted

    /// What is listed is laid out in any case.
    @Test(arguments: [false, true])
    func whereEverythingIsInvalidNothingIsNotedBesides(_ isListed: Bool) {
        let layout = ScriptedHost([.uniform(2, 10, 10)]).lay(ComposedLayout())
        let context = ComposedInvalidationContext()
        context.invalidatesEverything = true
        context.invalidatesDataSourceCounts = isListed
        context.sections = [0]
        if isListed { context.invalidateItems(at: [ItemPath(section: 0, item: 1)]) }
        layout.invalidateLayout(with: context)
        #expect(layout.staleness.everything && !layout.staleness.counts)
        #expect(layout.staleness.touchedSections == [] && !layout.staleness.metrics)
    }

    @Test func errorsThatAreAddedAreKeptAsFarAsThereIsRoom() {
        func some(_ numbers: Range<Int>) -> LayoutDiagnostics {
            var diagnostics = LayoutDiagnostics()
            for number in numbers {
                diagnostics.report(LayoutError(.spacing, message: "\(number)"))
            }
            return diagnostics
        }
        var all = some(0..<3)
        all.add(some(3..<3))
        all.add(some(3..<63))
        all.add(some(63..<200))
        #expect(all.count == 200)
        #expect(all.errors.map(\.message) == (0..<64).map { "\($0)" })
        all.add(some(0..<1))
        #expect(all.count == 201 && all.errors.count == 64)
    }
}
