import Testing

@testable import CollectionChanges

/// How much is tried at most: a record and shapes of that size, and not of one more.
@Suite struct MistakeBoundsTests {
    private typealias Operation = HierarchyChangeSet.Operation

    private func mistake(
        _ operations: [Operation],
        _ old: [Int],
        _ new: [Int]
    ) -> LikelyMistake? {
        let changes = HierarchyChangeSet(operations)
        let error = refusal { () throws(HierarchyUpdateError) in
            try changes.validated(from: HierarchyShape(old), to: HierarchyShape(new))
        }
        return error.flatMap { LikelyMistake(behind: $0, changes) }
    }

    /// Each edit of the record must be possible when it is its turn, also one that changes no counts.
    @Test(arguments: [
        Operation.reconfigureSections([0, 2], .none),
        .reloadSupplementaries(.header, in: [2], .none),
        .reconfigureItems([path(0, 7)], .none), .reloadItems([path(2, 0)], .none),
        .reloadSections([2], .none), .moveSection(0, toSection: 2, .none),
        .moveSection(2, toSection: 0, .none),
    ])
    private func whatIsImpossibleInTurnIsNotReadInSequence(_ operation: Operation) {
        let twice = Array(repeating: Operation.deleteItems([path(0, 0)], .none), count: 2)
        #expect(mistake(twice, [3, 1], [1, 1]) == .readInSequence)
        #expect(mistake(twice + [operation], [3, 1], [1, 1]) != .readInSequence)
        let insert = Operation.insertItems([path(0, 0)], .none)
        #expect(mistake([insert, operation], [3, 1], [4, 1]) != .readInSequence)
    }

    @Test func whatIsReloadedInSequenceMayHaveAnyCount() {
        let twice = Array(repeating: Operation.deleteItems([path(0, 0)], .none), count: 2)
        let reload = Operation.reloadSections([1], .none)
        #expect(mistake(twice + [reload], [3, 1], [1, 9]) == .readInSequence)
        #expect(mistake(twice, [3, 1], [1, 9]) != .readInSequence)
    }

    /// What is said of the other side's section is true of it: it is not there on this one, and has such an item.
    @Test func aSectionOnTheOtherSideIsNamedWhereItFits() {
        let insert = Operation.insertSections([0], .none)
        // The section is there, and only the item is not.
        #expect(
            mistake([insert, .deleteItems([path(0, 2)], .none)], [1, 3], [5, 0, 3])
                == .otherSide(isOldExpected: true, nil)
        )
        // It is the last section before the update too, which has lost nothing; or which has.
        let edits = [Operation.deleteItems([path(2, 1)], .none), insert]
        #expect(mistake(edits, [2, 4], [5, 1, 4]) == .otherSide(isOldExpected: true, nil))
        #expect(
            mistake(edits, [2, 4], [5, 2, 3])
                == .otherSide(isOldExpected: true, .section(1, onOtherSide: 2))
        )
    }

    /// A path counts as one, and an operation as one more.
    @Test(arguments: [1, 198, 199, 200, 300])
    func upTo200EditsAreTried(_ edits: Int) {
        // The last item is past the end; one operation, or as many as there are edits.
        let inside = (0..<(edits - 1)).map { path(0, $0) }
        let found = mistake([.deleteItems(inside + [path(0, 400)], .none)], [400], [400 - edits])
        #expect((found == .onePastTheEnd(last: 399, isOld: true)) == (edits <= 199), "\(edits)")
    }

    @Test(arguments: [1, 99, 100, 101])
    func everyMoveCountsAsTwo(_ moves: Int) {
        let operations = (0..<moves).map { item in
            Operation.moveItem(
                at: path(0, item == 0 ? 400 : item),
                to: path(1, item),
                .none
            )
        }
        let found = mistake(operations, [400, 0], [400 - moves, moves])
        #expect((found == .onePastTheEnd(last: 399, isOld: true)) == (moves <= 100), "\(moves)")
        let sections = (0..<moves).map { section in
            Operation.moveSection(section, toSection: section, .none)
        }
        let deletion = Operation.deleteItems([path(0, 1)], .none)
        let old = Array(repeating: 1, count: 150)
        let other = mistake(sections.dropLast() + [deletion], old, [0] + old.dropFirst())
        #expect((other == .onePastTheEnd(last: 0, isOld: true)) == (moves <= 100), "\(moves)")
    }

    /// For each side on its own: in one section of which one item is one past the end.
    @Test(arguments: [199, 200, 201], [199, 200, 201])
    func upTo200SectionsOfEitherShapeAreTried(_ old: Int, _ new: Int) {
        let (old, new) = (Array(repeating: 3, count: old), Array(repeating: 3, count: new))
        var operations: [Operation] = []
        if new.count > old.count {
            operations = [.insertSections(SectionSet(old.count..<new.count), .none)]
        } else if new.count < old.count {
            operations = [.deleteSections(SectionSet(new.count..<old.count), .none)]
        }
        let found = mistake(
            operations + [.deleteItems([path(0, 3)], .none)],
            old,
            [2] + new.dropFirst()
        )
        let isTried = old.count <= 200 && new.count <= 200
        #expect((found == .onePastTheEnd(last: 2, isOld: true)) == isTried)
    }

    /// Which other item is meant is tried with the last ones: the rest may be taken, but one of those is not.
    @Test(arguments: 0..<40)
    func onlyTheLast16ItemsAreTriedInstead(_ free: Int) {
        let taken = (0..<40).filter { $0 != free }.map { path(0, $0) }
        let found = mistake([.deleteItems(taken + [path(0, 40)], .none)], [40], [0])
        #expect((found == .onePastTheEnd(last: 39, isOld: true)) == (free >= 24), "\(free)")
    }

    /// Likewise with sections: the one that goes has five items, and the others two.
    @Test(arguments: [0, 1, 15, 16, 17, 40, 79])
    func onlyTheLast64SectionsAreTriedInstead(_ meant: Int) {
        var old = Array(repeating: 2, count: 80)
        old[meant] = 5
        let new = Array(repeating: 2, count: 79)
        let found = mistake([.deleteSections([80], .none)], old, new)
        #expect((found == .onePastTheEnd(last: 79, isOld: true)) == (meant >= 16), "\(meant)")
    }

    /// The only section that is inserted or deleted may be another, in shapes of so many.
    @Test(arguments: [2, 62, 63, 64, 65, 150])
    func ofUpTo64SectionsAnotherIsTried(_ sections: Int) {
        let fewer = Array(repeating: 2, count: sections - 1)
        let more = [5] + fewer
        let last = sections - 1
        let inserted = mistake([.insertSections([last], .none)], fewer, more)
        #expect((inserted == .otherSection(recorded: last, fits: 0)) == (sections <= 64))
        let deleted = mistake([.deleteSections([last], .none)], more, fewer)
        #expect((deleted == .otherSection(recorded: last, fits: 0)) == (sections <= 64))
    }

    /// In small records only, whatever is tried.
    @Test(arguments: [false, true])
    func inRecordsOfMoreThan200EditsNothingIsTried(_ isSmall: Bool) {
        let reloads = Operation.reloadItems((0..<(isSmall ? 50 : 500)).map { path(1, $0) }, .none)
        func named(_ operations: [Operation], _ old: [Int], _ new: [Int]) -> Bool {
            switch mistake(operations + [reloads], old, new) {
            case nil, .miscounted: false
            default: true
            }
        }
        let many = 600
        // Another section, the same again, in sequence, past the end, sections that come and go.
        #expect(named([.insertSections([2], .none)], [2, many], [5, 2, many]) == isSmall)
        #expect(
            named([.insertSections([1], .none)], [2, many], [2, many, 5]) == isSmall
        )
        let delete = Operation.deleteItems([path(0, 0)], .none)
        #expect(named([delete, delete], [4, many], [3, many]) == isSmall)
        #expect(named([delete, delete], [4, many], [2, many]) == isSmall)
        #expect(
            named([.deleteItems([path(0, 4)], .none)], [4, many], [3, many]) == isSmall
        )
        #expect(
            named([.insertItems([path(2, 0)], .none)], [4, many], [4, many, 1]) == isSmall
        )
        #expect(
            named([.deleteItems([path(2, 0)], .none)], [4, many, 1], [4, many]) == isSmall
        )
    }
}
