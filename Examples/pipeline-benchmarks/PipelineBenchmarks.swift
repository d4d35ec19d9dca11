/// The program: measures what is asked for, and prints what came of it.
struct PipelineBenchmarks {
    private let options: BenchmarkOptions
    private let benchmarks: [Benchmark]
    private let isJudged: Bool
    private let output: any TextSink
    private let errors: any TextSink

    /// How the program ends.
    enum ExitCode: Int32 {
        case success = 0
        /// A goal is missed, or the pipeline did something else than it was measured for.
        case failedCheck = 1
        /// Bad usage, or output that fails.
        case badUsage = 2
    }

    /// Whether figures of this build mean anything.
    static var isOptimised: Bool {
        #if DEBUG
            false
        #else
            true
        #endif
    }

    /// Runs the program.
    ///
    /// - Parameters:
    ///   - arguments: what follows the program's name.
    ///   - benchmarks: what there is to measure.
    ///   - isJudged: whether goals count.
    static func run(
        arguments: [String],
        benchmarks: [Benchmark] = Benchmark.all,
        isJudged: Bool = isOptimised,
        output: any TextSink,
        errors: any TextSink
    ) -> ExitCode {
        do throws(BenchmarkOptions.UsageError) {
            let options = try BenchmarkOptions(arguments)
            let selected = try options.selected(from: benchmarks)
            let program = PipelineBenchmarks(
                options: options,
                benchmarks: selected,
                isJudged: isJudged,
                output: output,
                errors: errors
            )
            return program.run()
        } catch {
            report("\(error.message); --help says more", to: errors)
            return .badUsage
        }
    }

    private static func report(_ message: String, to errors: any TextSink) {
        // Nothing is left to be done where not even this can be written.
        try? errors.write("pipeline-benchmarks: \(message)\n")
    }

    private func run() -> ExitCode {
        do throws(WriteFault) {
            switch options.output {
            case .help:
                try output.write(BenchmarkOptions.help + "\n")
                return .success
            case .list:
                try output.write(list)
                return .success
            case .hotPaths: return try runHotPaths()
            case .json, .table: return try measure()
            }
        } catch {
            if error.isBrokenPipe { return .success }
            Self.report("cannot write the output: \(error.message)", to: errors)
            return .badUsage
        }
    }

    private var list: String {
        benchmarks.map { benchmark in
            let lines = Self.lines(of: benchmark.title, width: width - 4)
            return ([benchmark.name] + lines.map { "    " + $0 }).joined(separator: "\n") + "\n"
        }.joined()
    }

    /// How wide lines may be.
    private var width: Int { max(40, output.columns ?? 80) }

    /// The text in lines of at most `width` columns, as far as its words leave that.
    static func lines(of text: String, width: Int) -> [String] {
        text.split(separator: " ").reduce(into: [String]()) { lines, word in
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
    }

    private func runHotPaths() throws(WriteFault) -> ExitCode {
        for path in HotPath.all {
            do {
                try path.run()
            } catch {
                Self.report("\(path.name): \(error)", to: errors)
                return .failedCheck
            }
            try output.write(path.name + "\n")
        }
        return .success
    }

    // MARK: Measuring

    private func measure() throws(WriteFault) -> ExitCode {
        let table = FigureTable(
            names: benchmarks.map(\.name),
            hasGoals: isJudged && benchmarks.contains { $0.goal != nil },
            isJudged: isJudged,
            width: width
        )
        if options.output == .table {
            let lines = Machine.current.lines(options.scale, isJudged: isJudged) + [""]
            try output.write((lines + table.header).map { $0 + "\n" }.joined())
        }
        let workbench = Workbench(options.scale)
        var progress = ProgressLine(on: errors)
        var figures: [Figure] = []
        for (number, benchmark) in benchmarks.enumerated() {
            progress.show(benchmark.name, number: number + 1, of: benchmarks.count)
            let figure: Figure
            do {
                figure = Figure(benchmark, try benchmark.measure(workbench))
            } catch {
                progress.erase()
                Self.report("\(benchmark.name): \(error)", to: errors)
                return .failedCheck
            }
            progress.erase()
            figures.append(figure)
            let line =
                options.output == .json ? figure.json(isJudged: isJudged) : table.line(figure)
            try output.write(line + "\n")
        }
        let missed = figures.count { $0.isMet == false }
        if options.output == .table { try output.write("\n" + summary(figures, missed) + "\n") }
        return isJudged && missed > 0 ? .failedCheck : .success
    }

    /// What came of the goals, where there are some.
    private func summary(_ figures: [Figure], _ missed: Int) -> String {
        let goals = figures.count { $0.isMet != nil }
        let hint = "--list says what the figures are"
        guard goals > 0 else { return hint }
        let noun = goals == 1 ? "goal" : "goals"
        return isJudged
            ? "\(goals - missed) of \(goals) \(noun) met; \(hint)"
            : "\(goals) \(noun) not judged: this is a debug build; \(hint)"
    }
}
