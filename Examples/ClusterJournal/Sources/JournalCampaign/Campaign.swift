import BrokerProcesses
import Foundation

/// A campaign: rounds of faults, each with a quiet end at which everything must be well.
final class Campaign {
    private let options: CampaignOptions
    private let cluster: Cluster
    private let driver: FaultDriver
    private let progress: CampaignProgress
    private let start = MonotonicClock.now
    private var faults: [Fault] = []
    private var counts: [FaultKind: Int] = [:]
    private var rounds = 0
    /// The longest time until all was well again, in nanoseconds.
    private var longestSettling: UInt64 = 0

    /// How many faults a round has.
    private static let roundLength = 20
    /// How long all may take to be well again.
    private static let patience: UInt64 = 30_000_000_000

    init(_ options: CampaignOptions, program: String) throws {
        self.options = options
        cluster = try Cluster(options, program: program)
        driver = FaultDriver(cluster, seed: options.seed)
        progress = CampaignProgress(seconds: options.seconds)
    }

    private var elapsed: Double { Double(MonotonicClock.now - start) / 1e9 }
    private var isSound: Bool { cluster.ledger.violations.isEmpty }

    /// - Returns: whether everything held.
    func run() throws -> Bool {
        var hasEnded = false
        defer { if !hasEnded { cluster.end(keepingFolder: true) } }
        print("seed \(options.seed), \(options.kind.program), \(options.members) members")
        if cluster.disk == nil {
            print("no disk of its own can be had here, so that none is filled")
        }
        try waitForEdit(since: start)
        while elapsed < options.seconds, isSound, !Interruption.wasAsked { try round() }
        progress.clear()
        report()
        let isSound = isSound
        cluster.end(keepingFolder: !isSound || options.keepsFolder)
        hasEnded = true
        if !isSound || options.keepsFolder { print("logs: \(cluster.folder.path)") }
        return isSound
    }

    private func round() throws {
        rounds += 1
        for _ in 0..<Self.roundLength {
            guard elapsed < options.seconds, isSound, !Interruption.wasAsked else { break }
            let (kind, detail) = try driver.doOne()
            faults.append(Fault(kind: kind, start: elapsed, detail: detail))
            counts[kind, default: 0] += 1
            progress.show(line)
            try cluster.run(milliseconds: driver.nextPause())
        }
        try settle()
        cluster.roundEnded()
        progress.tell("\(line), all well")
    }

    private var line: String {
        let ledger = cluster.ledger
        return "\(Int(elapsed)) s, \(faults.count) faults, \(ledger.leaderships) leaderships,"
            + " \(ledger.acknowledgedEdits) edits acknowledged"
    }

    // MARK: The quiet end

    private func settle() throws {
        try cluster.endTimers()
        for member in cluster.members {
            try member.start()
            member.resume()
            member.relay.mode = .open
        }
        let healed = MonotonicClock.now
        // One whose journal failed does not stand any more.
        let standing = cluster.members.filter(\.stands)
        for member in standing.isEmpty ? cluster.members : standing { member.stand() }
        guard isSound, try waitForEdit(since: healed), try waitForRest(since: healed) else {
            return
        }
        longestSettling = max(longestSettling, MonotonicClock.now - healed)
        try checkMarks()
        for member in cluster.members {
            cluster.notePeak(of: member)
            member.tell("edit")
        }
    }

    /// Waits until an edit is acknowledged that was submitted later.
    @discardableResult
    private func waitForEdit(since time: UInt64) throws -> Bool {
        let end = time + Self.patience
        while cluster.newestSubmission <= time, isSound {
            if MonotonicClock.now > end {
                noteUnrest("nobody acknowledges an edit")
                return false
            }
            try cluster.run(milliseconds: 20)
        }
        return isSound
    }

    private func waitForRest(since time: UInt64) throws -> Bool {
        for member in cluster.members { member.tell("quiet") }
        let end = time + Self.patience
        while isSound {
            cluster.statuses = [:]
            for member in cluster.members { member.tell("status") }
            try cluster.run(milliseconds: 100)
            if isAtRest { return true }
            if MonotonicClock.now > end {
                noteUnrest("members are not equal")
                return false
            }
        }
        return false
    }

    private var isAtRest: Bool {
        let statuses = cluster.members.map { cluster.statuses[$0.index] }
        guard let first = statuses.first, let first else { return false }
        return statuses.count { $0?.isLeading == true } == 1
            && statuses.allSatisfy { status in
                guard let status else { return false }
                return status.isCurrent && status.pendingRecords == 0
                    && status.version == first.version && status.digest == first.digest
            }
    }

    private func noteUnrest(_ what: String) {
        let states = cluster.members.map { member in
            guard let status = cluster.statuses[member.index] else {
                return "\(member.index) does not say how it is"
            }
            return "\(member.index)\(status.isLeading ? " leads" : "")"
                + "\(status.isCurrent ? "" : " is not current"), \(status.pendingRecords) pending,"
                + " at \(status.version) with \(status.digest)"
        }
        let seconds = Self.patience / 1_000_000_000
        cluster.ledger.note(
            .rest,
            "\(what), \(seconds) s after the last fault: \(states.joined(separator: "; "))"
        )
    }

    private func checkMarks() throws {
        cluster.marks = [:]
        cluster.members[0].tell("marks")
        let end = MonotonicClock.now + Self.patience
        while cluster.marks[0] == nil, MonotonicClock.now < end {
            try cluster.run(milliseconds: 10)
        }
        guard let marks = cluster.marks[0] else { return noteUnrest("a member does not answer") }
        cluster.ledger.checkEnd(marks, at: MonotonicClock.now)
    }

    // MARK: What is told at the end

    private func report() {
        let table = CampaignTable(
            counts: counts,
            ledger: cluster.ledger,
            seconds: elapsed,
            rounds: rounds,
            longestWithoutLeader: cluster.clock.longest,
            longestSettling: longestSettling,
            peakMemory: cluster.peakMemory
        )
        print(table.text)
        guard !isSound else { return }
        print("\nfaults, the last \(min(faults.count, 60)) of \(faults.count):")
        for fault in faults.suffix(60) {
            let time = String(format: "%8.2f", fault.start)
            print("\(time) \(fault.kind.rawValue) \(fault.detail)")
        }
        print("\nnot as it must be:")
        for violation in cluster.ledger.violations.prefix(10) {
            print("\(violation.kind.rawValue)\n    \(violation.message)")
        }
        print("seed \(options.seed); times of reports are \(start) and later")
    }
}
