import TestSupport
import Testing

@testable import CollectionElements

@Suite("Queries of an element map")
struct ElementMapQueryTests {
    @Test
    func countsAndPlacesAreThoseOfTheModel() {
        let model = MapModel([3, 0, 2])
        #expect(model.difference == nil)
        let map = model.map
        #expect(map.numberOfSections == 3)
        #expect(map.numberOfItems == 5)
        #expect(map.numberOfElements == 5)
        #expect(map.shape == [3, 0, 2])
        #expect((0..<3).map { map.numberOfItems(inSection: $0) } == [3, 0, 2])
        #expect(map.supplementaryKinds == [])
    }

    @Test
    func whatDoesNotExistIsNil() {
        let model = MapModel([1])
        let map = model.map
        let stranger = model.element("stranger")
        let wrong = [ItemPath(0, 1), ItemPath(1, 0), ItemPath(-1, 0), ItemPath(0, -1)]
        let extreme = [ItemPath(Int.max, 0), ItemPath(0, Int.max), ItemPath(Int.min, Int.min)]
        for path in wrong + extreme {
            let isNothing =
                map.element(at: path) == nil && map.content(at: path) == nil
                && map.supplementary(ofKind: .header, at: path) == nil
            #expect(isNothing, "\(path)")
        }
        #expect(map.place(of: stranger) == nil)
        for section in [-1, 1, Int.min, Int.max] {
            let isNothing =
                map.numberOfItems(inSection: section) == nil && map.section(at: section) == nil
                && map.context(forSection: section) == nil
                && map.numberOfSupplementaries(ofKind: .header, inSection: section) == 0
            #expect(isNothing, "\(section)")
        }
        #expect(map.path(of: stranger) == nil)
        #expect(map.pathIfItem(of: stranger) == nil)
        #expect(map.sectionIndex(of: stranger) == nil)
        #expect(map.index(of: CollectionSection(id: 0, context: nil)) == nil)
    }

    @Test
    func supplementaryElementsAreFoundByKindAndPath() throws {
        var model = MapModel([2, 1])
        let header = model.element("header", kind: .header)
        let second = model.element("second", kind: .header)
        let footer = model.element("footer", kind: .footer)
        let update = try HierarchyChangeSet().validated(from: [2, 1], to: [2, 1])
        model.apply(
            update,
            supplementaries: [
                .init(
                    newSection: 1,
                    runs: [
                        (SupplementaryRun(kind: .footer), [footer]),
                        (SupplementaryRun(kind: .header), [header, second]),
                    ]
                )
            ]
        )
        let map = model.map
        #expect(model.difference == nil)
        #expect(map.supplementaryKinds == [.footer, .header])
        #expect(map.numberOfSupplementaries(ofKind: .header, inSection: 1) == 2)
        #expect(map.numberOfSupplementaries(ofKind: .header, inSection: 0) == 0)
        #expect(map.supplementary(ofKind: .header, at: ItemPath(1, 1)) === second)
        #expect(map.supplementaryContent(ofKind: .footer, at: ItemPath(1, 0)) == footer.content)
        #expect(map.supplementary(ofKind: .header, at: ItemPath(1, 2)) == nil)
        #expect(map.path(of: second) == ItemPath(1, 1))
        #expect(map.pathIfItem(of: second) == nil)
        #expect(map.sectionIndex(of: footer) == 1)
        let place = ElementPlace(path: ItemPath(1, 1), kind: .header)
        #expect(map.element(at: place) === second && map.content(at: place) == second.content)
        #expect(map.place(of: second) == place)
        #expect(map.element(at: ElementPlace(path: ItemPath(1, 2), kind: .header)) == nil)
        #expect(map.numberOfElements == 6 && map.numberOfItems == 3)
        var visited = 0
        map.forEachElement { _ in visited += 1 }
        #expect(visited == 6)
    }

    @Test
    func iterationBeginsAnywhere() {
        let map = MapModel([2, 0, 3]).map
        func paths(from path: ItemPath) -> [String] {
            map.items(from: path).map(\.path.description)
        }
        let all = ["0 - 0", "0 - 1", "2 - 0", "2 - 1", "2 - 2"]
        #expect(map.items.map(\.path.description) == all)
        for (count, start) in [
            (0, ItemPath(0, 0)), (0, ItemPath(-3, 7)), (0, ItemPath(0, -1)), (1, ItemPath(0, 1)),
            (2, ItemPath(0, 2)), (2, ItemPath(1, 0)), (2, ItemPath(1, 5)), (4, ItemPath(2, 2)),
            (5, ItemPath(2, 3)), (5, ItemPath(3, 0)), (5, ItemPath(Int.max, Int.max)),
        ] {
            #expect(paths(from: start) == Array(all.dropFirst(count)), "from \(start)")
        }
        let areTheElements = map.items.allSatisfy {
            map.element(at: $0.path) === $0.element && map.content(at: $0.path) == $0.content
                && map.content(at: ElementPlace(path: $0.path)) == $0.content
                && map.place(of: $0.element) == ElementPlace(path: $0.path)
        }
        #expect(areTheElements)
        #expect(map.element(at: ElementPlace(path: ItemPath(1, 0))) == nil)
    }

    @Test
    func pathsConvertBetweenMapsByIdentity() throws {
        var model = MapModel([2, 2])
        let old = model.map
        var changes = HierarchyChangeSet()
        changes.moveSection(1, toSection: 0)
        changes.deleteItems(at: [ItemPath(0, 0)])
        changes.reloadItems(at: [ItemPath(1, 1)])
        changes.insertItems(at: [ItemPath(1, 0)])
        model.apply(try changes.validated(from: [2, 2], to: [2, 2]))
        let new = model.map
        #expect(new.convert(ItemPath(0, 1), from: old) == ItemPath(1, 1))
        #expect(new.convert(ItemPath(1, 0), from: old) == ItemPath(0, 0))
        #expect(new.convert(ItemPath(0, 0), from: old) == nil, "deleted")
        #expect(new.convert(ItemPath(1, 1), from: old) == nil, "reloaded")
        #expect(old.convert(ItemPath(1, 1), from: new) == ItemPath(0, 1))
        #expect(old.convert(ItemPath(1, 0), from: new) == nil, "inserted")
        #expect(new.convert(ItemPath(5, 5), from: old) == nil)
        #expect(new.convertSection(1, from: old) == 0)
        #expect(old.convertSection(1, from: new) == 0)
        #expect(new.convertSection(7, from: old) == nil)
    }
}
