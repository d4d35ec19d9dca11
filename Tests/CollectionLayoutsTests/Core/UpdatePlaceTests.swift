import TestSupport
import Testing

@testable import CollectionLayouts

/// What layouts take from an update, compared with what the update does to an array of arrays.
@Suite("Places in an update")
struct UpdatePlaceTests {
    /// A random update, and every item's name before and after; an item or section that is replaced has
    /// another name.
    private struct Drawn {
        let update: ValidatedChangeSet
        let old: [[Int]]
        let new: [[Int]]
        /// By new index, where the section was before; nil for one that came or was replaced.
        let origins: [Int?]

        init(_ random: inout SeededNumbers) throws {
            let counts = (0..<random.next(below: 5)).map { _ in random.next(below: 8) }
            let shape = HierarchyShape(counts)
            let rate = [0.05, 0.2, 0.5][random.next(below: 3)]
            let draft = RandomUpdate(from: shape, &random, rate: rate)
            update = try draft.changes.validated(from: shape, to: draft.newShape)
            var next = 0
            old = counts.map { count in
                defer { next += count }
                return Array(next..<(next + count))
            }
            let update = update
            new = try update.apply(to: old) { _ in
                next += 1
                return 10_000 + next
            }
            origins = new.indices.map { index in
                let isReplaced = update.sectionInsertions.contains {
                    $0.section == index && $0.role != .move
                }
                return isReplaced ? nil : update.oldSection(for: index)
            }
        }
    }

    @Test(arguments: 0..<Effort.number(10, usually: 3))
    func theSpansOfASectionAreAllThatIsOtherInIt(batch: Int) throws {
        for seed in (batch * 60)..<(batch * 60 + 60) {
            var random = SeededNumbers(seed: UInt64(seed))
            let drawn = try Drawn(&random)
            let plan = SectionEditPlan(drawn.update)
            let reconfigured = Set(drawn.update.reconfigurations.map(\.newPath))
            #expect(plan.sections == plan.sections.sorted())
            var touched: [Int] = []
            for (section, origin) in drawn.origins.enumerated() {
                guard let origin else { continue }
                let (old, new) = (drawn.old[origin], drawn.new[section])
                // What is the same, and in its place relative to all that is.
                let kept = Set(
                    new.indices.filter { item in
                        let path = ItemPath(section: section, item: item)
                        let isMoved = drawn.update.itemInsertions.contains { $0.path == path }
                        return old.contains(new[item]) && !isMoved && !reconfigured.contains(path)
                    }.map { new[$0] }
                )
                var expected = [old, new]
                let spans = plan.edits[section]?.spans ?? []
                if !spans.isEmpty { touched.append(section) }
                for span in spans.reversed() {
                    expected[0].removeSubrange(span.old)
                    expected[1].removeSubrange(span.new)
                }
                #expect(expected[0] == expected[1], "seed \(seed)")
                #expect(Set(expected[0]) == kept, "seed \(seed)")
                // Between two spans lies something that stayed.
                for (span, next) in zip(spans, spans.dropFirst()) {
                    #expect(span.old.upperBound < next.old.lowerBound)
                    #expect(span.new.upperBound < next.new.lowerBound)
                }
            }
            #expect(plan.sections == touched, "seed \(seed)")
        }
    }

    @Test(arguments: 0..<Effort.number(10, usually: 3))
    func whatStayedHasAPlaceBeforeAndAfterAndWhatWasReplacedHasNot(batch: Int) throws {
        for seed in (batch * 40)..<(batch * 40 + 40) {
            var random = SeededNumbers(seed: UInt64(seed))
            let drawn = try Drawn(&random)
            let update = drawn.update
            var old: [Int: LayoutPlace] = [:]
            for (section, items) in drawn.old.enumerated() {
                for (item, name) in items.enumerated() {
                    old[name] = .cell(ItemPath(section: section, item: item))
                }
            }
            var gone = old
            for (section, items) in drawn.new.enumerated() {
                for (item, name) in items.enumerated() {
                    let place = LayoutPlace.cell(ItemPath(section: section, item: item))
                    #expect(update.formerPlace(of: place) == old[name], "seed \(seed), \(place)")
                    if let was = gone.removeValue(forKey: name) {
                        #expect(update.survivingPlace(of: was) == place, "seed \(seed), \(place)")
                    }
                }
            }
            for place in gone.values { #expect(update.survivingPlace(of: place) == nil) }
            let background = ElementCategory.decoration(.background)
            for category in [.supplementary(.header), background] as [ElementCategory] {
                for (section, origin) in drawn.origins.enumerated() {
                    let place = LayoutPlace(category, ItemPath(section: section, item: 3))
                    let was = origin.map { LayoutPlace(category, ItemPath(section: $0, item: 3)) }
                    #expect(update.formerPlace(of: place) == was)
                    if let was { #expect(update.survivingPlace(of: was) == place) }
                }
                for section in drawn.old.indices where !drawn.origins.contains(section) {
                    let place = LayoutPlace(category, ItemPath(section: section, item: 0))
                    #expect(update.survivingPlace(of: place) == nil)
                }
            }
        }
    }

    @Test func whatMovesAndIsUpdatedInPlaceIsNamedOnce() throws {
        func path(_ section: Int, _ item: Int) -> ItemPath {
            ItemPath(section: section, item: item)
        }
        var changes = HierarchyChangeSet()
        changes.reconfigureItems(at: [path(0, 0), path(0, 1), path(1, 2), path(2, 0)])
        changes.moveItem(at: path(0, 1), to: path(1, 0))
        changes.moveItem(at: path(1, 2), to: path(1, 1))
        changes.reloadSections([2])
        let update = try changes.validated(from: [3, 3, 1], to: [2, 4, 1])
        let plan = SectionEditPlan(update)
        #expect(plan.sections == [0, 1])
        #expect(plan.edits[0]?.removed == [0, 1] && plan.edits[0]?.inserted == [0])
        #expect(plan.edits[1]?.removed == [2] && plan.edits[1]?.inserted == [0, 1])
    }

    /// A reload comes and goes at once: it is neither inserted nor deleted, and has no place before.
    @Test func whatIsReplacedDidNotComeAndDidNotGo() throws {
        var changes = HierarchyChangeSet()
        changes.reloadItems(at: [ItemPath(section: 0, item: 1)])
        changes.deleteItems(at: [ItemPath(section: 0, item: 0)])
        changes.insertItems(at: [ItemPath(section: 0, item: 2)])
        let update = try changes.validated(from: [3], to: [3])
        func path(_ item: Int) -> ItemPath { ItemPath(section: 0, item: item) }
        let places = (0..<3).map { LayoutPlace.cell(path($0)) }
        #expect(places.map { update.formerPlace(of: $0) } == [nil, places[2], nil])
        #expect(places.map { update.survivingPlace(of: $0) } == [nil, nil, places[1]])
        #expect(update.formerPlace(of: .cell(path(0))) == nil)
        #expect(update.survivingPlace(of: .cell(path(1))) == nil)
        #expect(update.formerPlace(of: .cell(path(1))) == .cell(path(2)))
    }

    /// What was noted before is over with the next update, whatever that is and wherever the layout is.
    @Test func aReloadOfAllDataEndsWhatWasUnderWay() throws {
        let host = ScriptedHost([.uniform(1, 10, 10)])
        let layout = host.lay(PagerLayout())
        let place = LayoutPlace.cell(ItemPath(section: 0, item: 0))
        var (reload, other) = (HierarchyChangeSet(), HierarchyChangeSet())
        reload.reloadData()
        other.reloadSections([0])
        let (all, some) = (
            try reload.validated(from: [1], to: [1]), try other.validated(from: [1], to: [1])
        )
        for isDetached in [false, true] {
            layout.noteUpdate(some) { LayoutAttributes($0, frame: .zero) }
            #expect(layout.layoutAttributesBeforeUpdate(for: place) != nil)
            if isDetached { layout.attach(to: nil) }
            layout.noteUpdate(isDetached ? some : all) { LayoutAttributes($0, frame: .zero) }
            #expect(layout.layoutAttributesBeforeUpdate(for: place) == nil)
        }
    }
}
