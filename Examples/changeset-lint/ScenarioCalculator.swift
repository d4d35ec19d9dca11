import CollectionPipeline

/// The calculating part of the program: reads files of lines or scenarios, and prints scenarios.
struct ScenarioCalculator {
    private let calculation: Calculation
    private let options: LintOptions
    private let input: FileDescriptor
    private var output: LineWriter
    private var errors: LineWriter

    init(
        _ calculation: Calculation,
        _ options: LintOptions,
        _ input: FileDescriptor,
        _ output: FileDescriptor,
        _ errors: FileDescriptor
    ) {
        self.calculation = calculation
        self.options = options
        self.input = input
        self.output = LineWriter(output)
        self.errors = LineWriter(errors)
    }

    mutating func run() -> ChangesetLint.ExitCode {
        var exitCode = ChangesetLint.ExitCode.success
        do throws(ScenarioFault) {
            switch calculation {
            case .diff: try printDifference()
            case .invert: try printInverses()
            case .compose: try printComposition()
            case .rebase: try printRebased()
            }
            output.flush()
        } catch {
            output.flush()
            reportError(error.message)
            exitCode = .badInput
        }
        if let fault = output.fault, !fault.isBrokenPipe {
            reportError("cannot write the output: \(fault.message)")
            exitCode = .badInput
        }
        return exitCode
    }

    private mutating func reportError(_ message: String) {
        errors.write("changeset-lint: \(message)")
        errors.flush()
    }

    // MARK: Lines

    private mutating func printDifference() throws(ScenarioFault) {
        let (old, new) = (try file(options.files[0]), try file(options.files[1]))
        let difference = try LineDifference(from: old, to: new, profile: options.profile)
        if options.output == .explanations {
            for line in difference.explanation { output.write(line) }
        } else {
            output.write(Scenario(difference.update).json)
        }
    }

    private func file(_ name: String) throws(ScenarioFault) -> LineFile {
        let bytes: [UInt8]
        do throws(FileFault) {
            bytes = try name == "-" ? input.readAll() : FileDescriptor.readAll(name)
        } catch {
            let shown = name == "-" ? "standard input" : "'\(name)'"
            throw ScenarioFault("cannot read \(shown): \(error.message)")
        }
        return try LineFile(bytes, name: name, hasSections: options.hasSections)
    }

    // MARK: Scenarios

    private mutating func printInverses() throws(ScenarioFault) {
        var scenarios = ScenarioSequence(options, input)
        defer { scenarios.close() }
        while output.fault == nil {
            // A reader that waits for a result before it writes the next line must receive the
            // result.
            if !scenarios.hasLine() { output.flush() }
            guard let entry = try scenarios.next() else { return }
            output.write(Scenario(entry.update.inverted, id: entry.scenario.id).json)
        }
    }

    private mutating func printComposition() throws(ScenarioFault) {
        var scenarios = ScenarioSequence(options, input)
        defer { scenarios.close() }
        var composition: ChangeSetComposition?
        while let entry = try scenarios.next() {
            if composition == nil {
                composition = ChangeSetComposition(from: entry.update.oldShape)
            }
            do throws(HierarchyUpdateError) {
                try composition?.append(entry.update)
            } catch {
                throw ScenarioFault(
                    "\(entry.title) does not start where the scenario before it ends:"
                        + " \(error.message)"
                )
            }
        }
        guard let composition else {
            throw ScenarioFault("--compose needs at least one scenario, found none")
        }
        output.write(Scenario(composition.update).json)
    }

    private mutating func printRebased() throws(ScenarioFault) {
        var scenarios = ScenarioSequence(options, input)
        defer { scenarios.close() }
        var entries: [ScenarioSequence.Entry] = []
        while let entry = try scenarios.next() {
            entries.append(entry)
            // The rest need not be read to know that there are too many.
            if entries.count > 2 {
                throw ScenarioFault(
                    "--rebase needs two scenarios, but \(entry.title) has a third"
                )
            }
        }
        guard entries.count == 2 else {
            throw ScenarioFault("--rebase needs two scenarios, found \(entries.count)")
        }
        let (deployed, recorded) = (entries[0], entries[1])
        let rebased: RebasedChangeSet
        do throws(HierarchyUpdateError) {
            rebased = try recorded.update.rebased(over: deployed.update)
        } catch {
            throw ScenarioFault(
                "\(recorded.title) does not start where \(deployed.title) does: \(error.message)"
            )
        }
        for edit in rebased.dropped { reportError("dropped: \(edit)") }
        output.write(Scenario(rebased.update, id: recorded.scenario.id).json)
    }
}
