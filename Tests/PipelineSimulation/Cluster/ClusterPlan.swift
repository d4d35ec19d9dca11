import CollectionReplication
import PipelineTesting

/// The members of a simulated cluster and their behavior, as a value; the ``RunPlan`` has the
/// events as actions.
package struct ClusterPlan: Hashable, Sendable, Codable {
    package struct Member: Hashable, Sendable, Codable {
        /// 0 for immediately, 1 for after the journal's sync, 2 for after the broker.
        package var visibility: Int
        package var hasJournal: Bool
        /// Whether the member campaigns for leadership from the beginning.
        package var stands: Bool
    }

    package var members: [Member]
    package var leaseMilliseconds: Int
    package var answerMilliseconds: Int
    package var readMilliseconds: Int
    package var retryMilliseconds: Int
    package var patienceMilliseconds: Int
    /// The longest duration of a fault.
    package var faultMilliseconds: Int
    package var readRecords: Int
    package var inFlightRecordLimit: Int
    package var pendingRecords: Int
    package var recordBytes: Int
    package var chunkBytes: Int
    package var snapshotInterval: Int
    /// The number of appends that the broker remembers.
    package var rememberedAppends: Int

    init(_ random: inout SeededGenerator) {
        let count = 2 + random.next(below: 3)
        let visibility = random.isTrue(oneIn: 3) ? nil : random.next(below: 3)
        members = (0..<count).map { _ in
            Member(
                visibility: visibility ?? random.next(below: 3),
                hasJournal: !random.isTrue(oneIn: 4),
                stands: !random.isTrue(oneIn: 3)
            )
        }
        if !members.contains(where: \.stands) { members[0].stands = true }
        leaseMilliseconds = [100, 500, 2000][random.next(below: 3)]
        answerMilliseconds = [100, 500, 2000][random.next(below: 3)]
        readMilliseconds = [50, 300, 1000][random.next(below: 3)]
        retryMilliseconds = [10, 100][random.next(below: 2)]
        patienceMilliseconds = [500, 3000][random.next(below: 2)]
        faultMilliseconds = [100, 1000, 4000][random.next(below: 3)]
        readRecords = [1, 3, 500][random.next(below: 3)]
        inFlightRecordLimit = [1, 2, 500][random.next(below: 3)]
        pendingRecords = [2, 6, 4000][random.next(below: 3)]
        recordBytes = random.isTrue(oneIn: 8) ? 400 : 1 << 18
        chunkBytes = random.isTrue(oneIn: 2) ? 200 : 1 << 18
        snapshotInterval = [2, 5, 20, 1000][random.next(below: 4)]
        rememberedAppends = [0, 4, 1000][random.next(below: 3)]
    }

    func configuration(of index: Int) -> ReplicationConfiguration {
        var configuration = ReplicationConfiguration()
        configuration.name = "\(index) replica"
        configuration.hub.name = "\(index) hub"
        configuration.visibility =
            [.immediately, .afterLocalSync, .afterBroker][members[index].visibility]
        configuration.leaseDuration = .milliseconds(leaseMilliseconds)
        configuration.answerTimeout = .milliseconds(answerMilliseconds)
        configuration.readWait = .milliseconds(readMilliseconds)
        configuration.retryInterval = .milliseconds(retryMilliseconds)
        configuration.rollbackGracePeriod = .milliseconds(patienceMilliseconds)
        configuration.readLimit = LogReadLimit(records: readRecords, bytes: 1 << 20)
        configuration.inFlightRecordLimit = inFlightRecordLimit
        configuration.pendingRecordLimit = pendingRecords
        configuration.recordByteLimit = recordBytes
        configuration.chunkByteCount = chunkBytes
        configuration.snapshotInterval = snapshotInterval
        return configuration
    }

    /// Removes one member, unless it is the only one.
    mutating func leaveOutMember() { if members.count > 1 { members.removeLast() } }

    /// The reason why a decoded plan cannot run, or `nil`.
    var problem: String? {
        if !(1...8).contains(members.count) { return "there are \(members.count) members" }
        if members.contains(where: { !(0...2).contains($0.visibility) }) {
            return "a visibility is not 0 to 2"
        }
        let times = [
            leaseMilliseconds, answerMilliseconds, readMilliseconds, retryMilliseconds,
            patienceMilliseconds, faultMilliseconds,
        ]
        if let time = times.first(where: { !(1...60_000).contains($0) }) {
            return "a time is \(time) milliseconds, not 1 to 60000"
        }
        let counts = [
            readRecords, inFlightRecordLimit, pendingRecords, recordBytes, chunkBytes,
            snapshotInterval,
        ]
        if let count = counts.first(where: { !(1...1 << 20).contains($0) }) {
            return "a limit is \(count), not 1 to \(1 << 20)"
        }
        if !(0...1 << 20).contains(rememberedAppends) { return "appends cannot be remembered so" }
        return nil
    }
}

/// An event in a simulated cluster between two steps. Member numbers wrap around.
package enum ClusterAction: Hashable, Sendable, Codable {
    /// Every application that believes to lead publishes some updates.
    case publish(UInt64)
    /// The process of a member dies, and unsynced writes may be lost.
    case crash(Int)
    /// The process dies within one of the next calls of its journal.
    case crashWriting(Int, calls: Int)
    case restart(Int)
    /// A process stops running until `resume`.
    case pause(Int)
    case resume(Int)
    case campaign(Int)
    case resign(Int)
    /// Closes a member, as before a deployment; it can be restarted.
    case close(Int)
    /// Readers join, leave, reconnect elsewhere, or resume.
    case readers(UInt64)
    /// Disconnects a member: 1 for requests, 2 for responses, 3 for both.
    case cutOff(Int, Int)
    case reconnect(Int)
    /// Performs a number of steps.
    case run(Int)
    /// Lets time pass.
    case wait(milliseconds: Int)
}

extension RunPlan {
    /// Creates a plan of a cluster in which everything is drawn.
    package init(clusterSeed seed: UInt64) {
        self.init(seed: seed)
        var random = SeededGenerator(seed: seed ^ 0x636C_7573_7465_72)
        let plan = ClusterPlan(&random)
        (cluster, view, onlyFault) = (plan, nil, nil)
        (sections, items, loadsFirst) = (random.next(below: 3), random.next(below: 4), false)
        // Each fault is possible in a quarter of the runs.
        let isCalm = random.isTrue(oneIn: 4)
        faults = BrokerFault.rates.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap {
            fault,
            rate in
            guard random.isTrue(oneIn: 4), !isCalm else { return nil }
            let factor: Double = random.isTrue(oneIn: 3) ? 4 : 1
            return Fault(point: FaultPoint(fault), rate: rate * factor)
        }
        let kinds = ActionKinds(&random)
        let count = 4 + random.next(below: 28)
        var actions: [Action] = []
        for _ in 0..<count {
            actions.append(.cluster(kinds.action(&random)))
            let steps = [0, 8, 40, 150][random.next(below: 4)]
            if steps > 0 { actions.append(.cluster(.run(1 + random.next(below: steps)))) }
        }
        clients = [actions]
    }

    /// The weights of a run's actions: sometimes many crashes, sometimes none.
    private struct ActionKinds {
        private let weights: [Int]

        init(_ random: inout SeededGenerator) {
            // Most actions publish, since everything else depends on published states.
            weights = [12, 6] + (0..<7).map { _ in [0, 1, 3][random.next(below: 3)] }
        }

        func action(_ random: inout SeededGenerator) -> ClusterAction {
            var place = random.next(below: weights.reduce(0, +))
            var kind = 0
            while place >= weights[kind] {
                place -= weights[kind]
                kind += 1
            }
            let member = random.next(below: 4)
            let isFirst = random.isTrue(oneIn: 2)
            switch kind {
            case 0: return .publish(random.next())
            case 1: return .wait(milliseconds: [20, 200, 1000, 4000][random.next(below: 4)])
            case 2: return .readers(random.next())
            case 3: return isFirst ? .crash(member) : .restart(member)
            case 4: return .crashWriting(member, calls: random.next(below: 6))
            case 5: return .restart(member)
            case 6: return isFirst ? .pause(member) : .resume(member)
            case 7:
                return isFirst ? .cutOff(member, 1 + random.next(below: 3)) : .reconnect(member)
            default:
                switch random.next(below: 4) {
                case 0: return .resign(member)
                case 1: return .close(member)
                default: return .campaign(member)
                }
            }
        }
    }
}

extension FaultPoint {
    /// Creates the fault point with the name of a broker's fault.
    init(_ fault: BrokerFault) { self.init(rawValue: fault.rawValue) }

    /// The faults that clusters can have.
    package static let ofBrokers = BrokerFault.allCases.map { FaultPoint($0) }
}
