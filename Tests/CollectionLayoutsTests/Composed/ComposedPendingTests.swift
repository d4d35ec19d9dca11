import TestSupport
import Testing

@testable import CollectionLayouts

/// What a composed layout does at its next preparation, by what it was told before.
@Suite("What a composed layout lays out again")
struct ComposedPendingTests {
    private static let row = Size(width: 100, height: 10)

    /// A size that a view prefers, and one that nothing else is of.
    private static let preferred = Size(width: 60, height: 44)

    /// Six sections of three items; the view of 1-1 prefers a size, and that of 2-0 one of the whole width.
    private func made() throws -> (ComposedLayout, SectionTestHost) {
        let host = SectionTestHost()
        host.sections = (0..<6).map { _ in
            host.makeSection(
                Array(repeating: Self.row, count: 3),
                SectionMetrics(headerExtent: 5, footerExtent: 5)
            )
        }
        let layout = host.lay(ComposedLayout())
        for (section, item, size) in [
            (1, 1, Self.preferred), (2, 0, Size(width: 320, height: 44)),
        ] {
            let path = ItemPath(section: section, item: item)
            let original = try #require(layout.layoutAttributesForItem(at: path))
            #expect(layout.prefer(size, to: original) != nil)
        }
        return (layout, host)
    }

    private func height(_ layout: ComposedLayout, _ section: Int, _ item: Int) -> Double? {
        layout.layoutAttributesForItem(at: ItemPath(section: section, item: item))?.size.height
    }

    private func context(
        _ kind: LayoutInvalidationContext.Type = ComposedInvalidationContext.self,
        _ change: (LayoutInvalidationContext) -> Void = { _ in }
    ) -> LayoutInvalidationContext {
        let context = kind.init()
        change(context)
        return context
    }

    private func path(_ section: Int, _ item: Int) -> ItemPath {
        ItemPath(section: section, item: item)
    }

    // MARK: Contexts

    private struct Case {
        let name: String
        let contexts: [LayoutInvalidationContext]
        /// How many sections are laid out, and how many items asked about.
        let work: [Int]
        var keepsPreferred = true
    }

    private func cases() -> [Case] {
        let everything = context { $0.invalidatesEverything = true }
        let counts = context { $0.invalidatesDataSourceCounts = true }
        let items = context { $0.invalidateItems(at: [path(2, 1), path(4, 0), path(4, 2)]) }
        let header = context {
            $0.invalidateSupplementaryElements(ofKind: .header, at: [path(3, 0)])
        }
        let decoration = context {
            $0.invalidateDecorationElements(ofKind: .background, at: [path(5, 0)])
        }
        let nothing = context {
            $0.invalidateItems(at: [path(2, 3), path(2, -1), path(6, 0), path(-1, 0)])
        }
        func sections(_ sections: Set<Int>) -> LayoutInvalidationContext {
            let context = ComposedInvalidationContext()
            context.sections = sections
            return context
        }
        // 1-1 and 2-0 are of sizes that their views prefer, so that nobody asks about them.
        return [
            Case(name: "none", contexts: [], work: [0, 0]),
            Case(name: "everything", contexts: [everything], work: [6, 18], keepsPreferred: false),
            Case(name: "counts", contexts: [counts], work: [6, 18], keepsPreferred: false),
            Case(name: "of no list", contexts: [context()], work: [6, 16]),
            Case(
                name: "of another class",
                contexts: [context(LayoutInvalidationContext.self)],
                work: [6, 16]
            ),
            Case(name: "items", contexts: [items], work: [2, 3]),
            Case(name: "a header", contexts: [header], work: [1, 0]),
            Case(name: "a decoration", contexts: [decoration], work: [1, 0]),
            Case(name: "items that are not there", contexts: [nothing], work: [1, 0]),
            Case(name: "sections", contexts: [sections([1, 3])], work: [2, 5]),
            Case(name: "sections of no place", contexts: [sections([-1, 6, 9])], work: [0, 0]),
            Case(name: "a section of items", contexts: [items, sections([4])], work: [2, 4]),
            Case(name: "items of a section", contexts: [sections([4]), items], work: [2, 4]),
            Case(name: "items beside all", contexts: [items, context()], work: [6, 16]),
            Case(
                name: "all beside everything",
                contexts: [context(), everything, items],
                work: [6, 18],
                keepsPreferred: false
            ),
            Case(
                name: "counts beside all",
                contexts: [counts, context()],
                work: [6, 18],
                keepsPreferred: false
            ),
        ]
    }

    @Test func aContextLeadsToNoMoreThanItSays() throws {
        for one in cases() {
            let (layout, host) = try made()
            let all = layout.layoutAttributesForElements(in: everywhere)
            let (prepared, asked) = (layout.work.laidOutSections, host.sizeQuestions)
            for context in one.contexts { layout.invalidateLayout(with: context) }
            layout.prepare()
            let work = [layout.work.laidOutSections - prepared, host.sizeQuestions - asked]
            #expect(work == one.work, "\(one.name)")
            #expect(height(layout, 1, 1) == (one.keepsPreferred ? 44 : 10), "\(one.name)")
            #expect(height(layout, 2, 0) == (one.keepsPreferred ? 44 : 10), "\(one.name)")
            if one.keepsPreferred {
                #expect(layout.layoutAttributesForElements(in: everywhere) == all, "\(one.name)")
            }
            let done = layout.work.laidOutSections
            layout.prepare()
            #expect(layout.work.laidOutSections == done, "\(one.name), and that once")
        }
    }

    /// Nobody has said so; what views preferred holds where there are as many items as before.
    @Test func otherCountsAreFoundWhereAllIsLaidOut() throws {
        for change in [-1, 0, 1] {
            let (layout, host) = try made()
            if change < 0 { host.sections.removeLast(4) }
            if change > 0 { host.sections.append(host.makeSection([Self.row])) }
            host.sections[0].items.removeLast()
            layout.invalidateLayout(with: context())
            layout.prepare()
            #expect(height(layout, 1, 1) == 44)
            #expect(height(layout, 2, 0) == (change < 0 ? nil : 44))
            #expect(layout.layoutAttributesForItem(at: path(0, 2)) == nil)
            #expect(height(layout, 6, 0) == (change > 0 ? 10 : nil))
            host.sections[1].items.removeFirst()
            layout.invalidateLayout(with: context())
            layout.prepare()
            #expect(layout.frames(ofSection: 1).map(\.size.height) == [10, 10])
        }
    }

    /// A section layout is asked for an update where the listed items are all that is other.
    @Test func aSectionOfOtherCountsIsPreparedFromNothing() {
        struct Noting: SectionLayout {
            final class Notes: @unchecked Sendable {  // one thread
                var prepared = 0
                var updated = 0
            }
            let notes: Notes

            func prepare(_ input: SectionInput) -> any SectionArrangement {
                notes.prepared += 1
                return FlowSectionLayout().prepare(input)
            }

            func update(
                _ arrangement: any SectionArrangement,
                replacing spans: [ItemSpan],
                _ input: SectionInput
            ) -> any SectionArrangement {
                notes.updated += 1
                return FlowSectionLayout().update(arrangement, replacing: spans, input)
            }
        }
        let notes = Noting.Notes()
        let host = SectionTestHost()
        host.sections = [host.makeSection([Self.row, Self.row])]
        let layout = host.lay(ComposedLayout(defaultLayout: Noting(notes: notes)))
        let listed = context { $0.invalidateItems(at: [path(0, 0)]) }
        layout.invalidateLayout(with: listed)
        layout.prepare()
        #expect(notes.prepared == 1 && notes.updated == 1)
        host.sections[0].items.append(host.makeItem(Self.row))
        layout.invalidateLayout(with: listed)
        layout.prepare()
        #expect(notes.prepared == 2 && notes.updated == 1)
        #expect(layout.frames().count == 3)
    }

    @Test func sectionsAreAskedAboutInTheirOrder() {
        var random = SeededNumbers(seed: 1)
        let host = ScriptedHost((0..<60).map { _ in .uniform(0, 1, 1) })
        let layout = host.lay(ComposedLayout())
        host.metrics?.isWritingDown = true
        let sections = (0..<60).shuffled(using: &random).prefix(20)
        layout.invalidateSections(sections)
        layout.prepare()
        #expect(host.metrics?.questions == sections.sorted().map { "metrics \($0)" })
    }

    // MARK: Room

    @Test func whatNobodySeesIsKeptUntilThereIsRoom() throws {
        let (layout, host) = try made()
        let (open, all) = (host.bounds, layout.layoutAttributesForElements(in: everywhere))
        for closed in [Rect.zero, Rect(x: 0, y: 0, width: 320, height: 0)] {
            host.bounds = closed
            layout.prepare()
            let (prepared, asked) = (layout.work.laidOutSections, host.sizeQuestions)
            layout.invalidateSections([1, 2])
            layout.prepare()
            #expect(layout.work.laidOutSections == prepared && host.sizeQuestions == asked)
            #expect(layout.collectionViewContentSize == .zero)
            for place in all.map(\.place) { #expect(layout.layoutAttributes(for: place) == nil) }
            #expect(layout.layoutAttributesForElements(in: everywhere) == [])
            host.bounds = open
            layout.prepare()
            // What was as wide as there is room now may have been measured in another.
            #expect(height(layout, 1, 1) == 44 && height(layout, 2, 0) == 10)
        }
        host.bounds = .zero
        layout.invalidateLayout(with: context { $0.invalidatesEverything = true })
        layout.prepare()
        host.bounds = open
        layout.prepare()
        #expect(height(layout, 1, 1) == 10, "unless it was invalid itself")
    }

    @Test func thereIsRoomUpToTheLargestExtent() {
        let host = SectionTestHost()
        host.sections = [host.makeSection([Self.row])]
        let layout = ComposedLayout()
        let widths: [(Double, Double)] = [
            (1e15, 1e15), (1e15.nextUp, 0), (.infinity, 0), (.nan, 0), (0.5, 0.5), (-3, 0),
        ]
        for (width, room) in widths {
            host.bounds.size.width = width
            layout.attach(to: host)
            layout.invalidateLayout()
            layout.prepare()
            #expect(layout.collectionViewContentSize.width == room)
            let isChange = layout.shouldInvalidateLayout(forBoundsChange: host.bounds)
            #expect(!isChange, "it was laid out for \(width)")
        }
    }

    @Test func insetsThatNobodyAsksForAnyMoreLayNothingOut() {
        let host = SectionTestHost()
        host.sections = [host.makeSection([Self.row])]
        var inset = FlowSectionLayout()
        inset.insetReference = .fromSafeArea
        let layout = host.lay(ComposedLayout(defaultLayout: inset))
        layout.defaultLayout = FlowSectionLayout()
        layout.invalidateLayout()
        layout.prepare()
        let prepared = layout.work.laidOutSections
        host.safeAreaInsets.left = 30
        layout.prepare()
        #expect(layout.work.laidOutSections == prepared)
    }
}
