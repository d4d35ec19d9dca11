import PipelineTestSupport
import Testing

@testable import SimulatedView

@Suite("What an adapter asks its data source")
struct AdapterQuestionTests {
    /// Each question of an update, one after the other, from within which the view is to lay itself out.
    @Test func theViewIsLockedWhileCountsAreAskedForAndFreeAfterwards() throws {
        let bench = try Bench([texts(3), texts(2)])
        bench.load()
        var questions = 0
        bench.source.onQuestion = { view in
            questions += 1
            view.setNeedsLayout()
            view.layoutIfNeeded()
        }
        try bench.adapter.performBatchUpdates(animated: false) { changes in
            bench.source.sections[1].append("new")
            changes.insertItems(at: [ItemPath(1, 2)])
        }
        bench.source.onQuestion = { _ in }
        #expect(questions == 3)
        #expect(
            bench.view.errors.map(\.code) == [.reentrantLayout, .reentrantLayout, .reentrantLayout]
        )
        bench.view.clearErrors()
        try bench.update { _, _ in }
        bench.check()
    }

    @Test(arguments: [2, 3, 4])
    func asManySectionsAsTheLimitAllowsAreShownAndOneMoreIsRejected(_ count: Int) throws {
        let bench = try Bench([texts(1), texts(1)])
        bench.adapter.limits.sections = 3
        bench.load()
        #expect(bench.view.errors == [])
        bench.source.sections = (0..<count).map { _ in texts(1) }
        bench.adapter.reloadData()
        bench.settle()
        let text = "The number of sections must be from 0 to 3, but the data source answered 4"
        #expect(bench.view.errors.map(\.message) == (count > 3 ? [text] : []))
        #expect(bench.view.numberOfSections == (count > 3 ? 0 : count))
        #expect(bench.log("dataSource numberOfItems").count == (count > 3 ? 0 : count))
        guard count == 3 else { return }
        #expect {
            try bench.update { source, changes in
                source.sections.append(texts(1))
                changes.insertSections([3])
            }
        } throws: { error in
            let error = error as? HierarchyUpdateError
            return error?.code == .tooManySections && error?.message.contains(text) == true
        }
        #expect(bench.view.numberOfSections == 3)
    }

    @Test func moreItemsThanTheLimitAllowsAreRejectedWhenLoadingAndUpdating() throws {
        let bench = try Bench([texts(2), texts(1)])
        bench.adapter.limits.items = 3
        bench.load()
        #expect(bench.view.errors == [] && bench.view.visibleCells.count == 3)
        #expect {
            try bench.update { source, changes in
                source.sections[1].append("new")
                changes.insertItems(at: [ItemPath(1, 1)])
            }
        } throws: { ($0 as? HierarchyUpdateError)?.code == .tooManyItems }
        #expect(bench.view.numberOfItems(inSection: 1) == 1)
        bench.adapter.reloadData()
        bench.settle()
        #expect(bench.view.errors.map(\.code) == [.counts] && bench.view.numberOfSections == 0)
    }

    @Test func whatANegativeNumberOfSectionsIsToldAndThatTheViewIsEmptyThen() throws {
        let bench = try Bench([texts(2)])
        bench.source.claimedSections = -3
        bench.load()
        let text =
            "The number of sections must be from 0 to 16777216, but the data source answered -3"
        #expect(bench.view.errors.map(\.message) == [text])
        #expect(bench.view.numberOfSections == 0 && bench.view.visibleViews.isEmpty)
    }

    /// A cell that is configured again wants another size: it gets it in the pass that follows.
    @Test func aCellThatIsReconfiguredIsAskedForItsSizeAgain() throws {
        let bench = try Bench([texts(3)])
        bench.layout.takesWishes = true
        bench.load()
        bench.source.wishes = { $0 == "1" ? 20 : nil }
        try bench.adapter.reconfigureItems(at: [ItemPath(0, 1)])
        #expect(bench.rows == ["0: 0", "10: 1", "20: 2"])
        bench.settle()
        #expect(bench.rows == ["0: 0", "10: 1"])
        #expect(bench.cell(0, 1)?.frame.size.height == 20)
        #expect(bench.log("preferred").first == "preferred 0 - 1 100 × 20")
        bench.check()
    }
}
