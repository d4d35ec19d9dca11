/// What a row shows of a process: as little as is seen, so that what is not seen changes nothing.
struct ProcessRow: Equatable, Sendable {
    enum State: String, CaseIterable, Sendable {
        case running, sleeping, waiting, stopped, zombie, idle, other

        /// Such as "Sleeping".
        var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

        /// Of the letter in `/proc/PID/stat` and in `ps`.
        init(letter: UInt8) {
            self =
                switch letter {
                case UInt8(ascii: "R"): .running
                case UInt8(ascii: "S"): .sleeping
                case UInt8(ascii: "D"), UInt8(ascii: "U"): .waiting
                case UInt8(ascii: "T"), UInt8(ascii: "t"): .stopped
                case UInt8(ascii: "Z"), UInt8(ascii: "X"): .zombie
                case UInt8(ascii: "I"): .idle
                default: .other
                }
        }
    }

    let name: String
    /// The command line, cut short.
    let command: String
    let user: String
    let state: State
    /// In tenths of a percent of one processor.
    let cpuTenths: Int
    let megabytes: Int
    let threads: Int

    func html(id: String) -> String {
        let cpu = Units.tenths(cpuTenths)
        let (level, memory) = (Self.level(of: cpuTenths), "\(megabytes) MB")
        return """
            <div class="row process \(state.rawValue)" data-id="\(HTMLText.escaped(id))">\
            <span class="name" title="\(HTMLText.escaped(command))">\(HTMLText.escaped(name))</span>\
            \(HTMLText.span("pid", id, label: "process \(id)"))\
            \(HTMLText.span("cpu \(level)", "\(cpu) %", label: "\(cpu) percent of a processor"))\
            \(HTMLText.span("memory", memory, label: "\(megabytes) megabytes"))\
            \(HTMLText.span("threads", "\(threads)", label: Units.counted(threads, "thread")))\
            \(HTMLText.span("state", state.title))</div>
            """
    }

    private static func level(of tenths: Int) -> String {
        switch tenths {
        case ...0: "none"
        case ..<100: "low"
        case ..<500: "medium"
        default: "high"
        }
    }
}
