import CollectionPipeline

/// A copying map that edits are made in, for comparison.
final class CopyingCollection {
    private(set) var map: CopyingMap<CollectionElement>
    private var random = SplitMix64()
    private let inserted: [CollectionElement]

    init(of map: ElementMap) {
        var sections: [[CollectionElement]] = Array(repeating: [], count: map.numberOfSections)
        for item in map.items { sections[item.path.section].append(item.element) }
        self.map = CopyingMap(copying: sections)
        inserted = MapFactory.makeElements(EditPlan.half)
    }

    /// How long the map alone takes for five deletes and five inserts at random places.
    func nanosecondsOfTenEdits() -> Double {
        let plan = EditPlan.randomTen(in: map.sections.map(\.count), using: &random)
        let removed = plan.oldPaths.sorted(by: >)
        let filled = plan.newPaths.sorted()
        let old = map
        let time = Stopwatch.threadNanoseconds {
            map = map.applying(removing: removed, inserting: inserted, at: filled)
        }
        // Only now may the map before be freed.
        BlackHole.consume(UInt(old.sections.count))
        return time
    }
}
