import CollectionPublishing
import Foundation

/// The visible details of a process. Changes of any other value do not update the row.
struct ProcessRow: Equatable, Sendable {
    let name: String
    /// The command line, truncated.
    let command: String
    /// The state, such as "sleeping".
    let state: String
    /// The CPU use in tenths of a percent of one processor, since the previous sample.
    var cpuTenths = 0
    let megabytes: Int
    let threads: Int

    func html(id: String) -> HTML {
        let cpu = Self.tenths(cpuTenths)
        let title = state.prefix(1).uppercased() + state.dropFirst()
        return """
            <div class="row process \(state)" data-id="\(id)">\
            <span class="name" title="\(command)">\(name)</span>\
            \(HTML.span("pid", id, label: "process \(id)"))\
            \(HTML.span("cpu \(level)", "\(cpu) %", label: "\(cpu) percent of a processor"))\
            \(HTML.span("memory", "\(megabytes) MB", label: "\(megabytes) megabytes"))\
            \(HTML.span("threads", "\(threads)", label: "\(threads) threads"))\
            \(HTML.span("state", title))</div>
            """
    }

    private var level: String {
        switch cpuTenths {
        case ...0: "none"
        case ..<100: "low"
        case ..<500: "medium"
        default: "high"
        }
    }

    /// Returns a number of tenths as a decimal number: `12.5` for 125.
    static func tenths(_ count: Int) -> String { "\(count / 10).\(count % 10)" }
}

/// The values of a process at one time.
struct ProcessSample: Equatable, Sendable {
    let id: Int
    /// The start in ticks after the machine's start. It distinguishes processes with equal numbers.
    let start: UInt64
    let user: String
    /// The CPU time that the process has used, in ticks.
    let ticks: UInt64
    /// The visible details, except the CPU use.
    let row: ProcessRow

    private static let longestCommand = 200

    private static let states: [UInt8: String] = [
        UInt8(ascii: "R"): "running", UInt8(ascii: "S"): "sleeping", UInt8(ascii: "D"): "waiting",
        UInt8(ascii: "T"): "stopped", UInt8(ascii: "t"): "stopped", UInt8(ascii: "Z"): "zombie",
        UInt8(ascii: "I"): "idle",
    ]
}

extension ProcessSample {
    /// Creates a sample from `/proc/PID/stat` and `cmdline`, see proc(5); `nil` for malformed text.
    ///
    /// The name is in parentheses and may itself contain some, so the last parenthesis ends it.
    init?(stat: [UInt8], command: [UInt8], user: String, pageSize: Int) {
        guard let open = stat.firstIndex(of: UInt8(ascii: "(")),
            let close = stat.lastIndex(of: UInt8(ascii: ")")), open < close
        else { return nil }
        let head = String(decoding: stat[..<open], as: UTF8.self)
        // The fields after the number and the name; field 0 is the state.
        let fields = stat[(close + 1)...].split(separator: UInt8(ascii: " "))
        func number(_ field: Int) -> UInt64? {
            UInt64(String(decoding: fields[field], as: UTF8.self))
        }
        guard fields.count >= 22, let letter = fields[0].first,
            let id = Int(head.trimmingCharacters(in: .whitespaces)),
            let userTicks = number(11), let systemTicks = number(12), let threads = number(17),
            let start = number(19), let pages = number(21)
        else { return nil }
        let name = String(decoding: stat[(open + 1)..<close], as: UTF8.self)
        let words = command.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        let (bytes, isTooLarge) = Int(clamping: pages).multipliedReportingOverflow(by: pageSize)
        self.init(
            id: id,
            start: start,
            user: user,
            ticks: userTicks &+ systemTicks,
            row: ProcessRow(
                name: name,
                // Kernel threads have no arguments.
                command: words.isEmpty
                    ? "[\(name)]"
                    : String(words.joined(separator: " ").prefix(Self.longestCommand)),
                state: Self.states[letter] ?? "other",
                megabytes: (isTooLarge ? .max : bytes) / 1_000_000,
                threads: Int(clamping: threads)
            )
        )
    }
}

/// A sampler that ranks processes by their CPU use since the previous sample. It blocks.
struct ProcessSampler {
    private var users: [uid_t: String] = [:]
    private var lastTime: ContinuousClock.Instant?
    private var lastTicks: [Int: (start: UInt64, ticks: UInt64)] = [:]

    /// Returns the ranks of a new sample.
    mutating func state() throws -> ListState {
        let now = ContinuousClock.now
        let elapsed = lastTime.map { $0.duration(to: now) } ?? .zero
        lastTime = now
        return rank(try sample(), seconds: elapsed / .seconds(1))
    }

    /// Returns the current processes, in no particular order.
    ///
    /// - Throws: An error instead of a partial sample, which would show that processes have ended.
    mutating func sample() throws(SystemFiles.Fault) -> [ProcessSample] {
        var samples: [ProcessSample] = []
        guard let names = try SystemFiles.entries(of: "/proc") else {
            throw SystemFiles.Fault(description: "expected a readable folder at /proc")
        }
        for name in names {
            if let id = Int(name), let sample = try sample(id) { samples.append(sample) }
        }
        return samples
    }

    /// Returns a sample of a process, or `nil` if the process has ended.
    private mutating func sample(_ id: Int) throws(SystemFiles.Fault) -> ProcessSample? {
        let folder = "/proc/\(id)"
        var status = stat()
        guard let line = try SystemFiles.contents(of: "\(folder)/stat"), lstat(folder, &status) == 0
        else { return nil }
        return ProcessSample(
            stat: line,
            command: try SystemFiles.contents(of: "\(folder)/cmdline") ?? [],
            user: try name(of: status.st_uid),
            pageSize: Int(getpagesize())
        )
    }

    private mutating func name(of user: uid_t) throws(SystemFiles.Fault) -> String {
        if let name = users[user] { return name }
        let name = try SystemFiles.name(of: user)
        users[user] = name
        return name
    }

    /// Groups a sample by user, and ranks each group by CPU use.
    mutating func rank(
        _ samples: [ProcessSample],
        seconds: Double,
        ticksPerSecond: Double = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
    ) -> ListState {
        var groups: [String: [(tenths: Int, id: Int, row: ListRow)]] = [:]
        for sample in samples {
            var row = sample.row
            row.cpuTenths = tenthsUsed(by: sample, in: seconds * ticksPerSecond)
            groups[sample.user, default: []].append(
                (row.cpuTenths, sample.id, ListRow(id: "\(sample.id)", content: .process(row)))
            )
        }
        lastTicks = Dictionary(uniqueKeysWithValues: samples.map { ($0.id, ($0.start, $0.ticks)) })
        let sections = groups.sorted { $0.key < $1.key }.map { user, members in
            let header = ListHeader(
                list: "processes",
                id: user,
                title: user,
                count: members.count,
                total: "\(ProcessRow.tenths(members.reduce(0) { $0 + $1.tenths })) %"
            )
            let ranked = members.sorted { ($0.tenths, $1.id) > ($1.tenths, $0.id) }
            return (header, ranked.map(\.row))
        }
        return ListState(sections)
    }

    /// Returns the CPU use in tenths of a percent; zero for a new process, whose use is unknown.
    private func tenthsUsed(by sample: ProcessSample, in ticks: Double) -> Int {
        guard let last = lastTicks[sample.id], last.start == sample.start,
            sample.ticks >= last.ticks, ticks > 0
        else { return 0 }
        return Int((min(Double(sample.ticks - last.ticks) / ticks, 1_000_000) * 1000).rounded())
    }
}
