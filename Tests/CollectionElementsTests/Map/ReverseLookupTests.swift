import TestSupport
import Testing

@testable import CollectionElements

/// From an element to its path, in every version that there is, against arrays.
@Suite("Finding elements again")
struct ReverseLookupTests {
    @Test(arguments: UInt64(1)...Effort.number(6, usually: 2))
    func everyKeptVersionFindsExactlyItsOwn(_ seed: UInt64) throws {
        var history = try MapHistory(seed: seed)
        for step in 0..<100 {
            try history.advance()
            if step % 5 == 4, let fault = history.fault() {
                Issue.record("seed \(seed), step \(step): \(fault)")
                return
            }
        }
        #expect(history.hasRelabelledItems && history.hasRelabelledSections)
    }

    /// Every sequence of four moves of one item among two sections, and every version of it.
    @Test func anItemThatGoesBackAndForthIsFoundInEveryVersion() throws {
        var maker = ElementMaker()
        let start = try MapPicture().loaded([2, 2], &maker)
        let element = start.sections[0].items[0].element
        func extend(_ versions: [MapPicture]) throws {
            let newest = versions[versions.count - 1]
            for version in versions {
                let difference = version.difference([element])
                #expect(difference == nil, "\(versions.count) versions")
            }
            guard versions.count < 5, let path = newest.map.path(of: element) else { return }
            for target in [ItemPath(0, 0), ItemPath(0, 1), ItemPath(1, 0), ItemPath(1, 2)] {
                var changes = HierarchyChangeSet()
                changes.moveItem(at: path, to: target)
                var counts = newest.shape.itemCounts
                counts[path.section] -= 1
                counts[target.section] += 1
                let update = try? changes.validated(
                    from: newest.shape,
                    to: HierarchyShape(counts)
                )
                guard let update else { continue }
                try extend(versions + [newest.applying(newest.step(update, &maker))])
            }
        }
        try extend([start])
    }

    /// Moved, reconfigured and relabelled, in every order of three.
    @Test func contentAndPlaceAreIndependent() throws {
        var maker = ElementMaker()
        let start = try MapPicture().loaded([3, 1], &maker)
        let element = start.sections[0].items[1].element
        func extend(_ versions: [MapPicture], _ names: [String]) throws {
            let newest = versions[versions.count - 1]
            for (age, version) in versions.enumerated() {
                let difference = version.difference([element])
                #expect(difference == nil, "version \(age) after \(names)")
            }
            guard names.count < 3, let path = newest.map.path(of: element) else { return }
            var moving = HierarchyChangeSet()
            moving.moveItem(at: path, to: ItemPath(1 - path.section, 0))
            var reconfiguring = HierarchyChangeSet()
            reconfiguring.reconfigureItems(at: [path])
            var both = moving
            both.reconfigureItems(at: [path])
            for (name, changes) in [
                ("moved", moving), ("reconfigured", reconfiguring), ("both", both),
            ] {
                var counts = newest.shape.itemCounts
                if name != "reconfigured" {
                    counts[path.section] -= 1
                    counts[1 - path.section] += 1
                }
                let update = try changes.validated(from: newest.shape, to: HierarchyShape(counts))
                let next = newest.applying(newest.step(update, &maker))
                try extend(versions + [next], names + [name])
            }
            let next = newest.replacing(at: [path], &maker)
            try extend(versions + [next], names + ["remeasured"])
            // Insertions in front of it until it has another label.
            var crowded = newest
            for _ in 0..<40 {
                crowded = try crowded.inserting(1, at: crowded.map.path(of: element), &maker)
            }
            try extend(versions + [crowded], names + ["relabelled"])
        }
        try extend([start], [])
    }

    @Test func twoBranchesMadeOfTheSameChangeBothFindEverything() throws {
        for order in 0..<2 {
            var maker = ElementMaker()
            let base = try MapPicture().loaded([3, 2, 2], &maker)
            var changes = HierarchyChangeSet()
            changes.deleteSections([0])
            changes.moveItem(at: ItemPath(0, 1), to: ItemPath(1, 1))
            changes.insertSections([1])
            changes.insertItems(at: [ItemPath(2, 2)])
            changes.reconfigureItems(at: [ItemPath(2, 0)])
            let update = try changes.validated(from: base.shape, to: [2, 4, 3])
            let step = base.step(
                update,
                &maker,
                supplementaries: [1: [.header: (0, 2)], 2: [.footer: (0, 1)]]
            )
            var branches = [base.applying(step), base.applying(step)]
            let elements = branches.flatMap { $0.paths.keys } + base.paths.keys
            for version in branches + [base] { #expect(version.difference(elements) == nil) }
            // Whichever goes first, the other knows its own.
            branches.remove(at: order)
            for version in branches + [base] { #expect(version.difference(elements) == nil) }
        }
    }

    @Test func aMapThatWasMadeAndDroppedLeavesTheOthersRight() throws {
        var maker = ElementMaker()
        let base = try MapPicture().loaded([3, 2], &maker)
        var changes = HierarchyChangeSet()
        changes.moveSection(1, toSection: 0)
        changes.moveItem(at: ItemPath(0, 1), to: ItemPath(0, 0))
        changes.insertItems(at: [ItemPath(1, 0)])
        let update = try changes.validated(from: base.shape, to: [3, 3])
        let step = base.step(update, &maker)
        let fresh = step.sections[1].items[0].element
        _ = base.applying(step)
        #expect(base.difference([fresh]) == nil)
        // The fresh element has its first place from the map that is gone.
        let again = base.applying(step)
        #expect(again.difference() == nil)
        #expect(again.map.path(of: fresh) == ItemPath(1, 0))
        #expect(base.difference([fresh]) == nil)
    }
}

extension MapPicture {
    /// Everything again.
    func loaded(_ shape: HierarchyShape, _ maker: inout ElementMaker) throws -> MapPicture {
        let changes = HierarchyChangeSet([.reloadData()])
        return applying(step(try changes.validated(from: self.shape, to: shape), &maker))
    }

    /// With some items inserted at `path`, all at once.
    func inserting(
        _ count: Int,
        at path: ItemPath?,
        _ maker: inout ElementMaker
    ) throws -> MapPicture {
        guard let path else { throw TestFailure("no place to insert at") }
        var changes = HierarchyChangeSet()
        changes.insertItems(
            at: (0..<count).map { ItemPath(path.section, path.item + $0) }
        )
        var counts = shape.itemCounts
        counts[path.section] += count
        let update = try changes.validated(from: shape, to: HierarchyShape(counts))
        return applying(step(update, &maker))
    }
}
