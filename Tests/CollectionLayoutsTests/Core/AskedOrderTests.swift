import TestSupport
import Testing

@testable import CollectionLayouts

/// What any layout asks about a section that it lays out from nothing.
private func allQuestions(ofSection section: Int, _ itemCount: Int) -> [String] {
    ["metrics \(section)"] + (0..<itemCount).map { "size \(section) - \($0)" }
}

@Suite("What layouts ask about, and in which order")
struct AskedOrderTests {
    private func host(_ counts: [Int]) -> ScriptedHost {
        let host = ScriptedHost(counts.map { .uniform($0, 30, 20) })
        host.metrics?.isWritingDown = true
        return host
    }

    @Test(arguments: LayoutEngine.allCases)
    func allIsAskedUpFrontSectionBySection(_ engine: LayoutEngine) {
        let counts = [3, 0, 5, 1]
        let host = host(counts)
        let layout = host.lay(engine.make())
        let expected = counts.enumerated().flatMap {
            allQuestions(ofSection: $0.offset, $0.element)
        }
        #expect(host.metrics?.questions == expected)
        _ = layout.layoutAttributesForElements(in: Rect(x: 0, y: 0, width: 320, height: 1000))
        _ = layout.collectionViewContentSize
        #expect(host.metrics?.questions.count == expected.count, "queries ask nothing")
    }

    /// The items that came or were updated in place, and those of sections that came; once each. A size may
    /// depend on the place, so that lines ask about what moved too; rows take their heights along.
    @Test(arguments: LayoutEngine.allCases, Array(1...8) as [UInt64])
    func afterAnUpdateOnlyWhatCameIsAskedAbout(_ engine: LayoutEngine, _ seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let host = host((0..<5).map { _ in random.next(below: 12) })
        let layout = host.lay(engine.make())
        for step in 0..<15 {
            let drawn = RandomUpdate(from: host.shape, &random, rate: 0.1)
            let update = try drawn.changes.validated(from: host.shape, to: drawn.newShape)
            let asked = host.metrics?.questions.count ?? 0
            let sections = drawn.newShape.itemCounts.map { ScriptedSection.uniform($0, 30, 20) }
            try layout.update(host, to: sections) { changes in
                for operation in drawn.changes.operations { changes.record(operation) }
            }
            let questions = host.metrics?.questions.dropFirst(asked) ?? []
            let items = questions.filter { $0.hasPrefix("size") }
            let expected = fresh(in: update, engine).map { "size \($0)" }
            #expect(items.sorted() == expected.sorted(), "step \(step)")
        }
    }

    private func fresh(in update: ValidatedChangeSet, _ engine: LayoutEngine) -> [ItemPath] {
        let came = Set(
            update.itemInsertions.filter { $0.role != .move || engine != .list }.map(\.path)
        )
        let reconfigured = Set(update.reconfigurations.map(\.newPath))
        return update.newShape.itemCounts.enumerated().flatMap { section, count in
            (0..<count).map { ItemPath(section: section, item: $0) }.filter { path in
                came.contains(path) || reconfigured.contains(path)
                    || update.oldPath(for: path) == nil
            }
        }
    }

    /// What was invalid before an update is asked about where it is after it.
    @Test(arguments: LayoutEngine.allCases)
    func whatWasInvalidIsAskedAboutWhereItIsAfterAnUpdate(_ engine: LayoutEngine) throws {
        let host = host([6, 2])
        let layout = host.lay(engine.make())
        let context = type(of: layout).invalidationContextClass.init()
        context.invalidateItems(at: [4, 5].map { ItemPath(section: 0, item: $0) })
        layout.invalidateLayout(with: context)
        let asked = host.metrics?.questions.count ?? 0
        var sections = host.sections
        sections.insert(.uniform(0, 1, 1), at: 0)
        sections[1].items = Array(repeating: Size(width: 30, height: 20), count: 4)
        try layout.update(host, to: sections) { changes in
            changes.insertSections([0])
            changes.deleteItems(at: [0, 1, 5].map { ItemPath(section: 0, item: $0) })
            changes.insertItems(at: [ItemPath(section: 1, item: 0)])
        }
        // 4 is at 3 now, behind what came; nobody asks about 5.
        #expect(layout.frames(ofSection: 1).count == 4)
        let questions = Set(host.metrics?.questions.dropFirst(asked) ?? [])
        #expect(questions.contains("size 1 - 3"))
        #expect(!questions.contains("size 1 - 4"))
    }

    @Test func aListedItemIsAskedAboutAloneInAList() {
        let host = host([30, 30])
        let layout = host.lay(ListLayout())
        let asked = host.metrics?.questions.count ?? 0
        let context = LayoutInvalidationContext()
        context.invalidateItems(at: [ItemPath(section: 1, item: 7), ItemPath(section: 0, item: 3)])
        layout.invalidateLayout(with: context)
        layout.prepare()
        let expected = ["metrics 0", "size 0 - 3", "metrics 1", "size 1 - 7"]
        #expect(host.metrics?.questions.dropFirst(asked) == expected[...])
    }

    /// A section's metrics are asked for when it is prepared, and those of no other.
    @Test func sectionMetricsAreAskedAboutThatSectionAlone() {
        let host = host([3, 4, 5])
        let layout = host.lay(ComposedLayout())
        let asked = host.metrics?.questions.count ?? 0
        layout.invalidateSections([1])
        layout.prepare()
        let questions = host.metrics?.questions.dropFirst(asked) ?? []
        #expect(Array(questions) == allQuestions(ofSection: 1, 4))
    }

    @Test func aPagerAsksForNoSizeAndOnceForEachCount() {
        final class CountingHost: TestHost<ScriptedSection> {
            var counted: [Int] = []
            var measuredPlaces = 0
            override var layoutMetrics: AnyObject? { nil }

            override func numberOfItems(inSection section: Int) -> Int {
                counted.append(section)
                return super.numberOfItems(inSection: section)
            }

            override func measuredSize(of place: LayoutPlace) -> Size? {
                measuredPlaces += 1
                return nil
            }
        }
        let host = CountingHost((0..<50).map { .uniform($0 * 100, 1, 1) }, width: 100, height: 100)
        let layout = PagerLayout()
        for spacing in [0, 10, -5, .nan, .infinity] {
            layout.pageSpacing = spacing
            host.counted = []
            _ = host.lay(layout)
            #expect(host.counted == Array(0..<50))
            let pages = 100.0 * 49 * 50 / 2
            let usable = spacing == 10 ? 10.0 : 0
            #expect(layout.collectionViewContentSize.width == pages * (100 + usable) - usable)
            let found = layout.layoutAttributesForElements(
                in: Rect(x: 9999, y: 0, width: 500, height: 9)
            )
            #expect((5...6).contains(found.count))
            #expect(found.allSatisfy { $0.size == host.bounds.size })
            #expect(
                layout.layoutAttributesForSupplementaryView(ofKind: .header, at: found[0].indexPath)
                    == nil
            )
            #expect(host.counted.count == 50 && host.measuredPlaces == 0, "queries ask nothing")
            #expect(layout.errors.isEmpty)
        }
    }
}
