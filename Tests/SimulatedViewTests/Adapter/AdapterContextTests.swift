import PipelineTestSupport
import Testing

@testable import SimulatedView

/// A data source whose sections have contexts, but for the plain ones, numbered in the order of asking.
private final class ContextSource: CollectionViewDataSource {
    final class Name: SectionContext {
        let number: Int

        init(_ number: Int) { self.number = number }
    }

    struct Section {
        var count: Int
        var isPlain = false
    }

    var sections: [Section]
    var asked: [Int] = []
    var onContext: (SimulatedCollectionView) -> Void = { _ in }

    init(_ sections: [Section]) { self.sections = sections }

    func numberOfSections(in collectionView: SimulatedCollectionView) -> Int { sections.count }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        numberOfItemsInSection section: Int
    ) -> Int { sections[section].count }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        cellForItemAt path: ItemPath
    ) throws -> CollectionViewCell {
        try collectionView.dequeueReusableCell(withReuseIdentifier: "row", for: path)
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        contextForSection section: Int
    ) -> (any SectionContext)? {
        asked.append(section)
        onContext(collectionView)
        return sections[section].isPlain ? nil : Name(asked.count)
    }
}

@Suite("Contexts of the sections of a data source of views")
struct AdapterContextTests {
    private let view = SimulatedCollectionView(
        size: Size(width: 100, height: 30),
        layout: RowLayout()
    )
    private let lane = ManualLane()

    private func adapter(_ source: ContextSource) throws -> DataSourceAdapter {
        try view.register(TextCell.self, forCellWithReuseIdentifier: "row")
        let adapter = DataSourceAdapter(dataSource: source, view: view, lane: lane)
        lane.run()
        return adapter
    }

    @Test func aContextIsAskedForWhenItsSectionComesAndStaysWithIt() throws {
        let source = ContextSource([.init(count: 1), .init(count: 2), .init(count: 3)])
        let adapter = try adapter(source)
        func names() -> [Int?] {
            (-1...view.numberOfSections).map {
                (view.context(forSection: $0) as? ContextSource.Name)?.number
            }
        }
        #expect(source.asked == [0, 1, 2])
        #expect(names() == [nil, 1, 2, 3, nil])
        try adapter.performBatchUpdates { changes in
            source.sections = [3, 5, 7, 1].map { .init(count: $0) }
            changes.moveSection(2, toSection: 0)
            changes.reloadSections([1])
            changes.deleteSections([0])
            changes.insertSections([1, 3])
        }
        #expect(source.asked.dropFirst(3) == [1, 2, 3], "inserted, reloaded, inserted")
        #expect(names() == [nil, 3, 4, 5, 6, nil])
        adapter.reloadData()
        lane.run()
        #expect(source.asked.dropFirst(6) == [0, 1, 2, 3])
        #expect(names() == [nil, 7, 8, 9, 10, nil])
    }

    @Test func theViewIsLockedWhileContextsAreAskedForAndTheAnswersThatThereAreAreLogged() throws {
        let plain = ContextSource.Section(count: 1, isPlain: true)
        let source = ContextSource([.init(count: 1), plain, .init(count: 1)])
        let adapter = try adapter(source)
        func contexts() -> [ViewEvent] {
            view.eventLog.filter { if case .dataSource(.context) = $0 { true } else { false } }
        }
        #expect(contexts() == [0, 2].map { .dataSource(.context(section: $0)) })
        view.clearEventLog()
        source.onContext = { view in
            view.setNeedsLayout()
            view.layoutIfNeeded()
        }
        try adapter.performBatchUpdates { changes in
            source.sections += [plain, .init(count: 1)]
            changes.insertSections([3, 4])
        }
        #expect(view.errors.map(\.code) == [.reentrantLayout, .reentrantLayout])
        #expect(contexts() == [.dataSource(.context(section: 4))])
        source.onContext = { _ in }
        // It is no longer locked.
        try adapter.performBatchUpdates { _ in }
        #expect(view.context(forSection: 3) == nil && view.context(forSection: 4) != nil)
        lane.run()
    }
}
