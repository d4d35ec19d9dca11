import TestSupport
import Testing

@testable import CollectionElements

/// Nothing of a map outlives the last version that has it.
@Suite("Lifetimes of what maps hold")
struct PlaceLifetimeTests {
    @Test func anElementMovedAThousandTimesKnowsFewPlaces() throws {
        var maker = ElementMaker()
        var picture = try MapPicture().loaded([3, 3], &maker)
        let element = picture.sections[0].items[0].element
        var places: [Weak<ElementPlacing>] = []
        for step in 0..<1000 {
            picture = try picture.moving(element, toSection: 1 - step % 2, &maker)
            #expect(element.laterPlaces.count <= 2, "after \(step + 1) moves")
            if let place = element.laterPlaces.last { places.append(place) }
        }
        #expect(places.count { $0.object != nil } == 1)
        #expect(picture.difference() == nil)
    }

    /// A map may let go of a place while the element notes another: its end may be the application's code, which
    /// has to come after the lock.
    @Test func whatIsStillHeldWhileAnotherPlaceIsNotedIsForTheCallerToRelease() throws {
        var maker = ElementMaker()
        let picture = try MapPicture().loaded([1], &maker)
        let (section, content) = (picture.sections[0].section, picture.sections[0].items[0])
        var places = ElementPlaces.none
        let isFirst = places.put(section, label: 0)
        #expect(isFirst)
        var held: [ElementPlacing] = []
        for (label, expected) in [(1, []), (2, [1]), (3, [2])] {
            held.append(ElementPlacing(content, section, label: label))
            if label == 3 { held.removeFirst() }
            let released = places.noted(held[held.count - 1])
            #expect(released.map(\.label) == expected)
        }
        #expect(places.later.map { $0.object?.label } == [2, 3])
    }

    @Test func aSectionMovedAThousandTimesKnowsFewPlaces() throws {
        var maker = ElementMaker()
        var picture = try MapPicture().loaded([1, 1, 1], &maker)
        let section = picture.sections[0].section
        for _ in 0..<1000 {
            let index = try #require(picture.map.index(of: section))
            var changes = HierarchyChangeSet()
            changes.moveSection(index, toSection: (index + 1) % 3)
            let update = try changes.validated(from: picture.shape, to: picture.shape)
            picture = picture.applying(picture.step(update, &maker))
            var asked = 0
            let none: Int? = section.firstPlace { _ in
                asked += 1
                return nil
            }
            #expect(none == nil && asked <= 3)
        }
        #expect(picture.difference() == nil)
    }

    /// Moved, reconfigured and crowded at random, with some versions kept: models, which contents
    /// hold, go with the last version that shows them.
    @Test(arguments: UInt64(1)...4)
    func contentsGoWithTheLastVersionThatHasThem(_ seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let ended = LiveCount()
        var maker = ElementMaker { ended.add(1) }
        var kept = [try MapPicture().loaded([4, 0, 5], &maker)]
        var sections: [Weak<CollectionSection>] = []
        for step in 0..<80 {
            let base = kept[random.next(below: kept.count)]
            let draft = RandomUpdate(from: base.shape, &random, rate: 0.2)
            let update = try draft.changes.validated(from: base.shape, to: draft.newShape)
            let next = base.applying(base.step(update, &maker))
            sections += next.sections.map { Weak($0.section) }
            kept.append(next)
            if kept.count > 3 { kept.remove(at: random.next(below: kept.count)) }
            guard step % 10 == 9 else { continue }
            let held = Set((kept + [base, next]).flatMap { $0.sections.flatMap(\.items) })
            // An element holds what it came with for as long as it lives.
            let first = Set(held.map(\.element)).map(\.firstContent)
            let living = maker.modelCount.value - ended.value
            #expect(living == held.union(first).count, "seed \(seed), step \(step)")
        }
        kept = []
        #expect(maker.modelCount.value == ended.value, "seed \(seed)")
        let isAnyLeft = sections.contains { $0.object != nil }
        #expect(!isAnyLeft, "seed \(seed)")
    }

    @Test func aDeletedSectionGoesThoughAnItemWasMovedOutOfIt() throws {
        var maker = ElementMaker()
        var versions = [try MapPicture().loaded([1, 1], &maker)]
        var changes = HierarchyChangeSet()
        changes.deleteSections([0])
        changes.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 0))
        let update = try changes.validated(from: [1, 1], to: [2])
        versions.append(versions[0].applying(versions[0].step(update, &maker)))
        let element = versions[1].sections[0].items[0].element
        element.markMoved(to: versions[1].sections[0].section)
        for version in versions { #expect(version.difference([element]) == nil) }
        weak let section = versions[0].sections[0].section
        versions.removeFirst()
        #expect(section == nil)
        #expect(versions[0].difference([element]) == nil)
    }

    @Test func relabelledElementsForgetTheLabelsOfMapsThatAreGone() throws {
        var maker = ElementMaker()
        var picture = try MapPicture().loaded([2], &maker)
        for step in 0..<1000 {
            picture = try picture.inserting(1, at: ItemPath(0, 1 + step / 2), &maker)
        }
        #expect(picture.difference() == nil)
        let places = picture.sections[0].items.map { $0.element.laterPlaces }
        // One that is held, and one that was replaced since.
        let most = places.map(\.count).max() ?? 0
        #expect((1...2).contains(most), "\(most)")
        #expect(places.allSatisfy { $0.count { $0.object != nil } <= 1 })
    }
}

extension CollectionElement {
    fileprivate var laterPlaces: [Weak<ElementPlacing>] {
        body.withLock { $0.places.later }
    }
}

extension MapPicture {
    /// With an item moved to the front of a section.
    func moving(
        _ element: CollectionElement,
        toSection section: Int,
        _ maker: inout ElementMaker
    ) throws -> MapPicture {
        guard let path = map.path(of: element) else { throw TestFailure("not in the map") }
        var changes = HierarchyChangeSet()
        changes.moveItem(at: path, to: ItemPath(section, 0))
        var counts = shape.itemCounts
        counts[path.section] -= 1
        counts[section] += 1
        let update = try changes.validated(from: shape, to: HierarchyShape(counts))
        return applying(step(update, &maker))
    }
}
