import Testing

@testable import CollectionElements

/// Which elements count as removed, when only sections are marked.
@Suite("Elements whose removal was accepted")
struct ElementRemovalTests {
    @Test func anElementGoesWithTheSectionThatItIsIn() throws {
        var maker = ElementMaker()
        let start = try MapPicture().loaded([2, 1], &maker)
        let moved = start.sections[0].items[0].element
        let staying = start.sections[0].items[1].element
        let now = try start.moving(moved, toSection: 1, &maker)
        moved.markMoved(to: now.sections[1].section)
        now.sections[0].section.markRemoved()
        #expect(staying.isRemoved && !moved.isRemoved)
        now.sections[1].section.markRemoved()
        #expect(moved.isRemoved)
    }

    @Test func supplementaryElementsGoWithTheirSection() throws {
        var maker = ElementMaker()
        let start = try MapPicture().loaded([1, 1], &maker)
        let update = try HierarchyChangeSet().validated(from: start.shape, to: start.shape)
        let step = start.step(update, &maker, supplementaries: [1: [.header: (0, 2)]])
        let picture = start.applying(step)
        let headers = try #require(picture.sections[1].supplementaries[.header])
        picture.sections[0].section.markRemoved()
        #expect(!headers.contains { $0.isRemoved })
        picture.sections[1].section.markRemoved()
        #expect(headers.allSatisfy { $0.isRemoved })
    }

    /// A user may still hold the element, and ask for its node.
    @Test func aRemovalIsNotForgottenWhenTheLastMapWithTheElementGoes() throws {
        var maker = ElementMaker()
        var picture = try MapPicture().loaded([1, 1], &maker)
        let element = picture.sections[0].items[0].element
        picture = try picture.moving(element, toSection: 1, &maker)
        element.markMoved(to: picture.sections[1].section)
        picture.sections[1].section.markRemoved()
        #expect(element.isRemoved)
        var changes = HierarchyChangeSet()
        changes.deleteSections([1])
        let update = try changes.validated(from: [0, 2], to: [0])
        picture = picture.applying(picture.step(update, &maker))
        #expect(picture.map.path(of: element) == nil)
        #expect(element.isRemoved)
    }

    /// A map of a rejected change set may live on: a large one until it is freed elsewhere, any with
    /// whom a layout delegate made a context of it.
    @Test func aRejectedMapDoesNotDecideWhichSectionAnElementGoesWith() throws {
        var maker = ElementMaker()
        let accepted = try MapPicture().loaded([1, 1], &maker)
        let element = accepted.sections[0].items[0].element
        let refused = try accepted.moving(element, toSection: 1, &maker)
        accepted.sections[1].section.markRemoved()
        #expect(!element.isRemoved, "it is in section 0 of the accepted map")
        withExtendedLifetime(refused) {}
    }
}
