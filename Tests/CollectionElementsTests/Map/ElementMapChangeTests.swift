import TestSupport
import Testing

@testable import CollectionElements

@Suite("Applying changes to an element map")
struct ElementMapChangeTests {
    @Test(arguments: Array(1...20) as [UInt64])
    func randomChangesLeadWhereTheArraysDo(_ seed: UInt64) throws {
        var generator = ThrashGenerator(seed: seed)
        var texts = generator.initialModel(sections: 6, items: 6)
        var model = MapModel(texts.map(\.count))
        for round in 0..<15 {
            let (changes, newTexts) = generator.next(after: texts)
            let update = try changes.validated(
                from: HierarchyShape(texts.map(\.count)),
                to: HierarchyShape(newTexts.map(\.count))
            )
            model.apply(update)
            texts = newTexts
            if let difference = model.difference {
                Issue.record("seed \(seed), round \(round): \(difference)")
                return
            }
        }
    }

    /// Every pair of moves among five items in two sections, with a delete beside them.
    @Test
    func everyPairOfMovesLeadsWhereTheArraysDo() {
        let paths = [
            ItemPath(0, 0), ItemPath(0, 1), ItemPath(0, 2), ItemPath(1, 0), ItemPath(1, 1),
        ]
        var applied = 0
        for first in paths {
            for second in paths where second != first {
                for target in paths {
                    for other in paths where other != target {
                        var changes = HierarchyChangeSet()
                        changes.moveItem(at: first, to: target)
                        changes.moveItem(at: second, to: other)
                        var counts = [3, 2]
                        counts[first.section] -= 1
                        counts[second.section] -= 1
                        counts[target.section] += 1
                        counts[other.section] += 1
                        guard
                            let update = try? changes.validated(
                                from: [3, 2],
                                to: HierarchyShape(counts)
                            )
                        else { continue }
                        var model = MapModel([3, 2])
                        model.apply(update)
                        applied += 1
                        if let difference = model.difference {
                            Issue.record(
                                "\(first) to \(target), \(second) to \(other): \(difference)"
                            )
                            return
                        }
                    }
                }
            }
        }
        #expect(applied > 300)
    }

    @Test
    func sectionMovesWithItemEditsInsideLeadWhereTheArraysDo() throws {
        for source in 0..<4 {
            for target in 0..<4 {
                var model = MapModel([2, 3, 1, 2])
                var changes = HierarchyChangeSet()
                changes.moveSection(source, toSection: target)
                changes.deleteItems(at: [ItemPath(source, 0)])
                changes.insertItems(at: [ItemPath(target, 0)])
                var counts = [2, 3, 1, 2]
                counts.insert(counts.remove(at: source), at: target)
                model.apply(
                    try changes.validated(from: [2, 3, 1, 2], to: HierarchyShape(counts))
                )
                #expect(model.difference == nil, "\(source) to \(target)")
            }
        }
    }

    @Test
    func anOlderMapStaysAsItWas() throws {
        var model = MapModel([3, 3])
        let old = (map: model.map, elements: model.elements)
        var changes = HierarchyChangeSet()
        changes.deleteSections([0])
        changes.reconfigureItems(at: [ItemPath(1, 1)])
        changes.insertItems(at: [ItemPath(0, 0)])
        model.apply(try changes.validated(from: [3, 3], to: [4]))
        #expect(old.map.elements == old.elements)
        #expect(old.map.path(of: old.elements[1][2]) == ItemPath(1, 2))
        #expect(old.map.content(at: ItemPath(1, 1))?.model as? String == "fresh 1 - 1")
        #expect(model.map.content(at: ItemPath(0, 2))?.model as? String == "reconfigured 0 - 2")
        #expect(model.map.element(at: ItemPath(0, 2)) === old.elements[1][1])
        #expect(!model.map.isIdentical(to: old.map))
    }

    @Test
    func untouchedContentIsSharedAndKnownToBe() throws {
        let model = MapModel([2])
        let later = model.map.withGeneration(9)
        #expect(later.isIdentical(to: model.map))
        #expect(later.generation == 9)
        #expect(model.map.generation == 1)
        #expect(!MapModel([2]).map.isIdentical(to: model.map))
    }

    @Test
    func reloadingEverythingReplacesEverything() throws {
        var model = MapModel([2, 1])
        let before = model.elements.flatMap { $0 }
        model.apply(try HierarchyChangeSet([.reloadData()]).validated(from: [2, 1], to: [1, 3]))
        #expect(model.difference == nil)
        let after = model.map.elements.flatMap { $0 }
        #expect(Set(before).isDisjoint(with: after))
        #expect(before.allSatisfy { model.map.path(of: $0) == nil })
    }

    @Test
    func replacedContentsKeepTheElements() {
        let model = MapModel([2, 2])
        let content = model.content("again", of: model.elements[1][0])
        let map = model.map.replacingContents(
            [(ItemPath(1, 0), content)],
            supplementaries: [],
            generation: 2
        )
        #expect(map.elements == model.elements)
        #expect(map.content(at: ItemPath(1, 0)) == content)
        #expect(model.map.content(at: ItemPath(1, 0)) != content)
        #expect(map.path(of: model.elements[1][0]) == ItemPath(1, 0))
    }

    /// Of three kinds in two of three sections, several of one kind and none, each alone and all together.
    @Test
    func replacedContentsOfSupplementaryElementsGoWhereTheirPlacesSay() throws {
        var model = MapModel([1, 1, 1])
        let kinds: [SupplementaryKind] = [.footer, .header, SupplementaryKind(rawValue: "badge")]
            .sorted { $0.rawValue < $1.rawValue }
        var places: [ElementPlace] = []
        var supplementaries: [ElementMapChange.Supplementaries] = []
        var elements: [ElementPlace: CollectionElement] = [:]
        for section in [0, 2] {
            let runs = zip(kinds, [1, 3, 2]).map { kind, count in
                let added = (0..<count).map { number in
                    let path = ItemPath(section, number)
                    let place = ElementPlace(path: path, kind: kind)
                    places.append(place)
                    elements[place] = model.element("old \(place)", kind: kind)
                    return elements[place]
                }
                return (kept: SupplementaryRun(kind: kind), added: added.compactMap(\.self))
            }
            supplementaries.append(.init(newSection: section, runs: runs))
        }
        var changes = HierarchyChangeSet()
        changes.reconfigureItems(at: [ItemPath(0, 0)])
        model.apply(
            try changes.validated(from: [1, 1, 1], to: [1, 1, 1]),
            supplementaries: supplementaries
        )
        let chosen = places.map { [$0] } + [places, places.filter { $0.path.item > 0 }]
        for replaced in chosen {
            let contents = try replaced.map { place in
                let element = try #require(elements[place])
                return (place: place, content: model.content("new \(place)", of: element))
            }
            let map = model.map.replacingContents([], supplementaries: contents, generation: 9)
            for place in places {
                let kind = try #require(place.kind)
                let found = map.supplementaryContent(ofKind: kind, at: place.path)
                let isReplaced = replaced.contains(place)
                #expect(found?.model as? String == "\(isReplaced ? "new" : "old") \(place)")
            }
        }
    }

    @Test
    func theKindsOfSupplementaryElementsAscend() throws {
        var model = MapModel([1, 1])
        let kinds = (0..<10).map { SupplementaryKind(rawValue: "kind \($0)") }
        let supplementaries = (0..<2).map { section in
            ElementMapChange.Supplementaries(
                newSection: section,
                runs: kinds[(section * 4)...].map { kind in
                    (kept: SupplementaryRun(kind: kind), added: [model.element("x", kind: kind)])
                }
            )
        }
        var changes = HierarchyChangeSet()
        changes.reconfigureItems(at: [ItemPath(0, 0)])
        model.apply(
            try changes.validated(from: [1, 1], to: [1, 1]),
            supplementaries: supplementaries
        )
        #expect(model.map.supplementaryKinds == kinds)
    }

    @Test
    func manyThreadsMayReadOneMap() async {
        let model = MapModel([50, 50])
        let (map, elements) = (model.map, model.elements)
        let answers = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    elements.joined().allSatisfy { element in
                        map.path(of: element).map { map.element(at: $0) === element } ?? false
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: true, count: 8))
    }
}
