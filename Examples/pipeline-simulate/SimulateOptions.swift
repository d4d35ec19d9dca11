import PipelineSimulation
import ProgramSupport

/// The options of the command line.
struct SimulateOptions: Equatable {
    var job = Job.seeds
    var first: UInt64 = 0
    var seedCount: UInt64 = 10_000
    /// Whether each seed runs once for every single fault that could happen in it, instead of with
    /// random faults.
    var triesEachFault = false
    /// Whether to run clusters instead of pipelines.
    var isOfClusters = false
    /// Whether to run tables instead of pipelines.
    var isOfTables = false
    /// The time limit, regardless of the number of seeds; `nil` for no limit.
    var minutes: Double?
    /// The strategy of all runs; `nil` if each seed draws its own.
    var strategy: SchedulingStrategy?
    /// Whether to print how often each situation occurred.
    var showsCounters = false
    /// The file in which a supervised process records its next run; `nil` in the supervising
    /// process.
    var runFile: String?

    enum Job: Equatable {
        case seeds
        /// Runs a failing case from a file.
        case replay(String)
        case help
    }

    static let strategies: [(name: String, strategy: SchedulingStrategy?)] = [
        ("mixed", nil), ("in-order", .inOrder), ("random", .random), ("sticky", .sticky(0.7)),
        ("prioritized", .prioritized(changes: 2)), ("delay-bounded", .delayBounded(2)),
    ]

    /// Parses the arguments after the name of the program.
    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var reader = CommandLineReader(arguments)
        var givenSeeds: UInt64?
        while let option = try reader.nextOption() {
            switch option {
            case "--help", "-h":
                job = .help
                return
            case "--seeds": givenSeeds = try Self.number(try reader.value("a number"), option)
            case "--from": first = try Self.number(try reader.value("a number"), option)
            case "--minutes": minutes = try Self.minutes(try reader.value("a number"), option)
            case "--strategy": strategy = try Self.strategy(try reader.value("a name"))
            case "--replay": job = .replay(try reader.value("a file"))
            case "--anomalies": triesEachFault = true
            case "--cluster": (isOfClusters, isOfTables) = (true, false)
            case "--tables": (isOfClusters, isOfTables) = (false, true)
            case "--counters": showsCounters = true
            case RunFile.option: runFile = try reader.value("a file")
            default: throw UsageError("unknown argument '\(option)'")
            }
        }
        if let operand = reader.operands.first {
            throw UsageError("unknown argument '\(operand)'")
        }
        seedCount = givenSeeds ?? (triesEachFault ? 200 : 10_000)
        if first.addingReportingOverflow(seedCount).overflow {
            throw UsageError("--from \(first) and --seeds \(seedCount) exceed all seeds")
        }
    }

    /// The options that a replay needs.
    var mode: [String] { isOfTables ? ["--tables"] : [] }

    func run(_ plan: RunPlan, keepsTrace: Bool = false) -> RunResult {
        isOfTables
            ? SimulatedTables.run(plan, keepsTrace: keepsTrace)
            : SimulatedRun.run(plan, keepsTrace: keepsTrace)
    }

    private static func number(_ text: String, _ option: String) throws(UsageError) -> UInt64 {
        guard let number = UInt64(text) else {
            throw UsageError("\(option) needs a whole number from 0, found '\(text)'")
        }
        return number
    }

    private static func minutes(_ text: String, _ option: String) throws(UsageError) -> Double {
        guard let number = Double(text), number > 0, number.isFinite else {
            throw UsageError("\(option) needs a number above 0, found '\(text)'")
        }
        return number
    }

    private static func strategy(_ name: String) throws(UsageError) -> SchedulingStrategy? {
        guard let found = strategies.first(where: { $0.name == name }) else {
            let names = strategies.map(\.name).joined(separator: ", ")
            throw UsageError("unknown strategy '\(name)', expected one of \(names)")
        }
        return found.strategy
    }

    /// The text for `--help`.
    static let help = """
        Usage: pipeline-simulate [options]

        Runs whole pipelines on one thread. Each seed chooses an interleaving, and
        faults: views that are busy or refuse updates, nodes that fail, models that
        differ from the recorded changes, cancellations and closes. The program checks
        every guarantee during each run, and shrinks a failing case. The last line of
        the output is the verdict.

          --seeds N        number of seeds (default: 10000, or 200 with --anomalies)
          --from S         first seed (default: 0)
          --minutes M      stop after M minutes
          --strategy NAME  mixed (default; each seed draws a strategy), in-order,
                           random, sticky, prioritized or delay-bounded
          --anomalies      run each seed without faults, then once for each single
                           fault that could happen in it
          --cluster        run clusters instead of pipelines: members replicate a list
                           over a faulty broker, crash and restart
          --tables         run tables instead of pipelines, with derived lists, their
                           parameters, observers and readers
          --counters       also print how often each situation occurred
          --replay FILE    run a case that a failure has written, and show its steps
          --help           print this text

        Exit codes: 0 no failure, 1 a guarantee was broken, 2 invalid usage or input.
        """
}
