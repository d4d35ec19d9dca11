import CollectionPipeline

/// The program: reads scenarios and prints their results.
struct ChangesetLint {
    private let options: LintOptions
    private var reader: LineReader
    private var output: LineWriter
    private var errors: LineWriter
    /// Whether the output is a terminal, possibly the one that shows the progress bar.
    private let writesToTerminal: Bool
    private var progress: ProgressBar?
    private let examiner = Examiner()

    private var scenarioCount = 0
    private var tally = CheckTally()
    private var hasFailed = false
    private var hasBadInput = false

    /// The exit code of the program.
    enum ExitCode: Int32 {
        case success = 0
        /// A result differs from the recorded one, or the pipeline broke a guarantee.
        case failedCheck = 1
        /// The arguments are wrong, or input or output failed.
        case badInput = 2
    }

    /// Runs the program on the caller's actor.
    ///
    /// - Parameter arguments: the arguments after the program's name.
    nonisolated(nonsending) static func run(
        arguments: [String],
        input: FileDescriptor,
        output: FileDescriptor,
        errors: FileDescriptor
    ) async -> ExitCode {
        let options: LintOptions
        do throws(LintOptions.UsageError) {
            options = try LintOptions(arguments)
        } catch {
            report("\(error.message); see --help", to: errors)
            return .badInput
        }
        if options.output == .help {
            var writer = LineWriter(output)
            writer.write(LintOptions.help)
            writer.flush()
            return .success
        }
        if let calculation = options.calculation {
            var calculator = ScenarioCalculator(calculation, options, input, output, errors)
            return calculator.run()
        }
        guard let path = options.file else {
            var lint = ChangesetLint(options, input, output, errors)
            return await lint.run()
        }
        do throws(FileFault) {
            let file = try FileDescriptor.open(path)
            defer { file.close() }
            var lint = ChangesetLint(options, file, output, errors)
            return await lint.run()
        } catch {
            report("cannot read '\(path)': \(error.message)", to: errors)
            return .badInput
        }
    }

    private static func report(_ message: String, to sink: FileDescriptor) {
        var errors = LineWriter(sink)
        errors.write("changeset-lint: \(message)")
        errors.flush()
    }

    init(
        _ options: LintOptions,
        _ source: FileDescriptor,
        _ output: FileDescriptor,
        _ errors: FileDescriptor
    ) {
        self.options = options
        reader = LineReader(source)
        self.output = LineWriter(output)
        self.errors = LineWriter(errors)
        writesToTerminal = output.isTerminal
        // A progress bar between results on the same terminal would only disturb.
        if errors.isTerminal, options.output == .check || !writesToTerminal {
            progress = ProgressBar(on: errors, totalBytes: source.byteCount)
        }
    }

    // MARK: Lines

    nonisolated(nonsending) mutating func run() async -> ExitCode {
        do throws(FileFault) {
            while true {
                // A reader that waits for a result before it writes the next line must receive the
                // result.
                if !reader.hasLine() { output.flush() }
                guard output.fault == nil, let line = try reader.next() else { break }
                await process(line)
            }
        } catch {
            reportBadInput(
                "cannot read \(options.file.map { "'\($0)'" } ?? "standard input"): "
                    + error.message
            )
        }
        if options.output == .check {
            for line in tally.report { printCheckLine(line) }
            hasFailed = hasFailed || tally.failures > 0
        }
        output.flush()
        progress?.erase()
        if let fault = output.fault, !fault.isBrokenPipe {
            reportBadInput("cannot write the output: \(fault.message)")
        }
        return hasBadInput ? .badInput : hasFailed ? .failedCheck : .success
    }

    /// Reports bad input on one line of standard error.
    private mutating func reportBadInput(_ message: String) {
        hasBadInput = true
        reportError(message)
    }

    /// Writes a line of the check's report, and removes the progress bar first. There are few such
    /// lines.
    private mutating func printCheckLine(_ line: String) {
        output.write(line)
        if writesToTerminal {
            progress?.erase()
            output.flush()
        }
    }

    private mutating func reportError(_ message: String) {
        progress?.erase()
        errors.write("changeset-lint: \(message)")
        errors.flush()
    }

    private nonisolated(nonsending) mutating func process(_ line: LineReader.Line) async {
        do throws(ScenarioFault) {
            guard case .bytes(let bytes) = line else {
                throw ScenarioFault("longer than \(LineReader.lineLimit >> 20) MiB")
            }
            guard !bytes.allSatisfy(Self.isSpace) else { return }
            try await process(Scenario(line: bytes))
            scenarioCount += 1
        } catch {
            reportBadInput("line \(reader.lineNumber): \(error.message)")
        }
        progress?.update(scenarios: scenarioCount, bytes: reader.bytesRead)
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    // MARK: Scenarios

    private nonisolated(nonsending) mutating func process(
        _ scenario: Scenario
    ) async throws(ScenarioFault) {
        let title = "line \(reader.lineNumber)\(scenario.id.map { " (id \($0.text))" } ?? "")"
        if options.output == .check {
            let check = ResultCheck(examiner: examiner, profile: options.profile)
            let comparison = try await check.compare(scenario)
            tally.note(comparison)
            for fault in comparison.faults { printCheckLine("\(title): \(fault)") }
            return
        }
        if let probe = scenario.firstProbe {
            if options.output == .explanations {
                output.write(
                    "\(title): '\(probe.rawValue)' is not available:"
                        + " \(NamedDifference.modifyCompleted.reason)"
                )
            } else {
                output.write(ScenarioResult(unsupported: probe).json)
            }
            return
        }
        printResult(scenario, try await examiner.examine(scenario, profile: options.profile), title)
    }

    mutating func printResult(_ scenario: Scenario, _ examination: Examination, _ title: String) {
        for fault in examination.faults {
            hasFailed = true
            reportError("line \(reader.lineNumber): the pipeline broke a guarantee: \(fault)")
        }
        if options.output == .explanations {
            let text = Explanation(scenario, examination, title: title).text(width: output.columns)
            output.write(text + "\n")
        } else {
            output.write(ScenarioResult(examination).json)
        }
    }
}
