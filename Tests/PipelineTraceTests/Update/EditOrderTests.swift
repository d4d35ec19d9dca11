import CollectionLayouts
import PipelineTrace
import Testing

@testable import SimulatedView

@Suite("The order of what an update did") struct EditOrderTests {
    private func cellPlace(_ section: Int, _ item: Int) -> LayoutPlace {
        .cell(ItemPath(section: section, item: item))
    }

    private func header(_ section: Int) -> PicturedElement {
        PicturedElement(
            LayoutAttributes(.header(section), frame: Rect(x: 0, y: 0, width: 200, height: 10))
        )
    }

    @Test func whatWentOrMovedByItsKeyIsInTheOrderOfThePictureBefore() {
        let picture = UpdatePicture(
            matching: .rows([["a", "b", "c", "d"]]),
            with: .rows([["b", "x"]])
        )
        #expect(
            picture.edits == [
                .deleted(old: cellPlace(0, 0)),
                .moved(old: cellPlace(0, 1), new: cellPlace(0, 0)),
                .deleted(old: cellPlace(0, 2)), .deleted(old: cellPlace(0, 3)),
                .inserted(new: cellPlace(0, 1)),
            ]
        )
    }

    @Test func sectionsThatMovedOrWereReloadedAreInTheirOldOrder() throws {
        var changes = HierarchyChangeSet()
        changes.moveSection(2, toSection: 0)
        changes.moveSection(0, toSection: 3)
        changes.reloadSections([1, 3])
        let picture = UpdatePicture(
            old: .rows([["a"], ["b"], ["c"], ["d"]]),
            new: .rows([["c"], ["x"], ["y"], ["a"]]),
            applying: try changes.validated(from: [1, 1, 1, 1], to: [1, 1, 1, 1])
        )
        #expect(
            picture.edits == [
                .movedSection(old: 0, new: 3), .reloadedSection(old: 1, new: 1),
                .movedSection(old: 2, new: 0), .reloadedSection(old: 3, new: 2),
            ]
        )
    }

    /// A header has the path of the section's first item, whatever becomes of that one.
    @Test func whatWentOrCameWithItsSectionIsMarkedButForTheItemsThatMoved() throws {
        var changes = HierarchyChangeSet()
        changes.deleteSections([0])
        changes.insertSections([1])
        changes.moveItem(at: ItemPath(section: 0, item: 0), to: ItemPath(section: 1, item: 0))
        var old = LayoutPicture.rows([["a", "b", "c"], ["d"]])
        var new = LayoutPicture.rows([["d"], ["a", "x", "y"]])
        old.elements.append(header(0))
        new.elements.append(header(1))
        let picture = UpdatePicture(
            old: old,
            new: new,
            applying: try changes.validated(from: [3, 1], to: [1, 3])
        )
        #expect(
            picture.edits == [
                .moved(old: cellPlace(0, 0), new: cellPlace(1, 0)),
                .deleted(old: cellPlace(0, 1)), .deleted(old: cellPlace(0, 2)),
                .deleted(old: .header(0)), .inserted(new: cellPlace(1, 1)),
                .inserted(new: cellPlace(1, 2)), .inserted(new: .header(1)),
            ]
        )
    }

    @Test func inAMomentWhatGoesComesFirstInTheOrderOfItsTransitions() {
        let picture = UpdatePicture(
            old: .rows([["a", "b", "c"]]),
            new: .rows([["c"]]),
            edits: []
        )
        let transitions = [1, 0].map { index in
            let gone = picture.old.elements[index].attributes
            return ViewTransition(oldPlace: gone.place, newPlace: nil, start: gone, end: gone)
        }
        let middle = picture.moment(0.5, of: transitions)
        #expect(middle.elements.map(\.key) == ["b", "a", "c"])
    }
}
