import BrokerProcesses
import Dispatch
import Foundation
import PipelineTesting

/// A broker and its members under faults: rounds of faults, each with a quiet end at which everything must be well.
///
/// Everything of it runs on the main thread.
final class Campaign {
    private let kind: BrokerKind
    private let seed: UInt64
    private let folder: URL
    private let broker: BrokerProcess
    private let members: [MemberProcess]
    private var random: SeededGenerator
    private var ledger = Ledger()
    private var faults: [String] = []
    /// The end of each fault that lasts, in nanoseconds.
    private var endings: [(due: UInt64, body: () throws -> Void)] = []
    private var isBrokerUp = true
    private let start = Campaign.now
    private var acknowledgedAt = Campaign.now
    private var longestPause: UInt64 = 0

    /// How many faults a round has.
    private static let roundLength = 20
    /// How long the members may take to be well again.
    private static let patience: UInt64 = 30_000_000_000
    /// What members show at the end of a round includes so many edits that were acknowledged after its last fault.
    private static let editsAfterFaults = 100

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    private enum Fault: String, CaseIterable {
        case brokerKilled, brokerStopped, leaderKilled, leaderStopped, followerKilled
    }

    init(_ kind: BrokerKind, seed: UInt64, visibility: String) throws {
        (self.kind, self.seed) = (kind, seed)
        random = SeededGenerator(seed: seed)
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("journal-campaign-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // With `everysec` a killed Redis may lose what it has acknowledged.
        let durable = kind == .redis ? ["--appendfsync", "always"] : []
        broker = try BrokerProcess(kind, arguments: durable)
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = folder.appendingPathComponent("member-").path
        let words = [program, "member", kind.rawValue, "\(broker.port)"]
        members = (0..<5).map {
            MemberProcess(
                $0,
                words + ["\(path)\($0).journal", visibility],
                log: "\(path)\($0).log"
            )
        }
        for member in members { try member.start() }
    }

    /// Returns whether everything held.
    func run(seconds: Int) throws -> Bool {
        defer {
            for member in members { member.kill() }
            broker.end()
        }
        let end = start + UInt64(seconds) * 1_000_000_000
        print("seed \(seed)")
        try settle()
        while Self.now < end, ledger.violations.isEmpty {
            for _ in 0..<Self.roundLength where Self.now < end && ledger.violations.isEmpty {
                try doFault()
                try run(until: Self.now + UInt64(300 + random.next(below: 1_700)) * 1_000_000)
            }
            try settle()
        }
        report()
        let holds = ledger.violations.isEmpty
        let log = folder.appendingPathComponent("broker.log")
        try? FileManager.default.copyItem(at: broker.log, to: log)
        if holds { try? FileManager.default.removeItem(at: folder) }
        return holds
    }

    // MARK: Time

    /// Takes in what members report, and ends what is due, until a time.
    private func run(until end: UInt64) throws {
        repeat {
            let now = Self.now
            let due = endings.filter { $0.due <= now }
            endings.removeAll { $0.due <= now }
            for ending in due { try ending.body() }
            for member in members {
                for line in member.lines() { take(line, from: member) }
                if let ending = member.ending {
                    ledger.note("member \(member.index) ended \(ending)")
                }
            }
            if isBrokerUp, !broker.isRunning { ledger.note("the broker ended by itself") }
            usleep(5_000)
        } while Self.now < end && ledger.violations.isEmpty
    }

    private func take(_ line: String, from member: MemberProcess) {
        let newest = ledger.newestAcknowledged
        ledger.take(line, from: member.index)
        if line == "leads" { member.isLeading = true }
        if line == "follows" { member.isLeading = false }
        if ledger.newestAcknowledged > newest {
            longestPause = max(longestPause, Self.now - acknowledgedAt)
            acknowledgedAt = Self.now
        }
    }

    /// Ends all faults, and waits until every member shows edits that were acknowledged afterwards.
    private func settle() throws {
        for ending in endings.sorted(by: { $0.due < $1.due }) { try ending.body() }
        endings = []
        let wanted = ledger.newestAcknowledged + Self.editsAfterFaults
        let end = Self.now + Self.patience
        while ledger.violations.isEmpty {
            if ledger.newestAcknowledged >= wanted, ledger.isShown(wanted, byAll: members.count) {
                return
            }
            if Self.now > end {
                ledger.note("30 s after the last fault not every member shows edit \(wanted)")
            }
            try run(until: Self.now + 20_000_000)
        }
    }

    // MARK: Faults

    private func doFault() throws {
        while ledger.violations.isEmpty {
            let fault = Fault.allCases[random.next(below: Fault.allCases.count)]
            let time = String(format: "%8.2f s", Double(Self.now - start) / 1e9)
            if let detail = try begin(fault) {
                return faults.append("\(time) \(fault.rawValue) \(detail)")
            }
            try run(until: Self.now + 20_000_000)
        }
    }

    private func schedule(after milliseconds: Int, _ body: @escaping () throws -> Void) {
        endings.append((Self.now + UInt64(milliseconds) * 1_000_000, body))
    }

    /// Returns `nil` if the fault is not possible now.
    private func begin(_ fault: Fault) throws -> String? {
        let leader = members.last { $0.isActive && $0.isLeading }
        let followers = members.filter { $0.isActive && !$0.isLeading }
        switch fault {
        case .brokerKilled:
            guard isBrokerUp else { return nil }
            isBrokerUp = false
            broker.kill()
            let pause = random.next(below: 800)
            schedule(after: pause) { [self] in
                try broker.start()
                isBrokerUp = true
            }
            return "for \(pause) ms"
        case .brokerStopped:
            guard isBrokerUp else { return nil }
            isBrokerUp = false
            broker.freeze()
            let pause = 200 + random.next(below: 1_800)
            schedule(after: pause) { [self] in
                broker.resume()
                isBrokerUp = true
            }
            return "for \(pause) ms"
        case .leaderKilled: return leader.map(kill)
        case .followerKilled: return followers.isEmpty ? nil : kill(choose(followers))
        case .leaderStopped:
            guard let leader else { return nil }
            leader.freeze()
            // Longer than its lease.
            let pause = 700 + random.next(below: 2_500)
            schedule(after: pause) { leader.resume() }
            return "member \(leader.index), for \(pause) ms"
        }
    }

    private func choose(_ members: [MemberProcess]) -> MemberProcess {
        members[random.next(below: members.count)]
    }

    private func kill(_ member: MemberProcess) -> String {
        let keepsJournal = !random.isTrue(oneIn: 3)
        let pause = random.next(below: 2_000)
        for line in member.kill() { take(line, from: member) }
        if !keepsJournal { member.removeJournal() }
        schedule(after: pause) { [self] in
            ledger.restarted(member.index)
            try member.start()
        }
        let journal = keepsJournal ? "with" : "without"
        return "member \(member.index), for \(pause) ms, then \(journal) its journal"
    }

    // MARK: The end

    private func report() {
        let holds = ledger.violations.isEmpty
        let seconds = Int(Double(Self.now - start) / 1e9)
        let pause = String(format: "%.1f s", Double(longestPause) / 1e9)
        let cells = [
            "broker", "faults", "seconds", "edits acknowledged", "states compared", "leaderships",
            "longest time without an acknowledged edit", "held",
        ]
        let values: [Any] = [
            kind.rawValue, faults.count, seconds, ledger.editsAcknowledged, ledger.statesCompared,
            ledger.leaderships, pause, holds ? "all" : "not all",
        ]
        print("| \(cells.joined(separator: " | ")) |")
        print("|\(String(repeating: "---|", count: cells.count))")
        print("| \(values.map { "\($0)" }.joined(separator: " | ")) |")
        if holds { return }
        print("\nthe last faults:\n\(faults.suffix(30).joined(separator: "\n"))")
        print("\nbroken promises:\n\(ledger.violations.prefix(10).joined(separator: "\n"))")
        print("\nlogs and journals: \(folder.path)")
    }
}

/// The process of a member: it is started, stops, goes on, is killed and started again.
private final class MemberProcess {
    let index: Int
    /// Whether the member has reported that it leads, and nothing else since.
    var isLeading = false
    private let words: [String]
    private let log: String
    private var process: ChildProcess?
    private var isFrozen = false
    /// The descriptor from which its output is read without waiting, or -1 if there is no process.
    private var output: Int32 = -1
    private var rest: [UInt8] = []

    init(_ index: Int, _ words: [String], log: String) {
        (self.index, self.words, self.log) = (index, words, log)
    }

    /// Whether it runs and is not stopped.
    var isActive: Bool { process != nil && !isFrozen }

    func start() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw BrokerProcess.Failure(description: "there is no pipe left")
        }
        defer { close(ends[1]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        output = ends[0]
        (isFrozen, isLeading) = (false, false)
        process = try ChildProcess(words, output: ends[1], log: log)
    }

    /// Ends the process, and returns what it has still reported.
    @discardableResult
    func kill() -> [String] {
        process?.end()
        process = nil
        let last = lines()
        // A line that is not whole stays unread.
        rest = []
        if output >= 0 { close(output) }
        output = -1
        return last
    }

    func freeze() {
        process?.freeze()
        isFrozen = true
    }

    func resume() {
        process?.resume()
        isFrozen = false
    }

    func removeJournal() { try? FileManager.default.removeItem(atPath: words[4]) }

    /// How the process has ended by itself; `nil` while it runs.
    var ending: String? {
        guard let process, process.hasEnded() else { return nil }
        return process.ending
    }

    /// The whole lines that it has written since the last call.
    func lines() -> [String] {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while output >= 0 {
            let count = read(output, &buffer, buffer.count)
            if count <= 0 { break }
            rest += buffer[..<count]
        }
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        rest = lines.popLast().map(Array.init) ?? []
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }
}
