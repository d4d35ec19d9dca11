import CollectionChanges
import PipelineTestSupport
import PipelineTesting

@testable import CollectionPublishing
@testable import CollectionReplication

/// Three members over a broker with faults, with readers and waiting callers. Whatever happens, all
/// results must agree.
final class ClusterWorld {
    /// The states that readers of one member see.
    private final class Watch: @unchecked Sendable {  // one thread
        var shown: [PublishedVersion: StateDigest] = [:]
        var fault: String?
        private var replica = CollectionReplica()
        private var reader: HubReader?

        init(_ hub: UpdateHub) {
            reader = try? hub.addReader { [unowned self] message in
                do {
                    try replica.apply(message)
                } catch {
                    fault = fault ?? "\(message): \(error)"
                }
                if let version = replica.version { shown[version] = replica.digest }
                return .more
            }
        }
    }

    /// Checks that a member changes the log only while no other member can have taken its lease.
    private final class LeaseWatch: Sendable {
        private let state = Lock((setAt: Duration?.none, fault: String?.none))
        var fault: String? { state.withLock { $0.fault } }

        func log(over log: MemoryLog, lease duration: Duration) -> any ReplicatedLog {
            TwistedLog(log) { [self] request, log, answer in
                let now = log.broker.environment.now
                let isSet = if case .set(_, .lease, _) = request { true } else { false }
                switch request {
                case .append, .purge, .removeSnapshots, .set(_, .head, _):
                    state.withLock { state in
                        if let setAt = state.setAt, now - setAt < duration { return }
                        state.fault =
                            "the member changes the log although another may have its lease"
                    }
                default: break
                }
                log.ask(request) { [self] response in
                    if isSet, case .revision = response {
                        state.withLock { $0.setAt = max($0.setAt ?? now, now) }
                    }
                    answer(response)
                }
            }
        }
    }

    /// A caller that waits until a version of a source is visible.
    private final class Waiter: Sendable {
        let number: Int
        private let results = Lock<[PublishedVersion?]>([])

        init(_ number: Int, _ member: StagedMember) {
            self.number = number
            member.replica.whenVisible(sourceVersion: number) { version in
                self.results.withLock { $0.append(version) }
            }
        }

        var answers: [PublishedVersion?] { results.withLock { $0 } }
    }

    /// The callers that wait for versions of one source.
    private struct Waiting {
        let member: StagedMember
        /// `nil` if the member had no source at the time of the call.
        let source: StagedSource?
        var waiters: [Waiter]
    }

    let stage: ReplicaStage
    private(set) var members: [StagedMember] = []
    private var watches: [Watch] = []
    private let leases = (0..<3).map { _ in LeaseWatch() }
    private var waiting: [Waiting] = []
    private var random: SeededGenerator
    private var writers: [UInt64: UInt64] = [:]
    private var known: [PublishedVersion: StateDigest] = [:]
    private var led: Set<PublishedVersion> = []
    private let isImmediate: Bool
    /// Whether the broker never returns to an older log, in which an epoch can be opened again.
    private let keepsItsLog: Bool
    /// The number of visible versions, and the number of callers that received one.
    var count: (shown: Int, results: Int) {
        let answers = waiting.flatMap { $0.waiters.flatMap(\.answers) }
        return (known.count, answers.count { $0 != nil })
    }

    init(seed: UInt64, rates: [BrokerFault: Double] = BrokerFault.rates) {
        random = SeededGenerator(seed: seed)
        keepsItsLog = rates[.storeIsRolledBack] == nil && rates[.logIsDeleted] == nil
        stage = ReplicaStage(
            seed: seed,
            faults: BrokerFaults(seed: seed, rates: rates, longestDelay: .milliseconds(800))
        )
        isImmediate = seed.isMultiple(of: 3)
        let visibilities: [ReplicationVisibility] = [.immediately, .afterLocalSync, .afterBroker]
        // With short leases a member may lose leadership before its opening is visible.
        let lease = Duration.milliseconds(isImmediate ? 2_000 : 500)
        for (index, name) in ["first", "second", "third"].enumerated() {
            let journal = index < 2 && seed % 4 != 3 ? MemoryJournalStorage() : nil
            let member = stage.add(name, journal: journal) {
                $0.leaseDuration = lease
                $0.visibility = visibilities[Int(seed) % 3]
                $0.snapshotInterval = 5
                $0.answerTimeout = .milliseconds(300)
                $0.rollbackGracePeriod = .seconds(4)
                if seed % 2 == 0 { $0.pendingRecordLimit = 8 }
                if seed % 4 == 1 { $0.recordByteLimit = 300 }
            } over: { [watch = leases[index]] in
                watch.log(over: $0, lease: lease)
            }
            members.append(member)
            watches.append(Watch(member.replica.hub))
        }
        // The third member never leads.
        for member in members[..<2] { member.campaign() }
    }

    /// Takes a random step, lets time pass, and returns the first fault.
    func step() -> String? {
        for member in members where random.chance(0.8) { member.publish() }
        let member = members[random.next(below: 2)]
        if random.isTrue(oneIn: 12) { member.replica.resign() }
        if random.isTrue(oneIn: 6) { member.campaign() }
        if random.isTrue(oneIn: 3) { ask(members[random.next(below: 3)]) }
        stage.run(.milliseconds(100 + random.next(below: 300)))
        return fault
    }

    /// Adds several callers that wait for equal and different versions in random order.
    private func ask(_ member: StagedMember) {
        let newest = member.source?.generation ?? 3
        let numbers = (0..<2 + random.next(below: 4)).map { _ in
            max(0, newest - 1 + random.next(below: 4))
        }
        let waiters = (numbers + numbers.prefix(1)).map { Waiter($0, member) }
        if let index = waiting.firstIndex(where: { $0.source === member.source }),
            member.source != nil
        {
            waiting[index].waiters += waiters
        } else {
            waiting.append(Waiting(member: member, source: member.source, waiters: waiters))
        }
    }

    /// Ends all broker faults, lets time pass, and returns the first fault.
    func end() -> String? {
        stage.broker.endFaults()
        // Both may have resigned.
        for member in members[..<2] { member.campaign() }
        stage.run(.seconds(40))
        for member in members { member.publish(4) }
        stage.run(.seconds(20))
        if let fault { return fault }
        let leaders = members.filter { $0.replica.status.isLeading }
        guard let leader = leaders.first, leaders.count == 1 else {
            return "\(leaders.count) leaders: \(members.map(\.replica.status))"
        }
        for member in members
        where member.version != leader.version || member.state != leader.state {
            return "\(member.name) differs from \(leader.name): \(member.events.suffix(14))"
        }
        for waiting in waiting {
            for waiter in waiting.waiters
            where waiter.number <= waiting.source?.generation ?? 0 && waiter.answers.isEmpty {
                return "no result for number \(waiter.number) by \(waiting.member.name)"
            }
        }
        return nil
    }

    // MARK: Checks

    private var fault: String? {
        for (member, lease) in zip(members, leases) {
            if let fault = lease.fault { return "\(member.name): \(fault)" }
        }
        for (member, watch) in zip(members, watches) {
            if let fault = watch.fault { return "\(member.name): \(fault)" }
            for (version, digest) in watch.shown {
                if known[version, default: digest] != digest { return "two states at \(version)" }
                known[version] = digest
            }
            if member !== members[2] { led.formUnion(watch.shown.keys) }
            if let position = member.replica.status.position {
                let writer = writers[position.epoch, default: position.writer]
                if keepsItsLog, writer != position.writer {
                    return "two writers of epoch \(position.epoch)"
                }
                writers[position.epoch] = writer
            }
            for (index, change) in member.changes.enumerated()
            where !change.hasPrefix(index.isMultiple(of: 2) ? "began" : "ended") {
                return "\(member.name) was notified of \(member.changes)"
            }
        }
        // If leaders show updates immediately, a leader has shown every visible state except the
        // empty beginning of the history.
        let nothing = CollectionReplica().digest
        for (version, digest) in watches[2].shown
        where isImmediate && digest != nothing && !led.contains(version) {
            // The leader reads back the version that opens its epoch, and a follower may be faster.
            let isOpening = !watches[2].shown.keys.contains { earlier in
                earlier.handle == version.handle
                    && (0..<1 << 32).contains(version.number - earlier.number - 1)
            }
            if isOpening { continue }
            return "no leader has shown \(version)"
        }
        for waiting in waiting {
            if let fault = fault(of: waiting) { return "\(waiting.member.name): \(fault)" }
        }
        return nil
    }

    private func fault(of waiting: Waiting) -> String? {
        let isOver = waiting.source == nil || waiting.member.source !== waiting.source
        let results = waiting.waiters.compactMap { waiter in
            waiter.answers.first.flatMap { $0 }.map { (number: waiter.number, version: $0) }
        }
        for waiter in waiting.waiters {
            let answers = waiter.answers
            if answers.count > 1 { return "two results for \(waiter.number)" }
            if waiting.source == nil, answers != [nil] { return "\(answers) without a source" }
            if isOver, answers.isEmpty {
                return "a caller still waits for \(waiter.number) of a former source"
            }
            if answers.isEmpty, results.contains(where: { $0.number >= waiter.number }) {
                return "only other callers have a result for \(waiter.number)"
            }
        }
        for (number, version) in results {
            if version.number > waiting.member.version.number, !isOver {
                return "\(version) is not visible yet"
            }
            if let began = waiting.source?.began, version.number < began.number {
                return "\(version) precedes the source"
            }
            if results.contains(where: { $0.number > number && $0.version.number < version.number })
            {
                return "\(number) became visible after a later number"
            }
        }
        return nil
    }
}
