import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// How often applications do what they do, and how small their lists may become.
@Suite("Draws of applications", .endsHangs)
struct SourceDrawTests {
    /// Three quarters announce each state by itself, the others what comes within 50 ms as one.
    @Test func aQuarterAnnounceWhatComesSoonerAsOne() {
        var merging = 0
        for seed in 0..<300 as Range<UInt64> {
            let simulation = Simulation(seed: 1, strategy: .inOrder)
            let source = SimulatedSource(
                7,
                from: SourceScene.nothing,
                SeededGenerator(seed: seed),
                simulation.environment,
                label: "source"
            ) { _, _ in }
            let (versions, replica) = (Journal<Int>(), source.hub.snapshot)
            #expect(replica.version.number == 0)
            for _ in 0..<2 { source.change() }
            while simulation.step() { versions.append(source.hub.snapshot.version.number) }
            let isMerging = simulation.now > .zero
            #expect(simulation.now == (isMerging ? .milliseconds(50) : .zero))
            // The first is announced at once in any case.
            #expect(Set(versions.values) == (isMerging ? [1, 3] : [1, 2, 3]))
            if isMerging { merging += 1 }
        }
        #expect((55...95).contains(merging), "not \(merging)")
    }

    /// Beside the mark, which comes in addition.
    @Test func aNewSectionHasUpToTwoItems() {
        var counts: [Int: Int] = [:]
        for seed in 0..<600 as Range<UInt64> {
            let scene = SourceScene(from: SourceScene.nothing, seed: seed)
            counts[scene.told[0].state.numberOfItems - 1, default: 0] += 1
        }
        #expect(counts.keys.sorted() == [0, 1, 2])
        for count in counts.values { #expect((150...250).contains(count)) }
    }

    /// A section may lose all that it has, and what is alone in it moves and changes as anything else.
    @Test func theOnlyItemOfASectionIsEditedToo() {
        let rows = [["\(SourceMark(source: 3, number: 9))"], ["p0"], ["p1"], ["p2"], ["p3"]]
        let snapshot = SourceScene.snapshot(rows)
        var (changes, removed, moved, changed) = (0, 0, 0, 0)
        for seed in 0..<1000 as Range<UInt64> {
            let scene = SourceScene(from: snapshot, seed: seed)
            let old = scene.told[0].state
            guard old.numberOfSections == 5 else { continue }
            let new = scene.change()
            let sections = { (state: PublishedState) in Set(state.allSections.map(\.number)) }
            guard sections(old) == sections(new) else { continue }
            changes += 1
            let places = new.places
            for (number, item) in old.places where number != 1 {
                guard let place = places[number] else {
                    removed += 1
                    continue
                }
                if place.section != item.section { moved += 1 }
                if place.payload != item.payload { changed += 1 }
            }
        }
        #expect(changes > 350)
        for count in [removed, moved, changed] {
            let part = Double(count) / Double(changes)
            #expect((0.08...0.25).contains(part), "\(part) of the changes")
        }
    }
}
