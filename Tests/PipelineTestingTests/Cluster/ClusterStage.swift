import CollectionChanges
import CollectionPublishing
import Testing

@testable import CollectionReplication
@testable import PipelineTesting

/// A cluster without faults whose steps a test makes itself, so that it can say in between what a run would not: its
/// members are not those that the cluster has when it runs by itself.
final class ClusterStage {
    let cluster: SimulatedCluster
    let members: [SimulatedMember]

    /// - Parameters:
    ///   - visibility: as in a plan: 0 for at once, 1 for after the journal's sync, 2 for after the broker.
    ///   - stands: whether the first member stands for leadership; no other does.
    ///   - faults: those that happen wherever they may.
    init(
        members count: Int = 1,
        visibility: Int = 2,
        hasJournal: Bool = true,
        stands: Bool = true,
        keepsTrace: Bool = false,
        faults: [FaultPoint] = []
    ) {
        var run = RunPlan(clusterSeed: 1)
        (run.strategy, run.onlyFault, run.clients) = (.inOrder, nil, [])
        run.faults = faults.map { RunPlan.Fault(point: $0, rate: 1) }
        var random = SeededGenerator(seed: 1)
        var plan = ClusterPlan(&random)
        plan.members = (0..<count).map { index in
            ClusterPlan.Member(
                visibility: visibility,
                hasJournal: hasJournal,
                stands: stands && index == 0
            )
        }
        plan.beOrdinary(readMilliseconds: 50)
        let cluster = SimulatedCluster(run, plan, keepsTrace: keepsTrace)
        self.cluster = cluster
        members = (0..<count).map { index in
            SimulatedMember(index, cluster, SeededGenerator(seed: UInt64(index)))
        }
    }

    deinit {
        for member in members { member.crash() }
        // What is left to be done refers to the simulation, which keeps it until it is done.
        cluster.simulation.run(atMost: 10_000)
    }

    var oracle: ClusterOracle { cluster.oracle }

    /// The first member.
    var member: SimulatedMember { members[0] }

    // MARK: Steps

    /// Makes a step, and lets the oracle look at everybody; false where there is nothing to do.
    @discardableResult
    func step() -> Bool {
        guard cluster.simulation.step() else { return false }
        for member in members { oracle.look(at: member) }
        return true
    }

    /// Makes steps until something is so; false where it does not come to that.
    func run(until isDone: () -> Bool) -> Bool {
        for _ in 0..<20_000 { if isDone() || !step() { break } }
        return isDone()
    }

    /// Makes steps until some time has passed, and what was to be done by then.
    func wait(_ time: Duration) {
        let end = cluster.simulation.now + time
        for _ in 0..<20_000 { if cluster.simulation.now > end || !step() { break } }
    }

    /// Starts everybody, until the first member leads and its readers have all that was published first.
    func lead() throws {
        for member in members { member.start() }
        try #require(run { hasShownAll })
    }

    /// Lets the leader publish a change, until everybody's readers have it.
    func publish() throws {
        let last = member.lastPublished
        member.publish(1)
        try #require(run { member.lastPublished != last && hasShownAll })
    }

    /// Whether everybody has what the first member published.
    private var hasShownAll: Bool {
        guard let status = member.replica?.status, member.hasShownAll, status.isLeading,
            status.pendingRecords == 0
        else { return false }
        return members.allSatisfy { member in
            member.replica?.status.position == status.position
                && member.hub?.snapshot.version.number == status.position?.version
                && member.track.lastMark == self.member.lastPublished
        }
    }

    // MARK: What was found

    /// The guarantees that were noted as broken in what is done here.
    func broken(_ body: () -> Void) -> [String] {
        let count = cluster.violations.count
        body()
        return cluster.violations.dropFirst(count).map(\.guarantee)
    }

    /// What was reached, by name; ends the stage.
    func marks() -> [String: Int] {
        // A run with something broken takes no steps.
        cluster.note("Test", "it ends here")
        return cluster.result().marks
    }

    // MARK: What is made up

    static let handle = HistoryHandle(rawValue: 7)

    static func version(_ number: Int) -> PublishedVersion {
        PublishedVersion(handle: handle, number: number)
    }

    /// A list of one section with a marked item, where there is a mark, and some others.
    static func state(_ mark: SourceMark?, _ others: String...) -> PublishedState {
        let payloads = [mark?.payload].compactMap(\.self) + others.map { PublishedPayload($0) }
        let items = payloads.enumerated().map { index, payload in
            PublishedItem(number: UInt64(index) + 1, payload: payload)
        }
        let section = PublishedSection(number: 100, payload: nil)
        return PublishedState(
            [PublishedContents.FreshSection(section: section, items: items)],
            shape: HierarchyShape([items.count])
        )
    }

    /// What a reader has that was given a state.
    static func replica(_ state: PublishedState, at number: Int) throws -> CollectionReplica {
        var replica = CollectionReplica()
        let snapshot = PublishedSnapshot(
            version: version(number),
            state: state,
            digest: state.digest
        )
        try replica.apply(.reset(snapshot, .joined))
        return replica
    }

    /// A record of a chain that is made up, in bytes, and where it leads.
    func record(
        _ sequence: UInt64,
        epoch: UInt64 = 1,
        from: Int,
        to version: Int,
        after previous: ChainPosition? = nil,
        of state: PublishedState = PublishedState(),
        isOpening: Bool = false
    ) -> (bytes: [UInt8], position: ChainPosition) {
        let none = StateDigest(low: 0, high: 0)
        var record = LogRecord(
            position: ChainPosition(
                handle: Self.handle,
                epoch: epoch,
                writer: 1,
                sequence: sequence,
                version: version,
                hash: none
            ),
            from: from,
            previous: previous?.hash ?? none,
            digest: state.digest,
            body: isOpening ? .opening : .update([])
        )
        let bytes = record.seal(key: member.configuration.key)
        return (bytes, record.position)
    }
}
