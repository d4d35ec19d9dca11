import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Transitions")
struct TransitionTests {
    private let kind = SupplementaryKind(rawValue: "backdrop")
    private var category: ElementCategory { .decoration(kind) }

    /// What the layout says came in place of a view that is there: that view went from where it was.
    @Test func aViewThatIsReplacedWentFromWhereItWasInTheOldIndexSpace() throws {
        let bench = try Bench([["a"], ["b"]], height: 60)
        bench.layout.decorationKind = kind
        bench.layout.register(Backdrop.self, forDecorationViewOfKind: kind)
        bench.load()
        var asked: [LayoutPlace] = []
        bench.layout.disappearing = { place in
            asked.append(place)
            return nil
        }
        // That of the last section, which shifts by one.
        bench.layout.insertedPaths = [category: [ItemPath(2, 0)]]
        let view = try #require(
            bench.view.visibleView(at: LayoutPlace(category, ItemPath(1, 0)))
        )
        var ended: [LayoutPlace] = []
        bench.watcher.onEnd = { _, place in ended.append(place) }
        try bench.adapter.performBatchUpdates { changes in
            bench.source.sections = [["a"], ["new"], ["b"]]
            changes.insertSections([1])
        }
        bench.layout.insertedPaths = [:]
        let old = LayoutPlace(category, ItemPath(1, 0))
        #expect(asked == [old])
        let gone = bench.view.transitions.filter { $0.newPlace == nil }
        #expect(gone.map(\.oldPlace) == [old])
        #expect(gone.first?.start.frame == Rect(x: 0, y: 10, width: 100, height: 10))
        bench.settle()
        #expect(ended == [old] && bench.view.place(of: view) == nil)
        bench.check()
    }

    private struct Rows {
        var texts: [[String]]
        var last = 0

        mutating func fresh() -> String {
            last += 1
            return "\(last)"
        }
    }

    /// Where every item was on the screen, by its text.
    private func positions(_ bench: Bench<RowLayout>) -> [String: Double] {
        let cells = bench.view.visibleCells.compactMap { $0 as? TextCell }
        return Dictionary(
            cells.map { ($0.text, $0.frame.minY - bench.view.bounds.minY) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    @Test(arguments: Array(1...10) as [UInt64])
    func theyAreInTheDocumentedOrderAndStartFromWhereThingsWereOnTheScreen(
        _ seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        var rows = Rows(texts: [])
        let initial = (0..<4).map { _ in (0..<9).map { _ in rows.fresh() } }
        let bench = try Bench(initial, height: 80)
        bench.layout.headerHeight = 6
        bench.load()
        var count = 0
        for step in 0..<25 {
            bench.view.scroll(by: Double(random.next(below: 200) - 90))
            bench.settle()
            let (old, model) = (positions(bench), bench.source.sections)
            let shape = HierarchyShape(model.map(\.count))
            let drawn = RandomUpdate(from: shape, &random, rate: 0.15)
            let valid = try drawn.changes.validated(from: shape, to: drawn.newShape)
            let new = valid.texts(after: model) { rows.fresh() }
            try bench.adapter.performBatchUpdates { changes in
                bench.source.sections = new
                for operation in drawn.changes.operations { changes.record(operation) }
            }
            let (transitions, bounds) = (bench.view.transitions, bench.view.bounds)
            count += transitions.count
            expectOrder(transitions, in: bounds, "seed \(seed) step \(step)")
            for transition in transitions {
                guard let place = transition.oldPlace, place.category == .cell,
                    let y = old[model[place.path.section][place.path.item]]
                else { continue }
                let start = transition.start.frame.minY - bounds.minY
                #expect(abs(start - y) < 1e-9, "seed \(seed) step \(step) \(place)")
            }
            bench.settle()
            bench.check()
        }
        #expect(count > 100)
    }

    private func expectOrder(
        _ transitions: [ViewTransition],
        in bounds: Rect,
        _ comment: Comment
    ) {
        func group(_ transition: ViewTransition) -> Int {
            if transition.newPlace == nil { return 0 }
            return transition.end.frame.intersects(bounds) ? 1 : 2
        }
        let groups = transitions.map(group)
        #expect(groups == groups.sorted(), comment)
        let went = transitions.filter { group($0) == 0 }.compactMap(\.oldPlace)
        #expect(went == went.sorted(), comment)
        let shown = transitions.filter { group($0) == 1 }.compactMap(\.newPlace)
        #expect(shown == shown.sorted(), comment)
    }
}
