import CollectionChanges
import PipelineTestSupport
import Testing

@testable import CollectionPublishing
@testable import CollectionReplication
@testable import PipelineSimulation
@testable import PipelineTesting

/// A cluster without faults whose steps the test performs, so that it can forge events in between.
final class ClusterStage {
    let cluster: SimulatedCluster
    let members: [SimulatedMember]

    /// - Parameter visibility: As in a plan: 0 for immediately, 1 for after the journal's sync, 2
    ///   for after the broker.
    init(visibility: Int = 2) {
        var run = RunPlan(clusterSeed: 1)
        (run.strategy, run.onlyFault, run.clients, run.faults) = (.inOrder, nil, [], [])
        let plan = Self.plan([visibility])
        let cluster = SimulatedCluster(run, plan, keepsTrace: false)
        self.cluster = cluster
        members = [SimulatedMember(0, cluster, SeededGenerator(seed: 0))]
    }

    deinit {
        for member in members { member.crash() }
        // Pending work refers to the simulation, which retains it until it has run.
        cluster.simulation.run(atMost: 10_000)
    }

    /// Returns a plan of members with journals, of which the first campaigns, with simple times and
    /// limits.
    static func plan(_ visibilities: [Int]) -> ClusterPlan {
        var random = SeededGenerator(seed: 1)
        var plan = ClusterPlan(&random)
        plan.members = visibilities.enumerated().map { index, visibility in
            ClusterPlan.Member(visibility: visibility, hasJournal: true, stands: index == 0)
        }
        (plan.leaseMilliseconds, plan.answerMilliseconds) = (500, 500)
        (plan.readMilliseconds, plan.retryMilliseconds) = (50, 10)
        (plan.patienceMilliseconds, plan.faultMilliseconds) = (500, 100)
        (plan.readRecords, plan.inFlightRecordLimit, plan.pendingRecords) = (500, 500, 4000)
        (plan.recordBytes, plan.chunkBytes) = (1 << 18, 1 << 18)
        (plan.snapshotInterval, plan.rememberedAppends) = (1000, 1000)
        return plan
    }

    var oracle: ClusterOracle { cluster.oracle }
    var member: SimulatedMember { members[0] }

    /// Performs steps until a condition is true. Returns false if that never happens.
    func run(until isDone: () -> Bool) -> Bool {
        for _ in 0..<20_000 {
            if isDone() || !cluster.simulation.step() { break }
            for member in members { oracle.inspect(member) }
        }
        return isDone()
    }

    /// Starts the member, lets it lead and publish twice, and returns the accepted records,
    /// beginning with an opening.
    func lead() throws -> [LogRecord] {
        member.start()
        for _ in 0..<2 {
            let last = member.lastPublished
            member.publish(1)
            let isShown = run {
                let status = member.replica?.status
                return member.lastPublished != last && member.hasShownAll
                    && status?.isLeading == true && status?.pendingRecords == 0
            }
            try #require(isShown)
        }
        return (cluster.broker.contents?.log ?? [])
            .compactMap { try? LogRecord(decoding: $0, key: member.configuration.key) }
    }

    // MARK: Forged values

    static func version(_ number: Int) -> PublishedVersion {
        PublishedVersion(handle: HistoryID(rawValue: 7), number: number)
    }

    static func mark(_ source: Int, _ number: Int) -> SourceMark {
        SourceMark(source: source, number: number)
    }

    /// Returns a list of one section with some items, of which one has the mark, if there is any.
    static func state(_ mark: SourceMark?, _ others: String...) -> PublishedState {
        let payloads =
            [mark?.payload].compactMap(\.self) + others.map { PublishedPayload(utf8: $0) }
        let items = payloads.enumerated().map { index, payload in
            PublishedItem(number: UInt64(index) + 1, payload: payload)
        }
        let section = PublishedSection(number: 100, payload: nil)
        return PublishedState(
            [PublishedContents.InsertedSection(section: section, items: items)],
            shape: HierarchyShape([items.count])
        )
    }

    /// Shows a state at a version to a reader.
    func show(_ state: PublishedState, at number: Int) throws -> CollectionReplica {
        var replica = CollectionReplica()
        let snapshot = PublishedSnapshot(
            version: Self.version(number),
            state: state,
            digest: state.digest
        )
        try replica.apply(.reset(snapshot, .joined))
        oracle.shown(replica, at: Self.version(number), to: "somebody")
        return replica
    }

    /// Lets the member show a published state with a mark.
    func show(_ mark: SourceMark, at number: Int, isReset: Bool = false) throws {
        oracle.published(mark, Self.state(mark))
        let replica = try show(Self.state(mark), at: number)
        oracle.shown(replica, by: member, isReset: isReset)
    }

    /// Lets the member append a forged record of a chain, and returns its position.
    func seal(
        _ sequence: UInt64,
        from: Int,
        to version: Int,
        after previous: ChainPosition? = nil,
        of state: PublishedState = PublishedState()
    ) -> ChainPosition {
        let none = StateDigest(low: 0, high: 0)
        var record = LogRecord(
            position: ChainPosition(
                handle: HistoryID(rawValue: 7),
                epoch: 1,
                writer: 1,
                sequence: sequence,
                version: version,
                hash: none
            ),
            from: from,
            previous: previous?.hash ?? none,
            digest: state.digest,
            body: previous == nil ? .opening : .update([])
        )
        let bytes = record.seal(key: member.configuration.key)
        oracle.sealed(bytes, by: member)
        return record.position
    }
}

@Suite("Every check of a cluster can fail", .endsHangs) struct ForgedClusterTests {
    private static func makeForger() -> Forger<ClusterStage> {
        Forger({ ClusterStage() }) { stage, forge in
            try forge(stage)
            return stage.cluster.violations.map(\.description)
        }
    }

    @Test func appendedAndAcceptedRecords() throws {
        let forger = Self.makeForger()
        forger.forge("One Writer: changes the log with a lease") {
            $0.oracle.changes(by: $0.member)
        }
        forger.forge("One Writer: changes the log with a lease") { stage in
            stage.member.track.leaseSetAt = .zero
            stage.cluster.simulation.advanceClock(by: stage.member.configuration.leaseDuration)
            stage.oracle.changes(by: stage.member)
        }
        forger.forge("Prefix: appends what is no record") { stage in
            stage.oracle.sealed([1, 2], by: stage.member)
        }
        forger.forge("No Gap No Double: two records lead to") { stage in
            stage.member.track.leaseSetAt = .zero
            let first = stage.seal(1, from: 0, to: 10)
            let second = stage.seal(2, from: 10, to: 11, after: first)
            _ = stage.seal(3, from: 10, to: 11, after: second)
        }
        forger.forge("No Gap No Double: cannot publish") { stage in
            stage.oracle.observe(.unpublishable("too large"), of: stage.member)
        }
        forger.forge("Durable As Promised: the journal of 0 failed") { stage in
            stage.oracle.observe(.journalFailed("it is full"), of: stage.member)
        }
        // Positions that the newest record does not follow.
        let changes: [(String, back: Int, (inout ChainPosition) -> Void)] = [
            ("that is not further", 1, { $0.handle = HistoryID(rawValue: 1) }),
            ("that is not further", 0, { $0.hash = StateDigest(low: 1, high: 1) }),
            ("it does not follow", 1, { $0.hash = StateDigest(low: 1, high: 1) }),
            ("it does not follow", 2, { $0.hash = StateDigest(low: 1, high: 1) }),
            ("an epoch comes after a later one", 1, { $0.epoch += 1 }),
            ("two writers mix", 1, { $0.writer = ~$0.writer }),
            ("an epoch is not opened, or twice", 1, { $0.epoch -= 1 }),
        ]
        for (text, back, change) in changes {
            forger.forge("One Writer: \(text)") { stage in
                let records = try stage.lead()
                var old = try #require(records.dropLast(back).last).position
                change(&old)
                (stage.member.track.position, stage.member.track.isLost) = (old, false)
                stage.oracle.inspect(stage.member)
            }
        }
        #expect(forger.faults == [])
    }

    @Test func shownStates() {
        let forger = Self.makeForger()
        let (first, second) = (ClusterStage.mark(1, 1), ClusterStage.mark(1, 2))
        forger.forge("Prefix: otherwise than it was published") { stage in
            stage.oracle.published(first, ClusterStage.state(first))
            _ = try stage.show(ClusterStage.state(first, "a"), at: 2)
        }
        forger.forge("Prefix: what nobody published") { stage in
            _ = try stage.show(ClusterStage.state(nil, "a"), at: 2)
        }
        forger.forge("Prefix: is shown another state at") { stage in
            for mark in [first, second] {
                stage.oracle.published(mark, ClusterStage.state(mark))
                _ = try stage.show(ClusterStage.state(mark), at: 1)
            }
        }
        forger.forge("Prefix: than was sealed") { stage in
            stage.member.track.leaseSetAt = .zero
            _ = stage.seal(1, from: 0, to: 10, of: ClusterStage.state(first))
            stage.oracle.published(second, ClusterStage.state(second))
            _ = try stage.show(ClusterStage.state(second), at: 10)
        }
        forger.forge("Prefix: member 0 shows #1.1 after #1.2") { stage in
            try stage.show(second, at: 1)
            try stage.show(first, at: 2)
        }
        forger.forge("Durable As Promised: member 0 came back with #1.1, and had shown #1.2") {
            stage in
            stage.member.track.owed = MemberTrack.Promise(mark: second, epoch: 4)
            try stage.show(first, at: 1, isReset: true)
        }
        forger.forge("Durable As Promised: was shown as the broker's, and is lost") { stage in
            stage.member.track.leaseSetAt = .zero
            let opening = stage.seal(1, from: 0, to: 10)
            let end = stage.seal(2, from: 10, to: 11, after: opening, of: ClusterStage.state(first))
            try stage.show(first, at: 11)
            try stage.show(second, at: 12)
            stage.oracle.checkConfirmed(in: end)
        }
        forger.forge("Converges: reader has nothing at rest") { stage in
            _ = try stage.lead()
            let hub = try #require(stage.member.hub)
            let random = SeededGenerator(seed: 1)
            let reader = ClusterReader(stage.cluster, label: "reader", watching: nil, random)
            reader.join(stage.member)
            reader.checkAtRest(hub.snapshot.version)
        }
        #expect(forger.faults == [])
    }

    // MARK: At the end

    /// Returns the result of a whole run with forgeries at given times.
    private static func run(
        _ forgeries: [(milliseconds: Int, @Sendable (SimulatedCluster) -> Void)]
    ) -> RunResult {
        var run = RunPlan(clusterSeed: 1)
        (run.strategy, run.onlyFault, run.faults) = (.inOrder, nil, [])
        run.clients = [[.cluster(.wait(milliseconds: 3000))]]
        var plan = ClusterStage.plan([0, 0])
        // Slow reads leave time between the last update and the end.
        plan.readMilliseconds = 300
        run.cluster = plan
        let cluster = SimulatedCluster(run, plan, keepsTrace: false)
        for (milliseconds, forge) in forgeries {
            cluster.simulation.environment.schedule(
                after: .milliseconds(milliseconds),
                on: cluster.lane
            ) { [weak cluster] in
                if let cluster { forge(cluster) }
            }
        }
        return cluster.result()
    }

    @Test func finalChecks() {
        let untouched = Self.run([])
        #expect(untouched.violations == [] && untouched.marks["at rest"] == 1)
        // The follower shows another history whose newest version has the same number.
        let other = Self.run([
            (
                5000,
                { cluster in
                    guard let hub = cluster.members[1].hub else { return }
                    let number = hub.snapshot.version.number
                    let handle = HistoryID(rawValue: 99)
                    let version = PublishedVersion(handle: handle, number: number)
                    hub.jump(to: StateWithDigest(hub.snapshot.state), at: version)
                }
            )
        ])
        #expect(
            other.violations.map(\.description)
                == ["Converges: member 1 shows another state than the leader"]
        )
        let late = Self.run([
            (3700, { $0.members.first { !$0.isLeading }?.process?.pause() }),
            // Without any steps the wait would be shorter.
            (5000, { $0.members.first(where: \.isLeading)?.process?.pause() }),
        ])
        #expect(late.violations.map(\.guarantee) == ["Converges"])
        let fault = Self.run([
            (0, { $0.simulation.note(.livelock(steps: 9, report: "all of it")) })
        ])
        #expect(fault.violations.map(\.guarantee) == ["Simulation"])
    }
}
