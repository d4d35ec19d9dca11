import CollectionChanges
import Testing

/// Shapes may share the memory of their counts, as those before and after an update do that changes none.
@Suite struct SharedCountsTests {
    private enum SectionEdit {
        case none
        case delete(Int)
        case insert(Int)
        case move(Int, Int)

        static func all(_ count: Int) -> [SectionEdit] {
            let sections = 0..<count
            let moves = sections.flatMap { old in sections.map { SectionEdit.move(old, $0) } }
            return [.none] + sections.map { .delete($0) } + sections.map { .insert($0) } + moves
        }

        func record(in changes: inout HierarchyChangeSet) {
            switch self {
            case .none: break
            case .delete(let section): changes.deleteSections([section])
            case .insert(let section): changes.insertSections([section])
            case .move(let old, let new): changes.moveSection(old, toSection: new)
            }
        }
    }

    private func verdict(
        _ changes: HierarchyChangeSet,
        _ old: HierarchyShape,
        _ new: HierarchyShape
    ) -> String {
        do {
            return try "\(changes.validated(from: old, to: new).edits)"
        } catch {
            return error.description
        }
    }

    @Test func verdictsAreThoseOfEqualShapesWithoutSharedMemory() {
        var (compared, refused) = (0, 0)
        for counts in [[2, 1], [1, 1], [3, 1, 1], [1, 2, 3], [2, 2, 1, 2]] {
            let shape = HierarchyShape(counts)
            let equal = HierarchyShape(counts.map { $0 })
            for first in SectionEdit.all(counts.count) {
                for second in SectionEdit.all(counts.count) {
                    var changes = HierarchyChangeSet()
                    first.record(in: &changes)
                    second.record(in: &changes)
                    let verdict = verdict(changes, shape, shape)
                    #expect(verdict == self.verdict(changes, shape, equal), "\(changes)")
                    compared += 1
                    if verdict.contains("number of items") { refused += 1 }
                }
            }
        }
        #expect(compared > 500 && refused > 50)
    }
}
