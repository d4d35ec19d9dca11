import CollectionChanges
import PipelineTestSupport
import PipelineTesting

@testable import CollectionPublishing
@testable import CollectionReplication

/// Three members over a broker with faults, readers of each, and callers that wait until something is shown: whatever
/// happens, what they were told must agree.
final class ClusterWorld {
    /// What readers of one member are shown.
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

    /// What a member asks for: it changes the log only while nobody else may have taken its lease.
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
                        state.fault = "it changes the log, and another may have its lease"
                    }
                default: break
                }
                log.ask(request) { [self] said in
                    if isSet, case .revision = said {
                        state.withLock { $0.setAt = max($0.setAt ?? now, now) }
                    }
                    answer(said)
                }
            }
        }
    }

    /// Somebody who waits, until a number of a source is shown.
    private final class Waiter: Sendable {
        let number: Int
        private let told = Lock<[PublishedVersion?]>([])

        init(_ number: Int, _ member: StagedMember) {
            self.number = number
            member.replica.whenShown(source: number) { version in
                self.told.withLock { $0.append(version) }
            }
        }

        var answers: [PublishedVersion?] { told.withLock { $0 } }
    }

    /// Those who wait for numbers of one source.
    private struct Waiting {
        let member: StagedMember
        /// None where the member had no source when it was asked.
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
    /// How many versions were shown, and how many of those who wait were told one.
    var count: (shown: Int, told: Int) {
        let answers = waiting.flatMap { $0.waiters.flatMap(\.answers) }
        return (known.count, answers.count { $0 != nil })
    }

    init(seed: UInt64, rates: [BrokerFault: Double] = BrokerFault.rates) {
        random = SeededGenerator(seed: seed)
        stage = ReplicaStage(
            seed: seed,
            faults: BrokerFaults(seed: seed, rates: rates, longestDelay: .milliseconds(800))
        )
        isImmediate = seed.isMultiple(of: 3)
        let visibilities: [ReplicationVisibility] = [.immediately, .afterLocalSync, .afterBroker]
        // With short ones somebody may lose its office before it has shown what opens it.
        let lease = Duration.milliseconds(isImmediate ? 2_000 : 500)
        for (index, name) in ["first", "second", "third"].enumerated() {
            let journal = index < 2 && seed % 4 != 3 ? MemoryJournalStorage() : nil
            let member = stage.add(name, journal: journal) {
                $0.leaseDuration = lease
                $0.visibility = visibilities[Int(seed) % 3]
                $0.snapshotInterval = 5
                $0.answerTimeout = .milliseconds(300)
                $0.rollbackPatience = .seconds(4)
                if seed % 2 == 0 { $0.pendingRecords = 8 }
                if seed % 4 == 1 { $0.recordByteLimit = 300 }
            } over: { [watch = leases[index]] in
                watch.log(over: $0, lease: lease)
            }
            members.append(member)
            watches.append(Watch(member.replica.hub))
        }
        // The third never leads.
        for member in members[..<2] { member.lead() }
    }

    /// Does something, lets time pass, and says what is wrong then.
    func step() -> String? {
        for member in members where random.chance(0.8) { member.publish() }
        let member = members[random.next(below: 2)]
        if random.isTrue(oneIn: 12) { member.replica.resign() }
        if random.isTrue(oneIn: 6) { member.lead() }
        if random.isTrue(oneIn: 3) { ask(members[random.next(below: 3)]) }
        stage.run(.milliseconds(100 + random.next(below: 300)))
        return fault
    }

    /// Several wait for the same, and for other numbers, in any order.
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

    /// What is wrong when all faults have ended, and everybody has had its time.
    func end() -> String? {
        stage.broker.heal()
        stage.run(.seconds(40))
        for member in members { member.publish(4) }
        stage.run(.seconds(20))
        if let fault { return fault }
        let leaders = members.filter { $0.replica.status.isLeading }
        guard let leader = leaders.first, leaders.count == 1 else {
            return "\(leaders.count) lead: \(members.map(\.replica.status))"
        }
        for member in members
        where member.version != leader.version || member.state != leader.state {
            return "\(member.name) has not what \(leader.name) has: \(member.events.suffix(14))"
        }
        for waiting in waiting {
            for waiter in waiting.waiters
            where waiter.number <= waiting.source?.generation ?? 0 && waiter.answers.isEmpty {
                return "nobody was told of number \(waiter.number) by \(waiting.member.name)"
            }
        }
        return nil
    }

    // MARK: What must be

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
                if writer != position.writer { return "two writers of epoch \(position.epoch)" }
                writers[position.epoch] = writer
            }
            for (index, change) in member.changes.enumerated()
            where !change.hasPrefix(index.isMultiple(of: 2) ? "began" : "ended") {
                return "\(member.name) was told \(member.changes)"
            }
        }
        // Leaders that show at once have shown whatever anybody shows; that from which the history begins is nobody's.
        let nothing = CollectionReplica().digest
        for (version, digest) in watches[2].shown
        where isImmediate && digest != nothing && !led.contains(version) {
            return "no leader has shown \(version)"
        }
        for waiting in waiting {
            if let fault = fault(of: waiting) { return "\(waiting.member.name): \(fault)" }
        }
        return nil
    }

    private func fault(of waiting: Waiting) -> String? {
        let isOver = waiting.source == nil || waiting.member.source !== waiting.source
        let told = waiting.waiters.compactMap { waiter in
            waiter.answers.first.flatMap { $0 }.map { (number: waiter.number, version: $0) }
        }
        for waiter in waiting.waiters {
            let answers = waiter.answers
            if answers.count > 1 { return "it is told twice of \(waiter.number)" }
            if waiting.source == nil, answers != [nil] { return "\(answers) without a source" }
            if isOver, answers.isEmpty { return "it waits for \(waiter.number) of nobody" }
            if answers.isEmpty, told.contains(where: { $0.number >= waiter.number }) {
                return "others are told of \(waiter.number), and it is not"
            }
        }
        for (number, version) in told {
            if version.number > waiting.member.version.number, !isOver {
                return "\(version) is not shown yet"
            }
            if let began = waiting.source?.began, version.number < began.number {
                return "\(version) was there before the source"
            }
            if told.contains(where: { $0.number > number && $0.version.number < version.number }) {
                return "\(number) is shown after a later number"
            }
        }
        return nil
    }
}
