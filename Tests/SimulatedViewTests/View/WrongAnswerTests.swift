import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Views that a data source should not have given")
struct WrongAnswerTests {
    @Test func aViewThatWasNotDequeuedIsReportedWithItsClassAndPlace() throws {
        let bench = try Bench([texts(1)])
        bench.layout.headerHeight = 5
        bench.source.madeCell = { _, _ in TextCell() }
        bench.source.madeHeader = { _, _ in TextHeader() }
        bench.lane.run()
        #expect(
            bench.view.errors.map(\.message) == [
                "the view returned from -collectionView:cellForItemAtIndexPath: (TextCell) was not"
                    + " retrieved by calling -dequeueReusableCell… for 0 - 0 in that call",
                "the view returned from"
                    + " -collectionView:viewForSupplementaryElementOfKind:atIndexPath: (TextHeader) was"
                    + " not retrieved by calling -dequeueReusableSupplementaryView… for header 0 - 0 in"
                    + " that call",
            ]
        )
        #expect(bench.view.errors.map(\.code) == [.notDequeued, .notDequeued])
        #expect(bench.view.errors.map(\.place) == [.cell(ItemPath(0, 0)), .header(0)])
    }

    /// It is another's, though it was dequeued in that call.
    @Test func aViewThatWasDequeuedForAnotherPlaceIsReported() throws {
        let bench = try Bench([texts(2)])
        bench.source.madeCell = { view, path in
            try view.dequeueReusableCell(
                withReuseIdentifier: "row",
                for: ItemPath(0, 1 - path.item)
            )
        }
        bench.lane.run()
        #expect(
            bench.view.errors.map(\.code) == [
                .notDequeued, .notDequeued, .notReturned, .notReturned,
            ]
        )
        #expect(bench.view.visibleViews.isEmpty && bench.view.numberOfReusableViews == 2)
    }

    @Test func whatADataSourceThrowsIsReportedInItsWords() throws {
        let bench = try Bench([texts(2)])
        bench.layout.headerHeight = 5
        bench.source.madeCell = { _, path in
            if path.item == 0 { throw TestFailure() }
            throw ViewError(.identifier, "its own", at: .header(7))
        }
        bench.source.madeHeader = { _, _ in throw TestFailure() }
        bench.lane.run()
        #expect(
            bench.view.errors.map(\.message) == [
                "no view for 0 - 0: \(TestFailure())", "its own",
                "no view for header 0 - 0: \(TestFailure())",
            ]
        )
        #expect(bench.view.errors.map(\.code) == [.noView, .identifier, .noView])
        #expect(bench.view.errors.map(\.place) == [.cell(ItemPath(0, 0)), .header(7), .header(0)])
    }

    @Test func aDataSourceWithoutSupplementaryViewsIsNamedWithKindAndPlace() throws {
        final class Bare: CollectionViewDataSource {
            func collectionView(
                _ collectionView: SimulatedCollectionView,
                numberOfItemsInSection section: Int
            ) -> Int { 0 }

            func collectionView(
                _ collectionView: SimulatedCollectionView,
                cellForItemAt path: ItemPath
            ) throws -> CollectionViewCell { throw TestFailure() }
        }
        let bench = try Bench([texts(1)])
        let bare = Bare()
        bench.adapter.dataSource = bare
        bench.layout.headerHeight = 5
        bench.load()
        #expect(
            bench.view.errors.map(\.message) == [
                "the layout placed a supplementary view of kind header at 0 - 0, but Bare has none"
            ]
        )
        #expect(bench.view.errors.first?.place == .header(0))
        #expect(bench.view.numberOfSections == 1, "one without another word")
    }

    /// In a batch it is reported, and the cell stays as it was; on its own it is thrown.
    @Test func aCellThatCannotBeReconfiguredStaysAsItWas() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        let cells = bench.view.visibleCells
        bench.source.madeCell = { view, path in
            if path.item == 1 { throw TestFailure() }
            let cell = try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
            (cell as? TextCell)?.text = "new"
            return cell
        }
        try bench.update { source, changes in
            source.sections[0] = ["new", "1", "new"]
            changes.reconfigureItems(at: (0..<3).map { ItemPath(0, $0) })
        }
        #expect(bench.log("refilled") == ["refilled 0 - 0", "refilled 0 - 2"])
        #expect(bench.view.errors.map(\.code) == [.noView])
        #expect(bench.view.errors.map(\.place) == [.cell(ItemPath(0, 1))])
        bench.view.clearErrors()
        bench.source.madeCell = nil
        let isSame = bench.view.visibleCells.elementsEqual(cells) { $0 === $1 }
        #expect(isSame)
        bench.check()
    }

    @Test func theViewIsLockedWhileACellIsReconfiguredAndFreeAfterwards() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        bench.source.onQuestion = { view in
            view.setNeedsLayout()
            view.layoutIfNeeded()
        }
        try bench.adapter.reconfigureItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
        bench.source.onQuestion = { _ in }
        #expect(bench.view.errors.map(\.code) == [.reentrantLayout, .reentrantLayout])
        bench.view.clearErrors()
        bench.settle()
        bench.check()
    }

    @Test func whatIsWrongWithAReconfiguredCellIsSaidWithBothPlacesOrIdentifiers() throws {
        let bench = try Bench([texts(3)])
        try bench.view.register(TextCell.self, forCellWithReuseIdentifier: "other")
        bench.load()
        let path = ItemPath(0, 1)
        func message(_ identifier: String, _ item: Int) -> String? {
            bench.source.madeCell = { view, _ in
                try view.dequeueReusableCell(
                    withReuseIdentifier: identifier,
                    for: ItemPath(0, item)
                )
            }
            do throws(ViewError) {
                try bench.adapter.reconfigureItems(at: [path])
                return nil
            } catch { return error.message }
        }
        #expect(message("row", 1) == nil)
        #expect(
            message("row", 2)
                == "Attempted to dequeue a cell at a different index path (0 - 2) than the cell being"
                + " reconfigured (0 - 1)"
        )
        #expect(
            message("other", 1)
                == "Attempted to dequeue a cell for a different registration or reuse identifier than"
                + " the existing cell when reconfiguring: other instead of row"
        )
    }
}
