import TestSupport
import Testing

@testable import CollectionChanges

/// Valid records, broken by one known mistake each: how often a hint names it, and that none is against the
/// numbers.
@Suite struct LikelyMistakeTests {
    enum Mistake: String, CaseIterable, Sendable {
        case forgotten, recordedTwice, onePastTheEnd, otherSide, modelChanged, modelUnchanged
        case inSequence, inOtherSection

        /// In how many of a hundred rejections the hint names it at least; somewhat less than was counted.
        var leastPercent: Int {
            switch self {
            case .forgotten: 95
            case .recordedTwice: 99
            case .onePastTheEnd: 90
            case .otherSide: 80
            case .modelChanged: 70
            case .modelUnchanged: 95
            case .inSequence: 95
            case .inOtherSection: 95
            }
        }

        func isNamed(by mistake: LikelyMistake) -> Bool {
            switch (self, mistake) {
            case (.forgotten, .nothingRecorded), (.forgotten, .miscounted),
                (.forgotten, .untouchedSection), (.forgotten, .sectionsNotInserted),
                (.forgotten, .sectionsNotDeleted), (.modelChanged, .miscounted),
                (.modelChanged, .untouchedSection), (.modelChanged, .nothingRecorded),
                (.recordedTwice, .recordedTwice), (.onePastTheEnd, .onePastTheEnd),
                (.otherSide, .otherSide), (.modelUnchanged, .modelUnchanged),
                (.inSequence, .readInSequence), (.inOtherSection, .inOtherSection):
                true
            default: false
            }
        }
    }

    @Test(arguments: Mistake.allCases)
    func aKnownMistakeIsNamedMostly(_ mistake: Mistake) {
        var (rejected, named) = (0, 0)
        var others: [String: Int] = [:]
        for seed in UInt64(0)..<1_000 {
            guard let draw = mistake.broken(seed: seed), let (error, found) = find(draw) else {
                continue
            }
            rejected += 1
            if let found, mistake.isNamed(by: found) {
                named += 1
            } else {
                others["\(error.code.rawValue): \(error.hint ?? "none")", default: 0] += 1
            }
        }
        let percent = named * 100 / max(1, rejected)
        #expect(rejected > 30)
        #expect(
            percent >= mistake.leastPercent,
            "\(named) of \(rejected); \(others.sorted { $0.value > $1.value }.prefix(4))"
        )
    }

    /// Of shapes that are refused themselves nothing is tried, which would trap or take for ever.
    @Test(arguments: [-1, 1 << 40], [ValidationProfile.standard, .strict, .texture])
    func inImpossibleShapesNoMistakeIsLookedFor(_ count: Int, _ profile: ValidationProfile) {
        let changes = HierarchyChangeSet([.reconfigureSections([0], .automatic)])
        let error = #expect(throws: HierarchyUpdateError.self) {
            try changes.validated(from: [count], to: [count], profile: profile)
        }
        #expect(error?.code == (count < 0 ? .negativeItemCount : .tooManyItems))
    }

    /// A section is named as new, or as gone, only where that makes the counts come out.
    @Test func sectionsAreNamedOnlyWhereThatIsAllThatIsMissing() throws {
        func hint(
            _ old: HierarchyShape,
            _ new: HierarchyShape,
            _ change: HierarchyChangeSet.Operation
        )
            -> String
        {
            let error = #expect(throws: HierarchyUpdateError.self) {
                try HierarchyChangeSet([change]).validated(from: old, to: new)
            }
            return error?.hint ?? ""
        }
        let inserted = HierarchyChangeSet.Operation.insertItems([path(2, 1)], .automatic)
        #expect(!hint([3, 1], [5, 3, 2], inserted).contains("is new"))
        #expect(hint([3, 1], [3, 1, 2], inserted).contains("Section 2 is new"))
        let deleted = HierarchyChangeSet.Operation.deleteItems(
            [path(0, 0), path(0, 1)],
            .automatic
        )
        #expect(!hint([2, 3], [0], deleted).contains("went with its items"))
        #expect(hint([2, 3], [3], deleted).contains("Section 0 went with its items"))
    }

    /// What is recorded of sections says which one was meant.
    @Test func anIndexOfTheOtherSideIsNamedWithThatOfItsOwn() {
        typealias Operation = HierarchyChangeSet.Operation
        let insert = Operation.insertItems([path(2, 0)], .automatic)
        let delete = Operation.deleteItems([path(2, 0)], .automatic)
        let cases: [(HierarchyShape, HierarchyShape, [Operation], String)] = [
            ([1, 1, 1], [1, 2], [.deleteSections([0], .automatic), insert], "section 2 is 1"),
            (
                [1, 1, 1], [1, 2], [.deleteSections([2], .automatic), insert],
                "section 2 is deleted"
            ),
            ([1, 2], [1, 1, 1], [delete, .insertSections([0], .automatic)], "section 2 was 1"),
            (
                [1, 1, 1], [2, 1],
                [
                    .deleteSections([0], .automatic), .moveSection(2, toSection: 0, .automatic),
                    insert,
                ],
                "section 2 is 0"
            ),
        ]
        for (old, new, operations, text) in cases {
            let error = #expect(throws: HierarchyUpdateError.self) {
                try HierarchyChangeSet(operations).validated(from: old, to: new)
            }
            #expect(error?.hint?.contains(text) == true, "\(error?.hint ?? "")")
        }
    }

    @Test func noHintIsAgainstTheNumbers() {
        var found: [String: Int] = [:]
        for seed in UInt64(0)..<6_000 {
            var records = RandomRecords(seed: seed)
            let draw = records.spoilt()
            guard case let (error, mistake?)? = find(draw) else { continue }
            let check = MistakeCheck(draw: draw, error: error)
            if !check.fits(mistake) { Issue.record("seed \(seed): \(mistake) \(error)") }
            found[MistakeCheck.name(of: mistake), default: 0] += 1
        }
        for kind in Mistake.allCases {
            for seed in UInt64(0)..<300 {
                guard let draw = kind.broken(seed: seed), case let (error, mistake?)? = find(draw)
                else {
                    continue
                }
                let check = MistakeCheck(draw: draw, error: error)
                if !check.fits(mistake) { Issue.record("\(kind) \(seed): \(mistake) \(error)") }
                found[MistakeCheck.name(of: mistake), default: 0] += 1
            }
        }
        // All kinds of them.
        #expect(found.count == 13, "\(found)")
    }

    private func find(_ draw: RandomRecords.Draw) -> (HierarchyUpdateError, LikelyMistake?)? {
        let error = refusal { () throws(HierarchyUpdateError) in
            try draw.changes.validated(from: draw.old, to: draw.new)
        }
        guard let error else { return nil }
        return (error, LikelyMistake(behind: error, draw.changes))
    }
}

extension LikelyMistakeTests.Mistake {
    private typealias Operation = HierarchyChangeSet.Operation

    /// A valid record with this mistake in it, if one could be made.
    fileprivate func broken(seed: UInt64) -> RandomRecords.Draw? {
        var records = RandomRecords(seed: seed)
        var random = SeededNumbers(seed: seed ^ 0xBAD)
        var draw = records.valid()
        var operations = draw.changes.operations
        let edits = operations.indices.filter { operations[$0].isCountedEdit }
        let index = edits.randomElement(using: &random)
        switch self {
        case .forgotten:
            guard let index else { return nil }
            operations.remove(at: index)
        case .recordedTwice:
            guard let index else { return nil }
            operations.append(operations[index])
        case .onePastTheEnd, .otherSide:
            guard let index, let changed = misplaced(operations[index], draw, &random) else {
                return nil
            }
            operations[index] = changed
        case .modelChanged:
            var counts = draw.new.itemCounts
            guard let section = counts.indices.randomElement(using: &random) else { return nil }
            counts[section] += counts[section] > 0 && Bool.random(using: &random) ? -1 : 1
            draw.new = HierarchyShape(counts)
        case .modelUnchanged: draw.new = draw.old
        case .inSequence: return Self.sequence(from: draw.old, &random)
        case .inOtherSection: return Self.insertElsewhere(from: draw.old, &random)
        }
        draw.changes = HierarchyChangeSet(operations)
        return draw
    }

    private func misplaced(
        _ operation: Operation,
        _ draw: RandomRecords.Draw,
        _ random: inout SeededNumbers
    ) -> Operation? {
        func place(_ path: ItemPath, _ own: HierarchyShape, _ other: HierarchyShape) -> ItemPath? {
            guard let count = own.numberOfItems(inSection: path.section) else { return nil }
            let end = ItemPath(section: path.section, item: count)
            return other.contains(end) == (self == .otherSide) ? end : nil
        }
        switch operation {
        case .deleteItems(let paths, let animation):
            return place(paths[0], draw.old, draw.new).map { .deleteItems([$0], animation) }
        case .insertItems(let paths, let animation):
            return place(paths[0], draw.new, draw.old).map { .insertItems([$0], animation) }
        default: return nil
        }
    }

    /// Items that are recorded for one section and come in another.
    private static func insertElsewhere(
        from old: HierarchyShape,
        _ random: inout SeededNumbers
    ) -> RandomRecords.Draw? {
        let sections = old.itemCounts.indices.shuffled(using: &random)
        guard sections.count > 1, old.itemCounts[sections[0]] > 0 else { return nil }
        var changes = HierarchyChangeSet()
        changes.insertItems(at: [path(sections[0], 0)])
        var counts = old.itemCounts
        counts[sections[1]] += 1
        return RandomRecords.Draw(changes: changes, old: old, new: HierarchyShape(counts))
    }

    /// Some edits of items, each recorded in the collection that the one before it left.
    private static func sequence(
        from old: HierarchyShape,
        _ random: inout SeededNumbers
    ) -> RandomRecords.Draw? {
        var counts = old.itemCounts
        guard !counts.isEmpty else { return nil }
        var changes = HierarchyChangeSet()
        for _ in 0..<Int.random(in: 2...5, using: &random) {
            let section = Int.random(in: counts.indices, using: &random)
            if counts[section] > 0, Bool.random(using: &random) {
                let item = Int.random(in: 0..<counts[section], using: &random)
                changes.deleteItems(at: [path(section, item)])
                counts[section] -= 1
            } else {
                changes.insertItems(
                    at: [path(section, Int.random(in: 0...counts[section], using: &random))]
                )
                counts[section] += 1
            }
        }
        return RandomRecords.Draw(changes: changes, old: old, new: HierarchyShape(counts))
    }
}

extension HierarchyChangeSet.Operation {
    /// A delete or insert, which nothing merges with another.
    fileprivate var isCountedEdit: Bool {
        switch self {
        case .deleteItems, .insertItems, .deleteSections, .insertSections: true
        default: false
        }
    }
}
