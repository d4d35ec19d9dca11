import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Batches of a data source adapter")
struct AdapterBatchTests {
    private let first = ItemPath(0, 0)

    private func message(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "no error"
        } catch {
            return (error as? HierarchyUpdateError)?.message ?? "\(error)"
        }
    }

    @Test func aBatchWithinAnotherThatThrowsDropsTheWholeRecordAlsoWhereItIsCaught() throws {
        struct Failure: Error {}
        let bench = try Bench([texts(3)])
        bench.load()
        var story: [String] = []
        #expect(throws: Failure.self) {
            try bench.adapter.performBatchUpdates(
                { changes in
                    changes.deleteItems(at: [first])
                    try? bench.adapter.performBatchUpdates(
                        { _ in throw Failure() },
                        completion: { story.append("inner \($0)") }
                    )
                },
                completion: { story.append("outer \($0)") }
            )
        }
        bench.settle()
        #expect(story == ["outer false", "inner false"])
        bench.check()
    }

    @Test func completionsOfNestedBatchesComeInTheOrderOfCallsAndNeverInline() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        var story: [String] = []
        try bench.adapter.performBatchUpdates(
            animated: false,
            { changes in
                bench.source.sections[0].insert("x", at: 0)
                changes.insertItems(at: [first])
                for inner in 0...1 {
                    try bench.adapter.performBatchUpdates(
                        { changes in
                            bench.source.sections[0].append("y")
                            changes.insertItems(at: [ItemPath(0, 4 + inner)])
                            #expect(bench.view.numberOfItems(inSection: 0) == 3)
                        },
                        completion: { story.append("inner\(inner) \($0)") }
                    )
                    #expect(bench.log == [], "the outermost end decides")
                }
            },
            completion: { story.append("outer \($0)") }
        )
        #expect(story == [])
        #expect(bench.log("applied") == ["applied: -0 +3 ~0"])
        #expect(bench.log("dataSource n").count == 2, "counts are asked for once")
        bench.lane.run()
        #expect(story == ["outer true", "inner0 true", "inner1 true"])
        bench.check()
    }

    @Test(arguments: [true, false])
    func completionsComeInALaterTurnAndAfterTheAnimation(_ isAnimated: Bool) throws {
        let bench = try Bench([texts(3)])
        bench.load()
        var log: [String] = []
        try bench.adapter.performBatchUpdates(
            animated: isAnimated,
            { changes in
                bench.source.sections[0].removeFirst()
                changes.deleteItems(at: [first])
            },
            completion: { _ in log = bench.log("didEnd", "finished") }
        )
        #expect(log == [])
        #expect(bench.log("didEnd").isEmpty == isAnimated)
        bench.lane.run()
        #expect(log == ["didEndDisplaying 0 - 0", "finished"])
    }

    @Test func insideTheBlockTheViewAnswersTheOldCountsAndAfterwardsTheNew() throws {
        let bench = try Bench([texts(3), texts(1)])
        bench.load()
        var counts: [[Int]] = []
        func note() {
            counts.append(
                [bench.view.numberOfSections]
                    + (0..<3).map(bench.view.numberOfItems(inSection:))
            )
        }
        try bench.adapter.performBatchUpdates(
            { changes in
                note()
                bench.source.sections = [texts(3), texts(2), texts(1)]
                changes.insertSections([1])
                note()
            },
            completion: { _ in note() }
        )
        note()
        bench.lane.run()
        #expect(counts == [[2, 3, 1, 0], [2, 3, 1, 0], [3, 3, 2, 1], [3, 3, 2, 1]])
        bench.check()
    }

    @Test func countsAreAskedForWhenLoadingReloadingAndUpdatingAndNeverElse() throws {
        let bench = try Bench([texts(50), texts(2)])
        let questions = [
            "dataSource numberOfSections: 2", "dataSource numberOfItems 0: 50",
            "dataSource numberOfItems 1: 2",
        ]
        bench.lane.run()
        #expect(bench.log("dataSource n") == questions)
        bench.clear()
        bench.view.scroll(by: 100)
        bench.view.resize(to: Size(width: 50, height: 40))
        bench.layout.invalidateLayout()
        bench.view.contentInset.top = 5
        bench.settle()
        bench.view.setCollectionViewLayout(RowLayout(), animated: true)
        _ = bench.view.numberOfSections
        try bench.view.scrollToItem(at: ItemPath(1, 1))
        bench.settle()
        #expect(bench.log("dataSource n") == [])
        bench.adapter.reloadData()
        bench.adapter.reloadData()
        #expect(bench.log("dataSource n") == [])
        bench.settle()
        #expect(bench.log("dataSource n") == questions)
        bench.clear()
        try bench.update { _, changes in changes.reloadItems(at: [first]) }
        #expect(bench.log("dataSource n") == questions)
        bench.check()
    }

    @Test func anEmptyBlockWithAChangedModelIsRejected() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        let text = message { try bench.update { source, _ in source.sections[0].append("x") } }
        let expected = """
            Invalid update: invalid number of items in section 0. The number of items contained in an \
            existing section after the update (4) must be equal to the number of items contained in \
            that section before the update (3), plus or minus the number of items inserted or deleted \
            from that section (0 inserted, 0 deleted) and plus or minus the number of items moved into \
            or out of that section (0 moved in, 0 moved out)
            """
        #expect(text.contains(expected))
        #expect(bench.view.numberOfItems(inSection: 0) == 3)
    }

    @Test func reloadingDataInsideABatchTakesThePlaceOfItsEdits() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        try bench.view.selectItem(at: first)
        var results: [Bool] = []
        try bench.adapter.performBatchUpdates(
            { changes in
                changes.deleteItems(at: [ItemPath(7, 7)])
                bench.source.sections = [["x"], ["y"]]
                bench.adapter.reloadData()
                changes.insertItems(at: [ItemPath(9, 9)])
                #expect(bench.view.numberOfSections == 1)
            },
            completion: { results.append($0) }
        )
        #expect(results == [])
        bench.settle()
        #expect(results == [true])
        #expect(bench.log("reloaded", "applied") == ["reloaded"])
        #expect(bench.log("dataSource numberOfSections").count == 1)
        #expect(bench.rows == ["0: x", "10: y"] && bench.view.indexPathsForSelectedItems == [])
        bench.check()
    }

    @Test func aReloadThatIsPendingComesBeforeTheBatchWhichIsCheckedAgainstTheNewModel() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        bench.source.sections = [texts(5)]
        bench.adapter.reloadData()
        try bench.update { source, changes in
            #expect(bench.view.numberOfItems(inSection: 0) == 5)
            source.sections[0].removeLast()
            changes.deleteItems(at: [ItemPath(0, 4)])
        }
        #expect(bench.log("reloaded", "applied") == ["reloaded", "applied: -1 +0 ~0"])
        bench.check()
    }

    @Test func theFirstBatchLoadsTheViewBeforeItsBlockRuns() throws {
        let bench = try Bench([texts(3)])
        try bench.update { source, changes in
            source.sections[0].append("x")
            changes.insertItems(at: [ItemPath(0, 3)])
        }
        #expect(bench.log("reloaded", "applied") == ["reloaded", "applied: -0 +1 ~0"])
        bench.check()
    }

    @Test func aModelThatChangedBeforeTheFirstLookAtItDoesNotFitItsInsert() throws {
        let bench = try Bench([texts(3)])
        bench.source.sections[0].append("x")
        let text = message {
            try bench.update { _, changes in changes.insertItems(at: [ItemPath(0, 3)]) }
        }
        #expect(text.contains("Invalid update: invalid number of items in section 0."))
        #expect(text.contains("(1 inserted, 0 deleted)"))
        bench.settle()
        bench.check()
    }

    @Test func aBlockThatThrowsLeavesTheViewAndCompletesAllOfTheNestAsUnfinished() throws {
        struct Stop: Error {}
        let bench = try Bench([texts(3)])
        bench.load()
        var results: [String] = []
        #expect(throws: Stop.self) {
            try bench.adapter.performBatchUpdates(
                { changes in
                    changes.deleteItems(at: [first])
                    try bench.adapter.performBatchUpdates(
                        { _ in throw Stop() },
                        completion: { results.append("inner \($0)") }
                    )
                },
                completion: { results.append("outer \($0)") }
            )
        }
        #expect(results == [])
        bench.lane.run()
        #expect(Set(results) == ["outer false", "inner false"] && results.count == 2)
        #expect(bench.log("dataSource", "applied", "finished") == [])
        try bench.update { source, changes in
            source.sections[0].removeLast()
            changes.deleteItems(at: [ItemPath(0, 2)])
        }
        bench.check()
    }

    @Test func updatesFromACompletionAndSeveralInOneTurnAreServedInOrder() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        var story: [String] = []
        func append(_ text: String, then next: @escaping () throws -> Void = {}) throws {
            try bench.adapter.performBatchUpdates(
                { changes in
                    bench.source.sections[0].append(text)
                    let last = bench.source.sections[0].count - 1
                    changes.insertItems(at: [ItemPath(0, last)])
                },
                completion: { _ in
                    story.append(text)
                    do { try next() } catch { Issue.record(error) }
                }
            )
        }
        try append("a") { try append("c") }
        try append("b")
        bench.lane.run()
        #expect(story == ["a", "b", "c"])
        #expect(bench.view.numberOfItems(inSection: 0) == 6)
        bench.check()
    }

    @Test func anotherDataSourceIsAskedInTheNextPassAndNotBefore() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        let other = RowSource([["x"], ["y"]])
        bench.adapter.dataSource = other
        #expect(bench.log == [])
        bench.settle()
        #expect(bench.log("dataSource n").count == 3)
        #expect(bench.rows == ["0: x", "10: y"])
    }

    @Test func aDataSourceSetToNilDuringAnUpdateLeavesAnEmptyView() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        try bench.update { source, changes in
            source.sections[0].removeLast()
            changes.deleteItems(at: [ItemPath(0, 2)])
            bench.adapter.dataSource = nil
        }
        #expect(bench.view.numberOfSections == 0 && bench.view.visibleViews.isEmpty)
        #expect(bench.watcher.displayed.isEmpty)
    }
}
