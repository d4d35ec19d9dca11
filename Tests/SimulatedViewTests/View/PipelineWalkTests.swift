import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Random walks of a view at the end of a pipeline", .endsHangs)
struct PipelineWalkTests {
    /// What is wrong with what a view shows.
    private static func mistakes(
        _ view: SimulatedCollectionView,
        _ controller: TextController,
        _ watcher: Watcher
    ) -> [String] {
        view.layoutIfNeeded()
        var found = view.mistakes + watcher.contradictions
        for cell in view.visibleCells {
            guard let path = cell.attributes?.indexPath else { continue }
            let sections = controller.assumeIsolated().dataSource.sections
            let text = sections[path.section].items[path.item]
            let shown = (cell.element?.nodeIfAllocated as? TextNode)?.text ?? "-"
            if shown != text { found.append("\(path) shows \(shown) for \(text)") }
            if cell.element !== view.map.element(at: path) { found.append("\(path) is another") }
            if cell.content != view.map.content(at: path) { found.append("\(path) is outdated") }
        }
        if Set(watcher.displayed.keys) != Set(view.visibleViews.map(ObjectIdentifier.init)) {
            found.append("announced: \(watcher.displayed.values.sorted())")
        }
        if view.numberOfReusableViews > 200 { found.append("too many views wait") }
        let refused = view.eventLog.filter { if case .refused = $0 { true } else { false } }
        return found + refused.map(\.description)
    }

    private static func switchLayout(_ view: SimulatedCollectionView, _ choice: Int) {
        switch choice {
        case 0: view.setCollectionViewLayout(ListLayout(), animated: true)
        case 1: view.setCollectionViewLayout(FlowLayout())
        case 2:
            let layout = ComposedLayout(defaultLayout: MasonrySectionLayout(columnCount: 2))
            layout.features = [StickyHeaders()]
            view.setCollectionViewLayout(layout, animated: true)
        default: view.setCollectionViewLayout(ComposedLayout(scrollDirection: .horizontal))
        }
    }

    @Test(arguments: Substrate.allCases, 1...Effort.number(6, usually: 3) as ClosedRange<UInt64>)
    func afterEveryStepTheViewShowsWhatTheMapHasWhereTheLayoutPutsIt(
        _ substrate: Substrate,
        _ seed: UInt64
    ) async throws {
        var random = SeededGenerator(seed: seed)
        var last = 0
        func fresh() -> String {
            last += 1
            return "\(last)" + String(repeating: "x", count: last * 7 % 25)
        }
        var model = (0..<4).map { _ in (0..<10).map { _ in fresh() } }
        let list = try await List(
            substrate,
            model.map { .init($0, headers: ["header"]) },
            height: 12,
            logCapacity: 100_000
        )
        // Unchecked: used on the main lane only.
        nonisolated(unsafe) let watcher = Watcher()
        await list.onMain { view, _ in
            view.delegate = watcher
            view.isPrefetchingEnabled = seed.isMultiple(of: 2)
            for cell in view.visibleViews {
                guard let place = cell.attributes?.place else { continue }
                watcher.collectionView(view, willDisplay: cell, at: place)
            }
        }
        for step in 0..<30 {
            let (choice, number) = (random.next(below: 8), random.next(below: 400))
            switch choice {
            case 0, 1, 2:
                let old = HierarchyShape(model.map(\.count))
                let drawn = RandomUpdate(from: old, &random, rate: choice == 0 ? 0.4 : 0.05)
                let valid = try drawn.changes.validated(from: old, to: drawn.newShape)
                let new = valid.texts(after: model, fresh: fresh)
                model = new
                let isAnimated = choice == 1
                try await list.controller.performBatchUpdates(animated: isAnimated) {
                    source,
                    changes in
                    source.sections = new.map { .init($0, headers: ["header"]) }
                    for operation in drawn.changes.operations { changes.record(operation) }
                }
            case 3: await list.onMain { view, _ in Self.switchLayout(view, number % 4) }
            case 4:
                await list.onMain { view, _ in
                    let item = ItemPath(number % 3, number % 7)
                    try? view.selectItem(at: item, scrollPosition: .centeredVertically)
                    view.idleTick(preparing: number % 5)
                }
            case 5 where number % 3 == 0: try await list.controller.reloadData()
            default:
                let distance = Double(number - 200) / 4
                await list.onMain { view, _ in view.scroll(by: Point(x: distance, y: distance)) }
            }
            await list.controller.settle()
            let mistakes = await list.onMain { view, controller in
                Self.mistakes(view, controller, watcher)
            }
            guard mistakes.isEmpty else {
                Issue.record("seed \(seed), step \(step), choice \(choice): \(mistakes)")
                break
            }
        }
        await list.controller.close()
    }
}
