import PipelineTestSupport
import SimulatedView
import Testing

/// What other collection views, and those who drive them, got wrong or had to find out, by the project whose
/// source or tests show it.
@Suite("Known bugs of others")
struct KnownBugTests {
    // MARK: PSTCollectionView

    @Test func insertsIntoAnInsertedSectionAreAbsorbedWhereverTheySort() throws {
        let bench = try Bench([texts(2)], height: 90)
        bench.load()
        try bench.update { source, changes in
            source.sections = [["0", "x", "1"], ["a", "b", "c"], ["d"]]
            changes.insertItems(at: [ItemPath(1, 2), ItemPath(0, 1), ItemPath(2, 0)])
            changes.insertSections([1, 2])
            changes.insertItems(at: [ItemPath(1, 0)])
        }
        #expect(bench.rows.count == 7)
        bench.check()
    }

    @Test func aChangeWithoutAWordIsFoundInSectionsThatShift() throws {
        let bench = try Bench([texts(1), texts(2), texts(3)], height: 90)
        bench.load()
        #expect(throws: HierarchyUpdateError.self) {
            try bench.update { source, changes in
                // The counts at the same numbers agree.
                source.sections = [texts(1), texts(2), texts(3), texts(9)]
                changes.insertSections([0])
            }
        }
        bench.source.sections = [texts(1), texts(2), texts(3)]
        bench.check()
    }

    @Test func aSectionThatMovesLeavesNothingBehind() throws {
        let bench = try Bench([texts(1), texts(2, "b"), texts(3, "c")], height: 200)
        bench.layout.headerHeight = 5
        bench.load()
        let cells = bench.view.visibleCells
        try bench.update { source, changes in
            source.sections = [texts(3, "c"), texts(1), texts(2, "b")]
            changes.moveSection(2, toSection: 0)
        }
        #expect(
            Set(cells.map(ObjectIdentifier.init))
                == Set(bench.view.visibleCells.map(ObjectIdentifier.init))
        )
        #expect(bench.view.visibleViews.count == 9)
        #expect(bench.log("willDisplay", "didEnd") == [])
        bench.check()
    }

    @Test func aBatchThatBeginsWhileAnotherIsAnimatedKeepsBothCompletions() throws {
        let bench = try Bench([texts(5)])
        bench.load()
        var story: [Int] = []
        for number in 0..<4 {
            try bench.adapter.performBatchUpdates(
                animated: number.isMultiple(of: 2),
                { changes in
                    bench.source.sections[0].removeFirst()
                    changes.deleteItems(at: [ItemPath(0, 0)])
                },
                completion: { _ in story.append(number) }
            )
            bench.lane.runOne()
        }
        bench.lane.run()
        #expect(story == [0, 1, 2, 3])
        bench.check()
    }

    // MARK: IGListKit

    @Test func anUpdateWorksWhileTheViewStillNeedsLayout() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        bench.layout.rowHeight = 5
        bench.layout.invalidateLayout()
        bench.view.contentOffset = Point(x: 0, y: 4)
        try bench.update { source, changes in
            source.sections[0].removeLast()
            changes.deleteItems(at: [ItemPath(0, 8)])
        }
        bench.check()
    }

    @Test func aBlockThatInvalidatesTheLayoutIsLaidOutInTheSameUpdate() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        try bench.update { source, changes in
            bench.layout.rowHeight = 15
            bench.layout.invalidateLayout()
            bench.view.contentInset.top = 5
            source.sections[0].removeFirst()
            changes.deleteItems(at: [ItemPath(0, 0)])
        }
        #expect(bench.rows == ["5: 1", "20: 2"])
        bench.check()
    }

    @Test func aViewWithoutExtentIsUpdatedLikeAnyOther() throws {
        let bench = try Bench([texts(3)], RowLayout(), size: .zero)
        bench.load()
        var isFinished = false
        try bench.adapter.performBatchUpdates(
            { changes in
                bench.source.sections = [["x"] + texts(3)]
                changes.insertItems(at: [ItemPath(0, 0)])
            },
            completion: { isFinished = $0 }
        )
        #expect(!isFinished)
        bench.lane.run()
        #expect(isFinished && bench.view.numberOfItems(inSection: 0) == 4)
        #expect(throws: HierarchyUpdateError.self) {
            try bench.update { _, changes in changes.deleteItems(at: [ItemPath(0, 4)]) }
        }
        bench.check()
    }

    @Test func aReloadOverEstimatedSizesHasTheNewCounts() throws {
        let layout = FlowLayout()
        layout.estimatedItemSize = Size(width: 100, height: 10)
        let bench = try Bench([texts(40)], layout, size: Size(width: 100, height: 60))
        bench.source.wishes = { _ in 17 }
        bench.load()
        bench.view.scroll(by: 200)
        bench.settle()
        bench.source.sections = [texts(2), texts(1)]
        bench.adapter.reloadData()
        bench.settle()
        #expect(bench.view.numberOfSections == 2 && bench.view.visibleCells.count == 3)
        bench.check()
    }

    // MARK: MagazineLayout

    @Test func withInsetsTheFirstRowBelowTheUpperOneIsTheAnchor() throws {
        let bench = try Bench([texts(100)], RowLayout(), size: Size(width: 100, height: 400))
        bench.layout.rowHeight = 20
        bench.view.contentInset = EdgeInsets(top: 50, left: 0, bottom: 30, right: 0)
        bench.load()
        bench.view.contentOffset = Point(x: 0, y: 505)
        bench.settle()
        // 27 is at 540, cut off by the inset, which ends at 555; 28 is at 560.
        try bench.update { source, changes in
            source.sections[0].insert("new", at: 28)
            source.sections[0].insert("first", at: 0)
            changes.insertItems(at: [ItemPath(0, 0), ItemPath(0, 29)])
        }
        #expect(bench.cell(0, 30)?.text == "28")
        #expect(bench.cell(0, 30).map { $0.frame.minY - bench.view.bounds.minY } == 55)
        bench.check()
    }

    @Test func contentSmallerThanTheViewportBeginsBelowTheUpperInset() throws {
        let bench = try Bench([texts(5)], RowLayout(), size: Size(width: 100, height: 400))
        bench.view.contentInset = EdgeInsets(top: 50, left: 0, bottom: 30, right: 0)
        bench.load()
        for distance in [100.0, -300] {
            bench.view.scroll(by: distance)
            bench.settle()
            #expect(bench.view.contentOffset == Point(x: 0, y: -50))
        }
        bench.view.contentOffset = Point(x: 0, y: 33)
        bench.layout.invalidateLayout()
        bench.settle()
        #expect(bench.view.contentOffset == Point(x: 0, y: -50), "back from where it was pulled")
        bench.check()
    }

    // MARK: TheNounProject CollectionView

    @Test func aFlowIsPreparedAnewForAnotherSizeAndNotForAnotherOffset() throws {
        let bench = try Bench([texts(200)], FlowLayout(), size: Size(width: 170, height: 200))
        bench.load()
        for _ in 0..<10 {
            bench.view.scroll(by: 90)
            bench.settle()
        }
        #expect(bench.log("layout prepare") == [])
        bench.view.resize(to: Size(width: 230, height: 200))
        bench.settle()
        #expect(bench.log("layout prepare") == ["layout prepare"])
        bench.check()
    }

    @Test func theFirstTheLastAndAllItemsComeGoAndMoveWithinAndAcrossSections() throws {
        let models: [[[String]]] = [
            [["a", "b", "c"], []], [["a"], ["b", "c"]], [[], ["c", "b", "a"]], [["c"], ["b"]],
            [["b", "c", "a"], ["d"]], [[], []], [["x"], ["y", "z"]],
        ]
        for old in models {
            for new in models {
                let bench = try Bench(old, height: 100)
                bench.load()
                let cells = bench.view.visibleCells.compactMap { $0 as? TextCell }
                let before = Dictionary(uniqueKeysWithValues: cells.map { ($0.text, $0) })
                try bench.update(animated: true) { source, changes in
                    source.sections = new
                    Self.record(from: old, to: new, &changes)
                }
                for cell in bench.view.visibleCells.compactMap({ $0 as? TextCell }) {
                    #expect(before[cell.text].map { $0 === cell } ?? true, "\(old) to \(new)")
                }
                bench.check("\(old) to \(new)")
            }
        }
    }

    /// Every item that is in both moves.
    private static func record(
        from old: [[String]],
        to new: [[String]],
        _ changes: inout HierarchyChangeSet
    ) {
        func paths(_ model: [[String]]) -> [String: ItemPath] {
            var result: [String: ItemPath] = [:]
            for (section, items) in model.enumerated() {
                for (item, text) in items.enumerated() { result[text] = ItemPath(section, item) }
            }
            return result
        }
        let (before, after) = (paths(old), paths(new))
        for (text, path) in before.sorted(by: { $0.value < $1.value }) {
            if let target = after[text] {
                changes.moveItem(at: path, to: target)
            } else {
                changes.deleteItems(at: [path])
            }
        }
        changes.insertItems(at: after.filter { before[$0.key] == nil }.values.sorted())
    }
}
