import CollectionLayouts

/// A list that is laid out. Its calls return how long the layout took for them.
final class LaidOutRows {
    let host: RowsHost
    let layout = ListLayout()
    private var random = SplitMix64()

    init(count: Int) {
        host = RowsHost(rowCount: count)
        layout.attach(to: host)
        layout.prepare()
    }

    private func time(_ change: () -> Void = {}) -> Double {
        Stopwatch.threadNanoseconds {
            change()
            BlackHole.consume(host.look(at: layout))
        }
    }

    /// Another height for a row anywhere.
    func changeHeight() -> Double {
        let item = Int.random(in: 0..<host.rowCount, using: &random)
        let height = Double(random.next() % 50)
        return time { host.changeHeight(of: item, to: height, in: layout) }
    }

    /// Ten more rows anywhere.
    func insertTen() throws -> Double {
        let count = host.rowCount
        let plan = EditPlan.random(in: [count], deletions: 0, insertions: 10, using: &random)
        var changes = HierarchyChangeSet()
        plan.record(into: &changes)
        let newCounts = plan.applied(to: [count])
        let update = try changes.validated(
            from: HierarchyShape([count]),
            to: HierarchyShape(newCounts)
        )
        host.insertRows(update)
        return time { host.layOut(layout, applying: update) }
    }

    /// The same rows from another place.
    func lookAnywhere() -> Double {
        let end = layout.collectionViewContentSize.height - host.bounds.size.height
        host.bounds.origin.y = Double.random(in: 0..<end, using: &random)
        return time()
    }
}
