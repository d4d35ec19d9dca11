import ProgramSupport

/// The options of the command line.
struct BenchmarkOptions {
    private(set) var output = Output.table
    private(set) var scale = Scale.full
    /// Selects the benchmarks whose names contain this text, in upper or lower case.
    private var filter: String?
    /// Whether only benchmarks that count are selected.
    private var countsOnly = false

    enum Output {
        case table
        /// One JSON object per line.
        case json
        /// The names and titles, without measuring.
        case list
        /// One run of each hot path, for a tool that counts instructions.
        case hotPaths
        case help
    }

    /// Reads the arguments that follow the name of the program.
    init(_ arguments: [String]) throws(UsageError) {
        var reader = CommandLineReader(arguments)
        var outputs: [(option: String, output: Output)] = []
        while let option = try reader.nextOption() {
            switch option {
            case "--help", "-h": outputs.append((option, .help))
            case "--json": outputs.append((option, .json))
            case "--list": outputs.append((option, .list))
            case "--hot-paths": outputs.append((option, .hotPaths))
            case "--quick": scale = .quick
            case "--counts": countsOnly = true
            case "--filter": try setFilter(try reader.value("a value: part of a name"))
            default: throw UsageError("unknown option '\(option)'")
            }
        }
        if let operand = reader.operands.first {
            throw UsageError("expected options only, found '\(operand)'")
        }
        if outputs.contains(where: { $0.output == .help }) {
            output = .help
        } else if let first = outputs.first {
            if let other = outputs.first(where: { $0.output != first.output }) {
                throw UsageError("\(first.option) and \(other.option) exclude each other")
            }
            output = first.output
        }
    }

    private mutating func setFilter(_ text: String) throws(UsageError) {
        guard filter == nil || filter == text else {
            throw UsageError("--filter was given twice")
        }
        filter = text
    }

    /// Returns the benchmarks that the command line selects.
    ///
    /// - Throws: if a filter selects none of them.
    func selected(from benchmarks: [Benchmark]) throws(UsageError) -> [Benchmark] {
        let candidates = countsOnly ? benchmarks.filter(\.isCount) : benchmarks
        guard let filter else { return candidates }
        let selected = candidates.filter { $0.name.contains(filter.lowercased()) }
        if selected.isEmpty {
            let kind = countsOnly ? "benchmark that counts" : "benchmark"
            throw UsageError("no \(kind) has '\(filter)' in its name; --list shows all")
        }
        return selected
    }

    static let help = """
        Usage: pipeline-benchmarks [--quick] [--counts] [--filter TEXT]
                                  [--json | --list | --hot-paths]

        Measures what the pipeline costs. Each time is compared with something known
        that is measured in the same run; the figures that have a goal are judged.
        Build it with -c release.

          --quick        fewer repetitions; ends within a minute
          --counts       only counts, such as allocations, and no times: counts depend
                         neither on the speed of the machine nor on its load
          --filter TEXT  only benchmarks with TEXT in their names
          --json         one object per line: name, value, unit, spread, reference,
                         ratio, goal, bound ("at most" or "at least") and met; missing
                         values are null
          --list         print the names and descriptions, and measure nothing
          --hot-paths    run small versions of some of the work once, and print their
                         names; .ci/instructions counts their instructions
          -h, --help     print this text

        A value is the median of the repetitions. Its spread is half the distance
        between their quartiles. The ratio is the value over its reference, or the
        reference over the value if the goal says "at least". Times on the main lane
        are thread CPU time. The table omits columns for which the terminal is too
        narrow; with the spread and the reference it needs 100 columns.

        Exit code: 0; 1 if a goal is missed (in a release build) or a benchmark fails;
        2 for bad usage or output that cannot be written.
        """
}
