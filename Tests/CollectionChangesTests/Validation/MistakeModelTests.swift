import TestSupport
import Testing

@testable import CollectionChanges

/// The mistake that is named is the first that fits, and where none is named none fits: compared with trying.
@Suite struct MistakeModelTests {
    private typealias Operation = HierarchyChangeSet.Operation

    private func difference(_ draw: RandomRecords.Draw) -> String? {
        let error = refusal { () throws(HierarchyUpdateError) in
            try draw.changes.validated(from: draw.old, to: draw.new)
        }
        guard let error else { return nil }
        let model = MistakeModel(
            operations: draw.changes.operations,
            old: draw.old,
            new: draw.new,
            error: error
        )
        let (found, expected) = (LikelyMistake(behind: error, draw.changes), model.mistake)
        if found == expected { return nil }
        return "\(draw.changes.operations) \(draw.old) \(draw.new) \(error.code.rawValue):"
            + " \(String(describing: found)), not \(String(describing: expected))"
    }

    /// Every record of one operation, and one of several of two, between shapes of at most two sections.
    @Test func everySmallRecordGetsTheFirstMistakeThatFits() {
        let shapes = everyShape(sections: 2, itemsEach: 2, items: 3)
        var step = 0
        for old in shapes {
            for new in shapes {
                let operations = elementaryOperations(from: old, to: new, beyond: true)
                var records: [[Operation]] = [[]] + operations.map { [$0] }
                for (index, first) in operations.enumerated() {
                    for second in operations[index...] {
                        step += 1
                        if step.isMultiple(of: Self.stride) { records.append([first, second]) }
                    }
                }
                for record in records {
                    let changes = HierarchyChangeSet(record)
                    let draw = RandomRecords.Draw(changes: changes, old: old, new: new)
                    if let difference = difference(draw) { Issue.record("\(difference)") }
                }
            }
        }
    }

    /// Primes, so that no part of the enumeration is left out.
    private static let stride = Effort.number(101, usually: 997)

    /// Larger ones: a valid record in which one thing or two were recorded otherwise.
    @Test func aRandomRecordGetsTheFirstMistakeThatFits() {
        for seed in UInt64(0)..<Effort.number(2_000, usually: 600) {
            var spoiler = Spoiler(seed: seed)
            let draw = spoiler.draw()
            if let difference = difference(draw) { Issue.record("seed \(seed): \(difference)") }
        }
    }

    /// An item recorded with its place on the other side, beside edits of sections.
    @Test func aRandomPlaceOfTheOtherSideGetsTheFirstMistakeThatFits() {
        for seed in UInt64(0)..<Effort.number(2_000, usually: 600) {
            var spoiler = Spoiler(seed: seed)
            let draw = spoiler.otherSide()
            if let difference = difference(draw) { Issue.record("seed \(seed): \(difference)") }
        }
    }

    /// Each edit recorded as if those before it were done.
    @Test func aRandomSequenceGetsTheFirstMistakeThatFits() {
        for seed in UInt64(0)..<Effort.number(2_000, usually: 500) {
            var spoiler = Spoiler(seed: seed)
            let draw = spoiler.sequence()
            if let difference = difference(draw) { Issue.record("seed \(seed): \(difference)") }
        }
    }
}

/// Records what somebody might record by mistake. Everything follows from the seed.
private struct Spoiler {
    typealias Operation = HierarchyChangeSet.Operation

    private var random: SeededNumbers
    private let seed: UInt64

    init(seed: UInt64) {
        random = SeededNumbers(seed: seed ^ 0x5901)
        self.seed = seed
    }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    // MARK: Valid records, spoilt

    mutating func draw() -> RandomRecords.Draw {
        var records = RandomRecords(seed: seed)
        var draw = records.valid(sections: 1 + below(4), items: 3)
        // Few edits at a time are told apart best.
        var operations = draw.changes.operations
        for _ in 0...below(2) { spoil(&operations, &draw) }
        draw.changes = HierarchyChangeSet(operations)
        return draw
    }

    private mutating func spoil(_ operations: inout [Operation], _ draw: inout RandomRecords.Draw) {
        let index = operations.indices.randomElement(using: &random)
        switch below(8) {
        case 0:
            if let index { operations.remove(at: index) }
        case 1:
            if let index { operations.append(operations[index]) }
        case 2, 3:
            if let index { operations[index] = elsewhere(operations[index]) }
        case 4:
            var counts = draw.new.itemCounts
            guard let section = counts.indices.randomElement(using: &random) else { return }
            counts[section] = below(4)
            draw.new = HierarchyShape(counts)
        case 5: draw.new = draw.old
        case 6:
            var counts = draw.new.itemCounts
            if Bool.random(using: &random) {
                counts.insert(below(3), at: below(counts.count + 1))
            } else if !counts.isEmpty {
                counts.remove(at: below(counts.count))
            }
            draw.new = HierarchyShape(counts)
        default:
            operations.insert(anything(), at: below(operations.count + 1))
        }
    }

    private mutating func elsewhere(_ operation: Operation) -> Operation {
        let (step, other) = (below(3) - 1, below(4))
        func moved(_ path: ItemPath) -> ItemPath {
            ItemPath(section: max(0, path.section + step), item: step == 0 ? other : path.item)
        }
        return switch operation {
        case .deleteItems(let paths, let animation): .deleteItems(paths.map(moved), animation)
        case .insertItems(let paths, let animation): .insertItems(paths.map(moved), animation)
        case .moveItem(let from, let to, let animation):
            Bool.random(using: &random)
                ? .moveItem(at: moved(from), to: to, animation)
                : .moveItem(at: from, to: moved(to), animation)
        case .deleteSections(_, let animation): .deleteSections([other], animation)
        case .insertSections(_, let animation): .insertSections([other], animation)
        case .moveSection(let from, let to, let animation):
            Bool.random(using: &random)
                ? .moveSection(other, toSection: to, animation)
                : .moveSection(from, toSection: other, animation)
        default: operation
        }
    }

    private mutating func place() -> ItemPath { ItemPath(section: below(4), item: below(4)) }
    private mutating func sections() -> SectionSet {
        SectionSet((0..<below(3)).map { _ in below(4) })
    }

    private mutating func anything() -> Operation {
        switch below(12) {
        case 0: .deleteItems([place()], .automatic)
        case 1: .deleteItems([place(), place()], .automatic)
        case 2: .insertItems([place()], .automatic)
        case 3: .insertItems([place(), place()], .automatic)
        case 4: .reloadItems([place()], .automatic)
        case 5: .reconfigureItems([place(), place()], .automatic)
        case 6: .moveItem(at: place(), to: place(), .automatic)
        case 7: .deleteSections(sections(), .automatic)
        case 8: .insertSections(sections(), .automatic)
        case 9: .reloadSections(sections(), .automatic)
        case 10: .moveSection(below(4), toSection: below(4), .automatic)
        default:
            Bool.random(using: &random)
                ? .reconfigureSections(sections(), .automatic)
                : .reloadSupplementaries(.header, in: sections(), .automatic)
        }
    }

    // MARK: Places of the other side

    /// Of sections of two items each some are deleted, inserted and moved; in one that stays one item comes
    /// or goes, and is recorded for the index that the section has on the other side.
    mutating func otherSide() -> RandomRecords.Draw {
        let oldCount = 2 + below(3)
        let deleted = SectionSet((0..<below(3)).map { _ in below(oldCount) })
        let newCount = oldCount - deleted.count + below(3)
        let inserted = (0..<newCount).shuffled(using: &random)
            .prefix(newCount - oldCount + deleted.count)
        var operations: [Operation] = [
            .deleteSections(deleted, .automatic),
            .insertSections(SectionSet(inserted), .automatic),
        ]
        let (from, to) = (below(oldCount), max(0, newCount - 1 - below(2)))
        if below(2) == 0, !deleted.contains(from), !inserted.contains(to) {
            operations.append(.moveSection(from, toSection: to, .automatic))
        }
        let old = HierarchyShape(Array(repeating: 2, count: oldCount))
        var new = Array(repeating: 2, count: newCount)
        let update = try? HierarchyChangeSet(operations).validated(
            from: old,
            to: HierarchyShape(new)
        )
        // What is last on one side is mostly not there on the other.
        let section = Bool.random(using: &random) ? from : oldCount - 1
        if let newSection = update?.sectionMapping.newIndex(for: section) {
            let isInsert = Bool.random(using: &random)
            new[newSection] += isInsert ? 1 : -1
            let edit =
                isInsert
                ? Operation.insertItems([path(section, 0)], .automatic)
                : .deleteItems([path(newSection, 0)], .automatic)
            // Some are right one after the other, which comes first.
            operations.insert(edit, at: below(operations.count + 1))
        } else {
            // One of a section that is deleted, or new.
            operations.append(.insertItems([path(section, 0)], .automatic))
        }
        return RandomRecords.Draw(
            changes: HierarchyChangeSet(operations),
            old: old,
            new: HierarchyShape(new)
        )
    }

    // MARK: Sequences

    mutating func sequence() -> RandomRecords.Draw {
        let old = (0..<below(4)).map { _ in below(4) }
        var counts = old
        var operations: [Operation] = []
        for _ in 0..<(2 + below(3)) {
            let operation = anything()
            // Most are possible, some are not.
            if possible(operation, counts) || below(30) == 0 {
                operations.append(operation)
                apply(operation, &counts)
            }
        }
        return RandomRecords.Draw(
            changes: HierarchyChangeSet(operations),
            old: HierarchyShape(old),
            new: HierarchyShape(counts)
        )
    }

    private func possible(_ operation: Operation, _ counts: [Int]) -> Bool {
        var next = counts
        var random = SeededNumbers(seed: 0)
        apply(operation, &next, &random)
        return
            (try? HierarchyChangeSet([operation])
            .validated(from: HierarchyShape(counts), to: HierarchyShape(next))) != nil
    }

    private mutating func apply(_ operation: Operation, _ counts: inout [Int]) {
        apply(operation, &counts, &random)
    }

    /// As far as it goes.
    private func apply(
        _ operation: Operation,
        _ counts: inout [Int],
        _ random: inout SeededNumbers
    ) {
        func add(_ paths: [ItemPath], _ step: Int) {
            for path in paths where counts.indices.contains(path.section) {
                counts[path.section] = max(0, counts[path.section] + step)
            }
        }
        switch operation {
        case .deleteItems(let paths, _): add(paths, -1)
        case .insertItems(let paths, _): add(paths, 1)
        case .moveItem(let from, let to, _):
            add([from], -1)
            add([to], 1)
        case .deleteSections(let sections, _):
            counts = counts.indices.filter { !sections.contains($0) }.map { counts[$0] }
        case .insertSections(let sections, _):
            for section in sections where section <= counts.count {
                counts.insert(Int.random(in: 0..<4, using: &random), at: section)
            }
        case .reloadSections(let sections, _):
            for section in sections where section < counts.count {
                counts[section] = Int.random(in: 0..<4, using: &random)
            }
        case .moveSection(let from, let to, _):
            guard counts.indices.contains(from), counts.indices.contains(to) else { return }
            counts.insert(counts.remove(at: from), at: to)
        default: break
        }
    }
}
