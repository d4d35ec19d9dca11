import CollectionChanges
import Testing

/// Which option is left where several updates edit one thing in different ways.
@Suite struct ComposedOptionTests {
    private func composed(
        _ shapes: [HierarchyShape],
        _ records: [HierarchyChangeSet.Operation]...
    ) throws -> ValidatedChangeSet {
        let updates = try zip(records, zip(shapes, shapes.dropFirst())).map { operations, ends in
            try HierarchyChangeSet(operations).validated(from: ends.0, to: ends.1)
        }
        return try #require(try ValidatedChangeSet(composing: updates))
    }

    private func operations(_ update: ValidatedChangeSet) -> [HierarchyChangeSet.Operation] {
        HierarchyChangeSet(recording: update).operations
    }

    @Test func whatIsNewOrReplacedIsUpdatedByItsLaterOption() throws {
        let a = path(0, 0)
        let new = try composed(
            [[3], [4], [4]],
            [.insertItems([a], .fade)],
            [.reconfigureItems([a], .top)]
        )
        #expect(operations(new) == [.insertItems([a], .top)])
        let replaced = try composed(
            [[3], [3], [3]],
            [.reloadItems([a], .fade)],
            [.reconfigureItems([a], .top)]
        )
        #expect(operations(replaced) == [.reloadItems([a], .top)])
    }

    @Test func whatMovesAndIsUpdatedHasBothOptions() throws {
        for move: AnimationOption in [.automatic, .fade, .top, .bottom] {
            let (a, b) = (path(0, 0), path(0, 2))
            let update = try composed(
                [[3], [3], [3], [3]],
                // So that each of the options below has a number.
                [.reloadItems([path(0, 1)], .fade)],
                [.moveItem(at: a, to: b, move)],
                [.reconfigureItems([b], .top)]
            )
            #expect(update.itemInsertions.first { $0.role == .move }?.animation == move)
            #expect(update.reconfigurations.map(\.animation) == [.top])
            #expect(update.reconfigurations.map(\.newPath) == [b])
        }
    }

    @Test(arguments: [1, 8, 9, 40])
    func everyOneOfManyUpdatesInPlaceKeepsItsOption(_ count: Int) throws {
        let options: [AnimationOption] = [.fade, .top, .bottom, .automatic, .top]
        let records = (0..<count).map {
            HierarchyChangeSet.Operation.reconfigureItems([path(0, $0)], options[$0 % 5])
        }
        let shape: HierarchyShape = [count]
        let first = try HierarchyChangeSet([.insertItems([path(0, count)], .none)])
            .validated(from: shape, to: [count + 1])
        let second = try HierarchyChangeSet(records).validated(
            from: [count + 1],
            to: [count + 1]
        )
        let update = try first.composed(with: second)
        #expect(update.reconfigurations.map(\.newPath.item) == Array(0..<count))
        #expect(update.reconfigurations.map(\.animation) == (0..<count).map { options[$0 % 5] })
    }

    @Test func whatWasDeletedKeepsItsOptionWhereItsSectionMovesLater() throws {
        let update = try composed(
            [[2, 1], [1, 1], [1, 1]],
            [.deleteItems([path(0, 0)], .fade)],
            [.moveSection(0, toSection: 1, .top)]
        )
        #expect(
            operations(update) == [
                .deleteItems([path(0, 0)], .fade), .moveSection(0, toSection: 1, .top),
            ]
        )
    }

    @Test func aSectionIsDeletedAsItWasLast() throws {
        let update = try composed(
            [[1, 2], [5, 2], [2]],
            [.reloadSections([0], .bottom)],
            [.deleteSections([0], .automatic)]
        )
        #expect(operations(update) == [.deleteSections([0], .automatic)])
    }

    @Test func headersAreAskedForAgainAlsoInSectionsReloadedLater() throws {
        let reload = HierarchyChangeSet.Operation.reloadSupplementaries(.header, in: [0], .fade)
        let update = try composed([[1], [1], [4]], [reload], [.reloadSections([0], .top)])
        #expect(operations(update) == [.reloadSections([0], .top), reload])
    }

    @Test func nothingAfterAReloadOfAllIsTraced() throws {
        let delete = HierarchyChangeSet.Operation.deleteItems([path(1, 0)], .fade)
        let update = try composed(
            [[1], [0, 4], [0, 3], [0, 2], [0, 1]],
            [.reloadData(.top)],
            [delete],
            [delete],
            [delete]
        )
        let expected = try HierarchyChangeSet([.reloadData(.top)]).validated(from: [1], to: [0, 1])
        #expect(update.picture == expected.picture)
    }
}
