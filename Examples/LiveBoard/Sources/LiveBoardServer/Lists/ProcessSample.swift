/// One process at one time, as the machine tells it.
struct ProcessSample: Equatable, Sendable {
    let id: Int
    /// When it was started, in ticks since the machine was: another process with a number that was free again has another.
    let start: UInt64
    let name: String
    let command: String
    let user: String
    let state: ProcessRow.State
    /// How many ticks of a processor it has used; nil where only `cpuTenths` is known.
    let ticks: UInt64?
    /// In tenths of a percent of one processor, where the machine tells it so.
    let cpuTenths: Int?
    let residentBytes: Int
    let threads: Int
}

extension ProcessSample {
    /// Reads what `/proc/PID/stat` has: the name stands in brackets and may have brackets and spaces itself, so that the
    /// last closing one ends it.
    ///
    /// - Returns: nil where the text is another.
    init?(stat: [UInt8], command: [UInt8], user: String, pageSize: Int) {
        guard let open = stat.firstIndex(of: UInt8(ascii: "(")),
            let close = stat.lastIndex(of: UInt8(ascii: ")")), open < close,
            let id = Int(String(decoding: stat[..<open], as: UTF8.self).trimmed)
        else { return nil }
        let fields = stat[(close + 1)...].split(separator: UInt8(ascii: " "))
        // By proc(5), without the two before: state, then from ppid on.
        guard fields.count >= 22, let letter = fields[0].first,
            let userTicks = UInt64(ascii: fields[11]), let systemTicks = UInt64(ascii: fields[12]),
            let threads = UInt64(ascii: fields[17]), let start = UInt64(ascii: fields[19]),
            let pages = UInt64(ascii: fields[21])
        else { return nil }
        let name = String(decoding: stat[(open + 1)..<close], as: UTF8.self)
        self.init(
            id: id,
            start: start,
            name: name,
            command: Self.shortened(command) ?? "[\(name)]",
            user: user,
            state: ProcessRow.State(letter: letter),
            ticks: userTicks &+ systemTicks,
            cpuTenths: nil,
            residentBytes: Int(clamping: pages).multipliedClamped(by: pageSize),
            threads: Int(clamping: threads)
        )
    }

    /// Reads a line of `ps -axo pid=,user=,state=,pcpu=,rss=,comm=`.
    ///
    /// - Returns: nil where the line is another.
    init?(line: Substring) {
        let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        guard fields.count == 6, let id = Int(fields[0]), let letter = fields[2].utf8.first,
            let percent = Double(fields[3]), percent.isFinite, let kilobytes = Int(fields[4])
        else { return nil }
        let command = String(fields[5]).trimmed
        self.init(
            id: id,
            start: 0,
            name: command.split(separator: "/").last.map(String.init) ?? command,
            command: String(command.prefix(Self.longestCommand)),
            user: String(fields[1]),
            state: ProcessRow.State(letter: letter),
            ticks: nil,
            cpuTenths: Int((min(max(0, percent), 1_000_000) * 10).rounded()),
            residentBytes: kilobytes.multipliedClamped(by: 1024),
            threads: 1
        )
    }

    private static let longestCommand = 200

    /// The arguments, which end in zeros; nil where there are none, as of the kernel's own.
    private static func shortened(_ command: [UInt8]) -> String? {
        let words = command.prefix(4 * longestCommand).split(separator: 0)
        guard !words.isEmpty else { return nil }
        let text = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        return String(text.prefix(longestCommand))
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

extension UInt64 {
    /// Reads digits.
    fileprivate init?(ascii digits: some Collection<UInt8>) {
        self.init(String(decoding: digits, as: UTF8.self))
    }
}

extension Int {
    fileprivate func multipliedClamped(by factor: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}
