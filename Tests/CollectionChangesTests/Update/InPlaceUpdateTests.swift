import CollectionChanges
import Testing

/// Reconfigurations and reloads of supplementary elements, which are not edits.
@Suite struct InPlaceUpdateTests {
    @Test func reconfiguredItemsFollowTheEdits() throws {
        var changes = HierarchyChangeSet()
        changes.reconfigureItems(at: (0..<5).map { path(0, $0) }, animation: .fade)
        changes.deleteItems(at: [path(0, 0)])
        changes.reloadItems(at: [path(0, 1)])
        changes.moveItem(at: path(0, 4), to: path(1, 0))
        changes.insertItems(at: [path(0, 0)])
        changes.insertSections([1])
        let update = try changes.validated(from: [5], to: [4, 1])
        // The deleted and the reloaded one are left out; the moved one is found where it went.
        #expect(
            update.reconfigurations == [
                ItemReconfiguration(oldPath: path(0, 2), newPath: path(0, 2), animation: .fade),
                ItemReconfiguration(oldPath: path(0, 3), newPath: path(0, 3), animation: .fade),
                ItemReconfiguration(oldPath: path(0, 4), newPath: path(1, 0), animation: .fade),
            ]
        )
    }

    @Test func reconfiguringAloneGivesNoEdits() throws {
        var changes = HierarchyChangeSet()
        changes.reconfigureItems(at: [path(0, 1), path(0, 0), path(0, 1)], animation: .fade)
        changes.reconfigureItems(at: [path(0, 0)], animation: .top)
        let update = try changes.validated(from: [2], to: [2], profile: .strict)
        #expect(update.edits.isEmpty)
        #expect(!update.isEmpty)
        #expect(update.sectionMapping.isIdentity)
        // Once each, ascending, and of an item named twice the last option counts.
        #expect(
            update.reconfigurations == [
                ItemReconfiguration(oldPath: path(0, 0), newPath: path(0, 0), animation: .top),
                ItemReconfiguration(oldPath: path(0, 1), newPath: path(0, 1), animation: .fade),
            ]
        )
    }

    @Test func reconfiguredSectionsFollowTheEdits() throws {
        var changes = HierarchyChangeSet()
        changes.reconfigureSections([0, 1, 2])
        changes.reconfigureSections([2])
        changes.moveSection(2, toSection: 0)
        changes.deleteItems(at: [path(2, 0)])
        changes.deleteSections([0])
        changes.reloadSections([1])
        changes.moveItem(at: path(0, 1), to: path(1, 3))
        let update = try changes.validated(from: [2, 1, 2], to: [1, 4])
        // What is left of section 2, and the item that was moved out of the deleted section 0.
        #expect(
            update.reconfigurations == [
                ItemReconfiguration(oldPath: path(2, 1), newPath: path(0, 0)),
                ItemReconfiguration(oldPath: path(0, 1), newPath: path(1, 3)),
            ]
        )
    }

    @Test(arguments: ValidationProfile.allCases)
    func reconfiguredSectionIsThatOfAllItsItems(profile: ValidationProfile) throws {
        var changes = HierarchyChangeSet()
        changes.reconfigureSections([0, 2], animation: .fade)
        let update = try changes.validated(from: [2, 1, 1], to: [2, 1, 1], profile: profile)
        #expect(update.reconfigurations.map(\.oldPath) == [path(0, 0), path(0, 1), path(2, 0)])
        #expect(update.reconfigurations.allSatisfy { $0.oldPath == $0.newPath })
    }

    @Test func reconfiguredItemOfARemovedSectionIsLeftOut() throws {
        var changes = HierarchyChangeSet()
        changes.reconfigureItems(at: [path(0, 0), path(1, 0)])
        changes.deleteSections([0])
        changes.reloadSections([1])
        #expect(try changes.validated(from: [1, 1], to: [3]).reconfigurations.isEmpty)
    }

    @Test func missingThingsCannotBeUpdatedInPlace() {
        let cases: [(HierarchyChangeSet.Operation, HierarchyUpdateError.Code)] = [
            (.reconfigureItems([path(0, 2)], .none), .reconfigureItemRange),
            (.reconfigureItems([path(1, 0)], .none), .reconfigureItemRange),
            (.reconfigureSections([1], .none), .reconfigureSectionRange),
            (.reconfigureSections([-1], .none), .reconfigureSectionRange),
            (.reloadSupplementaries(.header, in: [0, 1], .none), .supplementarySectionRange),
        ]
        for (operation, code) in cases {
            do {
                _ = try HierarchyChangeSet([operation]).validated(from: [2], to: [2])
                Issue.record("accepted \(operation)")
            } catch {
                #expect(error.code == code)
                #expect(error.operationIndex == 0)
            }
        }
    }

    @Test func supplementariesAreReloadedByNewSection() throws {
        var changes = HierarchyChangeSet()
        let badge = SupplementaryKind(rawValue: "badge")
        changes.reloadSupplementaries(ofKind: .header, in: [2, 0], animation: .fade)
        changes.insertSections([2])
        changes.reloadSupplementaries(ofKind: badge, in: [2])
        changes.reloadSupplementaries(ofKind: .header, in: [2], animation: .top)
        let update = try changes.validated(from: [1, 1], to: [1, 1, 1])
        #expect(
            update.supplementaryReloads == [
                SupplementaryReload(kind: .header, newSection: 0, animation: .fade),
                SupplementaryReload(kind: badge, newSection: 2),
                SupplementaryReload(kind: .header, newSection: 2, animation: .top),
            ]
        )
    }
}
