import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Coming into sight and going out of it")
struct DisplayTests {
    @Test func aCellIsConfiguredAndInPlaceWhenItComesIntoSight() throws {
        let bench = try Bench([texts(3)])
        var seen: [String] = []
        bench.watcher.onDisplay = { view, place in
            let cell = view.visibleView(at: place) as? TextCell
            seen.append("\(place): \(cell?.text ?? "") at \(cell?.frame.minY ?? -1)")
        }
        bench.lane.run()
        #expect(seen == ["0 - 0: 0 at 0.0", "0 - 1: 1 at 10.0", "0 - 2: 2 at 20.0"])
    }

    @Test func whatIsDeletedGoesOutOfSightAtItsOldPath() throws {
        let bench = try Bench([texts(3), texts(1, "b")], height: 60)
        bench.layout.headerHeight = 2
        bench.load()
        try bench.update { source, changes in
            source.sections = [["0", "2"]]
            changes.deleteItems(at: [ItemPath(0, 1)])
            changes.deleteSections([1])
        }
        #expect(
            bench.log("didEnd") == [
                "didEndDisplaying 0 - 1", "didEndDisplaying 1 - 0", "didEndDisplaying header 1 - 0",
            ]
        )
        bench.check()
    }

    @Test func reloadingDataEndsEverythingAndBeginsItAgain() throws {
        let bench = try Bench([texts(2)])
        bench.load()
        bench.adapter.reloadData()
        bench.settle()
        #expect(
            bench.log("didEnd", "willDisplay") == [
                "didEndDisplaying 0 - 0", "didEndDisplaying 0 - 1", "willDisplay 0 - 0",
                "willDisplay 0 - 1",
            ]
        )
        bench.check()
    }

    @Test func everyAnimationEndsWithTheViewsThatItTookAway() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        for _ in 0..<3 {
            try bench.adapter.performBatchUpdates(animated: true) { changes in
                bench.source.sections[0].removeFirst()
                changes.deleteItems(at: [ItemPath(0, 0)])
            }
        }
        #expect(bench.log("didEnd") == [] && bench.watcher.displayed.count == 3)
        bench.clear()
        bench.lane.runOne()
        while bench.log("finished").isEmpty { bench.lane.runOne() }
        #expect(bench.log == ["didEndDisplaying 0 - 0", "finished"])
        bench.lane.run()
        #expect(bench.log("didEnd").count == 3)
        bench.check()
    }

    @Test func whatAnAnimationMovesOutOfSightGoesWhenItEnds() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        let cell = try #require(bench.cell(0, 2))
        try bench.adapter.performBatchUpdates(animated: true) { changes in
            bench.source.sections[0].insert("new", at: 0)
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        #expect(bench.log("didEnd") == [] && bench.watcher.displayed.count == 4)
        #expect(bench.view.visibleCells.count == 3 && bench.view.place(of: cell) == nil)
        let transition = try #require(bench.view.transitions.last)
        #expect(transition.oldPlace == .cell(ItemPath(0, 2)))
        #expect(transition.newPlace == .cell(ItemPath(0, 3)))
        #expect(transition.start.frame.minY == 20 && transition.end.frame.minY == 30)
        // It comes back meanwhile: the one that leaves is not used for that.
        bench.view.scroll(by: 10)
        bench.view.layoutIfNeeded()
        #expect(bench.cell(0, 3)?.text == "2" && bench.cell(0, 3) !== cell)
        bench.lane.run()
        #expect(bench.log("didEnd") == ["didEndDisplaying 0 - 0", "didEndDisplaying 0 - 3"])
        bench.check()
    }

    @Test func reloadingDataEndsWhatAnAnimationWasTakingAway() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        try bench.adapter.performBatchUpdates(animated: true) { changes in
            bench.source.sections[0].removeFirst()
            changes.deleteItems(at: [ItemPath(0, 0)])
        }
        bench.adapter.reloadData()
        bench.view.layoutIfNeeded()
        bench.check()
        bench.lane.run()
        bench.check()
    }

    @Test func anAnimatedReloadEndsNoAnimationButItsOwn() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        try bench.adapter.performBatchUpdates(animated: true) { $0.reloadData() }
        try bench.adapter.performBatchUpdates(
            animated: true,
            { changes in
                bench.source.sections[0].removeFirst()
                changes.deleteItems(at: [ItemPath(0, 0)])
            },
            completion: { _ in #expect(bench.watcher.displayed.count == 2) }
        )
        bench.clear()
        while bench.log("finished").isEmpty { bench.lane.runOne() }
        #expect(bench.log == ["finished"], "that of the reload")
        bench.lane.run()
        #expect(bench.log == ["finished", "didEndDisplaying 0 - 0", "finished"])
        bench.check()
    }

    @Test func anElementThatLeavesAndComesBackInOneAnimationIsTwoViews() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        try bench.adapter.performBatchUpdates(animated: true) { changes in
            changes.reloadItems(at: [ItemPath(0, 0)])
        }
        try bench.adapter.performBatchUpdates(animated: true) { changes in
            changes.reloadItems(at: [ItemPath(0, 0)])
        }
        #expect(bench.watcher.contradictions == [])
        bench.lane.run()
        bench.check()
    }

    @Test func anEmptyViewportShowsNothingAndFillsAgain() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        for size in [Size(width: 0, height: 30), Size(width: 100, height: 0), .zero] {
            bench.view.resize(to: size)
            bench.settle()
            #expect(bench.watcher.displayed.isEmpty && bench.view.visibleViews.isEmpty)
            bench.view.resize(to: Size(width: 100, height: 30))
            bench.layout.invalidateLayout()
            bench.settle()
            #expect(bench.rows.count == 3)
            bench.check()
        }
    }

    @Test func whatTheLayoutHidesIsNotShown() throws {
        let bench = try Bench([texts(3)])
        bench.layout.altered = { answer in
            answer.map { attributes in
                var attributes = attributes
                attributes.isHidden = attributes.indexPath.item == 1
                return attributes
            }
        }
        bench.lane.run()
        #expect(bench.log("willDisplay") == ["willDisplay 0 - 0", "willDisplay 0 - 2"])
        bench.check()
    }

    @Test func unchangedAttributesAreNotAppliedAgain() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        let cell = try #require(bench.cell(0, 0))
        for _ in 0..<3 {
            bench.layout.invalidateLayout()
            bench.settle()
        }
        #expect(cell.applied == [.cell(ItemPath(0, 0))])
        bench.layout.rowHeight = 5
        bench.layout.invalidateLayout()
        bench.settle()
        #expect(cell.applied.count == 2)
        bench.check()
    }
}
