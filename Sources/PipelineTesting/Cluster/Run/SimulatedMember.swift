import CollectionPipeline
import CollectionPublishing
import CollectionReplication

/// A machine of a simulated cluster, on which the process of a member lives, dies and is started again; what it has
/// written down, it keeps.
final class SimulatedMember: @unchecked Sendable {  // one thread
    let index: Int
    let configuration: ReplicationConfiguration
    private unowned let cluster: SimulatedCluster
    private let storage: VolatileStorage?
    private let lanes = SimulatedProcess.SharedLanes()
    private var random: SeededGenerator
    private(set) var wantsToLead: Bool

    // Of its present life.
    private(set) var process: SimulatedProcess?
    private(set) var replica: ReplicatedHub?
    private(set) var log: MemoryLog?
    private var watcher: ClusterReader?
    private var source: SimulatedSource?
    private var application: (any Lane)?
    /// How often it was started.
    private(set) var life = 0
    private var isClosing = false

    /// What the oracle knows of it.
    var track = MemberTrack()

    init(_ index: Int, _ cluster: SimulatedCluster, _ random: SeededGenerator) {
        (self.index, self.cluster, self.random) = (index, cluster, random)
        let plan = cluster.plan.members[index]
        configuration = cluster.plan.configuration(of: index)
        wantsToLead = plan.stands
        storage = plan.hasJournal ? VolatileStorage(random, leavesGaps: true) : nil
    }

    private func watched(_ log: MemoryLog) -> WatchedLog {
        let life = life
        return WatchedLog(log) { [weak self] record in
            guard let self else { return }
            cluster.oracle.sealed(record, by: self)
        } noteChange: { [weak self] in
            guard let self else { return }
            cluster.oracle.changes(by: self)
        } noteLease: { [weak self] in
            let time = self?.cluster.simulation.environment.now ?? .zero
            return { [weak self] in
                guard let self, life == self.life else { return }
                // Answers come in any order.
                track.leaseSetAt = max(track.leaseSetAt ?? time, time)
            }
        }
    }

    var isAlive: Bool { process != nil }

    var hasJournal: Bool { storage != nil }

    /// What readers may join; nil where nobody answers.
    var hub: UpdateHub? { replica?.hub }

    // MARK: Living and dying

    func start() {
        guard !isAlive else { return }
        life += 1
        isClosing = false
        track.begin(life: life)
        storage?.restart()
        let process = SimulatedProcess(cluster.simulation.environment, lanes)
        let log = cluster.broker.makeLog(label: "\(index)")
        let observer = MemberObserver { [weak self, life] event in
            guard let self, life == self.life else { return }
            cluster.oracle.observe(event, of: self)
        }
        var journal: (@Sendable () throws(JournalError) -> any JournalStorage)?
        if let storage { journal = { () throws(JournalError) -> any JournalStorage in storage } }
        let replica = ReplicatedHub(
            log: watched(log),
            journal: journal,
            configuration: configuration,
            environment: process,
            observer: observer,
            seed: random.next()
        )
        (self.process, self.log, self.replica) = (process, log, replica)
        application = process.makeLane(label: "\(index) application")
        let watcher = ClusterReader(cluster, label: "watcher of \(index)", watching: self, random)
        self.watcher = watcher
        watcher.join(self)
        replica.follow()
        if wantsToLead { lead() }
    }

    /// Its process ends, between two steps.
    func crash() {
        guard isAlive else { return }
        cluster.oracle.died(self)
        process?.die()
        log?.close()
        watcher?.disconnect()
        cluster.disconnectReaders(of: self)
        (process, log, replica, watcher, source, application) = (nil, nil, nil, nil, nil, nil)
    }

    /// It dies within one of the next calls of its journal.
    func crashWriting(calls: Int) { if isAlive { storage?.callsLeft = calls } }

    /// Whether its journal is gone, and so it is to die.
    var isDying: Bool { isAlive && storage?.isDown == true }

    func close() {
        guard isAlive, !isClosing else { return }
        isClosing = true
        cluster.oracle.left(self)
        replica?.close { [weak self, life] in
            guard let self else { return }
            // Not from within a lane of its own.
            cluster.lane.enqueue { [weak self] in
                if let self, life == self.life { crash() }
            }
        }
    }

    /// Its journal does not fail any more by itself.
    func calm() { storage?.callsLeft = nil }

    /// Whoever waits for its end to come waits no longer.
    func endClosing() { if isClosing { crash() } }

    // MARK: Leading

    var isLeading: Bool { replica?.status.isLeading ?? false }

    func stand() {
        wantsToLead = true
        if isAlive, !isClosing { lead() }
    }

    private func lead() {
        replica?.lead { [weak self, life] change in
            guard let self, life == self.life else { return }
            switch change {
            case .began(let snapshot): began(snapshot)
            case .ended: source = nil
            }
        }
    }

    func resign() {
        wantsToLead = false
        cluster.oracle.left(self)
        replica?.resign()
    }

    private func began(_ snapshot: PublishedSnapshot) {
        guard let process else { return }
        let source = SimulatedSource(
            cluster.oracle.takeSourceNumber(),
            from: snapshot,
            SeededGenerator(seed: random.next()),
            process,
            label: "\(index) source"
        ) { [weak cluster] mark, state in cluster?.oracle.published(mark, state) }
        self.source = source
        replica?.publish(from: source.hub)
    }

    /// Its application changes what it shows, where it has one.
    func publish(_ count: Int) {
        guard let source else { return }
        for _ in 0..<count { application?.enqueue { source.change() } }
    }

    /// Whether its readers were shown what its application published last.
    var hasShownAll: Bool { source != nil && track.lastMark == lastPublished }

    /// The mark of what its application published last.
    var lastPublished: SourceMark? { source?.last }
}

extension SimulatedMember: CustomStringConvertible {
    var description: String {
        guard let status = replica?.status else { return "\(index) is not there" }
        let position = status.position.map { "\($0.epoch)/\($0.sequence)" } ?? "nothing"
        let traits = [
            (status.isLeading, "leads"), (!status.isCurrent, "is not current"),
            (status.pendingRecords > 0, "has \(status.pendingRecords) pending"),
            (isClosing, "is closing"), (process?.isPaused == true, "stands still"),
        ]
        let shown = track.lastMark.map { "\($0)" } ?? "nothing"
        return "\(index) is at \(position)"
            + traits.filter(\.0).map { ", \($0.1)" }.joined() + ", shows \(shown)"
    }
}

/// What the oracle knows of a member.
struct MemberTrack {
    /// The last position that was seen.
    var position: ChainPosition?
    /// Whether it may go to a position that does not follow.
    var isLost = true
    /// What it has shown of its own leadership, by its own journal alone.
    var promise: Promise?
    /// What it must show first in its next life.
    var owed: Promise?
    /// The mark that was shown last, by updates that follow on each other.
    var lastMark: SourceMark?
    /// When it has asked for the lease that it was told last to have.
    var leaseSetAt: Duration?

    struct Promise {
        let mark: SourceMark
        let epoch: UInt64
    }

    mutating func begin(life: Int) {
        (position, isLost, lastMark, leaseSetAt) = (nil, true, nil, nil)
    }
}

private final class MemberObserver: ReplicationObserver, @unchecked Sendable {  // one thread
    private let body: (ReplicationEvent) -> Void

    init(_ body: @escaping (ReplicationEvent) -> Void) { self.body = body }

    func observe(_ event: ReplicationEvent) { body(event) }
}
