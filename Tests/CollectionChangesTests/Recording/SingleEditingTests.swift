import CollectionChanges
import Testing

@Suite struct SingleEditingTests {
    /// Keeps what it is given, or throws it back.
    private final class Keeper: SingleEditing {
        struct Refusal: Error, Equatable {
            let operation: HierarchyChangeSet.Operation
        }

        var changes = HierarchyChangeSet()
        var refuses = false

        func submit(_ operation: HierarchyChangeSet.Operation) throws(Refusal) {
            if refuses { throw Refusal(operation: operation) }
            changes.record(operation)
        }
    }

    /// Both vocabularies say the same, with an animation option and without.
    @Test func everyEditIsTheOperationThatARecordHasForIt() throws {
        let (first, second) = (ItemPath(section: 0, item: 1), ItemPath(section: 2, item: 3))
        let keeper = Keeper()
        var record = HierarchyChangeSet()
        for animation in [AnimationOption.automatic, .fade] {
            try keeper.insertItems(at: [first], animation: animation)
            record.insertItems(at: [first], animation: animation)
            try keeper.deleteItems(at: [second], animation: animation)
            record.deleteItems(at: [second], animation: animation)
            try keeper.reloadItems(at: [first, second], animation: animation)
            record.reloadItems(at: [first, second], animation: animation)
            try keeper.reconfigureItems(at: [first], animation: animation)
            record.reconfigureItems(at: [first], animation: animation)
            try keeper.moveItem(at: first, to: second, animation: animation)
            record.moveItem(at: first, to: second, animation: animation)
            try keeper.insertSections([1], animation: animation)
            record.insertSections([1], animation: animation)
            try keeper.deleteSections([2], animation: animation)
            record.deleteSections([2], animation: animation)
            try keeper.reloadSections([3], animation: animation)
            record.reloadSections([3], animation: animation)
            try keeper.reconfigureSections([4], animation: animation)
            record.reconfigureSections([4], animation: animation)
            try keeper.moveSection(5, toSection: 6, animation: animation)
            record.moveSection(5, toSection: 6, animation: animation)
            try keeper.reloadSupplementaries(ofKind: .header, in: [7], animation: animation)
            record.reloadSupplementaries(ofKind: .header, in: [7], animation: animation)
        }
        #expect(keeper.changes == record && record.operations.count == 22)
    }

    @Test func whatIsRefusedComesOutWithItsType() {
        let keeper = Keeper()
        keeper.refuses = true
        do {
            try keeper.deleteSections([1])
            Issue.record("nothing was thrown")
        } catch {
            #expect(error == Keeper.Refusal(operation: .deleteSections([1], .automatic)))
        }
    }
}
