import CollectionChanges
import TestSupport
import Testing

/// Rules of the `texture` profile one by one, and where the vectors do not reach.
@Suite struct TextureValidatorTests: TextureProfileTests {
    // MARK: Order of checks

    /// Each step adds a fault that the original finds before all those of the steps above it.
    @Test func firstFaultInTheOrderOfChecksIsReported() {
        let shape: HierarchyShape = [2, 2, 2, 2]
        let steps: [(HierarchyUpdateError.Code, [Operation])] = [
            (.supplementarySectionRange, [.reloadSupplementaries(.header, in: [9], .none)]),
            (.reconfigureSectionRange, [.reconfigureSections([1, 9], .none)]),
            (.reconfigureItemRange, [.reconfigureItems([path(0, 9)], .none)]),
            (.itemCount, [.insertItems([path(3, 0)], .none)]),
            (
                .deleteAndReloadItem,
                [
                    .deleteItems([path(1, 0)], .none),
                    .reloadItems([path(1, 0), path(1, 1)], .none),
                ]
            ),
            (.insertSectionRange, [.deleteSections([0], .none), .insertSections([20], .none)]),
            (.insertItemSectionRange, [.insertItems([path(50, 0)], .none)]),
            (.insertItemRange, [.insertItems([path(2, 99)], .none)]),
            (.deleteItemRange, [.deleteItems([path(2, 99)], .none)]),
            (.deleteItemSectionRange, [.deleteItems([path(50, 0)], .none)]),
            (.deleteSectionRange, [.deleteSections([30], .none), .insertSections([21], .none)]),
            (.sectionCount, [.insertSections([22], .none)]),
            (.reloadWithoutTarget, [.reloadItems([path(0, 0)], .none)]),
            (.reloadDeletedSection, [.reloadSections([0], .none)]),
            (.emptyItemOp, [.insertItems([], .none)]),
        ]
        var operations: [Operation] = []
        for (code, added) in steps {
            operations += added
            #expect(verdict(operations, from: shape, to: shape) == code.rawValue)
        }
    }

    @Test func submissionFaultsComeInTheOrderOfOperations() {
        let fine = Operation.deleteItems([path(0, 0)], .none)
        let faults: [(HierarchyUpdateError.Code, Operation)] = [
            (.emptyItemOp, .deleteItems([], .none)),
            (.emptyItemOp, .insertItems([], .none)),
            (.emptyItemOp, .reloadItems([], .none)),
            (.emptySectionOp, .deleteSections([], .none)),
            (.emptySectionOp, .insertSections([], .none)),
            (.emptySectionOp, .reloadSections([], .none)),
            (.reloadDataTwice, .reloadData()),
        ]
        for (code, first) in faults {
            for (_, second) in faults {
                let error = fault([.reloadData(), fine, first, second], from: [1], to: [0])
                #expect(error?.code == code)
                #expect(error?.operationIndex == 2)
            }
        }
    }

    @Test func operationsThatTheOriginalLacksMayBeEmpty() {
        let operations: [Operation] = [
            .reconfigureItems([], .none), .reconfigureSections([], .none),
            .reloadSupplementaries(.header, in: [], .none),
        ]
        #expect(verdict(operations, from: [1], to: [1]) == "valid")
    }

    @Test func itemFaultsAreReportedHighestDeleteAndLowestInsertFirst() {
        let deletes = Operation.deleteItems([path(0, 9), path(1, 8), path(1, 7)], .none)
        let reload = Operation.reloadItems([path(1, 0), path(1, 9)], .none)
        #expect(fault([deletes], from: [1, 1], to: [1, 1])?.path == path(1, 8))
        #expect(fault([reload, deletes], from: [1, 1], to: [1, 1])?.path == path(1, 9))
        let inserts = Operation.insertItems([path(1, 9), path(0, 7), path(0, 8)], .none)
        #expect(fault([inserts], from: [1, 1], to: [1, 1])?.path == path(0, 7))
    }

    @Test func reloadedItemPushedBeyondTheEndIsAnInsertFault() {
        let operations: [Operation] = [
            .insertItems([path(0, 0)], .none), .reloadItems([path(0, 1)], .fade),
        ]
        let error = fault(operations, from: [2], to: [2])
        #expect(error?.code == .insertItemRange)
        #expect(error?.path == path(0, 2))
        #expect(error?.operationIndex == 1)
    }

    @Test func movedPiecesAreJudgedAsDeletesAndInserts() throws {
        let move = Operation.moveItem(at: path(0, 2), to: path(0, 0), .fade)
        let result = try update([move], from: [3], to: [3])
        #expect(
            result.itemRemovals == [ItemEdit(path: path(0, 2), role: .delete, animation: .fade)]
        )
        #expect(
            result.itemInsertions == [ItemEdit(path: path(0, 0), role: .insert, animation: .fade)]
        )
        #expect(result.newPath(for: path(0, 2)) == nil)
        #expect(result.oldPath(for: path(0, 0)) == nil)
        #expect(result.newPath(for: path(0, 0)) == path(0, 1))
        let outside = Operation.moveItem(at: path(0, 3), to: path(0, 9), .fade)
        #expect(verdict([outside], from: [3], to: [3]) == "deleteItemRange")
        #expect(
            verdict([.moveSection(0, toSection: 1, .none)], from: [1, 2], to: [2, 1]) == "valid"
        )
    }

    // MARK: Groups

    @Test func alternatingOptionsGiveOneGroupARun() throws {
        let (first, second) = (AnimationOption.fade, AnimationOption.top)
        let items = try update(
            [
                .deleteItems([path(0, 0), path(0, 1), path(0, 3)], first),
                .deleteItems([path(0, 2)], second),
                .insertItems([path(1, 0), path(1, 2)], second),
                .insertItems([path(1, 1)], first),
            ],
            from: [4, 0],
            to: [0, 3]
        )
        #expect(items.itemRemovalGroups.map { $0.map(\.path.item) } == [[3], [2], [1, 0]])
        #expect(items.itemInsertionGroups.map { $0.map(\.path.item) } == [[0], [1], [2]])
        let sections = try update(
            [
                .deleteSections([0, 1, 3], first), .deleteSections([2], second),
                .insertSections([0, 4], first), .insertSections([2], second),
            ],
            from: [1, 1, 1, 1, 5, 5],
            to: [1, 5, 1, 5, 1]
        )
        #expect(sections.sectionRemovalGroups.map { $0.map(\.section) } == [[3], [2], [1, 0]])
        #expect(sections.sectionInsertionGroups.map { $0.map(\.section) } == [[0], [2], [4]])
    }

    @Test func gapsDoNotSplitAGroup() throws {
        let result = try update(
            [.deleteItems([path(0, 9), path(0, 0)], .fade)],
            from: [10],
            to: [8]
        )
        #expect(result.itemRemovalGroups.count == 1)
    }

    // MARK: Duplicates

    @Test func repeatedEditIsAppliedOnceWithItsLastOption() throws {
        let result = try update(
            [
                .deleteItems([path(0, 1), path(0, 1)], .fade),
                .insertItems([path(0, 0)], .fade),
                .reloadItems([path(0, 2), path(0, 2)], .fade),
                .moveItem(at: path(0, 1), to: path(0, 0), .top),
                .reloadItems([path(0, 2)], .bottom),
            ],
            from: [3],
            to: [3]
        )
        #expect(result.itemRemovals.map(\.path) == [path(0, 2), path(0, 1)])
        #expect(result.itemRemovals.map(\.animation) == [.bottom, .top])
        #expect(result.itemInsertions.map(\.path) == [path(0, 0), path(0, 2)])
        #expect(result.itemInsertions.map(\.animation) == [.top, .bottom])
        #expect(result.itemInsertions.map(\.associatedWith) == [nil, path(0, 2)])
    }

    /// Overlapping sets against the plainest computing: one look-up table, later operations
    /// writing over earlier ones.
    @Test func repeatedSectionTakesItsLastOption() throws {
        let count = 12
        let shape = HierarchyShape(Array(repeating: 1, count: count))
        var random = SeededNumbers(seed: 7)
        for _ in 0..<500 {
            var expected: [Int: Int] = [:]
            var operations: [Operation] = []
            for option in 0..<Int.random(in: 1...8, using: &random) {
                let start = Int.random(in: 0..<count, using: &random)
                let end = Int.random(in: start..<count, using: &random)
                var sections = SectionSet(start..<(end + 1))
                sections.insert(Int.random(in: 0..<count, using: &random))
                for section in sections { expected[section] = option }
                operations.append(.reloadSections(sections, AnimationOption(rawValue: option)))
            }
            let result = try update(operations, from: shape, to: shape)
            let options = Dictionary(
                uniqueKeysWithValues: result.sectionInsertions.map {
                    ($0.section, $0.animation.rawValue)
                }
            )
            #expect(options == expected)
            #expect(result.sectionRemovals.map(\.section) == expected.keys.sorted(by: >))
        }
    }
}
