import PipelineTestSupport
import SimulatedView
import Testing

/// A call of the view from within one of its own calls.
private enum Intrusion: String, CaseIterable, Sendable {
    case layOut, scroll, offset, scrollToItem, top, resize, inset, update, reload, reconfigure,
        select
    case tap, layout, invalidate, tick, unregister, preferredHeight, dataSource, busy

    func run(_ bench: Bench<RowLayout>) {
        let view = bench.view
        let path = ItemPath(0, 1)
        switch self {
        case .layOut: view.layoutIfNeeded()
        case .scroll: view.scroll(by: view.contentOffset.y > 50 ? -40 : 15)
        case .offset: view.contentOffset.y += 1
        case .scrollToItem: try? view.scrollToItem(at: ItemPath(0, 10))
        case .top: view.scrollToTop()
        case .resize:
            let height = view.size.height > 40 ? 30.0 : 50
            view.resize(to: Size(width: 100, height: height), animated: true)
        case .inset: view.contentInset.top = view.contentInset.top == 0 ? 5 : 0
        case .update:
            try? bench.adapter.performBatchUpdates { changes in
                guard bench.source.sections[0].count > 3 else { return }
                bench.source.sections[0].removeFirst(2)
                changes.deleteItems(at: [ItemPath(0, 0), path])
            }
        case .reload: bench.adapter.reloadData()
        case .reconfigure: try? bench.adapter.reconfigureItems(at: [path])
        case .select: try? view.selectItem(at: path, scrollPosition: .top)
        case .tap: view.tapItem(at: path)
        case .layout: view.setCollectionViewLayout(RowLayout(), animated: true)
        case .invalidate: view.collectionViewLayout.invalidateLayout()
        case .tick:
            view.isPrefetchingEnabled = true
            view.idleTick(preparing: 3)
        case .unregister: try? view.register(TextCell.self, forCellWithReuseIdentifier: "row")
        case .preferredHeight: view.visibleViews.first.map(view.invalidatePreferredSize(of:))
        case .dataSource: bench.adapter.dataSource = bench.source
        case .busy:
            view.beginBusy()
            view.endBusy()
        }
    }
}

/// The call of the view from within which the intrusion runs.
private enum EntryPoint: String, CaseIterable, Sendable {
    case prepare, attributes, dataSourceCall, preferredHeight, display, end, scroll, select

    func open(_ bench: Bench<RowLayout>, _ body: @escaping () -> Void) {
        switch self {
        case .prepare: bench.layout.onPrepare = { _ in body() }
        case .attributes:
            bench.layout.altered = { answer in
                body()
                return answer
            }
        case .dataSourceCall: bench.source.onCall = { _ in body() }
        case .preferredHeight:
            bench.source.preferredHeights = { _ in
                body()
                return nil
            }
        case .display: bench.watcher.onDisplay = { _, _ in body() }
        case .end: bench.watcher.onEnd = { _, _ in body() }
        case .scroll: bench.watcher.onScroll = { _ in body() }
        case .select: bench.watcher.onSelect = { _, _ in body() }
        }
    }
}

@Suite("Nested calls of a view", .endsHangs)
struct ReentranceTests {
    /// Loads, scrolls, selects and updates while the intrusion runs up to `limit` times.
    private func disturb(
        _ intrusion: Intrusion,
        _ entryPoint: EntryPoint,
        limit: Int
    ) throws -> (bench: Bench<RowLayout>, count: Int) {
        let bench = try Bench([texts(60)])
        let layout = bench.layout
        var count = 0
        entryPoint.open(bench) {
            guard count < limit else { return }
            count += 1
            intrusion.run(bench)
        }
        bench.lane.run(limit: 50)
        bench.view.scroll(by: 30)
        bench.view.layoutIfNeeded()
        bench.view.tapItem(at: ItemPath(0, 0))
        try? bench.adapter.performBatchUpdates { changes in
            bench.source.sections[0].insert("new", at: 0)
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        bench.lane.run(limit: 50)
        layout.onPrepare = { _ in }
        layout.altered = { $0 }
        bench.source.onCall = { _ in }
        bench.source.preferredHeights = { _ in nil }
        bench.watcher.onDisplay = { _, _ in }
        bench.watcher.onEnd = { _, _ in }
        bench.watcher.onScroll = { _ in }
        bench.watcher.onSelect = { _, _ in }
        return (bench, count)
    }

    @Test(arguments: Intrusion.allCases, EntryPoint.allCases)
    private func nestedCallsDoNoLastingHarm(
        _ intrusion: Intrusion,
        _ entryPoint: EntryPoint
    ) throws {
        for limit in [1, 2, 7, 60] {
            let (bench, count) = try disturb(intrusion, entryPoint, limit: limit)
            #expect(count > 0)
            #expect(bench.lane.run(), "the lane becomes idle")
            bench.view.clearErrors()
            bench.view.scrollToTop()
            bench.adapter.reloadData()
            bench.settle()
            #expect(bench.rows.count == Int((bench.view.size.height / 10).rounded(.up)))
            bench.check("\(intrusion) \(entryPoint) \(limit)")
        }
    }

    @Test(arguments: [EntryPoint.prepare, .attributes, .dataSourceCall, .preferredHeight, .display])
    private func anUpdateFromWithinAPassIsRejectedBeforeTheModelChanges(_ entryPoint: EntryPoint)
        throws
    {
        let bench = try Bench([texts(60)])
        var errors: [any Error] = []
        var isFinished: [Bool] = []
        entryPoint.open(bench) {
            do {
                try bench.adapter.performBatchUpdates(
                    { _ in Issue.record("the block ran") },
                    completion: { isFinished.append($0) }
                )
            } catch { errors.append(error) }
        }
        bench.view.layoutIfNeeded()
        #expect(errors.count > 0)
        #expect(errors.allSatisfy { ($0 as? ViewError)?.code == .reentrantLayout })
        #expect(isFinished == [])
        #expect(bench.lane.run())
        #expect(isFinished == errors.map { _ in false })
        #expect(bench.rows.count == 3)
    }
}
