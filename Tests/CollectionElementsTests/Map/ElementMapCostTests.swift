import PersistentTrees
import TestSupport
import Testing

@testable import CollectionElements

/// Holds releases until the test runs them, or also runs them immediately.
final class HeldReclaimer: MapReclaimer {
    let held = Journal<@Sendable () -> Void>()
    let releasesImmediately: Bool

    init(releasesImmediately: Bool = false) { self.releasesImmediately = releasesImmediately }

    func reclaim(_ release: @escaping @Sendable () -> Void) {
        held.append(release)
        if releasesImmediately { release() }
    }

    func releaseAll() {
        let releases = held.values
        held.removeAll()
        for release in releases { release() }
    }
}

/// The number of nodes that a change makes and shares, and the lifetime of a map's contents.
@Suite("The cost of element maps")
struct ElementMapCostTests {
    private static let sections = 10

    @Test(arguments: [10_000, Effort.number(1_000_000, usually: 200_000)])
    func editsMakeNodesByDepthNotByCount(_ count: Int) throws {
        var maker = ElementMaker()
        let perSection = count / Self.sections
        let counts = Array(repeating: perSection, count: Self.sections)
        let picture = try MapPicture().loaded(counts, &maker)
        let map = picture.map
        let height = map.storage.entries[0].slots.height
        for moves in [1, 10, 100] {
            var random = SeededNumbers(seed: UInt64(moves))
            var (old, new) = (Set<ItemPath>(), Set<ItemPath>())
            for _ in 0..<moves {
                let (from, to) = (
                    random.next(below: Self.sections), random.next(below: Self.sections)
                )
                old.insert(ItemPath(from, random.next(below: perSection)))
                new.insert(ItemPath(to, random.next(below: perSection - moves)))
            }
            let pairs = Array(zip(old.sorted(), new.sorted()))
            var after = counts
            for (from, to) in pairs {
                after[from.section] -= 1
                after[to.section] += 1
            }
            let next = try picture.changed(to: after, &maker) { changes in
                for (from, to) in pairs { changes.moveItem(at: from, to: to) }
            }
            let made = next.map.nodeIdentities.subtracting(map.nodeIdentities).count
            // An insertion copies the nodes above it and may split each; a removal may copy a
            // neighbour of each. The sections are in one node.
            let most = moves * 2 * (2 * (height + 1)) + 1
            #expect((1...most).contains(made), "\(moves) moves in \(count) items")
        }
        let whole = try picture.changed(to: Array(counts.dropLast()), &maker) {
            $0.moveSection(0, toSection: 7)
            $0.moveSection(9, toSection: 1)
            $0.deleteSections([4])
        }
        let made = whole.map.nodeIdentities.subtracting(map.nodeIdentities).count
        #expect(made == 1, "sections are shared as a whole, and one node holds ten")
        guard count == 10_000 else { return }
        // Hundreds of insertions at one position: relabelling adds less than a node to each.
        var (crowded, relabelled) = (picture, 0)
        for _ in 0..<200 {
            let next = try crowded.inserting(1, at: ItemPath(3, 1), &maker)
            relabelled += next.nodes(ofSection: 3).subtracting(crowded.nodes(ofSection: 3)).count
            crowded = next
        }
        #expect(relabelled <= 200 * (height + 2))
    }

    @Test func movingOneItemGivesOneMove() throws {
        var maker = ElementMaker()
        let old = try MapPicture().loaded(Array(repeating: 100, count: 50), &maker)
        let new = try old.moving(ItemPath(7, 0), to: ItemPath(7, 99), &maker)
        let edits = new.map.changes(from: old.map).edits.map(\.description)
        #expect(
            edits == [
                "remove item 7 - 0 (move with 7 - 99)", "insert item 7 - 99 (move with 7 - 0)",
            ]
        )
    }

    // MARK: Lifetimes

    /// Random moves, reconfigurations and insertions, with some versions kept: contents and their
    /// models are released with the last version that shows them.
    @Test(arguments: UInt64(1)...4)
    func contentsAreReleasedWithTheLastVersionThatHoldsThem(_ seed: UInt64) throws {
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
            // An element holds its first content for its whole lifetime.
            let first = Set(held.map(\.element)).map(\.firstContent)
            let living = maker.modelCount.value - ended.value
            #expect(living == held.union(first).count, "seed \(seed), step \(step)")
        }
        kept = []
        let areAlive = sections.contains { $0.object != nil }
        #expect(maker.modelCount.value == ended.value && !areAlive, "seed \(seed)")
    }

    /// However often they move, an element and a section keep few candidate places.
    @Test func anElementThatMovesOftenKeepsFewPlaces() throws {
        var maker = ElementMaker()
        var picture = try MapPicture().loaded([3, 3, 1], &maker)
        let element = picture.sections[0].items[0].element
        let section = picture.sections[0].section
        var mostLookups = 0
        for step in 0..<600 {
            if step.isMultiple(of: 2), let path = picture.map.path(of: element) {
                picture = try picture.moving(path, to: ItemPath(step % 3, 0), &maker)
            } else if let index = picture.map.index(of: section) {
                var counts = picture.shape.itemCounts
                counts.insert(counts.remove(at: index), at: (index + 1) % 3)
                picture = try picture.changed(to: counts, &maker) {
                    $0.moveSection(index, toSection: (index + 1) % 3)
                }
            }
            picture = try picture.inserting(1, at: ItemPath(0, 1), &maker)
            var lookups = 0
            let elementPlace: Int? = element.firstPlace { _, _ in
                lookups += 1
                return nil
            }
            let sectionPlace: Int? = section.firstPlace { _ in
                lookups += 1
                return nil
            }
            if elementPlace == nil, sectionPlace == nil { mostLookups = max(mostLookups, lookups) }
        }
        #expect(mostLookups <= 6 && picture.difference([element], [section]) == nil)
    }

    // MARK: Freeing

    /// Sections count as elements: a map of exactly the limit is released immediately.
    @Test(arguments: [
        ([0], 0, false), ([4095], 0, false), ([4096], 0, true), ([2048, 2046], 0, false),
        ([2048, 2047], 0, true), ([4000], 95, false), ([4000], 96, true),
    ])
    func onlyALargeMapUsesItsReclaimer(_ counts: [Int], _ headers: Int, _ isLarge: Bool) throws {
        let (reclaimer, ended) = (HeldReclaimer(), LiveCount())
        var maker = ElementMaker { ended.add(1) }
        var map = ElementMap.empty(generation: 0)
        func load() throws {
            let supplementaries: [Int: MapPicture.Counts] =
                headers > 0 ? [0: [.header: (0, headers)]] : [:]
            let empty = MapPicture(reclaimer: reclaimer)
            map = try empty.loaded(counts, &maker, supplementaries: supplementaries).map
        }
        try load()
        let total = counts.reduce(headers, +)
        #expect(map.numberOfElements == total && maker.modelCount.value == total)
        reclaimer.releaseAll()
        map = .empty(generation: 0)
        #expect(reclaimer.held.count == (isLarge ? 1 : 0))
        #expect(ended.value == (isLarge ? 0 : total))
        reclaimer.releaseAll()
        #expect(ended.value == total)
    }

    /// Releases the versions in several orders, and with a renumbered copy. No node is released
    /// twice, and none is left for the last owner.
    @Test(arguments: [false, true])
    func versionsWithSharedNodesAreReleasedInAnyOrder(_ releasesImmediately: Bool) throws {
        for order in [
            [0, 1, 2, 3], [0, 2, 3, 1], [1, 0, 3, 2], [3, 1, 2, 0], [2, 0, 1, 3], [2, 3, 1, 0],
        ] {
            let reclaimer = HeldReclaimer(releasesImmediately: releasesImmediately)
            let ended = LiveCount()
            var maker = ElementMaker { ended.add(1) }
            let empty = MapPicture(reclaimer: reclaimer)
            var versions = [0: try empty.loaded([4200, 4200], &maker)]
            versions[1] = try versions[0]?.inserting(2, at: ItemPath(0, 0), &maker)
            versions[2] = try versions[1]?.changed(to: [4200], &maker) { $0.deleteSections([0]) }
            versions[3] = versions[2]?.replacing(at: [ElementPlace(path: ItemPath(0, 7))], &maker)
            var renumbered = versions[3]?.map.withGeneration(100)
            var emptied = renumbered?.emptied(generation: 200)
            for age in order { versions[age] = nil }
            #expect(reclaimer.held.count == 3, "a renumbered copy keeps one version alive")
            renumbered = nil
            emptied = nil
            #expect(reclaimer.held.count == 4 && renumbered == nil && emptied == nil)
            if !releasesImmediately {
                #expect(ended.value == 0)
                reclaimer.releaseAll()
            }
            #expect(ended.value == maker.modelCount.value)
        }
    }
}

extension ElementMap {
    /// All nodes, including those of the sections.
    fileprivate var nodeIdentities: Set<ObjectIdentifier> {
        storage.entries.reduce(into: storage.entries.nodeIdentities()) {
            $0.formUnion($1.slots.nodeIdentities())
        }
    }
}

extension MapPicture {
    fileprivate func nodes(ofSection section: Int) -> Set<ObjectIdentifier> {
        map.storage.entries[section].slots.nodeIdentities()
    }
}
