import PipelineTestSupport
import Testing

@testable import SimulatedView

/// The check, written the long way: what the first edit that is wrong is refused with.
private struct CheckModel {
    var counts: [Int]
    var carried: [Int: Int] = [:]
    /// The edits so far, each with its run.
    var past: [(run: Int, edit: HierarchyEdit)] = []

    private static func run(_ edit: HierarchyEdit) -> Int {
        switch edit {
        case .removeItem: 1
        case .removeSection: 2
        case .insertSection: 3
        case .insertItem: 4
        }
    }

    /// The place of an edit, and what becomes of it, in words.
    private static func words(_ edit: HierarchyEdit) -> (name: String, place: String, what: String)
    {
        switch edit {
        case .removeItem(let item): ("item", "\(item.path)", "removed")
        case .removeSection(let section): ("section", "\(section.section)", "removed")
        case .insertSection(let section): ("section", "\(section.section)", "inserted")
        case .insertItem(let item): ("item", "\(item.path)", "inserted")
        }
    }

    /// Whether `edit` may stand behind `other` of the same run.
    private static func follows(_ edit: HierarchyEdit, _ other: HierarchyEdit) -> Bool {
        switch (edit, other) {
        case (.removeItem(let new), .removeItem(let old)): new.path < old.path
        case (.removeSection(let new), .removeSection(let old)): new.section < old.section
        case (.insertSection(let new), .insertSection(let old)): new.section > old.section
        case (.insertItem(let new), .insertItem(let old)): new.path > old.path
        default: true
        }
    }

    private func hasRoom(for edit: HierarchyEdit) -> Bool {
        let sections = 0..<counts.count
        return switch edit {
        case .removeItem(let item):
            sections.contains(item.path.section)
                && (0..<counts[item.path.section]).contains(item.path.item)
        case .insertItem(let item):
            sections.contains(item.path.section)
                && (0...counts[item.path.section]).contains(item.path.item)
        case .removeSection(let section): sections.contains(section.section)
        case .insertSection(let section): (0...counts.count).contains(section.section)
        }
    }

    private mutating func apply(_ edit: HierarchyEdit) {
        switch edit {
        case .removeItem(let item): counts[item.path.section] -= 1
        case .insertItem(let item): counts[item.path.section] += 1
        case .removeSection(let section):
            let count = counts.remove(at: section.section)
            if section.role == .move, let target = section.associatedWith {
                carried[target] = count
            }
        case .insertSection(let section):
            let count = carried[section.section] ?? section.freshItemCount
            counts.insert(count, at: section.section)
        }
    }

    /// - Returns: the refusal's code and message.
    mutating func take(_ edit: HierarchyEdit) -> [String]? {
        let (run, index) = (Self.run(edit), past.count)
        let (name, place, what) = Self.words(edit)
        if let last = past.last, last.run > run {
            return [
                "wrongOrder",
                "Edit \(index) is out of order: an edit of run \(run) after one of run \(last.run)",
            ]
        }
        if let last = past.last, last.run == run, !Self.follows(edit, last.edit) {
            return [
                "wrongOrder",
                "Edit \(index) is out of order: \(name) \(place) \(what) after"
                    + " \(Self.words(last.edit).place)",
            ]
        }
        guard hasRoom(for: edit) else {
            return [
                "wrongIndex",
                "Edit \(index) names a place that does not exist: \(name) \(place) \(what) of"
                    + " \(HierarchyShape(counts))",
            ]
        }
        apply(edit)
        past.append((run, edit))
        return nil
    }

    static func refusal(
        _ edits: [HierarchyEdit],
        from old: HierarchyShape,
        to new: HierarchyShape
    ) -> [String]? {
        var model = CheckModel(counts: old.itemCounts)
        for edit in edits {
            if let refusal = model.take(edit) { return refusal }
        }
        if model.counts == new.itemCounts { return nil }
        return [
            "wrongCounts",
            "The edits lead to \(HierarchyShape(model.counts)), but the new map has \(new)",
        ]
    }
}

@Suite("The view's own check of updates, against a plain one")
struct UpdateCheckModelTests {
    private static let edits: [HierarchyEdit] = {
        let paths = (-1...2).flatMap { section in (-1...2).map { ItemPath(section, $0) } }
        let items = paths.flatMap { path -> [HierarchyEdit] in
            [
                .removeItem(ItemEdit(path: path, role: .delete)),
                .insertItem(ItemEdit(path: path, role: .insert)),
            ]
        }
        let sections = (-1...3).flatMap { section -> [HierarchyEdit] in
            [
                .removeSection(SectionEdit(section: section, role: .delete, associatedWith: 0)),
                .removeSection(SectionEdit(section: section, role: .move, associatedWith: 1)),
                .removeSection(SectionEdit(section: section, role: .move)),
                .insertSection(SectionEdit(section: section, role: .insert, freshItemCount: 3)),
            ]
        }
        return items + sections
    }()

    private func refusal(
        _ edits: [HierarchyEdit],
        _ old: HierarchyShape,
        _ new: HierarchyShape
    ) -> [String]? {
        do throws(ViewRefusal) {
            try UpdateCheck.check(edits, from: old, to: new)
            return nil
        } catch { return [error.code.rawValue, error.message] }
    }

    private func compare(_ edits: [HierarchyEdit], _ old: HierarchyShape) {
        var reached = CheckModel(counts: old.itemCounts)
        let isRejected = edits.contains { reached.take($0) != nil }
        let new = isRejected ? old : HierarchyShape(reached.counts)
        for shape in [new, HierarchyShape(new.itemCounts + [1])] {
            let expected = CheckModel.refusal(edits, from: old, to: shape)
            #expect(refusal(edits, old, shape) == expected, "\(edits) from \(old) to \(shape)")
        }
    }

    @Test func ofEveryPairOfEditsTheFirstThatIsWrongIsRejectedInTheSameWords() {
        for first in Self.edits {
            for second in Self.edits { compare([first, second], [2, 1]) }
        }
    }

    /// Runs that are sorted but for an edit or two.
    @Test(arguments: 0..<Effort.number(10, usually: 3))
    func soAreLongerRunsThatAreAlmostRight(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<150 {
            let old = HierarchyShape((0..<3).map { _ in random.next(below: 4) })
            var model = CheckModel(counts: old.itemCounts)
            var edits: [HierarchyEdit] = []
            for _ in 0..<40 {
                let edit = Self.edits[random.next(below: Self.edits.count)]
                var next = model
                if next.take(edit) == nil {
                    edits.append(edit)
                    model = next
                }
            }
            compare(edits, old)
            guard edits.count > 1 else { continue }
            let (first, second) = (
                random.next(below: edits.count), random.next(below: edits.count)
            )
            edits.swapAt(first, second)
            compare(edits, old)
            edits.insert(edits[second], at: first)
            compare(edits, old)
        }
    }
}
