import CollectionPipeline
import ProgramSupport

/// The program: reads scenarios and prints their results.
struct ChangesetLint {
    private let options: LintOptions
    private let input: LineInput
    private let output = OutputChannel.standardOutput
    /// `nil` if results are printed on the same terminal, where it would only disturb.
    private var progress: ProgressLine?
    private let examiner = Examiner()

    private var scenarioCount = 0
    private var tally = CheckTally()
    /// Whether a result differs from the recorded one, or the pipeline broke a guarantee.
    private var hasFailed = false
    private var hasBadInput = false

    /// Runs the program on the caller's actor.
    ///
    /// - Parameter arguments: the arguments after the program's name.
    nonisolated(nonsending) static func run(
        _ arguments: some Sequence<String>
    ) async -> ExitCode {
        do {
            let options = try LintOptions(arguments)
            if options.output == .help {
                try OutputChannel.standardOutput.write(LintOptions.help + "\n")
            } else if let calculation = options.calculation {
                try ScenarioCalculator(options: options).run(calculation)
            } else {
                var lint = ChangesetLint(options, try LineInput(options.files.first ?? "-"))
                return try await lint.run()
            }
            return .success
        } catch let error as SystemError {
            if error.isBrokenPipe { return .success }
            report("cannot write the output: \(error)")
        } catch let error as UsageError {
            report("\(error); see --help")
        } catch {
            report("\(error)")
        }
        return .badInput
    }

    /// Reports an error, or what a calculation dropped, on one line of standard error.
    static func report(_ message: String) {
        OutputChannel.standardError.report("changeset-lint: \(message)")
    }

    private init(_ options: LintOptions, _ input: LineInput) {
        self.options = options
        self.input = input
        if options.output == .check || !output.isTerminal {
            progress = ProgressLine(on: .standardError, after: .milliseconds(500))
        }
    }

    // MARK: Lines

    private nonisolated(nonsending) mutating func run() async throws -> ExitCode {
        defer { progress?.erase() }
        let input = input
        do {
            while let line = try input.next() {
                if isBlank(line) { continue }
                do {
                    try await process(Scenario(line: line))
                    scenarioCount += 1
                } catch let error as ScenarioFault {
                    hasBadInput = true
                    reportError("line \(input.lineNumber): \(error)")
                }
                let scenarioCount = scenarioCount
                progress?.update { _ in Self.progress(scenarioCount, input) }
            }
            if options.output == .check {
                for line in tally.report { try printLine(line) }
                hasFailed = hasFailed || tally.failures > 0
            }
        } catch let error as SystemError where error.isBrokenPipe {
            // The results so far count.
        }
        return hasBadInput ? .badInput : hasFailed ? .failedCheck : .success
    }

    private static func progress(_ scenarioCount: Int, _ input: LineInput) -> String {
        let scenarios = "\(scenarioCount) scenarios"
        guard let size = input.fileSize, size > 0 else { return scenarios }
        let bar = ProgressLine.bar(input.byteCount, of: size, width: 30)
        return "\(bar) \(input.byteCount * 100 / size) %  \(scenarios)"
    }

    /// Writes a line immediately, because a reader may wait for a result before it writes the next
    /// line of input.
    private mutating func printLine(_ line: String) throws(SystemError) {
        if output.isTerminal { progress?.erase() }
        try output.write(line + "\n")
    }

    private mutating func reportError(_ message: String) {
        progress?.erase()
        Self.report(message)
    }

    // MARK: Scenarios

    private nonisolated(nonsending) mutating func process(_ scenario: Scenario) async throws {
        let title = "line \(input.lineNumber)\(scenario.id.map { " (id \($0.text))" } ?? "")"
        if options.output == .check {
            let check = ResultCheck(examiner: examiner, profile: options.profile)
            let comparison = try await check.compare(scenario)
            tally.note(comparison)
            for fault in comparison.faults { try printLine("\(title): \(fault)") }
        } else if let probe = scenario.firstProbe {
            try printLine(
                options.output == .explanations
                    ? "\(title): \(probe.absence)" : ScenarioResult(unsupported: probe).json.text
            )
        } else {
            let examination = try await examiner.examine(scenario, profile: options.profile)
            for fault in examination.faults {
                hasFailed = true
                reportError("line \(input.lineNumber): the pipeline broke a guarantee: \(fault)")
            }
            if options.output == .explanations {
                let explanation = Explanation(scenario, examination, title: title)
                try printLine(explanation.text(width: output.terminalSize?.columns) + "\n")
            } else {
                try printLine(ScenarioResult(examination).json.text)
            }
        }
    }
}
