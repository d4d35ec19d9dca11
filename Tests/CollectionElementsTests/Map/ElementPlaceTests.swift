import PersistentTrees
import TestSupport
import Testing

@testable import CollectionElements

@Suite("Places of elements and sections")
struct ElementPlaceTests {
    /// As where a change set is rejected, and its elements are inserted elsewhere.
    @Test func anElementInsertedTwiceIsFoundInBothMaps() throws {
        var maker = ElementMaker()
        let base = try MapPicture().loaded([1, 1], &maker)
        let element = maker.element()
        let maps = try (0..<2).map { section in
            var changes = HierarchyChangeSet()
            changes.insertItems(at: [ItemPath(section, 1)])
            var counts = [1, 1]
            counts[section] += 1
            let update = try changes.validated(from: [1, 1], to: HierarchyShape(counts))
            var change = ElementMapChange()
            change.insertedItems = [element]
            return base.map.applying(update, change, generation: 2)
        }
        for (section, map) in maps.enumerated() {
            #expect(map.path(of: element) == ItemPath(section, 1))
            #expect(map.pathIfItem(of: element) == ItemPath(section, 1))
        }
    }

    @Test func anElementMovedTwiceIsFoundInEveryMap() throws {
        var maker = ElementMaker()
        var pictures = [try MapPicture().loaded([2, 1, 1], &maker)]
        let element = pictures[0].sections[0].items[1].element
        for section in [1, 2] {
            let next = try pictures[section - 1].moving(element, toSection: section, &maker)
            element.markMoved(to: next.sections[section].section)
            pictures.append(next)
        }
        let paths = pictures.map { $0.map.path(of: element) }
        #expect(paths == [ItemPath(0, 1), ItemPath(1, 0), ItemPath(2, 0)])
        // Newest first, since maps that are asked mostly are.
        var asked: [CollectionSection] = []
        let none: Int? = element.firstPlace { section, _ in
            asked.append(section)
            return nil
        }
        let sections = pictures[0].sections.map(\.section)
        #expect(none == nil && asked == [sections[2], sections[1], sections[0]])
    }

    @Test func aSectionIsAskedForByItsNewestLabelFirst() throws {
        let section = CollectionSection(id: 0, context: nil)
        let held = [1, 2, 3].map { section.place(label: $0) }
        var asked: [Int] = []
        let none: Int? = section.firstPlace { label in
            asked.append(label)
            return nil
        }
        #expect(none == nil && asked == [3, 2, 1] && held[0] == nil)
    }

    // MARK: Neighbours

    /// Those that are inserted together share the room evenly.
    @Test func neighboursThatAreInsertedTogetherAreEvenlySpaced() throws {
        var maker = ElementMaker()
        let base = try MapPicture().loaded([2, 1], &maker)
        var changes = HierarchyChangeSet()
        changes.insertSections([1, 2, 3])
        changes.insertItems(at: (1...3).map { ItemPath(0, $0) } + [ItemPath(4, 1)])
        let update = try changes.validated(from: [2, 1], to: [5, 0, 0, 0, 2])
        let next = base.applying(base.step(update, &maker))
        #expect(next.difference() == nil)
        for labels in [next.map.storage.entries.map(\.label), next.labels(inSection: 0)] {
            let steps = zip(labels, labels.dropFirst()).map { $1 - $0 }
            #expect(steps == Array(repeating: OrderLabels.spacing / 4, count: 4))
        }
    }

    /// What feeds do: behind a pinned first item, one change set after the other.
    @Test func itemsInsertedBesideTheNewestGetNobodyAnotherLabel() throws {
        var maker = ElementMaker()
        var picture = try MapPicture().loaded([2], &maker)
        for _ in 0..<200 { picture = try picture.inserting(1, at: ItemPath(0, 1), &maker) }
        let isMoved = picture.sections[0].items.map { content in
            !content.element.body.withLock { $0.places.later.isEmpty }
        }
        #expect(!isMoved.contains(true))
        #expect(picture.difference() == nil)
    }

    /// Removed one by one, the others would stay where they are.
    @Test func neighboursThatAreMostOfASectionAreRemovedTogether() throws {
        var maker = ElementMaker()
        let base = try MapPicture().loaded([1000], &maker)
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: (100..<900).map { ItemPath(0, $0) })
        let update = try changes.validated(from: [1000], to: [200])
        let next = base.applying(base.step(update, &maker))
        let nodes = [base, next].map { $0.map.storage.entries[0].slots.nodeIdentities() }
        #expect(nodes[0].isDisjoint(with: nodes[1]))
        #expect(next.difference() == nil)
    }

    @Test func theItemsOfASectionAreVisitedInOrder() throws {
        var maker = ElementMaker()
        let picture = try MapPicture().loaded([2, 0, 40], &maker)
        for section in [-1, 0, 1, 2, 3, Int.min, Int.max] {
            var visited: [CollectionElement] = []
            picture.map.forEachItem(inSection: section) { visited.append($0) }
            let isThere = (0..<3).contains(section)
            #expect(visited == (isThere ? picture.sections[section].items.map(\.element) : []))
        }
    }
}

extension MapPicture {
    fileprivate func labels(inSection section: Int) -> [Int] {
        map.storage.entries[section].slots.map(\.label)
    }
}
