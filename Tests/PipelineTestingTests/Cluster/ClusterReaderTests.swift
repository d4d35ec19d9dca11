import CollectionChanges
import CollectionPublishing
import CollectionReplication
import PipelineTestSupport
import Testing

@testable import PipelineTesting

@Suite("Readers of a cluster", .endsHangs)
struct ClusterReaderTests {
    private func makeReader(_ stage: ClusterStage, seed: UInt64 = 1) -> ClusterReader {
        ClusterReader(
            stage.cluster,
            label: "reader",
            watching: nil,
            SeededGenerator(seed: seed)
        )
    }

    private func newest(_ stage: ClusterStage) throws -> PublishedVersion {
        try #require(stage.member.hub).snapshot.version
    }

    /// Lets a reader go on for as long as it pauses.
    private func catchUp(_ reader: ClusterReader, _ stage: ClusterStage) throws {
        let newest = try newest(stage)
        let isThere = stage.run {
            reader.goOn()
            return reader.replica.version == newest
        }
        #expect(isThere)
    }

    @Test func whoJoinsIsToldWhatThereIs() throws {
        for seed in 0..<8 as Range<UInt64> {
            let stage = ClusterStage()
            try stage.lead()
            let reader = makeReader(stage, seed: seed)
            reader.join(stage.member)
            #expect(reader.member === stage.member)
            #expect(reader.replica.version == nil)
            try catchUp(reader, stage)
            for _ in 0..<3 {
                try stage.publish()
                try catchUp(reader, stage)
            }
            #expect(reader.replica.state == stage.member.hub?.snapshot.state)
            #expect(stage.cluster.violations == [])
            #expect(stage.marks()["reader reset joined"] == 1)
        }
    }

    @Test func whoLeavesIsToldNothingMore() throws {
        let stage = ClusterStage()
        try stage.lead()
        let reader = makeReader(stage)
        reader.join(stage.member)
        try catchUp(reader, stage)
        let version = reader.replica.version
        reader.disconnect()
        #expect(reader.member == nil)
        try stage.publish()
        stage.wait(.milliseconds(100))
        reader.goOn()
        #expect(reader.replica.version == version)
        // It takes its version along, and is told what it missed.
        reader.join(stage.member)
        try catchUp(reader, stage)
        #expect(stage.cluster.violations == [])
        #expect(stage.marks()["reader reset joined"] == 1)
    }

    /// What a hub was to tell it when it left is still on its way then.
    @Test func whoLeavesBeforeItWasToldIsToldNothing() throws {
        let stage = ClusterStage()
        try stage.lead()
        let reader = makeReader(stage)
        for _ in 0..<3 {
            reader.join(stage.member)
            reader.disconnect()
            stage.wait(.milliseconds(100))
            #expect(reader.replica.version == nil)
        }
        reader.join(stage.member)
        try catchUp(reader, stage)
        #expect(stage.cluster.violations == [])
    }

    @Test func readersPauseNowAndThenAndWatchersNever() throws {
        let stage = ClusterStage()
        try stage.lead()
        let reader = makeReader(stage)
        reader.join(stage.member)
        try catchUp(reader, stage)
        // Each is shown to its watcher, so that none of these has paused.
        for _ in 0..<40 { try stage.publish() }
        stage.wait(.milliseconds(100))
        let newest = try newest(stage)
        #expect(reader.replica.version != newest)
        try catchUp(reader, stage)
        #expect(stage.cluster.violations == [])
    }

    @Test func atRestAReaderHasTheNewest() throws {
        let stage = ClusterStage()
        try stage.lead()
        let newest = try newest(stage)
        let reader = makeReader(stage)
        #expect(stage.broken { reader.checkAtRest(newest) } == [], "it has not joined")
        reader.join(stage.member)
        #expect(stage.broken { reader.checkAtRest(newest) } == ["Converges"])
        reader.disconnect()
        #expect(stage.broken { reader.checkAtRest(newest) } == [])
        reader.join(stage.member)
        #expect(stage.broken { reader.checkAtRest(newest) } == ["Converges"], "it does not pause")
        try catchUp(reader, stage)
        #expect(stage.broken { reader.checkAtRest(newest) } == [])
    }
}
