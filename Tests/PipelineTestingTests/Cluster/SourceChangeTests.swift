import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// What the application of a leader changes.
@Suite("Changes of applications", .endsHangs)
struct SourceChangeTests {
    @Test func eachStateHasAMarkOfItsOwn() {
        for seed in 0..<30 as Range<UInt64> {
            let scene = SourceScene(from: SourceScene.nothing, seed: seed)
            for number in 2...40 {
                let state = scene.change()
                let mark = SourceMark(source: 7, number: number)
                #expect(scene.told.count == number)
                #expect(scene.told.last?.mark == mark)
                #expect(scene.source?.last == mark)
                #expect(state.marks == [mark])
            }
        }
    }

    @Test func listsStaySmall() {
        var most = 0
        var isAllOfIt: Set<Int> = []
        for seed in 0..<30 as Range<UInt64> {
            let scene = SourceScene(from: SourceScene.nothing, seed: seed)
            for _ in 0..<60 {
                let state = scene.change()
                #expect((1...4).contains(state.numberOfSections))
                isAllOfIt.insert(state.numberOfSections)
                most = max(most, state.numberOfItems)
                #expect(state.numberOfItems < 40)
            }
        }
        #expect(isAllOfIt == [1, 2, 3, 4])
        #expect(most > 8)
    }

    /// By the numbers of what stays, everything that can happen to a list does.
    @Test func everyKindOfEditHappens() {
        var kinds: Set<String> = []
        for seed in 0..<40 as Range<UInt64> {
            let scene = SourceScene(from: SourceScene.nothing, seed: seed)
            var old = scene.told[0].state
            for _ in 0..<30 {
                let new = scene.change()
                kinds.formUnion(Self.edits(old, new))
                old = new
            }
        }
        #expect(
            kinds == [
                "section inserted", "section removed", "section moved", "header changed",
                "item inserted", "item removed", "item moved", "item changed",
            ]
        )
    }

    private static func edits(_ old: PublishedState, _ new: PublishedState) -> Set<String> {
        let (oldSections, newSections) = (old.allSections, new.allSections)
        let (oldNumbers, newNumbers) = (oldSections.map(\.number), newSections.map(\.number))
        var kinds: Set<String> = []
        if !Set(newNumbers).isSubset(of: oldNumbers) { kinds.insert("section inserted") }
        if !Set(oldNumbers).isSubset(of: newNumbers) { kinds.insert("section removed") }
        if oldNumbers.filter(newNumbers.contains) != newNumbers.filter(oldNumbers.contains) {
            kinds.insert("section moved")
        }
        for section in newSections {
            guard let before = oldSections.first(where: { $0.number == section.number }) else {
                continue
            }
            if before.payload != section.payload { kinds.insert("header changed") }
        }
        // Of items only where all sections stay, so that none comes or goes with its section.
        guard Set(oldNumbers) == Set(newNumbers) else { return kinds }
        let (oldItems, newItems) = (old.places, new.places)
        for (number, item) in newItems where number != 1 {
            guard let before = oldItems[number] else {
                kinds.insert("item inserted")
                continue
            }
            if before.section != item.section { kinds.insert("item moved") }
            if before.payload != item.payload { kinds.insert("item changed") }
        }
        if oldItems.keys.contains(where: { newItems[$0] == nil }) { kinds.insert("item removed") }
        return kinds
    }

    /// One to three edits, of which each adds an item at most where there are sections enough.
    @Test func oneChangeIsUpToThreeEdits() {
        let snapshot = SourceScene.snapshot(Array(repeating: [], count: 8))
        var added: Set<Int> = []
        for seed in 0..<200 as Range<UInt64> {
            let scene = SourceScene(from: snapshot, seed: seed)
            guard scene.told[0].state.numberOfSections == 8 else { continue }
            let state = scene.change()
            added.insert(state.numberOfItems - scene.told[0].state.numberOfItems)
            #expect(state.numberOfSections >= 5)
        }
        #expect(added.isSubset(of: [-1, 0, 1, 2, 3]))
        #expect(added.isSuperset(of: [0, 1, 2, 3]))
    }

    /// Six of ten edits are of a kind of their own, and the others add an item, which a full section does not take.
    @Test func fullListsMostlyChangeToo() {
        let row = (0..<6).map { "p\($0)" as String? }
        let snapshot = SourceScene.snapshot(Array(repeating: row, count: 4))
        var (changes, unchanged) = (0, 0)
        for seed in 0..<2000 as Range<UInt64> {
            let scene = SourceScene(from: snapshot, seed: seed)
            let old = scene.told[0].state
            guard old.numberOfSections == 4 else { continue }
            let new = scene.change()
            changes += 1
            if old.unmarkedRows == new.unmarkedRows { unchanged += 1 }
        }
        let part = Double(unchanged) / Double(changes)
        #expect((0.2...0.255).contains(part), "not \(part)")
    }
}
