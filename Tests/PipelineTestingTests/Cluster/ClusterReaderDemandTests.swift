import CollectionChanges
import CollectionPublishing
import CollectionReplication
import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// When readers of a cluster pause and go on, and what is said of what they cannot take. A test announces versions of its
/// own here, in which nothing changes.
@Suite("What readers of a cluster ask for and find wrong", .endsHangs)
struct ClusterReaderDemandTests {
    /// Many readers of one hub, of which each has everything and none pauses.
    private struct Crowd {
        let stage = ClusterStage()
        let readers: [ClusterReader]
        let hub: UpdateHub

        init(_ count: Int) throws {
            try stage.lead()
            hub = try #require(stage.member.hub)
            let cluster = stage.cluster
            readers = (0..<UInt64(count)).map { seed in
                let random = SeededGenerator(seed: seed)
                return ClusterReader(cluster, label: "\(seed)", watching: nil, random)
            }
            for reader in readers { reader.join(stage.member) }
            stage.wait(.milliseconds(1))
            #expect(readers.contains(where: isQuiet), "some pause by what they are told first")
            wake()
            #expect(!readers.contains(where: isQuiet))
        }

        /// Whether it need not have the newest, since it pauses or is told nothing more.
        func isQuiet(_ reader: ClusterReader) -> Bool {
            stage.broken { reader.checkAtRest(ClusterStage.version(1)) } == []
        }

        func wake() {
            for reader in readers { reader.goOn() }
            stage.wait(.milliseconds(1))
        }

        func announce() throws { try ClusterReaderDemandTests.announce(stage, hub) {} }
    }

    /// Announces another version.
    ///
    /// - Parameters:
    ///   - state: what the hub takes that for; nil for what it had.
    ///   - body: called before anybody is told.
    private static func announce(
        _ stage: ClusterStage,
        _ hub: UpdateHub,
        leadingTo state: PublishedState? = nil,
        before body: () -> Void
    ) throws {
        let old = hub.snapshot
        let next = PublishedVersion(
            handle: old.version.handle,
            number: old.version.number + 1
        )
        let update = PublishedUpdate(
            from: old.version,
            to: next,
            changeSet: old.state.changes(from: old.state),
            contents: PublishedContents()
        )
        hub.publish(update, leadingTo: KeptState(state ?? old.state)) {}
        body()
        try #require(stage.run { hub.snapshot.version == next })
    }

    // MARK: Pausing

    @Test func aQuarterOfWhatReadersAreToldLetsThemPause() throws {
        let crowd = try Crowd(60)
        var pauses = 0
        for _ in 0..<30 {
            try crowd.announce()
            let newest = crowd.hub.snapshot.version
            #expect(crowd.readers.allSatisfy { $0.replica.version == newest })
            pauses += crowd.readers.count(where: crowd.isQuiet)
            for reader in crowd.readers { reader.goOn() }
            #expect(!crowd.readers.contains(where: crowd.isQuiet), "at once, not when it is told")
        }
        let part = Double(pauses) / 1800
        #expect((0.228...0.272).contains(part), "not \(part)")
    }

    /// Who missed several versions is told all of them by one update, or by one each and so may pause in between.
    @Test func aboutHalfOfTheReadersAreToldWhatTheyMissedAtOnce() throws {
        let crowd = try Crowd(60)
        var rounds = 0
        while !crowd.readers.allSatisfy(crowd.isQuiet), rounds < 40 {
            try crowd.announce()
            rounds += 1
        }
        for _ in 0..<12 { try crowd.announce() }
        let newest = crowd.hub.snapshot.version
        #expect(crowd.readers.allSatisfy { $0.replica.version != newest })
        crowd.wake()
        let current = crowd.readers.count { $0.replica.version == newest }
        #expect((18...42).contains(current), "not \(current)")
        for _ in 0..<60 { crowd.wake() }
        #expect(crowd.readers.allSatisfy { $0.replica.version == newest })
    }

    @Test func whoDoesNotPauseHasNothingToGoOnWith() throws {
        let crowd = try Crowd(20)
        // What comes next lets some pause, and what they were told before is no answer to that.
        try Self.announce(crowd.stage, crowd.hub) {
            for reader in crowd.readers { reader.goOn() }
        }
        let version = crowd.hub.snapshot.version
        let paused = crowd.readers.filter(crowd.isQuiet)
        #expect(!paused.isEmpty)
        try crowd.announce()
        crowd.stage.wait(.milliseconds(1))
        #expect(paused.allSatisfy { $0.replica.version == version })
    }

    // MARK: Closing

    @Test func whoIsToldThatNothingComesNeedNotHaveTheNewest() throws {
        let crowd = try Crowd(12)
        let version = crowd.hub.snapshot.version
        crowd.hub.close()
        crowd.stage.wait(.milliseconds(1))
        #expect(crowd.readers.allSatisfy(crowd.isQuiet))
        #expect(crowd.readers.allSatisfy { $0.replica.isClosed && $0.member != nil })
        #expect(crowd.readers.allSatisfy { $0.replica.version == version })
        for reader in crowd.readers { reader.join(crowd.stage.member) }
        #expect(!crowd.readers.contains(where: crowd.isQuiet), "it may come back")
    }

    // MARK: Mistakes of a hub

    /// The same list, but for what its sections show.
    private static func other(_ state: PublishedState) -> PublishedState {
        let header = PublishedPayload("other")
        let sections = (0..<state.numberOfSections).map { index in
            PublishedContents.FreshSection(
                section: PublishedSection(number: UInt64(1000 + index), payload: header),
                items: Array(state.items(inSection: index))
            )
        }
        return PublishedState(sections, shape: HierarchyShape(sections.map(\.items.count)))
    }

    /// A stage on which a hub announces some versions, and takes them for another state than they lead to.
    private static func stage(mistakes: Int) throws -> ClusterStage {
        let stage = ClusterStage()
        try stage.lead()
        let hub = try #require(stage.member.hub)
        let wrong = other(hub.snapshot.state)
        for _ in 0..<mistakes { try announce(stage, hub, leadingTo: wrong) {} }
        return stage
    }

    /// The digest, which comes with every sixteenth version, does not fit; and who did not take that is behind from then on.
    @Test func whatAHubSaysOtherwiseAndWhatItLeavesOutAreTwoMistakes() throws {
        let stage = try Self.stage(mistakes: 20)
        let violations = stage.cluster.violations
        #expect(violations.first?.guarantee == "Converges")
        #expect((2...19).contains(violations.count))
        #expect(violations.dropFirst().allSatisfy { $0.guarantee == "No Gap No Double" })
        #expect(violations.allSatisfy { $0.message.hasPrefix("watcher of 0: ") })
        // What it cannot take, it does not count as told.
        let before = try Self.stage(mistakes: 0).marks()["reader told"] ?? 0
        let taken = 20 - violations.count
        #expect(before > 0)
        #expect(stage.marks()["reader told"] == before + taken)
    }
}
