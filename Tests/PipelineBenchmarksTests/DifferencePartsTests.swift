import CollectionPipeline
import PipelineTestSupport
import Testing

@testable import pipeline_benchmarks

/// What differences are taken of, and what they are compared with.
@Suite struct DifferencePartsTests {
    @Test(arguments: DifferenceInput.allCases)
    func inputsHaveTheShareOfEditsThatTheyAreNamedFor(input: DifferenceInput) throws {
        let (old, new) = input.make(1_000)
        #expect(old == Array(0..<1_000))
        #expect(Set(new).count == new.count)
        let common = Set(old).intersection(new)
        let (gone, come) = (old.count - common.count, new.count - common.count)
        switch input {
        case .same: #expect(new == old)
        case .append: #expect(new.prefix(1_000) == old[...] && come == 10)
        case .prepend: #expect(new.suffix(1_000) == old[...] && come == 10)
        case .rand1:
            #expect(gone == 10 && come == 10)
            #expect(new.filter(common.contains) == old.filter(common.contains))
        case .dk:
            #expect(gone == 100 && come == 100)
            #expect(Set(new[..<20]) == Set(0..<20) && Array(new[..<20]) != Array(0..<20))
            #expect(Array(new[20..<200]) == Array(20..<200))
        case .shuffle: #expect(gone == 0 && come == 0 && new != old)
        case .reverse: #expect(new == old.reversed())
        }
        #expect(input.make(1_000).new == new)
    }

    @Test(arguments: SectionedInput.allCases)
    func sectionsChangeAsTheyAreNamedFor(input: SectionedInput) throws {
        let (old, new) = input.make(sections: 3)
        #expect(old.map(\.items.count) == [1_000, 1_000, 1_000])
        #expect(Set(new.flatMap(\.items)).count == 3_000)
        let common = Set(old.flatMap(\.items)).intersection(new.flatMap(\.items))
        switch input {
        case .rand1:
            #expect(new.map(\.items.count) == [1_000, 1_000, 1_000])
            // What was inserted may be what is deleted next.
            #expect((2_970..<3_000).contains(common.count))
        case .cross: #expect(common.count == 3_000 && new.map(\.items) != old.map(\.items))
        case .secs:
            #expect(Set(new.map(\.id)).subtracting([0, 1, 2]) == [3])
            #expect(common.count == 2_000)
        }
        let update = try ValidatedChangeSet(
            fromIdentifiers: old.map { ($0.id, $0.items) },
            to: new.map { ($0.id, $0.items) }
        )
        #expect(!update.edits.isEmpty)
    }

    @Test(arguments: 0..<Effort.number(400, usually: 80))
    func aHeckelDifferenceMakesTheNewOfTheOld(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let letters = Int.random(in: 1...9, using: &random)
        let lists = (0..<2).map { _ in
            (0..<Int.random(in: 0...9, using: &random)).map { _ in
                Int.random(in: 0..<letters, using: &random)
            }
        }
        let (old, new) = (lists[0], lists[1])
        let difference = PlainHeckel(from: old, to: new)
        #expect(difference.deletions == difference.deletions.sorted())
        #expect(difference.insertions == difference.insertions.sorted())
        // What is neither deleted, inserted nor moved is in order, and all that has two ends is equal.
        let moved = Dictionary(
            uniqueKeysWithValues: difference.moves.map { ($0.newIndex, $0.oldIndex) }
        )
        for (newIndex, oldIndex) in moved { #expect(old[oldIndex] == new[newIndex]) }
        let gone = Set(difference.deletions + difference.moves.map(\.oldIndex))
        let come = Set(difference.insertions + moved.keys)
        let stayed = old.indices.filter { !gone.contains($0) }.map { old[$0] }
        #expect(stayed == new.indices.filter { !come.contains($0) }.map { new[$0] })
        #expect(difference.count == difference.deletions.count + come.count)
    }

    @Test func oneDraggedRowMovesAllOthersInAHeckelDifference() {
        #expect(PlainHeckel(from: [1, 2, 3, 4], to: [2, 3, 4, 1]).moves.count == 4)
        #expect(PlainHeckel(from: [1, 2], to: [1, 2]).count == 0)
    }

    @Test func pairsOfSnapshotsDifferInTenEdits() throws {
        let pair = try SnapshotPair(.init(2, 20))
        let new = try pair.edited()
        #expect(new.shape.numberOfItems == 40)
        let before = BlackHole.consumed
        #expect(try pair.nanosecondsOfDifference() > 0)
        let after = BlackHole.consumed
        #expect(after.count - before.count == 1 && after.sum - before.sum == 10)
    }

    @Test func newSectionsHaveIdentifiersOfTheirOwn() {
        let (old, new) = SectionedInput.secs.make(sections: 300)
        let identifiers = Set(new.map(\.id))
        #expect(identifiers.count == 300)
        let fresh = identifiers.subtracting(old.map(\.id))
        #expect(!fresh.isEmpty && fresh.isSubset(of: [300, 301, 302]))
    }

    /// What is equal on both sides, and many times there, is found by its neighbours.
    @Test func equalElementsBesideAMatchAreMatched() {
        #expect(PlainHeckel(from: [1, 1, 1, 2], to: [1, 1, 1, 2]).count == 0)
        #expect(PlainHeckel(from: [2, 1, 1, 1], to: [2, 1, 1, 1]).count == 0)
        #expect(PlainHeckel(from: [1, 1], to: [1, 1]).count == 4)
        let one = PlainHeckel(from: [1, 1, 2, 3, 3], to: [1, 2, 3])
        #expect(one.deletions == [0, 4] && one.insertions.isEmpty && one.moves.isEmpty)
    }
}
