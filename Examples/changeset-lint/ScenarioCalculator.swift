import CollectionPipeline
import ProgramSupport

/// The calculating part of the program: reads files of lines or scenarios, and prints scenarios.
struct ScenarioCalculator {
    let options: LintOptions

    /// - Throws: `ScenarioFault`, `LineInput.Failure`, or `SystemError` if the output cannot be
    ///   written.
    func run(_ calculation: Calculation) throws {
        switch calculation {
        case .diff: try printDifference()
        case .invert: try printInverses()
        case .compose: try printComposition()
        case .rebase: try printRebased()
        }
    }

    private func write(_ line: String) throws {
        try OutputChannel.standardOutput.write(line + "\n")
    }

    private func write(_ scenario: Scenario) throws { try write(scenario.json.text) }

    // MARK: Lines

    private func printDifference() throws {
        let files = try options.files.map { name in
            try LineFile(LineInput(name), hasSections: options.hasSections)
        }
        let difference = try LineDifference(from: files[0], to: files[1], profile: options.profile)
        if options.output == .explanations {
            for line in difference.explanation { try write(line) }
        } else {
            try write(Scenario(difference.update))
        }
    }

    // MARK: Scenarios

    private func printInverses() throws {
        var scenarios = ScenarioSequence(options)
        while let entry = try scenarios.next() {
            try write(Scenario(entry.update.inverted, id: entry.scenario.id))
        }
    }

    private func printComposition() throws {
        var scenarios = ScenarioSequence(options)
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
        try write(Scenario(composition.update))
    }

    private func printRebased() throws {
        var scenarios = ScenarioSequence(options)
        var entries: [ScenarioSequence.Entry] = []
        while let entry = try scenarios.next() {
            entries.append(entry)
            // The rest need not be read to know that there are too many.
            if entries.count > 2 {
                throw ScenarioFault("--rebase needs two scenarios, but \(entry.title) has a third")
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
        for edit in rebased.dropped { ChangesetLint.report("dropped: \(edit)") }
        try write(Scenario(rebased.update, id: recorded.scenario.id))
    }
}

/// The scenarios of one or more files, in order and validated. Only one is in memory at a time.
struct ScenarioSequence {
    /// A scenario and its validated change set.
    struct Entry {
        /// The place of the scenario, such as `line 3` or `'file' line 3`.
        let title: String
        let scenario: Scenario
        let update: ValidatedChangeSet
    }

    private let profile: ValidationProfile
    /// Whether titles name the file, because a line number alone would be ambiguous.
    private let namesFiles: Bool
    private var rest: ArraySlice<String>
    private var input: LineInput?

    init(_ options: LintOptions) {
        profile = options.profile
        rest = options.files.isEmpty ? ["-"] : options.files[...]
        namesFiles = rest.count > 1
    }

    /// Returns the next scenario, or `nil` after the last one.
    mutating func next() throws -> Entry? {
        while true {
            guard let input = try input ?? rest.popFirst().map({ try LineInput($0) }) else {
                return nil
            }
            self.input = input
            guard let line = try input.next() else {
                self.input = nil
                continue
            }
            if !isBlank(line) {
                let file = namesFiles ? "\(input.name) " : ""
                return try entry(line, "\(file)line \(input.lineNumber)")
            }
        }
    }

    private func entry(_ line: [UInt8], _ title: String) throws(ScenarioFault) -> Entry {
        let scenario: Scenario
        do throws(ScenarioFault) {
            scenario = try Scenario(line: line)
        } catch {
            throw ScenarioFault("\(title): \(error)")
        }
        if let probe = scenario.firstProbe { throw ScenarioFault("\(title): \(probe.absence)") }
        do throws(HierarchyUpdateError) {
            let update = try HierarchyChangeSet(scenario.operations).validated(
                from: HierarchyShape(scenario.oldCounts),
                to: HierarchyShape(scenario.newCounts),
                profile: profile,
                limits: Examiner.defaultLimits
            )
            return Entry(title: title, scenario: scenario, update: update)
        } catch {
            throw ScenarioFault(
                "\(title): invalid in \(profile.rawValue), \(error.code.rawValue):"
                    + " \(error.message)"
            )
        }
    }
}
