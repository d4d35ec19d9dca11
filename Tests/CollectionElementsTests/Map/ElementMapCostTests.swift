import PersistentTrees
import TestSupport
import Testing

@testable import CollectionElements

/// Complexity by counting nodes: what a change makes, and what it leaves alone.
@Suite("The cost of changes to a map")
struct ElementMapCostTests {
    private static let sections = 10

    /// A map of that many items over ten sections, without arrays beside it.
    private func map(_ count: Int) -> ElementMap {
        let terms = ModelTerms<Int>(
            sizeRange: .width(10),
            surroundings: ElementSurroundings(Traits())
        ) {
            number in
            throw TestFailure("\(number) is never shown")
        }
        var change = ElementMapChange()
        let perSection = count / Self.sections
        for id in 0..<Self.sections {
            change.freshSections.append(
                .init(
                    section: CollectionSection(id: id, context: nil),
                    elements: (0..<perSection).map { ModelElement($0, terms: terms) }
                )
            )
        }
        let shape = HierarchyShape(Array(repeating: perSection, count: Self.sections))
        return ElementMap.empty(generation: 0).applying(
            .reloadingData(from: .empty, to: shape),
            change,
            generation: 1
        )
    }

    @Test func editsMakeNodesByDepthAndNotByCount() throws {
        for count in [10_000, Effort.number(1_000_000, usually: 400_000)] {
            let map = map(count)
            let height = map.storage.entries[0].slots.height
            #expect(height == (count == 10_000 ? 2 : 3))
            for moves in [1, 10, 100] {
                let made = try newNodes(after: moves, in: map, seed: UInt64(moves))
                // What is inserted copies the nodes above it and may split each; what is removed
                // may copy a neighbour of each. The sections are one node.
                let most = moves * 2 * (2 * (height + 1)) + 1
                #expect((1...most).contains(made), "\(moves) moves in \(count) items")
            }
            try wholeSectionsAreShared(map)
            try relabellingIsTheOnlyFurtherCost(map)
        }
    }

    /// How many nodes a map has after random moves that it did not have before.
    private func newNodes(after moves: Int, in map: ElementMap, seed: UInt64) throws -> Int {
        var random = SeededNumbers(seed: seed)
        var changes = HierarchyChangeSet()
        let perSection = map.numberOfItems / Self.sections
        var counts = map.shape.itemCounts
        var change = ElementMapChange()
        var old: Set<ItemPath> = []
        var new: Set<ItemPath> = []
        for _ in 0..<moves {
            let section = random.next(below: Self.sections)
            old.insert(ItemPath(section, random.next(below: perSection)))
            let target = random.next(below: Self.sections)
            new.insert(ItemPath(target, random.next(below: perSection - moves)))
        }
        for (from, to) in zip(old.sorted(), new.sorted()) {
            changes.moveItem(at: from, to: to)
            counts[from.section] -= 1
            counts[to.section] += 1
            change.insertedItems.append(nil)
        }
        let update = try changes.validated(from: map.shape, to: HierarchyShape(counts))
        let after = map.applying(update, change, generation: 2)
        #expect(after.brokenInvariant() == nil)
        return after.nodeIdentities.subtracting(map.nodeIdentities).count
    }

    private func wholeSectionsAreShared(_ map: ElementMap) throws {
        var changes = HierarchyChangeSet()
        changes.moveSection(0, toSection: 7)
        changes.moveSection(9, toSection: 1)
        changes.deleteSections([4])
        var counts = map.shape.itemCounts
        counts.removeLast()
        let update = try changes.validated(from: map.shape, to: HierarchyShape(counts))
        let after = map.applying(update, ElementMapChange(), generation: 2)
        for index in 0..<counts.count {
            let section = try #require(after.section(at: index))
            let old = try #require(map.index(of: section))
            let slots = after.storage.entries[index].slots
            #expect(slots.isIdentical(to: map.storage.entries[old].slots))
        }
        let made = after.nodeIdentities.subtracting(map.nodeIdentities)
        #expect(made.count == 1, "ten sections have one node")
    }

    /// Hundreds of items, one after the other, at one place.
    private func relabellingIsTheOnlyFurtherCost(_ map: ElementMap) throws {
        let terms = ElementTerms(
            sizeRange: .width(10),
            surroundings: ElementSurroundings(Traits())
        )
        let height = map.storage.entries[3].slots.height
        var (now, made) = (map, 0)
        var known = map.storage.entries[3].slots.nodeIdentities()
        for step in 0..<300 {
            var change = ElementMapChange()
            change.insertedItems = [ProvidedElement(model: nil, provider: nil, terms: terms)]
            var changes = HierarchyChangeSet()
            changes.insertItems(at: [ItemPath(3, 1)])
            var counts = now.shape.itemCounts
            counts[3] += 1
            let update = try changes.validated(from: now.shape, to: HierarchyShape(counts))
            let next = now.applying(update, change, generation: step + 2)
            let nodes = next.storage.entries[3].slots.nodeIdentities()
            made += nodes.subtracting(known).count
            known = nodes
            now = next
        }
        // What is relabelled stands close together, so it adds less than a node an insertion.
        #expect(made <= 300 * (height + 2), "\(Double(made) / 300)")
    }
}

extension ElementMap {
    /// All nodes, those of the sections included.
    fileprivate var nodeIdentities: Set<ObjectIdentifier> {
        storage.entries.reduce(into: storage.entries.nodeIdentities()) {
            $0.formUnion($1.slots.nodeIdentities())
        }
    }
}
