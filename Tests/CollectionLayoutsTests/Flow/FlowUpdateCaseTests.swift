import TestSupport
import Testing

@testable import CollectionLayouts

@Suite("What a flow layout asks about after invalidations and updates")
struct FlowUpdateCaseTests {
    private func host(_ counts: [Int]) -> ScriptedHost {
        let host = ScriptedHost(counts.map { .uniform($0, 30, 20) })
        host.metrics?.isWritingDown = true
        return host
    }

    private func path(_ section: Int, _ item: Int) -> ItemPath {
        ItemPath(section: section, item: item)
    }

    private func listed(
        _ items: [ItemPath],
        headersOf sections: [Int] = []
    ) -> FlowLayoutInvalidationContext {
        let context = FlowLayoutInvalidationContext()
        context.invalidateItems(at: items)
        for section in sections {
            let kind = section.isMultiple(of: 2) ? SupplementaryKind.header : .footer
            context.invalidateSupplementaryElements(ofKind: kind, at: [path(section, 0)])
        }
        return context
    }

    /// What is listed beyond the items that there are is not asked about.
    @Test func listedItemsAreAskedAboutInTheirOrderAndEachSectionOnce() {
        for seed in 0..<20 {
            var random = SeededNumbers(seed: UInt64(seed))
            let host = host((0..<12).map { _ in random.next(below: 9) })
            let layout = host.lay(FlowLayout())
            let asked = host.metrics?.questions.count ?? 0
            let paths = (0..<30).map { _ in
                path(random.next(below: 14) - 1, random.next(below: 11) - 1)
            }
            let sections = (0..<4).map { _ in random.next(below: 14) - 1 }
            layout.invalidateLayout(with: listed(paths, headersOf: sections))
            layout.prepare()
            var expected: [String] = []
            for section in host.sections.indices {
                let items = Set(paths.filter { $0.section == section }.map(\.item)).sorted()
                guard !items.isEmpty || sections.contains(section) else { continue }
                let count = host.sections[section].itemCount
                expected.append("metrics \(section)")
                expected += items.filter { (0..<count).contains($0) }
                    .map { "size \(section) - \($0)" }
            }
            #expect(host.metrics?.questions.dropFirst(asked) == expected[...], "seed \(seed)")
            #expect(layout.everything(in: host) == host.lay(FlowLayout()).everything(in: host))
        }
    }

    @Test func reloadedHeadersAreAskedAboutInTheirOrder() throws {
        let host = host(Array(repeating: 2, count: 40))
        let layout = host.lay(FlowLayout())
        let asked = host.metrics?.questions.count ?? 0
        let sections = [31, 2, 17, 5, 38, 11, 0, 23]
        try layout.update(host, to: host.sections) { changes in
            for kind in [SupplementaryKind.header, .footer] {
                changes.reloadSupplementaries(ofKind: kind, in: SectionSet(sections))
            }
        }
        let expected = sections.sorted().map { "metrics \($0)" }
        #expect(host.metrics?.questions.dropFirst(asked) == expected[...])
    }

    /// A view asks for a size of what it shows; what takes the place of an item shows something else.
    @Test func aSizeGoesAlongWithItsItemAndNotWithWhatReplacesIt() throws {
        let host = ScriptedHost([
            ScriptedSection(items: [Size?](repeating: nil, count: 6), line: 0)
        ])
        let layout = FlowLayout()
        layout.estimatedItemSize = Size(width: 300, height: 50)
        _ = host.lay(layout)
        for item in 0..<5 {
            let original = try #require(layout.layoutAttributesForItem(at: path(0, item)))
            let size = Size(width: 300, height: Double(60 + item))
            #expect(layout.prefer(size, to: original) != nil)
        }
        try layout.update(host, to: host.sections) { changes in
            changes.reloadItems(at: [path(0, 0)])
            changes.reconfigureItems(at: [path(0, 1)])
            changes.deleteItems(at: [path(0, 2)])
            changes.moveItem(at: path(0, 3), to: path(0, 5))
            changes.insertItems(at: [path(0, 2)])
        }
        #expect(layout.frames().map(\.size.height) == [50, 61, 50, 64, 50, 63])
    }

    /// The same is promised of every layout.
    @Test(arguments: LayoutEngine.allCases)
    func aReloadOfAllDataBeginsANewListOfErrors(_ engine: LayoutEngine) throws {
        let (bad, good) = (Size(width: -1, height: -1), Size(width: 5, height: 5))
        let host = ScriptedHost([ScriptedSection(items: [bad, good])])
        let layout = host.lay(engine.make())
        let count = layout.errorCount
        #expect(count > 0)
        try layout.update(host, to: host.sections) { $0.reloadData() }
        #expect(layout.errorCount == count)
        try layout.update(host, to: [ScriptedSection(items: [good, good])]) { $0.reloadData() }
        #expect(layout.errorCount == 0)
    }

    /// Nobody has said what was before; so nothing can be taken over.
    @Test(arguments: LayoutEngine.allCases)
    func anUpdateOfAnotherShapeThanWasLaidOutLaysOutAll(_ engine: LayoutEngine) throws {
        // A composed layout is laid out by sections, and knows them by their number.
        for counts in [[3], [3, 2, 1, 5], []] + (engine == .composed ? [] : [[4, 2]]) {
            let host = ScriptedHost(counts.map { .uniform($0, 30, 20) })
            let layout = host.lay(engine.make())
            host.sections = [.uniform(3, 30, 20), .uniform(2, 40, 20)]
            var sections = host.sections
            sections[1].items.insert(Size(width: 90, height: 30), at: 1)
            sections.insert(.uniform(0, 1, 1), at: 0)
            try layout.update(host, to: sections) { changes in
                changes.insertItems(at: [path(2, 1)])
                changes.insertSections([0])
            }
            let scratch = host.lay(engine.make())
            #expect(layout.collectionViewContentSize == scratch.collectionViewContentSize)
            #expect(
                layout.layoutAttributesForElements(in: everywhere)
                    == scratch.layoutAttributesForElements(in: everywhere)
            )
            #expect(layout.errors.isEmpty)
        }
    }

    @Test func countsThatTheViewDoesNotHaveAreReportedWithBothNumbers() throws {
        for (isSection, text) in [
            (true, "expected 2 sections after the update, found 4"),
            (false, "expected 7 items in section 1 after the update, found 5"),
        ] {
            let host = host([3, 5])
            let layout = host.lay(FlowLayout())
            var changes = HierarchyChangeSet()
            changes.insertItems(at: [path(1, 0), path(1, 4)])
            let update = try changes.validated(from: [3, 5], to: [3, 7])
            if isSection { host.sections = Array(repeating: .uniform(1, 5, 5), count: 4) }
            let context = FlowLayoutInvalidationContext()
            context.invalidatesDataSourceCounts = true
            layout.invalidateLayout(with: context)
            layout.prepare(applying: update)
            #expect(layout.errors.map(\.message) == [text + "; all is laid out again"])
            #expect(layout.everything(in: host) == host.lay(FlowLayout()).everything(in: host))
        }
    }
}
