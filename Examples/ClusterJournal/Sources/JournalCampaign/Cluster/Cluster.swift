import BrokerProcesses
import Foundation
import PipelineTesting

/// A broker, its members, what they tell, and what is to be done at which time.
final class Cluster {
    let folder: URL
    let broker: BrokerProcess
    /// That of the broker, where there may be one.
    let disk: SmallDisk?
    let members: [ClusterMember]
    var ledger = CampaignLedger()
    private(set) var clock = LeaderClock()
    private(set) var peakMemory = 0
    /// What members said last of how they are, and of their edits; by member.
    var statuses: [Int: MemberStatus] = [:]
    var marks: [Int: [EditMark]] = [:]
    /// Whether the broker must be there: it is not down, and has room.
    var isBrokerExpected = true
    /// When the newest edit that was acknowledged was submitted.
    private(set) var newestSubmission: UInt64 = 0

    private let inbox = ReportInbox()
    private var timers: [Timer] = []
    private var records: ReportFile

    private struct Timer {
        let due: UInt64
        let body: () throws -> Void
    }

    init(_ options: CampaignOptions, program: String) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("journal-campaign-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        disk = SmallDisk(folder.appendingPathComponent("disk"), megabytes: 256)
        // With `everysec` a killed server of Redis may lose what it has acknowledged.
        let extra = options.kind == .redis ? ["--appendfsync", "always"] : []
        broker = try BrokerProcess(options.kind, arguments: extra, in: disk?.folder ?? folder)
        records = ReportFile(folder)
        let (broker, folder, inbox) = (broker, folder, inbox)
        members = try (0..<options.members).map { index in
            try ClusterMember(
                index,
                options.kind,
                port: broker.port,
                program: program,
                folder: folder,
                inbox: inbox,
                stands: index < 3,
                pause: .milliseconds(options.editPause)
            )
        }
        for member in members { try member.start() }
    }

    /// Ends all processes; the folder stays where it is asked for.
    func end(keepingFolder: Bool) {
        for member in members {
            member.kill()
            member.relay.close()
        }
        let log = folder.appendingPathComponent("broker.log")
        try? FileManager.default.copyItem(at: broker.log, to: log)
        broker.end()
        disk?.drain()
        disk?.unmount()
        if !keepingFolder { try? FileManager.default.removeItem(at: folder) }
    }

    // MARK: Who leads

    /// Who has told last that it leads, as far as it lives and does something.
    var leader: ClusterMember? {
        members.filter { $0.isActive && $0.term != nil }
            .max { $0.term?.epoch ?? 0 < $1.term?.epoch ?? 0 }
    }

    // MARK: What happens to members

    func kill(_ member: ClusterMember) {
        notePeak(of: member)
        clock.ended(member.current, at: MonotonicClock.now)
        member.kill()
    }

    func freeze(_ member: ClusterMember) {
        clock.ended(member.current, at: MonotonicClock.now)
        member.freeze()
    }

    func resume(_ member: ClusterMember) {
        member.resume()
        if member.term != nil { clock.began(member.current, at: MonotonicClock.now) }
    }

    func notePeak(of member: ClusterMember) { peakMemory = max(peakMemory, member.peakMemory) }

    // MARK: Time

    /// Does something later.
    func schedule(after milliseconds: Int, _ body: @escaping () throws -> Void) {
        let due = MonotonicClock.now + UInt64(milliseconds) * 1_000_000
        timers.append(Timer(due: due, body: body))
    }

    /// Does at once, in their order, what was to be done later.
    func endTimers() throws {
        let ended = timers.sorted { $0.due < $1.due }
        timers = []
        for timer in ended { try timer.body() }
    }

    /// Takes in what members tell, and does what is due, until a time.
    func run(until end: UInt64) throws {
        repeat {
            let next = min(end, timers.map(\.due).min() ?? end)
            for entry in inbox.take(until: next) { take(entry) }
            let now = MonotonicClock.now
            let due = timers.filter { $0.due <= now }.sorted { $0.due < $1.due }
            timers.removeAll { $0.due <= now }
            for timer in due { try timer.body() }
            for member in members {
                guard let ending = member.ownEnding() else { continue }
                ledger.note(.ended, "member \(member.current) ended \(ending)")
                kill(member)
            }
            if isBrokerExpected, !broker.isRunning {
                ledger.note(.ended, "the broker; its log tells why")
                isBrokerExpected = false
            }
        } while MonotonicClock.now < end
    }

    func run(milliseconds: Int) throws {
        try run(until: MonotonicClock.now + UInt64(milliseconds) * 1_000_000)
    }

    private func take(_ entry: ReportInbox.Entry) {
        records.add("\(entry.member) \(entry.line)")
        guard let report = entry.report else {
            return ledger.note(
                .ended,
                "member \(entry.member) tells what is no report: \(entry.line)"
            )
        }
        let member = members[entry.member]
        let life = MemberLife(entry.member, life: entry.life)
        ledger.take(report, from: life)
        if case .acknowledged(_, let submitted) = report.report {
            newestSubmission = max(newestSubmission, submitted)
        }
        // Of an earlier life it says nothing of how things are now.
        guard entry.life == member.life, member.isAlive else { return }
        switch report.report {
        case .began(let term, _):
            member.term = term
            clock.began(life, at: report.time)
        case .ended:
            member.term = nil
            clock.ended(life, at: report.time)
        case .status(let status): statuses[entry.member] = status
        case .marks(let marks): self.marks[entry.member] = marks
        default: break
        }
    }

    /// What was told before the last round is not kept.
    func roundEnded() { records.rotate() }
}

extension ClusterMember {
    var current: MemberLife { MemberLife(index, life: life) }
}
