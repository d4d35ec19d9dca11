import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Views that are left over")
struct LeftOverTests {
    @Test func whatIsNotGivenBackIsReportedInTheOrderOfDequeuingAndOnceOnly() throws {
        let bench = try Bench([texts(1)])
        bench.source.madeCell = { view, path in
            for item in [2, 1] {
                _ = try view.dequeueReusableCell(
                    withReuseIdentifier: "row",
                    for: ItemPath(0, item)
                )
            }
            return try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
        }
        bench.lane.run()
        #expect(bench.view.errors.map(\.code) == [.notReturned, .notReturned])
        #expect(bench.view.errors.map(\.place) == [2, 1].map { .cell(ItemPath(0, $0)) })
        #expect(bench.view.errors.first?.message.contains("the view dequeued for 0 - 2") == true)
        #expect(bench.view.numberOfReusableViews == 2)
        bench.view.clearErrors()
        bench.layout.invalidateLayout()
        bench.settle()
        #expect(bench.view.errors == [] && bench.view.numberOfReusableViews == 2)
    }

    @Test func whatIsOfNoRegisteredClassAnyMoreIsNotKept() throws {
        let bench = try Bench([texts(9)])
        try bench.view.register(CollectionViewCell.self, forCellWithReuseIdentifier: "plain")
        bench.source.madeCell = { view, path in
            try view.dequeueReusableCell(withReuseIdentifier: "plain", for: path)
        }
        bench.load()
        bench.view.scroll(by: 10)
        bench.settle()
        #expect(bench.view.numberOfMadeViews == 3, "used again")
        try bench.view.register(nil, forCellWithReuseIdentifier: "plain")
        bench.view.resize(to: .zero)
        bench.settle()
        #expect(bench.view.visibleCells.isEmpty && bench.view.numberOfReusableViews == 0)
    }

    @Test func decorationsAreUsedAgainAndToldToForget() throws {
        final class Noting: CollectionReusableView {
            var numberOfReuses = 0

            override func prepareForReuse() { numberOfReuses += 1 }
        }
        let kind = SupplementaryKind(rawValue: "backdrop")
        let place = LayoutPlace(.decoration(kind), ItemPath(0, 0))
        let bench = try Bench([texts(9)])
        bench.layout.decorationKind = kind
        bench.layout.register(Noting.self, forDecorationViewOfKind: kind)
        bench.load()
        let view = bench.view.visibleView(at: place) as? Noting
        for count in 0..<3 {
            #expect(bench.view.visibleView(at: place) === view && view?.numberOfReuses == count)
            bench.view.resize(to: .zero)
            bench.settle()
            #expect(bench.view.visibleView(at: place) == nil)
            bench.view.resize(to: Size(width: 100, height: 30))
            bench.settle()
        }
        #expect(bench.view.numberOfMadeViews == 4)
        bench.check()
    }

    @Test(arguments: Substrate.allCases)
    func viewsOfElementsAreUsedAgainThoughNobodyRegisteredAClass(
        _ substrate: Substrate
    ) async throws {
        let sections = (0..<10).map { section in
            TextDataSource.Section(["\(section)"], headers: ["H"])
        }
        let list = try await List(substrate, sections, height: 4)
        let made = await list.onMain { view, _ in
            (0..<16).map { _ in
                view.scroll(by: 1)
                view.layoutIfNeeded()
                return view.numberOfMadeViews
            }
        }
        #expect(made.last.map { $0 <= 6 } == true, "\(made)")
        await list.controller.close()
    }
}
