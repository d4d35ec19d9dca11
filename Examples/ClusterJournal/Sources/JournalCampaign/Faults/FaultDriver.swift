import BrokerProcesses
import PipelineTesting

/// Does faults to a cluster, and ends each after a while.
final class FaultDriver {
    private let cluster: Cluster
    private var random: SeededGenerator
    /// Until when what was acknowledged is in the copy of the store; nil where there is no copy.
    private var copiedUntil: UInt64?

    init(_ cluster: Cluster, seed: UInt64) {
        self.cluster = cluster
        random = SeededGenerator(seed: seed)
    }

    private var broker: BrokerProcess { cluster.broker }
    /// Whether something can be done to it.
    private var isBrokerUp: Bool { cluster.isBrokerExpected }

    /// What can be done on this machine.
    var kinds: [FaultKind] { FaultKind.allCases.filter { $0 != .diskFull || cluster.disk != nil } }

    /// How long to wait for the next fault.
    func nextPause() -> Int { 300 + random.next(below: 2_200) }

    /// Does one fault that can be done now.
    ///
    /// - Returns: which, and to whom.
    func doOne() throws -> (FaultKind, String) {
        while true {
            let kind = chooseKind()
            if let detail = try begin(kind) { return (kind, detail) }
        }
    }

    private func chooseKind() -> FaultKind {
        let kinds = kinds
        var place = random.next(below: kinds.map(\.weight).reduce(0, +))
        for kind in kinds {
            if place < kind.weight { return kind }
            place -= kind.weight
        }
        return .linkCut
    }

    /// - Returns: nil where it cannot be done now.
    private func begin(_ kind: FaultKind) throws -> String? {
        switch kind {
        case .brokerKilled: killBroker()
        case .leaderKilled: kill(cluster.leader)
        case .followerKilled: kill(chooseFollower())
        case .leaderStopped: stopLeader()
        case .linkCut: link(.cut)
        case .linkSilent: link(.silent)
        case .brokerDeaf: link(.deafBroker)
        case .memberDeaf: link(.deafMember)
        case .storeReplaced: try replaceStore()
        case .logPurged: try purgeLog()
        case .logDeleted: deleteLog()
        case .rivals: setRivals()
        case .diskFull: fillDisk()
        }
    }

    // MARK: Members

    private func choose(_ members: [ClusterMember]) -> ClusterMember? {
        members.isEmpty ? nil : members[random.next(below: members.count)]
    }

    private func chooseFollower() -> ClusterMember? {
        choose(cluster.members.filter { $0.isActive && $0.term == nil })
    }

    private func kill(_ member: ClusterMember?) -> String? {
        guard let member else { return nil }
        let keepsJournal = !random.isTrue(oneIn: 3)
        let pause = random.next(below: 2_000)
        cluster.kill(member)
        if !keepsJournal { member.removeJournal() }
        cluster.schedule(after: pause) { try member.start() }
        let journal = keepsJournal ? "with" : "without"
        return "member \(member.index), for \(pause) ms, then \(journal) its journal"
    }

    private func stopLeader() -> String? {
        guard let leader = cluster.leader else { return nil }
        let pause = 700 + random.next(below: 2_500)
        let life = leader.life
        cluster.freeze(leader)
        cluster.schedule(after: pause) { [cluster] in
            if leader.life == life { cluster.resume(leader) }
        }
        return "member \(leader.index), for \(pause) ms"
    }

    private func link(_ mode: Relay.Mode) -> String? {
        let open = cluster.members.filter { $0.relay.mode == .open }
        let leader = cluster.leader.flatMap { $0.relay.mode == .open ? $0 : nil }
        guard let member = random.isTrue(oneIn: 2) ? leader ?? choose(open) : choose(open) else {
            return nil
        }
        let pause = 200 + random.next(below: 3_000)
        let endsCut = mode != .cut && random.isTrue(oneIn: 2)
        member.relay.mode = mode
        cluster.schedule(after: pause) {
            // What was under way arrives, or is lost with the connection.
            if endsCut { member.relay.mode = .cut }
            member.relay.mode = .open
        }
        return "member \(member.index), for \(pause) ms"
    }

    private func setRivals() -> String? {
        let others = cluster.members.filter { $0.isActive && $0.term == nil }
        guard others.count >= 2, let first = choose(others),
            let second = choose(others.filter { $0 !== first })
        else { return nil }
        for member in cluster.members { member.resign() }
        first.stand()
        second.stand()
        let rest = cluster.members.filter { $0 !== first && $0 !== second }
        let third = choose(rest)
        cluster.schedule(after: 1_500) { third?.stand() }
        return "members \(first.index) and \(second.index)"
    }

    // MARK: The broker

    private func takeDown() {
        cluster.isBrokerExpected = false
        broker.kill()
    }

    private func startLater(_ pause: Int, _ afterwards: @escaping () -> Void = {}) {
        cluster.schedule(after: pause) { [self] in
            try broker.start()
            cluster.isBrokerExpected = true
            afterwards()
        }
    }

    private func killBroker() -> String? {
        guard isBrokerUp else { return nil }
        let pause = random.next(below: 800)
        let isCopied = copiedUntil == nil || random.isTrue(oneIn: 3)
        let complete = cluster.ledger.copyIsComplete(at: MonotonicClock.now)
        takeDown()
        if isCopied { copiedUntil = (try? broker.keepStore()).map { complete } }
        startLater(pause)
        return "for \(pause) ms" + (isCopied ? ", its store is copied" : "")
    }

    private func replaceStore() throws -> String? {
        guard isBrokerUp, let copiedUntil else { return nil }
        let pause = random.next(below: 500)
        let start = MonotonicClock.now
        cluster.ledger.lossBegan(
            at: start,
            keptUntil: copiedUntil,
            leader: cluster.leader?.term
        )
        takeDown()
        try broker.replaceStore()
        startLater(pause) { [cluster] in cluster.ledger.lossEnded(at: MonotonicClock.now) }
        let age = Double(start - min(start, copiedUntil)) / 1e9
        return copiedUntil == 0 ? "of a broken time" : "\(Int(age)) s old"
    }

    /// By hand, which a broker that is about to end may not answer.
    private func operate(
        needsSnapshot: Bool,
        _ body: (BrokerOperator) throws -> Void
    ) -> Bool {
        cluster.ledger.lossBegan(
            at: MonotonicClock.now,
            leader: cluster.leader?.term,
            needsSnapshot: needsSnapshot
        )
        // Where it was not answered it may have been done.
        let isDone = (try? body(BrokerOperator(broker))) != nil
        cluster.ledger.lossEnded(at: MonotonicClock.now)
        return isDone
    }

    private func purgeLog() throws -> String? {
        guard isBrokerUp, let member = chooseFollower() else { return nil }
        let count = random.next(below: 20)
        cluster.kill(member)
        member.removeJournal()
        // It joins while that is done.
        try member.start()
        let isDone = operate(needsSnapshot: true) {
            try $0.trimLog(to: count, MemberOptions.collection)
        }
        return "to \(count) records, under member \(member.index)" + (isDone ? "" : ", in vain")
    }

    private func deleteLog() -> String? {
        guard isBrokerUp else { return nil }
        let isDone = operate(needsSnapshot: false) { try $0.deleteLog(MemberOptions.collection) }
        return isDone ? "" : "in vain"
    }

    private func fillDisk() -> String? {
        guard isBrokerUp, let disk = cluster.disk else { return nil }
        let pause = 500 + random.next(below: 1_500)
        // Some servers end where they have no room.
        cluster.isBrokerExpected = false
        disk.fill()
        cluster.schedule(after: pause) { [self] in
            disk.drain()
            // A server that had no room does not write any more before it is started again.
            broker.kill()
            try broker.start()
            cluster.isBrokerExpected = true
        }
        return "for \(pause) ms"
    }
}
