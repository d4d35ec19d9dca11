import CollectionPipeline
import CollectionPublishing
import CollectionReplication
import PipelineTesting

/// One run of a cluster in a simulation: members of one log lead, follow, die and restart over a
/// broker with faults, readers move between them, and the run checks every guarantee during the run
/// and at its end.
final class SimulatedCluster: @unchecked Sendable {  // one thread
    let plan: ClusterPlan
    private let run: RunPlan
    let simulation: Simulation
    /// A lane that no member uses.
    let lane: any Lane
    let broker: MemoryBroker
    private(set) var members: [SimulatedMember] = []
    private var readers: [ClusterReader] = []
    private var random: SeededGenerator
    private(set) var violations: [GuaranteeViolation] = []
    private var marks: [String: Int] = [:]
    private(set) lazy var oracle = ClusterOracle(self)
    /// The number of readers that were created.
    private var readerCount = 0

    init(_ run: RunPlan, _ plan: ClusterPlan, keepsTrace: Bool) {
        (self.run, self.plan) = (run, plan)
        random = SeededGenerator(seed: run.seed ^ 0x6D65_6D62_6572)
        simulation = Simulation(
            seed: run.seed,
            strategy: run.strategy,
            workerCount: run.workerCount,
            faultRates: Dictionary(run.faults.map { ($0.point, $0.rate) }) { first, _ in first },
            onlyFault: run.onlyFault
        )
        if keepsTrace { simulation.keepTrace() }
        lane = simulation.makeLane(label: "cluster")
        var configuration = MemoryBrokerConfiguration()
        configuration.rememberedAppends = plan.rememberedAppends
        broker = MemoryBroker(
            environment: simulation.environment,
            configuration: configuration,
            faults: BrokerFaults(
                seed: run.seed,
                longestDelay: .milliseconds(plan.faultMilliseconds),
                foreignRecords: Self.foreignRecords
            ) { [simulation] in simulation.happens(FaultPoint($0)) }
        )
    }

    func note(_ guarantee: String, _ message: String) {
        simulation.annotate("broken: \(guarantee): \(message)")
        violations.append(GuaranteeViolation(guarantee: guarantee, message: message))
    }

    func mark(_ name: String) { marks[name, default: 0] += 1 }

    // MARK: Running

    func result() -> RunResult {
        for index in plan.members.indices {
            members.append(SimulatedMember(index, self, SeededGenerator(seed: random.next())))
        }
        for member in members { member.start() }
        for case .cluster(let action) in run.clients.joined() where violations.isEmpty {
            perform(action)
        }
        if violations.isEmpty { settle() }
        tearDown()
        if let fault = simulation.fault { note("Simulation", "\(fault)") }
        return RunResult(of: simulation, run, violations, marks: marks)
    }

    /// Performs one step and checks every member.
    @discardableResult
    private func step() -> Bool {
        guard simulation.step() else { return false }
        for member in members {
            if member.isDying {
                mark("died writing")
                member.crash()
            }
            oracle.inspect(member)
        }
        return true
    }

    /// Performs a number of steps.
    private func step(_ count: Int) {
        for _ in 0..<count { if !violations.isEmpty || !step() { return } }
    }

    /// Performs steps until some time has passed.
    private func wait(_ milliseconds: Int) {
        let end = simulation.now.later(by: .milliseconds(milliseconds))
        for _ in 0..<Self.waitLimit {
            if simulation.now >= end || !violations.isEmpty || !step() { return }
        }
    }

    /// The maximum number of steps of a wait.
    private static let waitLimit = 20_000

    // MARK: Events

    private func member(_ number: Int) -> SimulatedMember {
        members[Int(number.magnitude % UInt(members.count))]
    }

    private func perform(_ action: ClusterAction) {
        simulation.annotate("then: \(action)")
        switch action {
        case .publish(let seed): publish(seed)
        case .crash(let number): member(number).crash()
        case .crashWriting(let number, let calls): member(number).crashWriting(calls: calls)
        case .restart(let number): member(number).start()
        case .pause(let number): member(number).process?.pause()
        case .resume(let number): member(number).process?.resume()
        case .campaign(let number): member(number).campaign()
        case .resign(let number): member(number).resign()
        case .close(let number): member(number).close()
        case .readers(let seed): moveReaders(seed)
        case .cutOff(let number, let directions):
            member(number).log?.cutOff(MemoryLog.Directions(rawValue: directions & 3))
        case .reconnect(let number): member(number).log?.reconnect()
        case .run(let count): step(min(max(0, count), Self.waitLimit))
        case .wait(let milliseconds): wait(milliseconds)
        }
    }

    private func publish(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = random.isTrue(oneIn: 8) ? 12 : 1 + random.next(below: 3)
        for member in members { member.publish(count) }
    }

    private func moveReaders(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alive = members.filter(\.isAlive)
        if readers.count < 4 {
            readerCount += 1
            let label = "reader \(readerCount)"
            readers.append(ClusterReader(self, label: label, watching: nil, random))
        }
        for reader in readers {
            switch random.next(below: 4) {
            case 0: reader.disconnect()
            case 1: reader.resume()
            default: if let member = alive.randomElement(using: &random) { reader.join(member) }
            }
        }
    }

    func disconnectReaders(of member: SimulatedMember) {
        for reader in readers where reader.member === member { reader.disconnect() }
    }

    // MARK: The end

    /// Ends all faults, restarts and resumes all members, and checks that they converge to one
    /// state.
    private func settle() {
        simulation.endFaults()
        broker.endFaults()
        for member in members {
            member.calm()
            member.process?.resume()
        }
        wait(plan.leaseMilliseconds)
        for member in members {
            member.endClosing()
            member.start()
        }
        if !members.contains(where: \.wantsToLead) { members[0].campaign() }
        guard waitForRest() else { return }
        for member in members { member.awaitNext() }
        // Another member may begin to lead meanwhile, and its callers wait for an update too.
        for _ in 0..<3 {
            for member in members { member.publish(1) }
            guard waitForRest() else { return }
            // Callbacks to callers may be one step later than the messages to readers.
            wait(plan.readMilliseconds)
            if members.allSatisfy({ $0.callers.waiting == $0.callers.notified }) { break }
        }
        guard let leader = members.first(where: \.isLeading) else { return }
        checkCallers()
        checkAtRest(leader)
    }

    /// Performs steps until all members are up to date; reports a violation if that takes too long.
    private func waitForRest() -> Bool {
        let reads = (broker.contents?.log.count ?? 0) / plan.readRecords
        let patience = Self.patience(plan, reads: reads)
        let leastSteps = 50_000 + 2_000 * reads
        let end = simulation.now.later(by: .milliseconds(patience))
        // Waits first, since the latest actions are still in flight.
        wait(3 * plan.readMilliseconds)
        for steps in 0..<(2 * leastSteps) {
            if !violations.isEmpty { return false }
            if steps.isMultiple(of: 8), isAtRest { return true }
            // Time alone is not enough, since timers can be chosen to fire early.
            if simulation.now >= end, steps >= leastSteps { break }
            if !step() { break }
        }
        let found = members.map(\.description).joined(separator: "; ")
        note("Converges", "after \(patience) ms without faults: \(found)")
        return false
    }

    /// The time allowed for convergence, in milliseconds: all configured times, several times, and
    /// three failed attempts for each of the reads that the whole log takes.
    private static func patience(_ plan: ClusterPlan, reads: Int) -> Int {
        10 * (plan.leaseMilliseconds + plan.answerMilliseconds + plan.readMilliseconds)
            + 20 * plan.retryMilliseconds + 3 * plan.patienceMilliseconds + 10_000
            + 3 * reads * (plan.answerMilliseconds + plan.retryMilliseconds)
    }

    private var isAtRest: Bool {
        let leaders = members.filter(\.isLeading)
        guard leaders.count == 1, let leader = leaders.first else { return false }
        let newest = leader.replica?.status.position
        return leader.hasShownAll
            && members.allSatisfy { member in
                guard let status = member.replica?.status else { return false }
                return status.isCurrent && status.pendingRecords == 0 && status.position == newest
                    && member.hub?.snapshot.version.number == newest?.version
            }
    }

    /// Checks that each caller that waits for a state is notified once, with a version that
    /// contains the state.
    private func checkCallers() {
        for member in members where member.callers.waiting > 0 {
            mark(Situation.waitingCallers.mark)
            let (waiting, notified) = member.callers
            if waiting != notified {
                note(
                    "Exactly One Completion",
                    "member \(member.index) notified \(notified) of \(waiting) callers"
                )
            }
            for promise in member.promises {
                oracle.checkPromise(of: promise.mark, at: promise.version, by: member)
            }
        }
    }

    private func checkAtRest(_ leader: SimulatedMember) {
        guard let end = leader.replica?.status.position, let hub = leader.hub else { return }
        mark("at rest")
        let snapshot = hub.snapshot
        for member in members {
            guard let other = member.hub?.snapshot else { continue }
            if other.version != snapshot.version || other.digest != snapshot.digest {
                note("Converges", "member \(member.index) shows another state than the leader")
            }
        }
        for reader in readers { reader.checkAtRest(snapshot.version) }
        if !brokerHasLost { oracle.checkConfirmed(in: end) }
    }

    /// Whether the broker has lost data.
    var brokerHasLost: Bool {
        let counts = simulation.faultCounts
        return [BrokerFault.storeIsRolledBack, .logIsDeleted, .recordsArePurged, .chunkIsLost]
            .contains { counts[FaultPoint($0)] != nil }
    }

    private func tearDown() {
        readers = []
        for member in members { member.crash() }
        simulation.endFaults()
        if violations.isEmpty { simulation.run(atMost: 10_000) }
    }

    // MARK: Foreign records

    /// Records of another collection that strangers append.
    private static let foreignRecords: [[UInt8]] = {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let broker = MemoryBroker(environment: simulation.environment)
        var member: ReplicatedHub? = ReplicatedHub(
            log: broker.makeLog(label: "foreign"),
            journal: nil,
            configuration: ReplicationConfiguration(),
            environment: simulation.environment,
            observer: nil,
            seed: 1
        )
        // nonisolated(unsafe): a simulation has one thread.
        nonisolated(unsafe) var source: SimulatedSource?
        member?.follow()
        member?.campaign { [weak member] change in
            guard case .began(let snapshot) = change else { return }
            let made = SimulatedSource(
                0,
                from: snapshot,
                SeededGenerator(seed: 1),
                simulation.environment,
                label: "foreign source",
                note: { _, _ in }
            )
            source = made
            member?.publish(from: made.hub)
        }
        for _ in 0..<200 { simulation.step() }
        for _ in 0..<4 { source?.change() }
        for _ in 0..<200 { simulation.step() }
        let records = broker.contents?.log ?? []
        // Pending work of these objects retains the simulation until it has run.
        (source, member) = (nil, nil)
        simulation.run(atMost: 10_000)
        return records
    }()
}
