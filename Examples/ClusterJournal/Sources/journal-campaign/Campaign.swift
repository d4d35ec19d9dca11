import BrokerProcesses
import Dispatch
import Foundation
import PipelineTesting

/// A broker and its members under faults. All members must recover after each round of faults.
///
/// The campaign runs on the main thread.
final class Campaign {
    private let kind: BrokerKind
    private let seed: UInt64
    private let folder: URL
    private let broker: BrokerProcess
    private let members: [MemberProcess]
    private var random: SeededGenerator
    private var ledger = Ledger()
    private var faults: [String] = []
    /// The scheduled ends of lasting faults, in nanoseconds.
    private var endings: [(due: UInt64, body: () throws -> Void)] = []
    private var isBrokerUp = true
    private let start = Campaign.now
    private var acknowledgedAt = Campaign.now
    private var longestPause: UInt64 = 0

    private static let roundLength = 20
    /// The time limit for the recovery of all members, in nanoseconds.
    private static let recoveryTimeout: UInt64 = 30_000_000_000
    /// The number of edits after a round's last fault that all members must show.
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
        // With `everysec`, a killed Redis may lose acknowledged records.
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

    /// Runs the campaign and returns whether all guarantees held.
    func run(seconds: Int) throws -> Bool {
        defer {
            for member in members { member.kill() }
            broker.end()
        }
        let end = start + UInt64(seconds) * 1_000_000_000
        print("seed \(seed)")
        try waitForRecovery()
        while Self.now < end, ledger.violations.isEmpty {
            for _ in 0..<Self.roundLength where Self.now < end && ledger.violations.isEmpty {
                try injectFault()
                try run(until: Self.now + UInt64(300 + random.next(below: 1_700)) * 1_000_000)
            }
            try waitForRecovery()
        }
        report()
        let holds = ledger.violations.isEmpty
        let log = folder.appendingPathComponent("broker.log")
        try? FileManager.default.copyItem(at: broker.log, to: log)
        if holds { try? FileManager.default.removeItem(at: folder) }
        return holds
    }

    // MARK: Time

    /// Processes the members' reports and due fault ends until a given time.
    private func run(until end: UInt64) throws {
        repeat {
            let now = Self.now
            let due = endings.filter { $0.due <= now }
            endings.removeAll { $0.due <= now }
            for ending in due { try ending.body() }
            for member in members {
                for line in member.lines() { record(line, from: member) }
                if let ending = member.ending {
                    ledger.addViolation("member \(member.index) ended \(ending)")
                }
            }
            if isBrokerUp, !broker.isRunning { ledger.addViolation("the broker ended by itself") }
            usleep(5_000)
        } while Self.now < end && ledger.violations.isEmpty
    }

    private func record(_ line: String, from member: MemberProcess) {
        let newest = ledger.newestAcknowledged
        ledger.record(line, from: member.index)
        if line == "leads" { member.isLeading = true }
        if line == "follows" { member.isLeading = false }
        if ledger.newestAcknowledged > newest {
            longestPause = max(longestPause, Self.now - acknowledgedAt)
            acknowledgedAt = Self.now
        }
    }

    /// Ends all faults and waits until every member shows edits that were acknowledged afterwards.
    private func waitForRecovery() throws {
        for ending in endings.sorted(by: { $0.due < $1.due }) { try ending.body() }
        endings = []
        let wanted = ledger.newestAcknowledged + Self.editsAfterFaults
        let end = Self.now + Self.recoveryTimeout
        while ledger.violations.isEmpty {
            if ledger.newestAcknowledged >= wanted, ledger.isShown(wanted, byAll: members.count) {
                return
            }
            if Self.now > end {
                ledger.addViolation(
                    "30 s after the last fault, not every member shows edit \(wanted)"
                )
            }
            try run(until: Self.now + 20_000_000)
        }
    }

    // MARK: Faults

    private func injectFault() throws {
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

    /// Starts a fault; returns `nil` if it is currently impossible.
    private func begin(_ fault: Fault) throws -> String? {
        let leader = members.last { $0.isActive && $0.isLeading }
        let followers = members.filter { $0.isActive && !$0.isLeading }
        switch fault {
        case .brokerKilled, .brokerStopped:
            guard isBrokerUp else { return nil }
            isBrokerUp = false
            let isKilled = fault == .brokerKilled
            if isKilled { broker.kill() } else { broker.freeze() }
            let pause = isKilled ? random.next(below: 800) : 200 + random.next(below: 1_800)
            schedule(after: pause) { [self] in
                if isKilled { try broker.start() } else { broker.resume() }
                isBrokerUp = true
            }
            return "for \(pause) ms"
        case .leaderKilled: return leader.map(kill)
        case .followerKilled: return followers.isEmpty ? nil : kill(choose(followers))
        case .leaderStopped:
            guard let leader else { return nil }
            leader.freeze()
            // Longer than the lease.
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
        for line in member.kill() { record(line, from: member) }
        if !keepsJournal { member.removeJournal() }
        schedule(after: pause) { [self] in
            ledger.restarted(member.index)
            try member.start()
        }
        let journal = keepsJournal ? "with" : "without"
        return "member \(member.index), for \(pause) ms, then \(journal) its journal"
    }

    // MARK: Report

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
        print("\nbroken guarantees:\n\(ledger.violations.prefix(10).joined(separator: "\n"))")
        print("\nlogs and journals: \(folder.path)")
    }
}

/// The process of a member, which can be started, frozen and killed repeatedly.
private final class MemberProcess {
    let index: Int
    /// Whether the member's last leadership report was that it leads.
    var isLeading = false
    private let words: [String]
    private let log: String
    private var process: ChildProcess?
    private var isFrozen = false
    /// The non-blocking descriptor of the member's output; -1 if no process exists.
    private var output: Int32 = -1
    private var rest: [UInt8] = []

    init(_ index: Int, _ words: [String], log: String) {
        (self.index, self.words, self.log) = (index, words, log)
    }

    var isActive: Bool { process != nil && !isFrozen }

    func start() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw BrokerProcess.Failure(description: "cannot create a pipe")
        }
        defer { close(ends[1]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        output = ends[0]
        (isFrozen, isLeading) = (false, false)
        process = try ChildProcess(words, output: ends[1], log: log)
    }

    /// Kills the process and returns its remaining reports.
    @discardableResult
    func kill() -> [String] {
        process?.end()
        process = nil
        let last = lines()
        // An incomplete last line is dropped.
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

    /// A description of how the process ended by itself; `nil` while it runs.
    var ending: String? {
        guard let process, process.hasEnded() else { return nil }
        return process.ending
    }

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

/// An edit of the list: a consecutive number starting at 1, and the leadership that made the edit.
struct Edit: Hashable, Sendable, LosslessStringConvertible {
    var number: Int
    /// The leadership's random number.
    var author: UInt32

    /// The number and the author, such as `57-7f3a01c5`.
    var description: String { "\(number)-\(String(author, radix: 16))" }

    init(number: Int, author: UInt32) { (self.number, self.author) = (number, author) }

    init?(_ description: String) {
        let parts = description.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), let author = UInt32(parts[1], radix: 16)
        else { return nil }
        self.init(number: number, author: author)
    }
}

/// The members' reports, and every violation of a guarantee found in them.
///
/// A leader continues the numbering of the list that it takes over. Members show and acknowledge an
/// edit only after the broker has it. So each number has one author across all reports: a later
/// leader that lacks an acknowledged edit gives its number to an edit of its own.
struct Ledger {
    private(set) var violations: [String] = []
    private(set) var statesCompared = 0
    private(set) var editsAcknowledged = 0
    private(set) var leaderships = 0
    private(set) var newestAcknowledged = 0

    private var digests: [String: String] = [:]
    private var authors: [Int: UInt32] = [:]
    private var newestShown: [Int: Int] = [:]

    /// Records a line of a member's output.
    mutating func record(_ line: String, from member: Int) {
        let words = line.split(separator: " ").map(String.init)
        let edits = words.dropFirst(words.first == "shows" ? 3 : 1).compactMap(Edit.init)
        switch (words.first, words.count - edits.count) {
        case ("leads", 1): leaderships += 1
        case ("follows", 1): break
        case ("acknowledges", 1) where edits.count == 1:
            editsAcknowledged += 1
            newestAcknowledged = max(newestAcknowledged, edits[0].number)
            compare(edits[0], "member \(member) acknowledges")
        case ("shows", 3): show(edits, version: words[1], digest: words[2], member)
        default: addViolation("member \(member) reports \"\(line)\"")
        }
    }

    /// Records the restart of a member's process, which may begin with an older state.
    mutating func restarted(_ member: Int) { newestShown[member] = nil }

    /// Returns whether each member up to the given count shows the edit or a later one.
    func isShown(_ number: Int, byAll count: Int) -> Bool {
        (0..<count).allSatisfy { newestShown[$0, default: 0] >= number }
    }

    mutating func addViolation(_ violation: String) { violations.append(violation) }

    private mutating func show(_ edits: [Edit], version: String, digest: String, _ member: Int) {
        statesCompared += 1
        let place = "member \(member) shows at \(version)"
        let known = digests[version] ?? digest
        digests[version] = known
        if known != digest {
            addViolation("\(place) the digest \(digest), and another showed \(known)")
        }
        for (edit, next) in zip(edits, edits.dropFirst()) where next.number != edit.number + 1 {
            addViolation("\(place) edit \(next) directly after \(edit)")
        }
        for edit in edits { compare(edit, place) }
        let newest = edits.last?.number ?? 0
        if newest < newestShown[member, default: 0] {
            addViolation(
                "\(place) edit \(newest) as the newest, after \(newestShown[member, default: 0])"
            )
        }
        newestShown[member] = newest
    }

    private mutating func compare(_ edit: Edit, _ place: String) {
        let known = authors[edit.number] ?? edit.author
        authors[edit.number] = known
        if known != edit.author {
            let other = Edit(number: edit.number, author: known)
            addViolation("\(place) edit \(edit), but \(other) was shown or acknowledged before")
        }
    }
}
