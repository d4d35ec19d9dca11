import PipelineSimulation

/// What the command line asks for.
struct SimulateOptions: Equatable {
    var job = Job.seeds
    var first: UInt64 = 0
    var seedCount: UInt64 = 10_000
    /// Whether each seed runs once for every single fault that could happen in it, in place of chances.
    var triesEachFault = false
    /// Whether runs are of clusters, in place of pipelines.
    var isOfClusters = false
    /// Stops by then, whatever the number of seeds; nil for no limit.
    var minutes: Double?
    /// nil for one that each seed draws.
    var strategy: SchedulingStrategy?
    /// Whether to print what happened how often.
    var showsCounters = false
    /// Where a supervised process notes what it is about to run; nil in the one that supervises.
    var runFile: String?

    enum Job: Equatable {
        case seeds
        /// A failing case from a file.
        case replay(String)
        case help
    }

    /// A command line that means nothing; the message has no full stop.
    struct UsageError: Error, Equatable {
        let message: String
    }

    static let strategies: [(name: String, strategy: SchedulingStrategy?)] = [
        ("mixed", nil), ("in-order", .inOrder), ("random", .random), ("sticky", .sticky(0.7)),
        ("prioritized", .prioritized(changes: 2)), ("delay-bounded", .delayBounded(2)),
    ]

    /// Reads what follows the name of the program.
    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = ArraySlice(Array(arguments))
        var givenSeeds: UInt64?
        while let argument = rest.popFirst() {
            let (option, attached) = Self.split(argument)
            func value(_ what: String) throws(UsageError) -> String {
                guard let value = attached ?? rest.popFirst() else {
                    throw UsageError(message: "\(option) needs \(what)")
                }
                return value
            }
            switch option {
            case "--help", "-h":
                job = .help
                return
            case "--seeds": givenSeeds = try Self.number(try value("a number"), option)
            case "--from": first = try Self.number(try value("a number"), option)
            case "--minutes": minutes = try Self.minutes(try value("a number"), option)
            case "--strategy": strategy = try Self.strategy(try value("a name"))
            case "--replay": job = .replay(try value("a file"))
            case "--anomalies":
                if attached != nil { throw UsageError(message: "--anomalies takes no value") }
                triesEachFault = true
            case "--cluster":
                if attached != nil { throw UsageError(message: "--cluster takes no value") }
                isOfClusters = true
            case "--counters":
                if attached != nil { throw UsageError(message: "--counters takes no value") }
                showsCounters = true
            case RunFile.option: runFile = try value("a file")
            default: throw UsageError(message: "unknown argument '\(argument)'")
            }
        }
        seedCount = givenSeeds ?? (triesEachFault ? 200 : 10_000)
        if first.addingReportingOverflow(seedCount).overflow {
            throw UsageError(message: "--from \(first) and --seeds \(seedCount) exceed all seeds")
        }
    }

    private static func split(_ argument: String) -> (option: String, value: String?) {
        guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else {
            return (argument, nil)
        }
        return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
    }

    private static func number(_ text: String, _ option: String) throws(UsageError) -> UInt64 {
        guard let number = UInt64(text) else {
            throw UsageError(message: "\(option) needs a whole number from 0, found '\(text)'")
        }
        return number
    }

    private static func minutes(_ text: String, _ option: String) throws(UsageError) -> Double {
        guard let number = Double(text), number > 0, number.isFinite else {
            throw UsageError(message: "\(option) needs a number above 0, found '\(text)'")
        }
        return number
    }

    private static func strategy(_ name: String) throws(UsageError) -> SchedulingStrategy? {
        guard let found = strategies.first(where: { $0.name == name }) else {
            let names = strategies.map(\.name).joined(separator: ", ")
            throw UsageError(message: "unknown strategy '\(name)', expected one of \(names)")
        }
        return found.strategy
    }

    /// The text for `--help`.
    static let help = """
        Usage: pipeline-simulate [options]

        Runs whole pipelines on one thread, in interleavings that seeds choose, with
        busy and refusing views, simulated views in use, failing nodes, lies,
        cancellations and closes; checks every guarantee on the way, and makes what
        fails small. Its last line is the verdict.

          --seeds N        how many seeds (10000; 200 with --anomalies)
          --from S         the first seed (0)
          --minutes M      stops after so many minutes
          --strategy NAME  mixed (each seed draws its own), in-order, random, sticky,
                           prioritized or delay-bounded
          --anomalies      runs each seed without faults, and then once for every single
                           place in it where one could happen, with that one
          --cluster        runs clusters in place of pipelines: members that replicate a
                           list over a broker with every fault, die and come back
          --counters       prints what happened how often, too
          --replay FILE    runs a case that a failure has written, and shows its steps
          --help           this text

        Exit codes: 0 nothing was found, 1 a guarantee was broken,
        2 bad usage or input.
        """
}
