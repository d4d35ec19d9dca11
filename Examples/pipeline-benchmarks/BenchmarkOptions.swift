/// What the command line asks for.
struct BenchmarkOptions: Equatable {
    var output = Output.table
    var scale = Scale.full
    /// Only benchmarks whose names contain this, in any case.
    var filter: String?
    /// Only benchmarks that count.
    var countsOnly = false

    enum Output: Equatable {
        case table
        /// One object a line.
        case json
        /// The names, and nothing is measured.
        case list
        /// Each hot path once, for a tool that counts instructions.
        case hotPaths
        case help
    }

    /// A command line that means nothing; the message has no full stop.
    struct UsageError: Error, Equatable {
        let message: String
    }

    /// Reads what follows the name of the program.
    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = ArraySlice(Array(arguments))
        var outputs: [(option: String, output: Output)] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": outputs.append((argument, .help))
            case "--json": outputs.append((argument, .json))
            case "--list": outputs.append((argument, .list))
            case "--hot-paths": outputs.append((argument, .hotPaths))
            case "--quick": scale = .quick
            case "--counts": countsOnly = true
            case "--filter":
                guard let text = rest.popFirst() else {
                    throw UsageError(message: "--filter needs a value: part of a name")
                }
                try setFilter(text)
            case _ where argument.hasPrefix("--filter="):
                try setFilter(String(argument.dropFirst("--filter=".count)))
            case _ where argument.hasPrefix("-"):
                throw UsageError(message: "unknown option '\(argument)'")
            default: throw UsageError(message: "expected options only, found '\(argument)'")
            }
        }
        if outputs.contains(where: { $0.output == .help }) {
            output = .help
            return
        }
        if let first = outputs.first,
            let other = outputs.first(where: { $0.output != first.output })
        {
            throw UsageError(message: "\(first.option) and \(other.option) exclude each other")
        }
        output = outputs.first?.output ?? .table
    }

    private mutating func setFilter(_ text: String) throws(UsageError) {
        guard filter == nil || filter == text else {
            throw UsageError(message: "--filter is there twice")
        }
        filter = text
    }

    /// Those of `benchmarks` that are asked for.
    ///
    /// - Throws: where there is none.
    func selected(from benchmarks: [Benchmark]) throws(UsageError) -> [Benchmark] {
        let candidates = countsOnly ? benchmarks.filter(\.isCount) : benchmarks
        guard let filter else { return candidates }
        let selected = candidates.filter { $0.name.contains(filter.lowercased()) }
        guard !selected.isEmpty else {
            let kind = countsOnly ? "benchmark that counts" : "benchmark"
            throw UsageError(message: "no \(kind) has '\(filter)' in its name; --list has them all")
        }
        return selected
    }
}
