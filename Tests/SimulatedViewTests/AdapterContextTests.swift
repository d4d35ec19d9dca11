import PipelineTestSupport
import SimulatedView
import Testing

/// A data source whose sections have contexts, named after the order of asking.
private final class ContextSource: CollectionViewDataSource {
    final class Name: SectionContext {
        let number: Int

        init(_ number: Int) { self.number = number }
    }

    var counts: [Int]
    var asked: [Int] = []

    init(_ counts: [Int]) { self.counts = counts }

    func numberOfSections(in collectionView: SimulatedCollectionView) -> Int { counts.count }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        numberOfItemsInSection section: Int
    ) -> Int { counts[section] }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        cellForItemAt path: ItemPath
    ) throws -> CollectionCell {
        try collectionView.dequeueReusableCell(withReuseIdentifier: "row", for: path)
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        contextForSection section: Int
    ) -> (any SectionContext)? {
        asked.append(section)
        return Name(asked.count)
    }
}

@Suite("Contexts of the sections of a data source of views")
struct AdapterContextTests {
    @Test func aContextIsAskedForWhenItsSectionComesAndStaysWithIt() throws {
        let view = SimulatedCollectionView(size: Size(width: 100, height: 30), layout: RowLayout())
        let lane = ManualLane()
        let source = ContextSource([1, 2, 3])
        try view.register(TextCell.self, forCellWithReuseIdentifier: "row")
        let adapter = DataSourceAdapter(dataSource: source, view: view, lane: lane)
        func names() -> [Int?] {
            (-1...view.numberOfSections()).map {
                (view.context(forSection: $0) as? ContextSource.Name)?.number
            }
        }
        lane.run()
        #expect(source.asked == [0, 1, 2])
        #expect(names() == [nil, 1, 2, 3, nil])
        try adapter.performBatchUpdates { changes in
            source.counts = [3, 5, 7, 1]
            changes.moveSection(2, to: 0)
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
}
