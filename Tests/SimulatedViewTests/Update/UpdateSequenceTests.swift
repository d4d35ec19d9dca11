import PipelineTestSupport
import SimulatedView
import Testing

@Suite("The order of calls in an update")
struct UpdateSequenceTests {
    @Test func aPlainUpdateGoesFromCountsToFinalizeInTheDocumentedOrder() throws {
        let bench = try Bench([["a", "b", "c"], ["d", "e"]])
        bench.load()
        try bench.adapter.performBatchUpdates(animated: false) { changes in
            bench.source.sections = [["a", "c"], ["new", "d", "e"]]
            changes.insertItems(at: [ItemPath(1, 0)])
            changes.deleteItems(at: [ItemPath(0, 1)])
        }
        #expect(
            bench.log == [
                "dataSource numberOfSections: 2", "dataSource numberOfItems 0: 2",
                "dataSource numberOfItems 1: 3", "applied: -1 +1 ~0", "invalidated counts",
                "layout prepare(applying:)", "layout collectionViewContentSize 100 × 50",
                "layout prepare(forCollectionViewUpdates:) delete 0 - 1, insert 1 - 0",
                "layout attributes in (0, 0) 100 × 30: 3",
                "layout targetContentOffset (0, 0): (0, 0)", "didEndDisplaying 0 - 1",
                "layout finalizeCollectionViewUpdates",
                // The pass that follows: wishes of those that stay, then what is new.
                "preferred 0 - 0 100 × 10",
                "layout shouldInvalidateLayout preferred 0 - 0 100 × 10: false",
                "preferred 0 - 1 100 × 10",
                "layout shouldInvalidateLayout preferred 0 - 1 100 × 10: false",
                "dataSource view 1 - 0", "prepareForReuse 1 - 0", "apply 1 - 0",
                "preferred 1 - 0 100 × 10",
                "layout shouldInvalidateLayout preferred 1 - 0 100 × 10: false",
                "willDisplay 1 - 0",
                "apply 0 - 1",
            ]
        )
        bench.clear()
        bench.lane.run()
        #expect(bench.log == ["finished"])
        bench.check()
    }

    @Test func viewsThatTheLayoutSaysGoAndComeAreReplacedInAnAnimatedUpdate() throws {
        let kind = SupplementaryKind(rawValue: "backdrop")
        let category = ElementCategory.decoration(kind)
        let bench = try Bench([["a"], ["b"]])
        bench.layout.decorationKind = kind
        bench.layout.register(CollectionReusableView.self, forDecorationViewOfKind: kind)
        bench.load()
        let (first, second) = (ItemPath(0, 0), ItemPath(1, 0))
        let old = [first, second].map { bench.view.visibleView(at: LayoutPlace(category, $0)) }
        bench.layout.deletedPaths = [category: [first]]
        bench.layout.insertedPaths = [category: [second]]
        try bench.adapter.performBatchUpdates { changes in
            bench.source.sections = [["a"], ["b", "c"]]
            changes.insertItems(at: [ItemPath(1, 1)])
        }
        let calls = bench.log("layout indexPaths", "layout final", "layout initial decoration")
        #expect(
            calls == [
                "layout indexPathsToDelete decoration backdrop: 0 - 0",
                "layout indexPathsToInsert decoration backdrop: 1 - 0",
                "layout finalLayoutAttributes decoration backdrop 0 - 0: none",
                "layout finalLayoutAttributes decoration backdrop 1 - 0: none",
                "layout finalizeCollectionViewUpdates",
            ]
        )
        let new = [first, second].map { bench.view.visibleView(at: LayoutPlace(category, $0)) }
        #expect(zip(old, new).allSatisfy { $0 !== $1 && $1 != nil })
        bench.layout.deletedPaths = [:]
        bench.layout.insertedPaths = [:]
        bench.settle()
        bench.check()
    }

    @Test func anAnimatedUpdateAsksWhereViewsGoBeforeWhereTheyComeFromAndThenFinalizes() throws {
        let bench = try Bench([["a", "b", "c", "d"]])
        bench.load()
        try bench.adapter.performBatchUpdates { changes in
            bench.source.sections = [["x", "b", "d"]]
            changes.deleteItems(at: [ItemPath(0, 0), ItemPath(0, 2)])
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        let calls = bench.log("layout", "didEnd", "willDisplay").filter {
            !$0.contains("preferred")
        }
        #expect(
            calls == [
                "layout prepare(applying:)", "layout collectionViewContentSize 100 × 30",
                "layout prepare(forCollectionViewUpdates:) delete 0 - 0, delete 0 - 2, insert 0 - 0",
                "layout attributes in (0, 0) 100 × 30: 3",
                "layout targetContentOffset (0, 0): (0, 0)",
                "layout finalLayoutAttributes 0 - 0: none",
                "layout finalLayoutAttributes 0 - 2: none",
                "layout initialLayoutAttributes 0 - 0: none",
                "layout initialLayoutAttributes 0 - 2: none",
                "layout finalizeCollectionViewUpdates", "willDisplay 0 - 0", "willDisplay 0 - 2",
            ]
        )
        bench.clear()
        bench.lane.run()
        #expect(bench.log == ["didEndDisplaying 0 - 0", "didEndDisplaying 0 - 2", "finished"])
        bench.check()
    }

    @Test
    func theLayoutHearsDeletesInsertsReloadsAndMovesEachAscendingWithSectionsBehindTheirItems()
        throws
    {
        let bench = try Bench([texts(6, "a"), texts(3, "b"), texts(2, "c"), texts(1, "d")])
        bench.load()
        try bench.update { source, changes in
            source.sections = [
                ["a4", "new", "a1", "a5", "a2"], texts(2, "c"), texts(4, "fresh"),
            ]
            changes.moveItem(at: ItemPath(0, 4), to: ItemPath(0, 0))
            changes.reloadItems(at: [ItemPath(0, 5)])
            changes.insertSections([2])
            changes.insertItems(at: [ItemPath(0, 1)])
            changes.deleteSections([1, 3])
            changes.deleteItems(at: [ItemPath(0, 3), ItemPath(0, 0)])
            changes.moveItem(at: ItemPath(0, 2), to: ItemPath(0, 4))
        }
        #expect(
            bench.log("layout prepare(forCollectionViewUpdates:)") == [
                "layout prepare(forCollectionViewUpdates:) delete 0 - 0, delete 0 - 3, delete section 1,"
                    + " delete section 3, insert 0 - 1, insert section 2, reload 0 - 5 as 0 - 3,"
                    + " move 0 - 2 to 0 - 4, move 0 - 4 to 0 - 0"
            ]
        )
        bench.check()
    }

    @Test func selectionHasFollowedBeforeTheLayoutIsAskedForAttributes() throws {
        let bench = try Bench([["a", "b", "c"]])
        bench.load()
        try bench.view.selectItem(at: ItemPath(0, 2))
        var selection: [[ItemPath]] = []
        bench.layout.altered = { [view = bench.view] answer in
            selection.append(view.indexPathsForSelectedItems)
            return answer
        }
        try bench.update { source, changes in
            source.sections = [["c"]]
            changes.deleteItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
        }
        #expect(selection.first == [ItemPath(0, 0)])
        bench.check()
    }

    @Test func theDelegateHasTheLastWordOnTheOffsetAndTheEndsOfTheContentLimitIt() throws {
        for (wanted, expected) in [(20.0, 20.0), (-5, 0), (1000, 80), (.nan, 0), (0.00001, 0)] {
            let bench = try Bench([texts(10)])
            bench.load()
            bench.layout.target = { _ in Point(x: 0, y: 50) }
            bench.watcher.target = { [watcher = bench.watcher] offset in
                #expect(offset == Point(x: 0, y: 50) && watcher.numberOfScrolls == 0)
                return Point(x: 0, y: wanted)
            }
            try bench.update { source, changes in
                source.sections[0].append("new")
                changes.insertItems(at: [ItemPath(0, 10)])
            }
            #expect(bench.view.contentOffset == Point(x: 0, y: expected), "\(wanted)")
            bench.check()
        }
    }

    @Test func anEmptyBlockOverAnUnchangedModelComparesCountsAndTellsTheLayoutNothing() throws {
        let bench = try Bench([texts(4)])
        bench.load()
        try bench.update { _, _ in }
        #expect(bench.log("dataSource").count == 2)
        #expect(bench.log("layout prepare", "layout finalize", "invalidated") == [])
        #expect(bench.log.last == "finished")
        bench.check()
    }

    @Test func transitionsSayWhereEveryViewCameFromAndWentTo() throws {
        let bench = try Bench([["a", "b", "c"]])
        bench.load()
        bench.layout.appearing = { place in
            var start = LayoutAttributes(place, frame: Rect(x: -100, y: 0, width: 100, height: 10))
            start.alpha = 0.5
            return start
        }
        try bench.update(animated: true) { source, changes in
            source.sections = [["new", "c", "b"]]
            changes.deleteItems(at: [ItemPath(0, 0)])
            changes.insertItems(at: [ItemPath(0, 0)])
            changes.moveItem(at: ItemPath(0, 2), to: ItemPath(0, 1))
        }
        let transitions = bench.view.transitions
        #expect(
            transitions.map(\.oldPlace) == [0, nil, 2, 1].map { $0.map { .cell(.init(0, $0)) } }
        )
        #expect(
            transitions.map(\.newPlace) == [nil, 0, 1, 2].map { $0.map { .cell(.init(0, $0)) } }
        )
        #expect(transitions[0].end.alpha == 0, "what the layout does not say fades")
        #expect(transitions[0].end.frame == transitions[0].start.frame)
        #expect(transitions[1].start.alpha == 0.5 && transitions[1].start.frame.minX == -100)
        #expect(transitions[2].start.frame.minY == 20 && transitions[2].end.frame.minY == 10)
        bench.check()
    }
}
