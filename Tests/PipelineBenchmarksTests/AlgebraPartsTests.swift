import CollectionPipeline
import Testing

@testable import pipeline_benchmarks

/// What is composed, rebased, encoded and digested, at sizes that a person can check.
@Suite struct AlgebraPartsTests {
    @Test func missedChangesLeaveWhatLasts() throws {
        let missed = try MissedChanges(items: 40, lasting: 6, passing: 30)
        #expect(missed.lasting.count == 6 && missed.passing.count == 60)
        let net = try #require(try ValidatedChangeSet(composing: missed.lasting))
        #expect(net.newShape == [40])
        for count in [0, 66, 126, 200] {
            let composition = try missed.composed(count)
            #expect(composition.oldShape == [40])
            #expect(composition.update.itemRemovals == net.itemRemovals)
            #expect(composition.update.itemInsertions == net.itemInsertions)
        }
        #expect([0, 65, 66, 125, 126].map(missed.composedCount) == [6, 6, 66, 66, 126])
        // There is no more than a dozen of them at a time.
        let counts = missed.passing.compactMap { $0.newShape.numberOfItems }
        #expect(counts.max() == 53 && counts.last == 40)
    }

    @Test func pairsAreComposedRebasedAndSorted() throws {
        let following = try ChangeSetPair(edits: 6, .init(3, 20), seed: 1)
        let beside = try ChangeSetPair(edits: 4, over: 20, .init(3, 20))
        var before = BlackHole.consumed
        following.sort()
        #expect(BlackHole.consumed.sum - before.sum == 12)
        before = BlackHole.consumed
        beside.sort()
        #expect(BlackHole.consumed.sum - before.sum == 24)
        before = BlackHole.consumed
        try following.compose()
        #expect((1...12).contains(BlackHole.consumed.sum - before.sum))
        before = BlackHole.consumed
        try beside.rebase()
        // Nothing is lost.
        #expect(BlackHole.consumed.sum - before.sum == 4)
    }

    @Test func whatIsDecodedIsWhatWasEncoded() throws {
        let changes = try EncodedChanges(edits: 7, .init(3, 20), seed: 1)
        #expect(changes.update.edits.count == 7)
        let before = BlackHole.consumed
        try changes.encodeAndDecode()
        try changes.validate()
        let after = BlackHole.consumed
        #expect(after.count - before.count == 2 && after.sum - before.sum == 14)
    }

    @Test func aDigestIsThatOfTheSnapshotAfterEveryEdit() throws {
        let kept = try KeptDigest(LoadedCollection.Outline(3, 100))
        for _ in 0..<20 {
            _ = try kept.nanosecondsOfTenEdits()
            #expect(kept.editedDigest == StateDigest(of: kept.edited))
            #expect(kept.editedDigest != kept.digest)
        }
    }
}
