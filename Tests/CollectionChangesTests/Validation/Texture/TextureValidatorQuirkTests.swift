import CollectionChanges
import Testing

/// What the original does oddly, and what it does not know.
@Suite struct TextureValidatorQuirkTests: TextureProfileTests {
    // MARK: Quirks of the original

    @Test func vanishedReloadIsJudgedByItsCompany() {
        let delete = Operation.deleteSections([0], .none)
        let alone = Operation.reloadItems([path(0, 0)], .none)
        let together = Operation.reloadItems([path(0, 0), path(1, 0)], .none)
        #expect(verdict([delete, alone], from: [1, 1], to: [1]) == "reloadWithoutTarget")
        #expect(verdict([delete, together], from: [1, 1], to: [1]) == "valid")
        let deleteItem = Operation.deleteItems([path(0, 0)], .none)
        #expect(verdict([deleteItem, alone], from: [1, 1], to: [0, 1]) == "reloadWithoutTarget")
        #expect(
            verdict([deleteItem, together], from: [1, 1], to: [0, 1]) == "deleteAndReloadItem"
        )
    }

    @Test func reloadOutOfRangeIsJudgedByTheOtherEdits() {
        let section = Operation.reloadSections([5], .none)
        let insert = Operation.insertSections([0], .none)
        #expect(verdict([section], from: [1], to: [1]) == "deleteSectionRange")
        #expect(verdict([section, insert], from: [1], to: [0, 1]) == "reloadDeletedSection")
        #expect(verdict([section], from: [], to: []) == "reloadDeletedSection")
        let item = Operation.reloadItems([path(0, 5)], .none)
        let insertItem = Operation.insertItems([path(0, 0)], .none)
        #expect(verdict([item], from: [1], to: [1]) == "deleteItemRange")
        #expect(verdict([item, insertItem], from: [1], to: [2]) == "reloadWithoutTarget")
        #expect(verdict([item], from: [0], to: [0]) == "reloadWithoutTarget")
    }

    @Test(arguments: [Int.min, -1, 0, 99, Int.max])
    func editsInReplacedSectionsAreAbsorbedUnchecked(item: Int) throws {
        let result = try update(
            [
                .deleteSections([0], .none), .insertSections([0], .none),
                .reloadSections([1], .none),
                .deleteItems([path(0, item), path(1, item)], .none),
                .insertItems([path(0, item), path(1, item)], .none),
            ],
            from: [1, 1],
            to: [4, 7]
        )
        #expect(result.itemRemovals.isEmpty && result.itemInsertions.isEmpty)
        #expect(result.sectionInsertions.map(\.freshItemCount) == [4, 7])
        #expect(result.sectionRemovals.map(\.role) == [.reload, .delete])
        #expect(result.newSection(for: 1) == 1)
        #expect(result.newPath(for: path(1, 0)) == nil)
    }

    @Test func wrongCountNamesTheOldSection() {
        let error = fault([.deleteSections([0], .none)], from: [9, 1], to: [3])
        #expect(error?.code == .itemCount)
        #expect(error?.section == 1)
        #expect(error?.arithmetic?.expected == 1)
        #expect(error?.arithmetic?.after == 3)
    }

    // MARK: Everything reloaded

    @Test func reloadDataDropsEverythingElse() throws {
        let result = try update(
            [
                .deleteItems([path(Int.max, Int.min)], .none), .reloadData(),
                .insertSections(sections(0...Int.max), .none),
                .reconfigureItems([path(9, 9)], .none),
            ],
            from: [1],
            to: [2, 2]
        )
        #expect(result.isReloadData)
        #expect(result.edits.count == 3)
        #expect(result.reconfigurations.isEmpty)
    }

    // MARK: What the original lacks

    @Test func reconfigurationsHoldForSurvivorsOnly() throws {
        let result = try update(
            [
                .deleteSections([0], .none), .reloadSections([1], .none),
                .deleteItems([path(2, 0)], .none), .reloadItems([path(2, 1)], .none),
                .moveItem(at: path(2, 2), to: path(1, 0), .none),
                .reconfigureSections([0, 1, 2], .fade),
                .reconfigureItems([path(2, 4), path(0, 0)], .top),
                .reconfigureSections([3], .fade),
            ],
            from: [1, 1, 5, 1],
            to: [1, 4, 1]
        )
        #expect(
            result.reconfigurations == [
                ItemReconfiguration(oldPath: path(2, 3), newPath: path(1, 2), animation: .fade),
                ItemReconfiguration(oldPath: path(2, 4), newPath: path(1, 3), animation: .top),
                ItemReconfiguration(oldPath: path(3, 0), newPath: path(2, 0), animation: .fade),
            ]
        )
    }

    @Test func supplementariesAreReloadedOnceAKindAndSection() throws {
        let result = try update(
            [
                .reloadSupplementaries(.header, in: [0, 1], .fade),
                .reloadSupplementaries(.footer, in: [1], .top),
                .reloadSupplementaries(.header, in: [1], .bottom),
            ],
            from: [1, 1],
            to: [1, 1]
        )
        #expect(
            result.supplementaryReloads == [
                SupplementaryReload(kind: .header, newSection: 0, animation: .fade),
                SupplementaryReload(kind: .footer, newSection: 1, animation: .top),
                SupplementaryReload(kind: .header, newSection: 1, animation: .bottom),
            ]
        )
    }
}
