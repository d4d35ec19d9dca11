import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// What the application of a leader begins with, and by what its states are known.
@Suite("Beginnings of applications", .endsHangs)
struct SimulatedSourceTests {
    /// What the application before has published: its mark is in the middle.
    private static let older = SourceMark(source: 3, number: 9)
    private static let marked = SourceScene.snapshot([["p0", "p1"], ["p2", "\(older)", "p3"], []])

    @Test func whoHasNothingBeginsWithAMark() {
        for seed in 0..<100 as Range<UInt64> {
            let scene = SourceScene(from: SourceScene.nothing, seed: seed)
            #expect(scene.told.map(\.mark) == [SourceMark(source: 7, number: 1)])
            #expect(scene.source?.last == scene.told.last?.mark)
            let state = scene.told[0].state
            #expect(state.numberOfSections == 1)
            #expect(state.items(inSection: 0).first?.payload == scene.told[0].mark.payload)
            #expect(state.marks == [scene.told[0].mark])
        }
    }

    /// A new leader goes on with what there is, or with what it knows itself.
    @Test func mostGoOnWithWhatThereIs() {
        let snapshot = SourceScene.snapshot([["p0", nil], [], ["p1"]])
        var taken = 0
        for seed in 0..<2000 as Range<UInt64> {
            let scene = SourceScene(from: snapshot, seed: seed)
            let mark = SourceMark(source: 7, number: 1)
            #expect(scene.told.map(\.mark) == [mark])
            let rows = scene.told[0].state.rows
            guard rows.count > 1 else { continue }
            taken += 1
            // There was no mark, so it comes first of all.
            #expect(rows == [["s0", "\(mark)", "p0", nil], ["s1"], ["s2", "p1"]])
        }
        #expect((1440...1560).contains(taken), "three quarters, not \(taken)")
    }

    @Test func whoGoesOnKeepsTheMarkOrReplacesIt() {
        let own = SourceMark(source: 7, number: 1)
        var (kept, replaced) = (0, 0)
        for seed in 0..<2000 as Range<UInt64> {
            let scene = SourceScene(from: Self.marked, seed: seed)
            #expect(scene.told.count == 1)
            let (mark, state) = scene.told[0]
            #expect(scene.source?.last == mark)
            #expect(state.marks == [mark])
            guard state.numberOfSections > 1 else { continue }
            #expect(mark == own || mark == Self.older)
            if mark == own { replaced += 1 } else { kept += 1 }
            // In its place.
            let rows = [["s0", "p0", "p1"], ["s1", "p2", "\(mark)", "p3"], ["s2"]]
            #expect(state.rows == rows)
        }
        let part = Double(kept) / Double(kept + replaced)
        #expect((0.45...0.55).contains(part), "half of them keep it")
    }

    @Test func numbersAreItsOwnAndUnique() {
        for seed in 0..<25 as Range<UInt64> {
            let scene = SourceScene(from: Self.marked, seed: seed)
            for turn in 0..<20 {
                let state = turn == 0 ? scene.told[0].state : scene.change()
                let items = state.allItems
                let sections = state.allSections
                let numbers = items.map(\.number) + sections.map(\.number)
                #expect(Set(numbers).count == numbers.count)
                #expect(items.first { $0.number == 1 }?.payload == scene.told.last?.mark.payload)
            }
        }
    }
}
