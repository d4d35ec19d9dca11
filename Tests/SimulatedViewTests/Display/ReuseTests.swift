import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Views that are used again")
struct ReuseTests {
    @Test func cellsComeBackLastInFirstOut() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        let cells = bench.view.visibleCells
        bench.view.scroll(by: 30)
        bench.settle()
        #expect(bench.rows == ["0: 3", "10: 4", "20: 5"])
        let isLastInFirstOut = bench.view.visibleCells.elementsEqual(cells.reversed()) {
            $0 === $1
        }
        #expect(isLastInFirstOut)
        #expect(bench.view.numberOfMadeViews == 3)
        bench.check()
    }

    @Test func onlyCellsThatAreUsedAgainAreToldToForget() throws {
        let bench = try Bench([texts(9)])
        bench.lane.run()
        #expect(bench.log("prepareForReuse") == [])
        #expect(bench.cell(0, 0)?.numberOfReuses == 0)
        bench.clear()
        bench.view.scroll(by: 10)
        bench.settle()
        #expect(bench.log("prepareForReuse") == ["prepareForReuse 0 - 3"])
        #expect(bench.cell(0, 3)?.numberOfReuses == 1 && bench.cell(0, 2)?.numberOfReuses == 0)
        bench.check()
    }

    @Test func aDequeuedCellHasItsPlaceAndItsLooksBeforeTheDataSourceConfiguresIt() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        try bench.view.selectItem(at: ItemPath(0, 3))
        var seen: [String] = []
        bench.source.madeCell = { view, path in
            let cell = try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
            let text = (cell as? TextCell)?.text ?? ""
            seen.append(
                "\(cell.attributes?.indexPath.description ?? "") \(cell.isSelected) \(text)"
            )
            (cell as? TextCell)?.text = "\(path.item)"
            return cell
        }
        bench.view.scroll(by: 10)
        bench.settle()
        #expect(seen == ["0 - 3 true "])
        bench.check()
    }

    @Test func reloadingDataNeedsNoNewInstances() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        let cells = Set(bench.view.visibleCells.map(ObjectIdentifier.init))
        bench.adapter.reloadData()
        bench.settle()
        #expect(Set(bench.view.visibleCells.map(ObjectIdentifier.init)) == cells)
        #expect(bench.view.numberOfMadeViews == 3)
        #expect(bench.log("prepareForReuse").count == 3)
        bench.check()
    }

    @Test func reloadingAnItemInAnAnimationNeedsASecondInstance() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        let old = bench.cell(0, 1)
        try bench.update(animated: true) { source, changes in
            source.sections[0][1] = "new"
            changes.reloadItems(at: [ItemPath(0, 1)])
        }
        #expect(bench.cell(0, 1) !== old && bench.view.numberOfMadeViews == 4)
        #expect(bench.rows == ["0: 0", "10: new", "20: 2"])
        bench.check()
    }

    @Test(arguments: [true, false])
    func anItemThatMovesKeepsItsCell(_ isAnimated: Bool) throws {
        let bench = try Bench([texts(3), texts(3, "b")], height: 60)
        bench.load()
        let cells = [bench.cell(0, 0), bench.cell(0, 1), bench.cell(1, 2)]
        try bench.update(animated: isAnimated) { source, changes in
            source.sections = [["b0", "b1", "0"], ["1", "b2", "2"]]
            changes.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 2))
            changes.moveItem(at: ItemPath(1, 0), to: ItemPath(0, 0))
            changes.moveItem(at: ItemPath(1, 1), to: ItemPath(0, 1))
            changes.moveItem(at: ItemPath(0, 1), to: ItemPath(1, 0))
            changes.moveItem(at: ItemPath(0, 2), to: ItemPath(1, 2))
        }
        #expect(bench.cell(0, 2) === cells[0] && bench.cell(1, 0) === cells[1])
        #expect(bench.cell(1, 1) === cells[2])
        #expect(bench.log("dataSource view", "willDisplay", "didEnd") == [])
        bench.check()
    }

    @Test func headersFollowTheirSectionsAndAreMadeAnewWithThem() throws {
        let bench = try Bench([texts(1), texts(1, "b"), texts(1, "c")], height: 90)
        bench.layout.headerHeight = 10
        bench.load()
        let headers = (0..<3).map { bench.view.visibleView(at: .header($0)) }
        try bench.update(animated: true) { source, changes in
            source.sections = [["c0"], ["0"], ["b0"]]
            changes.moveSection(2, toSection: 0)
            changes.reloadSections([1])
        }
        #expect(bench.view.visibleView(at: .header(0)) === headers[2])
        #expect(bench.view.visibleView(at: .header(1)) === headers[0])
        #expect(bench.view.visibleView(at: .header(2)) !== headers[1])
        #expect(bench.log("didEnd") == ["didEndDisplaying 1 - 0", "didEndDisplaying header 1 - 0"])
        bench.check()
    }

    @Test func scrollingFarMakesNoMoreViewsThanTheViewportShows() throws {
        let bench = try Bench([texts(1000), texts(1000)])
        bench.layout.headerHeight = 4
        bench.load()
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            bench.view.scroll(by: Double(generator.next(below: 4000) - 1900))
            bench.settle()
        }
        #expect(bench.view.numberOfMadeViews <= 6)
        #expect(bench.view.numberOfReusableViews <= 6)
        bench.check()
    }

    @Test func whenEverythingIsDeletedNothingStaysInSight() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        try bench.update { source, changes in
            source.sections[0] = []
            changes.deleteItems(at: (0..<3).map { ItemPath(0, $0) })
        }
        #expect(bench.view.visibleViews.isEmpty && bench.watcher.displayed.isEmpty)
        bench.check()
    }

    @Test func onlyWhatIsInSightHasACell() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        let cell = try #require(bench.cell(0, 0))
        #expect(bench.view.place(of: cell) == .cell(ItemPath(0, 0)))
        bench.view.scroll(by: 30)
        bench.settle()
        #expect(bench.view.cellForItem(at: ItemPath(0, 0)) == nil)
        #expect(bench.view.cellForItem(at: ItemPath(-1, 70)) == nil)
        #expect(bench.view.place(of: TextCell()) == nil)
        #expect(bench.view.place(of: cell) == .cell(ItemPath(0, 5)))
        #expect(bench.view.indexPathForItem(at: Point(x: 5, y: 45)) == ItemPath(0, 4))
        #expect(bench.view.indexPathForItem(at: Point(x: 5, y: 5)) == nil)
    }

    @Test func ofItemsThatOverlapTheOneInFrontIsFound() throws {
        let bench = try Bench([texts(3)])
        bench.layout.altered = { answer in
            answer.map { attributes in
                var attributes = attributes
                attributes.frame = Rect(x: 0, y: 0, width: 100, height: 10)
                attributes.zIndex = attributes.indexPath.item == 1 ? 5 : 0
                return attributes
            }
        }
        bench.load()
        #expect(bench.view.indexPathForItem(at: Point(x: 5, y: 5)) == ItemPath(0, 1))
    }
}
