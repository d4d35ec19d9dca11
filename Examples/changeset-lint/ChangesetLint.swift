import CollectionPipeline

/// The program: reads scenarios, and prints what becomes of them.
struct ChangesetLint {
    private let options: LintOptions
    private var reader: LineReader
    private var output: LineWriter
    private var errors: LineWriter
    /// Whether the output is a terminal, which may be the one that the progress bar is on.
    private let isWatched: Bool
    private var progress: ProgressBar?
    private let examiner = Examiner()

    private var scenarioCount = 0
    private var tally = CheckTally()
    private var hasFailed = false
    private var hasBadInput = false

    /// How the program ends.
    enum ExitCode: Int32 {
        case success = 0
        /// A result was not the recorded one, or the pipeline broke a guarantee.
        case failedCheck = 1
        /// Bad usage, or input or output that fails.
        case badInput = 2
    }

    /// Runs the program on its caller's actor.
    ///
    /// - Parameter arguments: what follows the program's name.
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
            report("\(error.message); --help says more", to: errors)
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
        isWatched = output.isTerminal
        // A bar among results on the same terminal would only be in the way.
        if errors.isTerminal, options.output == .check || !isWatched {
            progress = ProgressBar(on: errors, totalBytes: source.byteCount)
        }
    }

    // MARK: Lines

    nonisolated(nonsending) mutating func run() async -> ExitCode {
        do throws(FileFault) {
            while true {
                // Whoever waits for an answer before writing on must get it.
                if !reader.hasLine() { output.flush() }
                guard output.fault == nil, let line = try reader.next() else { break }
                await take(line)
            }
        } catch {
            complain(
                "cannot read \(options.file.map { "'\($0)'" } ?? "standard input"): "
                    + error.message
            )
        }
        if options.output == .check {
            for line in tally.report { tell(line) }
            hasFailed = hasFailed || tally.failures > 0
        }
        output.flush()
        progress?.erase()
        if let fault = output.fault, !fault.isBrokenPipe {
            complain("cannot write the output: \(fault.message)")
        }
        return hasBadInput ? .badInput : hasFailed ? .failedCheck : .success
    }

    /// Reports bad input on a line of its own.
    private mutating func complain(_ message: String) {
        hasBadInput = true
        say(message)
    }

    /// Writes a line of a check, of which there are few, and for which the bar makes room.
    private mutating func tell(_ line: String) {
        output.write(line)
        if isWatched {
            progress?.erase()
            output.flush()
        }
    }

    private mutating func say(_ message: String) {
        progress?.erase()
        errors.write("changeset-lint: \(message)")
        errors.flush()
    }

    private nonisolated(nonsending) mutating func take(_ line: LineReader.Line) async {
        do throws(ScenarioFault) {
            guard case .bytes(let bytes) = line else {
                throw ScenarioFault("longer than \(LineReader.lineLimit >> 20) MiB")
            }
            guard !bytes.allSatisfy(Self.isSpace) else { return }
            try await take(Scenario(line: bytes))
            scenarioCount += 1
        } catch {
            complain("line \(reader.lineNumber): \(error.message)")
        }
        progress?.update(scenarios: scenarioCount, bytes: reader.bytesRead)
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    // MARK: Scenarios

    private nonisolated(nonsending) mutating func take(
        _ scenario: Scenario
    ) async throws(ScenarioFault) {
        let title = "line \(reader.lineNumber)\(scenario.id.map { " (id \($0.text))" } ?? "")"
        if options.output == .check {
            let check = ResultCheck(examiner: examiner, profile: options.profile)
            let comparison = try await check.compare(scenario)
            tally.note(comparison)
            for fault in comparison.faults { tell("\(title): \(fault)") }
            return
        }
        if let probe = scenario.firstProbe {
            if options.output == .explanations {
                output.write(
                    "\(title): '\(probe.rawValue)' cannot be written here:"
                        + " \(NamedDifference.modifyCompleted.reason)"
                )
            } else {
                output.write(Answer(unsupported: probe).json)
            }
            return
        }
        answer(scenario, try await examiner.examine(scenario, profile: options.profile), title)
    }

    mutating func answer(_ scenario: Scenario, _ examination: Examination, _ title: String) {
        for fault in examination.faults {
            hasFailed = true
            say("line \(reader.lineNumber): the pipeline broke a guarantee: \(fault)")
        }
        if options.output == .explanations {
            let text = Explanation(scenario, examination, title: title).text(width: output.columns)
            output.write(text + "\n")
        } else {
            output.write(Answer(examination).json)
        }
    }
}
