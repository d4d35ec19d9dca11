import CollectionChanges
import Testing

@Suite struct HierarchyChangeSetTests {
    @Test func sampleOfTheDocumentationHolds() throws {
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: [ItemPath(section: 0, item: 2)])
        changes.insertSections([1], animation: .fade)
        let update = try changes.validated(from: [3, 1], to: [2, 5, 1])
        #expect(update.edits.count == 2)
    }

    @Test func everyNamedMethodRecordsItsOperation() {
        var changes = HierarchyChangeSet()
        #expect(changes.isEmpty)
        changes.deleteItems(at: [path(0, 1)], animation: .fade)
        changes.insertItems(at: [path(0, 2)])
        changes.reloadItems(at: [path(0, 3)])
        changes.reconfigureItems(at: [path(0, 4)])
        changes.moveItem(at: path(0, 5), to: path(0, 6))
        changes.deleteSections([1])
        changes.insertSections([2])
        changes.reloadSections([3])
        changes.reconfigureSections([4])
        changes.moveSection(5, toSection: 6)
        changes.reloadSupplementaries(ofKind: .footer, in: [7])
        changes.reloadData()
        #expect(
            changes.operations == [
                .deleteItems([path(0, 1)], .fade), .insertItems([path(0, 2)], .automatic),
                .reloadItems([path(0, 3)], .automatic),
                .reconfigureItems([path(0, 4)], .automatic),
                .moveItem(at: path(0, 5), to: path(0, 6), .automatic),
                .deleteSections([1], .automatic), .insertSections([2], .automatic),
                .reloadSections([3], .automatic), .reconfigureSections([4], .automatic),
                .moveSection(5, toSection: 6, .automatic),
                .reloadSupplementaries(.footer, in: [7], .automatic), .reloadData(),
            ]
        )
        #expect(changes == HierarchyChangeSet(changes.operations))
    }

    @Test(arguments: [ValidationProfile.standard, .strict])
    func emptyOperationsChangeNothing(profile: ValidationProfile) throws {
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: [])
        changes.insertItems(at: [])
        changes.reloadItems(at: [])
        changes.reconfigureItems(at: [])
        changes.deleteSections([])
        changes.insertSections([])
        changes.reloadSections([])
        changes.reconfigureSections([])
        changes.reloadSupplementaries(ofKind: .header, in: [])
        let update = try changes.validated(from: [2], to: [2], profile: profile)
        #expect(update.edits.isEmpty && update.reconfigurations.isEmpty)
        #expect(update.supplementaryReloads.isEmpty)
        // Something was recorded, if only nothing in particular.
        #expect(!update.isEmpty)
    }

    @Test func emptyRecordIsEmptyAndHasToMatch() throws {
        let update = try HierarchyChangeSet().validated(from: [2], to: [2])
        #expect(update.isEmpty && !update.isReloadData)
        do {
            _ = try HierarchyChangeSet().validated(from: [2], to: [3])
            Issue.record("accepted")
        } catch {
            let nothing = "The data source changed but nothing was recorded"
            #expect(error.hint?.hasPrefix(nothing) == true)
        }
    }

    @Test(arguments: [ValidationProfile.standard, .strict])
    func reloadDataDropsAllElse(profile: ValidationProfile) throws {
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: [path(9, 9)])
        changes.reloadData()
        changes.insertSections([7])
        changes.reloadData()
        let update = try changes.validated(from: [1, 2], to: [3], profile: profile)
        #expect(update.isReloadData && !update.isEmpty)
        #expect(
            Array(update.edits) == [
                .removeSection(SectionEdit(section: 1, role: .delete)),
                .removeSection(SectionEdit(section: 0, role: .delete)),
                .insertSection(SectionEdit(section: 0, role: .insert, freshItemCount: 3)),
            ]
        )
        #expect(
            try update.apply(to: [["a"], ["b", "c"]]) { "\($0)" } == [["0 - 0", "0 - 1", "0 - 2"]]
        )
        #expect(update.newPath(for: path(0, 0)) == nil && update.oldPath(for: path(0, 0)) == nil)
        #expect(update.newSection(for: 0) == nil && update.oldSection(for: 0) == nil)
    }

    @Test func decomposedMovesLoseIdentity() throws {
        var changes = HierarchyChangeSet()
        changes.moveItem(at: path(0, 0), to: path(1, 0), animation: .fade)
        changes.reloadItems(at: [path(0, 1), path(1, 0)])
        changes.reconfigureItems(at: [path(0, 2)])
        changes.reconfigureSections([0, 2])
        changes.moveSection(0, toSection: 1, animation: .top)
        let decomposed = changes.decomposingMoves()
        #expect(
            decomposed.operations == [
                .deleteItems([path(0, 0)], .fade), .insertItems([path(1, 0)], .fade),
                .reloadItems([path(1, 0)], .automatic), .reconfigureItems([], .automatic),
                .reconfigureSections([2], .automatic), .deleteSections([0], .top),
                .insertSections([1], .top),
            ]
        )
        #expect(decomposed.decomposingMoves() == decomposed)

        var single = HierarchyChangeSet()
        single.moveItem(at: path(0, 0), to: path(0, 1))
        let whole = try single.validated(from: [2], to: [2])
        let taken = try single.decomposingMoves().validated(from: [2], to: [2])
        #expect(whole.newPath(for: path(0, 0)) == path(0, 1))
        #expect(taken.newPath(for: path(0, 0)) == nil)
        #expect(whole.newPath(for: path(0, 1)) == taken.newPath(for: path(0, 1)))
    }

    /// What is right with moves is right without them.
    @Test func whatChangesWithinAMovedSectionGoesWithIt() throws {
        var changes = HierarchyChangeSet()
        changes.moveSection(0, toSection: 1)
        changes.reloadItems(at: [path(0, 0)])
        changes.reconfigureItems(at: [path(0, 1)])
        changes.deleteItems(at: [path(0, 2)])
        changes.insertItems(at: [path(1, 0)])
        for changes in [changes, changes.decomposingMoves()] {
            let update = try changes.validated(from: [4, 2], to: [2, 4])
            let result = try update.apply(to: [["a", "b", "c", "d"], ["e", "f"]]) { _ in "new" }
            #expect(result.map(\.count) == [2, 4])
            #expect(result[0] == ["e", "f"])
        }
    }

    @Test func lastRecordedOptionOfARepeatedEditCounts() throws {
        var changes = HierarchyChangeSet()
        changes.reloadItems(at: [path(0, 0)], animation: .fade)
        changes.moveItem(at: path(0, 1), to: path(0, 2), animation: .fade)
        changes.reloadSections([1], animation: .fade)
        changes.moveSection(2, toSection: 2, animation: .fade)
        changes.reloadItems(at: [path(0, 0)], animation: .top)
        changes.moveItem(at: path(0, 1), to: path(0, 2), animation: .top)
        changes.reloadSections([1], animation: .top)
        changes.moveSection(2, toSection: 2, animation: .top)
        let update = try changes.validated(from: [3, 1, 1], to: [3, 1, 1])
        let options =
            (update.itemRemovals + update.itemInsertions).map(\.animation)
            + (update.sectionRemovals + update.sectionInsertions).map(\.animation)
        #expect(options == Array(repeating: .top, count: 8))
    }

    @Test func neighboursOfOneOptionFormAGroup() throws {
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: [path(0, 0), path(0, 3)], animation: .fade)
        changes.deleteItems(at: [path(0, 5)], animation: .top)
        changes.insertItems(at: [path(0, 0), path(0, 2)], animation: .fade)
        changes.insertSections([1, 3], animation: .top)
        changes.insertSections([2], animation: .fade)
        let update = try changes.validated(from: [6], to: [5, 1, 1, 1])
        #expect(update.itemRemovalGroups.map { $0.map(\.path.item) } == [[5], [3, 0]])
        #expect(update.itemInsertionGroups.map { $0.map(\.path.item) } == [[0, 2]])
        #expect(update.sectionInsertionGroups.map { $0.map(\.section) } == [[1], [2], [3]])
        #expect(update.sectionRemovalGroups.isEmpty)
    }
}
