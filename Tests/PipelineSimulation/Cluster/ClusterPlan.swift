import CollectionReplication
import PipelineTesting

/// The members of a simulated cluster and how they behave, as a value; what happens to them is in the actions of the
/// ``RunPlan``.
package struct ClusterPlan: Hashable, Sendable, Codable {
    package struct Member: Hashable, Sendable, Codable {
        /// 0 for at once, 1 for after the journal's sync, 2 for after the broker.
        package var visibility: Int
        package var hasJournal: Bool
        /// Whether it stands for leadership from the beginning.
        package var stands: Bool
    }

    package var members: [Member]
    package var leaseMilliseconds: Int
    package var answerMilliseconds: Int
    package var readMilliseconds: Int
    package var retryMilliseconds: Int
    package var patienceMilliseconds: Int
    /// How long faults last at most.
    package var faultMilliseconds: Int
    package var readRecords: Int
    package var inFlightRecords: Int
    package var pendingRecords: Int
    package var recordBytes: Int
    package var chunkBytes: Int
    package var snapshotInterval: Int
    /// Of how many appends the broker remembers that they were made.
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
        inFlightRecords = [1, 2, 500][random.next(below: 3)]
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
        configuration.rollbackPatience = .milliseconds(patienceMilliseconds)
        configuration.readLimit = LogReadLimit(records: readRecords, bytes: 1 << 20)
        configuration.inFlightRecords = inFlightRecords
        configuration.pendingRecords = pendingRecords
        configuration.recordByteLimit = recordBytes
        configuration.chunkByteCount = chunkBytes
        configuration.snapshotInterval = snapshotInterval
        return configuration
    }

    /// Has one member less, if one is left then.
    mutating func leaveOutMember() { if members.count > 1 { members.removeLast() } }

    /// Why a plan from outside cannot be run; nil if it can.
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
            readRecords, inFlightRecords, pendingRecords, recordBytes, chunkBytes,
            snapshotInterval,
        ]
        if let count = counts.first(where: { !(1...1 << 20).contains($0) }) {
            return "a limit is \(count), not 1 to \(1 << 20)"
        }
        if !(0...1 << 20).contains(rememberedAppends) { return "appends cannot be remembered so" }
        return nil
    }
}

/// Something that happens to a simulated cluster between two steps. Members are counted from 0, around.
package enum ClusterAction: Hashable, Sendable, Codable {
    /// Every application that believes to lead publishes some updates.
    case publish(UInt64)
    /// The process of a member dies, and what was not synced may be lost.
    case crash(Int)
    /// It dies within one of the next calls of its journal.
    case crashWriting(Int, calls: Int)
    case restart(Int)
    /// A process stands still.
    case pause(Int)
    case goOn(Int)
    case stand(Int)
    case resign(Int)
    /// A member is closed, as before a deployment; it can be restarted.
    case close(Int)
    /// Readers join, leave, come back elsewhere, or go on.
    case readers(UInt64)
    /// A member is cut off: 1 for requests, 2 for answers, 3 for both.
    case cutOff(Int, Int)
    case mend(Int)
    /// So many steps are made.
    case run(Int)
    /// Time passes.
    case wait(milliseconds: Int)
}

extension RunPlan {
    /// A plan of a cluster, in which everything is drawn too.
    package init(clusterSeed seed: UInt64) {
        self.init(seed: seed)
        var random = SeededGenerator(seed: seed ^ 0x636C_7573_7465_72)
        let plan = ClusterPlan(&random)
        (cluster, view, onlyFault) = (plan, nil, nil)
        (sections, items, loadsFirst) = (random.next(below: 3), random.next(below: 4), false)
        // Each is possible in a quarter of the runs.
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

    /// Which kinds of actions a run has, and how often: now many crashes, now none.
    private struct ActionKinds {
        private let weights: [Int]

        init(_ random: inout SeededGenerator) {
            // What is published is what everything else is about.
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
            case 6: return isFirst ? .pause(member) : .goOn(member)
            case 7:
                return isFirst ? .cutOff(member, 1 + random.next(below: 3)) : .mend(member)
            default:
                switch random.next(below: 4) {
                case 0: return .resign(member)
                case 1: return .close(member)
                default: return .stand(member)
                }
            }
        }
    }
}

extension FaultPoint {
    /// The fault of a broker, by the same name.
    init(_ fault: BrokerFault) { self.init(rawValue: fault.rawValue) }

    /// The faults that clusters meet.
    package static let ofBrokers = BrokerFault.allCases.map { FaultPoint($0) }
}
