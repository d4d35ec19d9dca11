import PipelineTestSupport
import SimulatedView
import Testing

/// Where a list has what comes or goes with an option, in its own widths and heights.
private let absences: [(option: AnimationOption, x: Double, y: Double, alpha: Double)] = [
    (.automatic, 0, 0, 0), (.fade, 0, 0, 0), (.leading, -1, 0, 1), (.trailing, 1, 0, 1),
    (.top, 0, -1, 1), (.bottom, 0, 1, 1), (AnimationOption(rawValue: -7), 0, 0, 0),
]

/// Options of edits as a view shows them, whoever brings the edits.
@Suite("Animation options in the view", .endsHangs)
struct ViewAnimationTests {
    private func bench(_ sections: [[String]], height: Double = 90) throws -> Bench<ListLayout> {
        let layout = ListLayout()
        (layout.rowHeight, layout.sectionHeaderHeight) = (10, 5)
        let size = Size(width: 100, height: height)
        let bench = try Bench(sections, layout, size: size)
        bench.load()
        return bench
    }

    private func went(_ bench: Bench<ListLayout>) -> [LayoutPlace] {
        bench.view.transitions.filter { $0.newPlace == nil }.compactMap(\.oldPlace)
    }

    // MARK: Every option

    /// How each way of saying so brings and takes items by options.
    enum Speaker: CaseIterable { case edits, batch }

    @Test(arguments: Speaker.allCases)
    func throughAnAdapterWhatComesAndGoesIsPlacedByItsOption(_ speaker: Speaker) throws {
        for (option, x, y, alpha) in absences {
            let bench = try bench([texts(3)])
            switch speaker {
            case .edits:
                bench.source.sections[0].remove(at: 1)
                try bench.adapter.deleteItems(at: [ItemPath(0, 1)], animation: option)
            case .batch:
                try bench.adapter.performBatchUpdates { changes in
                    bench.source.sections[0].remove(at: 1)
                    changes.deleteItems(at: [ItemPath(0, 1)], animation: option)
                }
            }
            let gone = try #require(bench.view.transitions.first)
            #expect(gone.oldPlace == .cell(ItemPath(0, 1)) && gone.newPlace == nil)
            #expect(gone.start.frame == Rect(x: 0, y: 15, width: 100, height: 10))
            let end = Rect(x: x * 100, y: 15 + y * 10, width: 100, height: 10)
            #expect(gone.end.frame == end && gone.end.alpha == alpha, "\(option.rawValue)")
            bench.settle()
            bench.source.sections[0].append("new")
            try bench.adapter.insertItems(at: [ItemPath(0, 2)], animation: option)
            let came = try #require(bench.view.transitions.first)
            #expect(came.oldPlace == nil && came.newPlace == .cell(ItemPath(0, 2)))
            let start = Rect(x: x * 100, y: 25 + y * 10, width: 100, height: 10)
            #expect(came.start.frame == start && came.start.alpha == alpha, "\(option.rawValue)")
            bench.settle()
            bench.check()
        }
    }

    @Test(arguments: Substrate.allCases)
    func fromADataSourceToTheViewAnEditKeepsItsOption(_ substrate: Substrate) async throws {
        let list = try await List(substrate, [.init(["a", "b", "c"])])
        try await list.controller.performBatchUpdates { source, changes in
            source.sections[0].items = ["a", "x", "y"]
            changes.deleteItems(at: [ItemPath(0, 1)], animation: .leading)
            changes.deleteItems(at: [ItemPath(0, 2)], animation: .none)
            changes.insertItems(at: [ItemPath(0, 1)], animation: .bottom)
            changes.insertItems(at: [ItemPath(0, 2)], animation: .none)
        }
        let transitions = await list.onMain { view, _ in view.transitions }
        #expect(transitions.map(\.oldPlace) == [.cell(ItemPath(0, 1)), nil])
        #expect(transitions.map(\.newPlace) == [nil, .cell(ItemPath(0, 1))])
        #expect(transitions.first?.end.frame.minX == -10)
        #expect(transitions.last?.start.frame.minY == 2)
        try await list.onMain { _, controller in
            controller.assumeIsolated().dataSource.sections[0].items.removeLast()
            try controller.assumeIsolated().deleteItems(at: [ItemPath(0, 2)], animation: .trailing)
        }
        await list.controller.settle()
        let gone = await list.onMain { view, _ in view.transitions }
        #expect(gone.first?.end.frame.minX == 10)
    }

    // MARK: At once

    @Test func whatAnEditNamesWithNoneIsThereOrGoneAtOnceAndNobodyIsAskedAboutIt() throws {
        let bench = try bench([texts(8)])
        try bench.adapter.performBatchUpdates { changes in
            bench.source.sections[0] = ["1", "new", "4'", "5", "fresh", "3", "6", "7"]
            changes.deleteItems(at: [ItemPath(0, 0)], animation: .none)
            changes.deleteItems(at: [ItemPath(0, 2)], animation: .leading)
            changes.insertItems(at: [ItemPath(0, 1)], animation: .none)
            changes.reloadItems(at: [ItemPath(0, 4)], animation: .none)
            changes.moveItem(at: ItemPath(0, 3), to: ItemPath(0, 5), animation: .none)
            changes.insertItems(at: [ItemPath(0, 4)], animation: .top)
        }
        #expect(went(bench) == [.cell(ItemPath(0, 2))])
        let shown = bench.view.transitions.compactMap(\.newPlace)
        // 1 made room; 5, 6 and 7 are where they were.
        #expect(shown == [.cell(ItemPath(0, 0)), .cell(ItemPath(0, 3)), .cell(ItemPath(0, 4))])
        #expect(
            bench.log("layout initial", "layout final", "didEnd").sorted() == [
                "didEndDisplaying 0 - 0", "didEndDisplaying 0 - 4",
                "layout finalLayoutAttributes 0 - 2", "layout finalizeCollectionViewUpdates",
                "layout initialLayoutAttributes 0 - 4",
            ]
        )
        bench.lane.run()
        #expect(bench.log("didEnd").last == "didEndDisplaying 0 - 2")
        bench.check()
    }

    /// What moves out of sight in an animation is displayed until that ends; with `.none` it is not.
    @Test func whatMovesOutOfSightWithNoneEndsAtOnce() throws {
        let bench = try bench([texts(30)], height: 45)
        try bench.adapter.performBatchUpdates { changes in
            bench.source.sections[0].swapAt(0, 29)
            changes.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 29), animation: .none)
            changes.moveItem(at: ItemPath(0, 29), to: ItemPath(0, 0), animation: .none)
            bench.source.sections[0].swapAt(1, 28)
            changes.moveItem(at: ItemPath(0, 1), to: ItemPath(0, 28))
            changes.moveItem(at: ItemPath(0, 28), to: ItemPath(0, 1))
        }
        #expect(bench.log("didEnd") == ["didEndDisplaying 0 - 29"])
        let places = bench.view.transitions.map(\.newPlace)
        #expect(places == [.cell(ItemPath(0, 1)), .cell(ItemPath(0, 28))])
        bench.lane.run()
        #expect(bench.log("didEnd") == ["didEndDisplaying 0 - 29", "didEndDisplaying 0 - 28"])
        bench.check()
    }

    @Test func whatIsUpdatedInPlaceWithNoneTakesItsSizeAtOnce() throws {
        let bench = try Bench([texts(4)], height: 60)
        bench.load()
        try bench.adapter.performBatchUpdates { changes in
            bench.layout.heights = [ItemPath(0, 1): 14, ItemPath(0, 2): 15]
            changes.reconfigureItems(at: [ItemPath(0, 1)], animation: .none)
            changes.reconfigureItems(at: [ItemPath(0, 2)], animation: .fade)
        }
        let places = bench.view.transitions.map(\.newPlace)
        #expect(places == [.cell(ItemPath(0, 2)), .cell(ItemPath(0, 3))])
        bench.settle()
        bench.check()
    }

    @Test(arguments: [true, false])
    func aSectionTakesItsHeadersDecorationsAndItemsAlong(isAtOnce: Bool) throws {
        let kind = SupplementaryKind(rawValue: "backdrop")
        let bench = try Bench([texts(1), texts(1, "b"), texts(1, "c")], height: 200)
        bench.layout.headerHeight = 5
        bench.layout.decorationKind = kind
        bench.layout.register(Backdrop.self, forDecorationViewOfKind: kind)
        bench.load()
        let option = isAtOnce ? AnimationOption.none : .leading
        // Section 0 goes, another comes behind; b and c change places.
        try bench.adapter.performBatchUpdates { changes in
            bench.source.sections = [texts(1, "c"), ["new"], texts(1, "b")]
            changes.deleteSections([0], animation: option)
            changes.insertSections([1], animation: option)
            changes.moveSection(2, toSection: 0, animation: option)
        }
        func whole(_ section: Int) -> [LayoutPlace] {
            [
                .cell(ItemPath(section, 0)), .header(section),
                LayoutPlace(.decoration(kind), ItemPath(section, 0)),
            ]
        }
        let transitions = bench.view.transitions
        #expect(
            Set(transitions.compactMap(\.newPlace))
                == Set(isAtOnce ? whole(2) : whole(0) + whole(1) + whole(2))
        )
        let gone = transitions.filter { $0.newPlace == nil }.compactMap(\.oldPlace)
        #expect(Set(gone) == Set(isAtOnce ? [] : whole(0)))
        #expect(bench.log("didEnd").count == (isAtOnce ? 3 : 0))
        #expect(bench.log("layout initial", "layout finalLayoutAttr").isEmpty == isAtOnce)
        bench.settle()
        #expect(bench.log("didEnd").count == 3)
        bench.check()
    }

    /// It goes and comes by the option of the reload, whatever happens to its section.
    @Test(arguments: [true, false])
    func aReloadedHeaderGoesAndComesByItsOption(isMoved: Bool) throws {
        for (option, x, y, alpha) in absences + [(.none, 0, 0, 1)] {
            let bench = try bench([texts(1), texts(1, "b")])
            try bench.adapter.performBatchUpdates { changes in
                changes.reloadSupplementaries(ofKind: .header, in: [1], animation: option)
                guard isMoved else { return }
                bench.source.sections.swapAt(0, 1)
                changes.moveSection(0, toSection: 1)
            }
            let old = isMoved ? 0 : 1
            let headers = bench.view.transitions.filter {
                $0.oldPlace == .header(old) && $0.newPlace == nil || $0.newPlace == .header(1)
            }
            guard option != .none else {
                #expect(headers.isEmpty)
                #expect(bench.log("didEnd") == ["didEndDisplaying header \(old) - 0"])
                continue
            }
            try #require(headers.count == 2)
            func frame(_ top: Double) -> Rect {
                Rect(x: x * 100, y: top + y * 5, width: 100, height: 5)
            }
            #expect(headers[0].end.frame == frame(isMoved ? 0 : 15))
            #expect(headers[1].start.frame == frame(15))
            #expect(headers[0].end.alpha == alpha && headers[1].start.alpha == alpha)
            bench.settle()
            bench.check()
        }
    }

    /// Nothing of an update that is not animated depends on options.
    @Test(arguments: absences.map(\.option) + [.none])
    func withoutAnimationOptionsDoNothing(_ option: AnimationOption) throws {
        let bench = try bench([texts(3)])
        try bench.adapter.performBatchUpdates(animated: false) { changes in
            bench.source.sections[0].removeFirst()
            changes.deleteItems(at: [ItemPath(0, 0)], animation: option)
        }
        #expect(bench.view.transitions == [] && bench.log("didEnd").count == 1)
        #expect(bench.log("layout initial", "layout finalLayoutAttr") == [])
        bench.settle()
        bench.check()
    }
}
