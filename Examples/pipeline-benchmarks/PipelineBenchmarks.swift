import Foundation
import ProgramSupport

/// The program: measures the selected benchmarks and prints their figures.
@main struct PipelineBenchmarks {
    private let options: BenchmarkOptions
    private let benchmarks: [Benchmark]
    private let output = OutputChannel.standardOutput

    /// Whether figures of this build mean anything, so that goals count.
    static var isOptimised: Bool {
        #if DEBUG
            false
        #else
            true
        #endif
    }

    static func main() {
        // A closed pipe then shows as a failed write, which ends the program cleanly.
        OutputChannel.ignoreBrokenPipes()
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static func run(_ arguments: [String]) -> ExitCode {
        do throws(UsageError) {
            let options = try BenchmarkOptions(arguments)
            let selected = try options.selected(from: Benchmark.all)
            return PipelineBenchmarks(options: options, benchmarks: selected).run()
        } catch {
            report("\(error); see --help")
            return .badInput
        }
    }

    private static func report(_ message: String) {
        OutputChannel.standardError.report("pipeline-benchmarks: \(message)")
    }

    private func run() -> ExitCode {
        do throws(SystemError) {
            switch options.output {
            case .help: try output.write(BenchmarkOptions.help + "\n")
            case .list: try output.write(list)
            case .hotPaths: return try runHotPaths()
            case .json, .table: return try measure()
            }
        } catch {
            if error.isBrokenPipe { return .success }
            Self.report("cannot write the output: \(error)")
            return .badInput
        }
        return .success
    }

    /// The width of the output in columns.
    private var width: Int { max(40, output.terminalSize?.columns ?? 80) }

    private var list: String {
        var text = ""
        for benchmark in benchmarks {
            var lines = [benchmark.name, "   "]
            for word in benchmark.title.split(separator: " ") {
                if lines[lines.count - 1].count + 1 + word.count > width { lines.append("   ") }
                lines[lines.count - 1] += " " + word
            }
            text += lines.joined(separator: "\n") + "\n"
        }
        return text
    }

    private func runHotPaths() throws(SystemError) -> ExitCode {
        for path in HotPath.all {
            let allocations: [Int]
            do {
                allocations = try path.run()
            } catch {
                Self.report("\(path.name): \(error)")
                return .failedCheck
            }
            let fields = [path.name] + allocations.map(\.description)
            try output.write(fields.joined(separator: " ") + "\n")
        }
        return .success
    }

    private func measure() throws(SystemError) -> ExitCode {
        let table = FigureTable(of: benchmarks, width: width)
        if options.output == .table {
            let lines = Machine.lines(options.scale) + [""] + table.header
            try output.write(lines.map { $0 + "\n" }.joined())
        }
        let workbench = Workbench(options.scale)
        var progress = ProgressLine(on: .standardError)
        var figures: [Figure] = []
        for (number, benchmark) in benchmarks.enumerated() {
            progress.show("[\(number + 1)/\(benchmarks.count)] \(benchmark.name) …")
            let figure: Figure
            do {
                defer { progress.erase() }
                figure = Figure(benchmark, try benchmark.measure(workbench))
            } catch {
                Self.report("\(benchmark.name): \(error)")
                return .failedCheck
            }
            figures.append(figure)
            try output.write((options.output == .json ? figure.json : table.line(figure)) + "\n")
        }
        if options.output == .table { try output.write("\n" + summary(figures) + "\n") }
        return Self.isOptimised && figures.contains { $0.isMet == false } ? .failedCheck : .success
    }

    private func summary(_ figures: [Figure]) -> String {
        let verdicts = figures.compactMap(\.isMet)
        let hint = "--list describes the figures"
        if verdicts.isEmpty { return hint }
        let noun = verdicts.count == 1 ? "goal" : "goals"
        return Self.isOptimised
            ? "\(verdicts.count { $0 }) of \(verdicts.count) \(noun) met; \(hint)"
            : "\(verdicts.count) \(noun) not judged: this is a debug build; \(hint)"
    }
}
