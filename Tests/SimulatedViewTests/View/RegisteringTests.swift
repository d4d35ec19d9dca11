import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Registering and dequeuing")
struct RegisteringTests {
    private let path = ItemPath(0, 0)

    private func error(_ body: () throws(ViewError) -> Void) -> ViewError? {
        do throws(ViewError) {
            try body()
            return nil
        } catch { return error }
    }

    @Test func anEmptyIdentifierOrKindIsRefused() throws {
        let view = try Bench([[]]).view
        let none = SupplementaryKind(rawValue: "")
        let identifier = "must pass a valid reuse identifier to -[UICollectionView "
        let kind = "must pass a valid element kind to -[UICollectionView "
        let register = "registerClass:forSupplementaryViewOfKind:withReuseIdentifier:]"
        let dequeue = "dequeueReusableSupplementaryViewOfKind:withReuseIdentifier:forIndexPath:]"
        let errors = [
            error { () throws(ViewError) in
                try view.register(TextCell.self, forCellWithReuseIdentifier: "")
            },
            error { () throws(ViewError) in
                try view.register(
                    TextHeader.self,
                    forSupplementaryViewOfKind: .header,
                    withReuseIdentifier: ""
                )
            },
            error { () throws(ViewError) in
                try view.register(
                    TextHeader.self,
                    forSupplementaryViewOfKind: none,
                    withReuseIdentifier: "x"
                )
            },
            error { () throws(ViewError) in
                _ = try view.dequeueReusableCell(withReuseIdentifier: "", for: path)
            },
            error { () throws(ViewError) in
                _ = try view.dequeueReusableSupplementaryView(
                    ofKind: .header,
                    withReuseIdentifier: "",
                    for: path
                )
            },
            error { () throws(ViewError) in
                _ = try view.dequeueReusableSupplementaryView(
                    ofKind: none,
                    withReuseIdentifier: "x",
                    for: path
                )
            },
        ]
        #expect(errors.allSatisfy { $0?.code == .identifier })
        #expect(
            errors.map { $0?.message } == [
                identifier + "registerClass:forCellWithReuseIdentifier:]", identifier + register,
                kind + register,
                identifier + "dequeueReusableCellWithReuseIdentifier:forIndexPath:]",
                identifier + dequeue, kind + dequeue,
            ]
        )
    }

    @Test func dequeuingWhatIsNotRegisteredIsRejectedInTheKnownWords() throws {
        let view = try Bench([[]]).view
        let cell = error { () throws(ViewError) in
            _ = try view.dequeueReusableCell(withReuseIdentifier: "x", for: path)
        }
        let header = error { () throws(ViewError) in
            _ = try view.dequeueReusableSupplementaryView(
                ofKind: .header,
                withReuseIdentifier: "x",
                for: path
            )
        }
        func text(_ kind: String) -> String {
            "could not dequeue a view of kind: \(kind) with identifier x - must register a nib or a"
                + " class for the identifier or connect a prototype cell in a storyboard"
        }
        #expect(cell?.code == .notRegistered && header?.code == .notRegistered)
        #expect(cell?.message == text("UICollectionElementKindCell"))
        #expect(header?.message == text("header"))
    }

    @Test func aDecorationThatIsNotRegisteredIsReportedAndLeftOut() throws {
        let bench = try Bench([texts(2)])
        bench.layout.decorationKind = SupplementaryKind(rawValue: "backdrop")
        bench.load()
        #expect(
            bench.view.errors.first?.message
                == "could not dequeue a decoration view of kind: backdrop - must register as a class or"
                + " nib or connect a prototype in a storyboard"
        )
        #expect(bench.view.visibleViews.count == 2)
    }

    @Test func theLastRegistrationWinsAndNilUnregisters() throws {
        final class OtherCell: CollectionViewCell {}
        let bench = try Bench([texts(9)])
        bench.load()
        bench.view.scroll(by: 30)
        bench.settle()
        bench.view.scroll(by: -30)
        try bench.view.register(OtherCell.self, forCellWithReuseIdentifier: "row")
        bench.settle()
        #expect(bench.view.visibleCells.allSatisfy { $0 is OtherCell }, "not those of the pool")
        try bench.view.register(nil, forCellWithReuseIdentifier: "row")
        bench.view.scroll(by: 30)
        bench.settle()
        #expect(bench.view.visibleCells.isEmpty)
        #expect(bench.view.errors.allSatisfy { $0.code == .notRegistered })
        try bench.view.register(TextCell.self, forCellWithReuseIdentifier: "row")
        bench.view.clearErrors()
        bench.view.setNeedsLayout()
        bench.settle()
        bench.check()
    }

    @Test func aCellThatWasNotDequeuedForItsPathIsReportedAndNotShown() throws {
        let bench = try Bench([texts(3)])
        bench.source.madeCell = { view, path in
            if path.item == 1 { return TextCell() }
            let wanted = path.item == 2 ? ItemPath(0, 0) : path
            return try view.dequeueReusableCell(withReuseIdentifier: "row", for: wanted)
        }
        bench.lane.run()
        #expect(Set(bench.view.errors.map(\.code)) == [.notDequeued, .notReturned])
        #expect(
            bench.view.errors.first?.message.hasPrefix(
                "the view returned from -collectionView:cellForItemAtIndexPath: (TextCell) was not"
                    + " retrieved by calling -dequeueReusableCell"
            ) == true
        )
        #expect(bench.view.visibleCells.count == 1)
        #expect(bench.watcher.contradictions == [] && bench.watcher.displayed.count == 1)
        bench.source.madeCell = nil
        bench.view.clearErrors()
        bench.adapter.reloadData()
        bench.settle()
        bench.check()
    }

    @Test func aCellThatIsShownAlreadyIsNotTakenForAnotherItem() throws {
        let bench = try Bench([texts(3)])
        var first: CollectionViewCell?
        bench.source.madeCell = { view, path in
            if let first { return first }
            let cell = try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
            first = cell
            return cell
        }
        bench.lane.run()
        #expect(bench.view.visibleCells.count == 1)
        #expect(bench.view.errors.allSatisfy { $0.code == .notDequeued })
        #expect(bench.watcher.contradictions == [])
    }

    @Test func whatIsDequeuedAndNotGivenBackIsReportedOnceAndUsedAgain() throws {
        let bench = try Bench([texts(1)])
        bench.source.madeCell = { view, path in
            _ = try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
            return try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
        }
        bench.lane.run()
        #expect(bench.view.errors.map(\.code) == [.notReturned])
        #expect(
            bench.view.errors[0].message.hasPrefix(
                "Expected dequeued view to be returned to the collection view in preparation for"
                    + " display"
            )
        )
        #expect(bench.view.visibleCells.count == 1 && bench.view.numberOfReusableViews == 1)
    }

    @Test func aDataSourceThatThrowsLeavesTheItemOutUntilItIsAskedAgain() throws {
        struct Missing: Error {}
        let bench = try Bench([texts(3)])
        bench.source.madeCell = { view, path in
            if path.item == 1 { throw Missing() }
            return try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
        }
        bench.lane.run()
        #expect(bench.view.errors.map(\.code) == [.noView])
        #expect(bench.view.errors[0].place == .cell(ItemPath(0, 1)))
        #expect(bench.view.visibleCells.count == 2)
        bench.source.madeCell = nil
        bench.view.clearErrors()
        bench.adapter.reloadData()
        bench.settle()
        bench.check()
    }

    @Test func aDataSourceWithoutSupplementaryViewsIsNamedWhenOneIsNeeded() throws {
        final class Bare: CollectionViewDataSource {
            func collectionView(
                _ collectionView: SimulatedCollectionView,
                numberOfItemsInSection section: Int
            ) -> Int { 1 }

            func collectionView(
                _ collectionView: SimulatedCollectionView,
                cellForItemAt path: ItemPath
            ) throws -> CollectionViewCell {
                try collectionView.dequeueReusableCell(withReuseIdentifier: "row", for: path)
            }
        }
        let bench = try Bench([texts(1)])
        let bare = Bare()
        bench.adapter.dataSource = bare
        bench.layout.headerHeight = 5
        bench.lane.run()
        #expect(bench.view.errors.map(\.code) == [.noView])
        #expect(bench.view.errors[0].message.contains("Bare"))
        #expect(bench.view.visibleViews.count == 1)
    }

    @Test func aCellThatIsNeededWithoutADataSourceIsReported() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        withExtendedLifetime(RowSource([texts(9)])) { other in
            bench.adapter.dataSource = other
            bench.settle()
        }
        bench.view.scroll(by: 30)
        bench.settle()
        #expect(bench.view.visibleCells.isEmpty)
        #expect(
            bench.view.errors.first?.message.contains("UICollectionView dataSource is not set")
                == true
        )
        #expect(bench.view.errors.allSatisfy { $0.code == .noDataSource })
    }
}
