import Testing

@testable import CollectionLayouts

@Suite("What is over once it was laid out")
struct LayoutRemainderTests {
    private static let engines: [LayoutEngine] = [.flow, .list]

    private func host(_ counts: [Int]) -> ScriptedHost {
        let host = ScriptedHost(counts.map { .uniform($0, 30, 20) })
        host.metrics?.isWritingDown = true
        return host
    }

    /// Of the same counts, an update would fit once more.
    @Test(arguments: engines)
    func anUpdateIsAppliedOnce(_ engine: LayoutEngine) throws {
        let host = host([3, 2])
        let layout = host.lay(engine.make())
        try layout.update(host, to: host.sections) {
            $0.moveItem(at: ItemPath(section: 0, item: 0), to: ItemPath(section: 0, item: 2))
        }
        let asked = host.metrics?.questions.count ?? 0
        let context = type(of: layout).invalidationContextClass.init()
        context.invalidatesDataSourceCounts = true
        layout.invalidateLayout(with: context)
        layout.prepare()
        let questions = host.metrics?.questions.dropFirst(asked) ?? []
        #expect(questions.count { $0.hasPrefix("size") } == 5)
    }

    @Test(arguments: engines)
    func aReloadOfAllDataForgetsErrors(_ engine: LayoutEngine) throws {
        let host = host([1, 1])
        host.sections[1].items[0] = Size(width: -1, height: -1)
        let layout = host.lay(engine.make())
        #expect(layout.errorCount == 1)
        var sections = host.sections
        sections[1].items[0] = Size(width: 9, height: 9)
        try layout.update(host, to: sections) { $0.reloadData() }
        #expect(layout.errorCount == 0 && layout.frames(ofSection: 1)[0].size.height == 9)
    }

    @Test func aHeaderThatWasInvalidIsAskedAboutWhereItIsAfterAnUpdate() throws {
        let host = host([2, 2, 2])
        let layout = host.lay(FlowLayout())
        let context = FlowLayoutInvalidationContext()
        let path = ItemPath(section: 1, item: 0)
        context.invalidateSupplementaryElements(ofKind: .header, at: [path])
        layout.invalidateLayout(with: context)
        let asked = host.metrics?.questions.count ?? 0
        var sections = host.sections
        sections[1].header = 12
        sections.insert(.uniform(1, 30, 20), at: 0)
        try layout.update(host, to: sections) { $0.insertSections([0]) }
        #expect(layout.frame(.header(2))?.size.height == 12)
        let questions = host.metrics?.questions.dropFirst(asked) ?? []
        #expect(questions.filter { $0.hasPrefix("metrics") } == ["metrics 0", "metrics 2"])
    }

    /// With the context of a height that is known, a list asks nothing; with the same once more, it does.
    @Test func aHeightThatAViewPreferredIsKnownToOneInvalidation() throws {
        let host = host([3])
        let layout = ListLayout()
        layout.estimatesHeights = true
        let original = try #require(
            host.lay(layout).layoutAttributesForItem(at: ItemPath(section: 0, item: 1))
        )
        let context = try #require(layout.prefer(Size(width: 1, height: 25), to: original))
        #expect(layout.frames().map(\.size.height) == [20, 25, 20])
        let asked = layout.work.askedSizes
        layout.invalidateLayout(with: context)
        layout.prepare()
        #expect(layout.work.askedSizes == asked + 1)
        #expect(layout.frames().map(\.size.height) == [20, 20, 20])
    }
}
