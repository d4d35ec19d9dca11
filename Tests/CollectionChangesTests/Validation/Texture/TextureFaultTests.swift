import CollectionChanges
import Testing

/// Which of several faults the `texture` profile reports, and with what words.
@Suite struct TextureFaultTests: TextureProfileTests {
    @Test func highestMissingReloadIsReported() {
        let reload = Operation.reloadItems([path(0, 0), path(0, 9), path(0, 5)], .none)
        let error = fault([reload], from: [1], to: [1])
        #expect(error?.code == .deleteItemRange)
        #expect(error?.path == path(0, 9))
    }

    @Test func lowestOfInsertsAndReloadedPlacesIsReported() {
        // Each insert pushes the last item of its section out of the section.
        let inserts = Operation.insertItems([path(0, 0), path(1, 0)], .none)
        let reloads = Operation.reloadItems([path(0, 1), path(1, 1)], .none)
        let shape: HierarchyShape = [2, 2]
        #expect(fault([inserts, reloads], from: shape, to: shape)?.path == path(0, 2))
        let high = Operation.insertItems([path(1, 9)], .none)
        let error = fault([inserts, reloads, high], from: shape, to: shape)
        #expect(error?.path == path(0, 2) && error?.operationIndex == 1)
        let low = Operation.insertItems([path(0, 9)], .none)
        let reload = Operation.reloadItems([path(1, 1)], .none)
        let other = fault([inserts, reload, low], from: shape, to: shape)
        #expect(other?.path == path(0, 9) && other?.operationIndex == 2)
    }

    @Test func conflictsAreReportedWithTheirSectionAndTheLowestFirst() {
        let deletes = Operation.deleteItems([path(1, 0), path(2, 0)], .none)
        let reloads = Operation.reloadItems([path(0, 0), path(1, 0), path(2, 0)], .none)
        let error = fault([deletes, reloads], from: [2, 2, 2], to: [2, 1, 1])
        #expect(error?.code == .deleteAndReloadItem)
        #expect(error?.path == path(1, 0))
        let counts = fault([deletes, reloads], from: [2, 2, 2], to: [9, 1, 1])
        #expect(counts?.code == .itemCount)
        #expect(counts?.section == 0)
    }

    @Test func missingSectionsOfDeletesAreReportedLowestFirst() {
        let deletes = Operation.deleteSections([7, 5], .none)
        let error = fault([deletes], from: [1, 1], to: [])
        #expect(error?.code == .deleteSectionRange)
        #expect(error?.section == 5)
        let reloads = fault([.reloadSections([9, 4], .none)], from: [1], to: [1])
        #expect(reloads?.code == .deleteSectionRange)
        #expect(reloads?.section == 4)
    }

    @Test func sumOfSectionsStaysAnInteger() {
        let insert = Operation.insertSections(sections(0...(Int.max - 1)), .none)
        let error = fault([insert, .reloadSections([0], .none)], from: [1], to: [1])
        #expect(error?.code == .sectionCount)
        #expect(error?.arithmetic?.inserted == Int.max && error?.arithmetic?.deleted == 1)
    }

    // MARK: Words

    @Test func countFaultHintsAtTheLikelyMistake() {
        let delete = Operation.deleteItems([path(0, 0)], .none)
        let insert = Operation.insertSections([0], .none)
        let nothing = "The data source changed but nothing was recorded"
        let unchanged = "Edits were recorded but the data source did not change"
        #expect(fault([], from: [1], to: [2])?.hint == nothing)
        #expect(fault([], from: [1], to: [1, 1])?.hint == nothing)
        #expect(fault([delete], from: [2], to: [2])?.hint == unchanged)
        #expect(fault([insert], from: [2], to: [2])?.hint == unchanged)
        #expect(
            fault([delete], from: [2], to: [5])?.hint
                == "The section is named by its index before the update"
        )
        let sections = fault([insert], from: [1], to: [1, 1, 1])
        #expect(sections?.code == .sectionCount && sections?.hint == nil)
    }

    @Test func reloadWithoutAPlaceSaysWhetherTheSectionWasThere() {
        let reload = Operation.reloadSections([0], .none)
        let deleted = fault([.deleteSections([0], .none), reload], from: [1, 1], to: [1])
        #expect(deleted?.code == .reloadDeletedSection)
        #expect(deleted?.hint == "Leave out the reload of a section that is deleted or moved")
        let missing = fault(
            [.reloadSections([5], .none), .insertSections([0], .none)],
            from: [1],
            to: [1, 1]
        )
        #expect(missing?.code == .reloadDeletedSection)
        #expect(missing?.hint == "There are only 1 sections before the update")
    }

    @Test func lowestReloadWithoutAPlaceIsNamed() {
        let cases: [(deleted: Int, reloaded: ClosedRange<Int>, lowest: Int)] = [
            (1, 1...9, 1), (0, -1...1, -1), (2, 1...5, 2), (0, 1...5, 3),
        ]
        for (deleted, reloaded, lowest) in cases {
            let error = fault(
                [
                    .deleteSections(SectionSet(deleted), .none),
                    .reloadSections(sections(reloaded), .none),
                ],
                from: [1, 1, 1],
                to: [1, 1]
            )
            #expect(error?.code == .reloadDeletedSection)
            #expect(error?.section == lowest)
        }
    }

    @Test func reloadWithoutTargetNamesItsFirstPath() {
        let insert = Operation.insertItems([path(0, 0)], .none)
        let reload = Operation.reloadItems([path(0, 5), path(0, 1), path(0, 6)], .none)
        let error = fault([insert, reload], from: [1], to: [2])
        #expect(error?.code == .reloadWithoutTarget)
        #expect(error?.path == path(0, 5))
    }

    @Test func lowestMissingReconfigurationIsReported() {
        let paths = [path(0, 9), path(0, 5), path(0, 7)]
        let error = fault([.reconfigureItems(paths, .none)], from: [1], to: [1])
        #expect(error?.code == .reconfigureItemRange)
        #expect(error?.path == path(0, 5))
    }
}
