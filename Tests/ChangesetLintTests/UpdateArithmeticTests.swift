import CollectionPipeline
import Testing

@testable import changeset_lint

/// The sums of `--explain`, for one move of an item beside one edit of a section.
@Suite struct UpdateArithmeticTests {
    private enum SectionEdit: CaseIterable {
        case none, delete, insert, reload, move
    }

    /// What is in the collection; 0 is a fresh item.
    private typealias Model = [[Int]]

    private static let model: Model = [[1, 2], [3], [4, 5]]

    private func changes(
        _ edit: SectionEdit,
        _ oldSection: Int,
        _ newSection: Int,
        moving oldPath: ItemPath,
        to newPath: ItemPath
    ) -> (changes: HierarchyChangeSet, model: Model)? {
        var changes = HierarchyChangeSet()
        var model = Self.model
        let item = model[oldPath.section].remove(at: oldPath.item)
        switch edit {
        case .none: break
        case .delete:
            changes.deleteSections([oldSection])
            model.remove(at: oldSection)
        case .insert:
            changes.insertSections([newSection])
            model.insert([0], at: newSection)
        case .reload:
            changes.reloadSections([oldSection])
            model[oldSection] = [0, 0]
        case .move:
            changes.moveSection(oldSection, to: newSection)
            model.insert(model.remove(at: oldSection), at: newSection)
        }
        guard newPath.section < model.count, newPath.item <= model[newPath.section].count else {
            return nil
        }
        changes.moveItem(from: oldPath, to: newPath)
        model[newPath.section].insert(item, at: newPath.item)
        return (changes, model)
    }

    @Test func theSumsComeOutWhateverMovesBesideSectionsThatComeGoOrMove() throws {
        let places = (0..<3).flatMap { section in
            (0..<3).map { ItemPath(section: section, item: $0) }
        }
        let old = HierarchyShape(Self.model.map(\.count))
        var (checked, moved) = (0, 0)
        for edit in SectionEdit.allCases {
            for (oldSection, newSection) in (0..<9).map({ ($0 / 3, $0 % 3) }) {
                for oldPath in places where oldPath.item < Self.model[oldPath.section].count {
                    for newPath in places {
                        guard
                            let (changes, model) = changes(
                                edit,
                                oldSection,
                                newSection,
                                moving: oldPath,
                                to: newPath
                            ),
                            let update = try? changes.validated(
                                from: old,
                                to: HierarchyShape(model.map(\.count))
                            )
                        else { continue }
                        let arithmetic = UpdateArithmetic(update)
                        #expect(arithmetic.sections.after == model.count, "\(changes)")
                        for (section, sum) in arithmetic.changedItems {
                            #expect(sum.after == model[section].count, "\(changes)")
                            moved += sum.movedIn
                        }
                        checked += 1
                    }
                }
            }
        }
        #expect(checked > 500 && moved > 100)
    }
}
