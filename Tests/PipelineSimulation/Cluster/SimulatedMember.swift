import CollectionElements
import CollectionPipeline
import CollectionPublishing
import CollectionReplication
import PipelineTesting

/// A machine of a simulated cluster, on which the process of a member runs, dies and restarts; its
/// storage persists.
final class SimulatedMember: @unchecked Sendable {  // one thread
    let index: Int
    let configuration: ReplicationConfiguration
    private unowned let cluster: SimulatedCluster
    private let storage: VolatileStorage?
    private let lanes = SimulatedProcess.SharedLanes()
    private var random: SeededGenerator
    private(set) var wantsToLead: Bool

    // State of the current process
    private(set) var process: SimulatedProcess?
    private(set) var replica: ReplicatedHub?
    private(set) var log: MemoryLog?
    private var watcher: ClusterReader?
    private var source: SimulatedSource?
    private var application: (any Lane)?
    /// The number of callers that wait for a state to be shown, and the number of those that were
    /// notified.
    private(set) var callers = (waiting: 0, notified: 0)
    /// The states that callers waited for, each with the version that should contain it.
    private(set) var promises: [(mark: SourceMark, version: PublishedVersion)] = []
    /// The number of changes that the application has not published yet.
    private var unpublished = 0
    /// The number of starts.
    private(set) var life = 0
    private var isClosing = false

    /// The oracle's record of the member.
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
                // Responses can arrive in any order.
                track.leaseSetAt = max(track.leaseSetAt ?? time, time)
            }
        }
    }

    var isAlive: Bool { process != nil }

    var hasJournal: Bool { storage != nil }

    /// The hub that readers may join; `nil` while the process does not run.
    var hub: UpdateHub? { replica?.hub }

    // MARK: Start and end

    func start() {
        guard !isAlive else { return }
        life += 1
        isClosing = false
        (callers, promises, unpublished) = ((0, 0), [], 0)
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
        if wantsToLead { startCampaign() }
    }

    /// Ends the process between two steps.
    func crash() {
        guard isAlive else { return }
        cluster.oracle.died(self)
        process?.die()
        log?.close()
        watcher?.disconnect()
        cluster.disconnectReaders(of: self)
        (process, log, replica, watcher, source, application) = (nil, nil, nil, nil, nil, nil)
    }

    /// Lets the process die within one of the next calls of its journal.
    func crashWriting(calls: Int) { if isAlive { storage?.callsLeft = calls } }

    /// Whether the journal's storage is down, so that the process must die.
    var isDying: Bool { isAlive && storage?.isDown == true }

    func close() {
        guard isAlive, !isClosing else { return }
        isClosing = true
        cluster.oracle.left(self)
        replica?.close { [weak self, life] in
            guard let self else { return }
            // Runs on another lane than the member's own.
            cluster.lane.enqueue { [weak self] in
                if let self, life == self.life { crash() }
            }
        }
    }

    /// Cancels a planned failure of the journal.
    func calm() { storage?.callsLeft = nil }

    /// Ends a close that is still in progress.
    func endClosing() { if isClosing { crash() } }

    // MARK: Leadership

    var isLeading: Bool { replica?.status.isLeading ?? false }

    func campaign() {
        wantsToLead = true
        if isAlive, !isClosing { startCampaign() }
    }

    private func startCampaign() {
        replica?.campaign { [weak self, life] change in
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
        awaitNext()
    }

    /// Publishes changes of the application, if it exists.
    func publish(_ count: Int) {
        guard let source else { return }
        unpublished += count
        for _ in 0..<count {
            application?.enqueue { [self, life] in
                source.change()
                if life == self.life { unpublished -= 1 }
            }
        }
    }

    /// Registers three callers: two wait for the application's next state, one for the current
    /// state.
    func awaitNext() {
        guard let source, let replica else { return }
        callers.waiting += 3
        application?.enqueue { [self, life] in
            for number in [source.published + 1, source.published + 1, source.published] {
                replica.whenVisible(sourceVersion: number) { [weak self] version in
                    guard let self, life == self.life else { return }
                    callers.notified += 1
                    guard let version else { return }
                    promises.append((SourceMark(source: source.number, number: number), version))
                }
            }
        }
    }

    /// Whether the application has published all its changes, and readers were shown the last.
    var hasShownAll: Bool {
        source != nil && unpublished == 0 && track.lastMark == lastPublished
    }

    /// The mark of the last published state.
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

/// The oracle's record of a member.
struct MemberTrack {
    /// The last position that was seen.
    var position: ChainPosition?
    /// Whether the member may move to a position that does not follow.
    var isLost = true
    /// The state of its own leadership that only its own journal guarantees.
    var promise: Promise?
    /// The state that it must show first after a restart.
    var owed: Promise?
    /// The last mark that was shown by consecutive updates.
    var lastMark: SourceMark?
    /// The request time of the lease that was last confirmed.
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

/// A process of a simulation that can be paused and can die: its lanes run only while it is alive
/// and not paused.
///
/// All processes of a member share the simulation's lanes, so that their number does not grow.
final class SimulatedProcess: PipelineEnvironment, @unchecked Sendable {  // one thread
    private let base: any PipelineEnvironment
    private let bases: SharedLanes
    private var lanes: [ProcessLane] = []
    private(set) var isPaused = false
    private(set) var isDead = false

    /// The simulation's lanes that all processes of a member share.
    final class SharedLanes {
        fileprivate var byLabel: [String: any Lane] = [:]
    }

    init(_ base: any PipelineEnvironment, _ bases: SharedLanes) {
        (self.base, self.bases) = (base, bases)
    }

    func pause() { isPaused = true }

    func resume() {
        isPaused = false
        for lane in lanes { lane.catchUp() }
    }

    /// Discards all work; nothing of the process runs again.
    func die() {
        isDead = true
        for lane in lanes { lane.clear() }
        lanes = []
    }

    // MARK: The environment

    func makeLane(label: String) -> any Lane {
        let base = bases.byLabel[label] ?? self.base.makeLane(label: label)
        bases.byLabel[label] = base
        let lane = ProcessLane(base, of: self)
        if !isDead { lanes.append(lane) }
        return lane
    }

    func fork(
        parts: Int,
        joinOn lane: any Lane,
        body: @escaping @Sendable (Int) -> Void,
        join: @escaping @Sendable () -> Void
    ) {
        base.fork(parts: parts, joinOn: lane, body: body, join: join)
    }

    var workerCount: Int { base.workerCount }

    var isCurrentWorker: Bool { base.isCurrentWorker }

    func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        base.schedule(after: delay, on: lane, work)
    }

    var now: Duration { base.now }

    func makeSignal() -> any PipelineSignal { base.makeSignal() }
}

/// A lane of a process
private final class ProcessLane: Lane, @unchecked Sendable {  // one thread
    private let base: any Lane
    private let process: SimulatedProcess
    private var work = FIFO<@Sendable () -> Void>()
    /// The number of turns that it missed while the process was paused.
    private var missed = 0

    init(_ base: any Lane, of process: SimulatedProcess) {
        (self.base, self.process) = (base, process)
    }

    var label: String { base.label }

    var isCurrent: Bool { base.isCurrent }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        if process.isDead { return }
        self.work.append(work)
        takeTurn()
    }

    private func takeTurn() {
        base.enqueue { [weak self] in
            guard let self else { return }
            if process.isPaused {
                missed += 1
            } else {
                work.popFirst()?()
            }
        }
    }

    func catchUp() {
        for _ in 0..<missed { takeTurn() }
        missed = 0
    }

    func clear() { _ = work.removeAll() }
}

/// A member's connection that reports the records that the member appends, its other changes of the
/// log, and its leases.
final class WatchedLog: ReplicatedLog {
    private let base: MemoryLog
    private let noteRecord: @Sendable ([UInt8]) -> Void
    private let noteChange: @Sendable () -> Void
    private let noteLease: @Sendable () -> @Sendable () -> Void

    /// - Parameters:
    ///   - noteRecord: Called with every record before it is appended.
    ///   - noteChange: Called before the head is set, or before records or snapshots are removed.
    ///   - noteLease: Called before the lease is set; its result is called after the lease was set.
    init(
        _ base: MemoryLog,
        noteRecord: @escaping @Sendable ([UInt8]) -> Void,
        noteChange: @escaping @Sendable () -> Void,
        noteLease: @escaping @Sendable () -> @Sendable () -> Void
    ) {
        (self.base, self.noteRecord) = (base, noteRecord)
        (self.noteChange, self.noteLease) = (noteChange, noteLease)
    }

    func create(_ answer: @escaping @Sendable (Result<Void, LogError>) -> Void) {
        base.create(answer)
    }

    func append(
        _ record: [UInt8],
        id: String,
        after position: UInt64,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    ) {
        noteRecord(record)
        base.append(record, id: id, after: position, answer)
    }

    func read(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        _ answer: @escaping @Sendable (Result<LogBatch, LogError>) -> Void
    ) {
        base.read(from: position, limit: limit, wait: wait, answer)
    }

    func purge(
        through position: UInt64,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        noteChange()
        base.purge(through: position, answer)
    }

    func put(
        _ chunk: [UInt8],
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        base.put(chunk, at: index, of: snapshot, answer)
    }

    func chunk(
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<[UInt8]?, LogError>) -> Void
    ) {
        base.chunk(at: index, of: snapshot, answer)
    }

    func removeSnapshots(
        before name: String,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        noteChange()
        base.removeSnapshots(before: name, answer)
    }

    func read(
        _ register: LogRegister,
        _ answer: @escaping @Sendable (Result<LogRegisterValue?, LogError>) -> Void
    ) {
        base.read(register, answer)
    }

    func set(
        _ bytes: [UInt8],
        in register: LogRegister,
        expecting revision: UInt64?,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    ) {
        guard register == .lease else {
            if register == .head { noteChange() }
            return base.set(bytes, in: register, expecting: revision, answer)
        }
        let wasSet = noteLease()
        base.set(bytes, in: register, expecting: revision) { result in
            if case .success = result { wasSet() }
            answer(result)
        }
    }
}
