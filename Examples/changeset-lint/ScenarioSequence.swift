import CollectionPipeline

/// The scenarios of one or more files, in order and validated. Only one is in memory at a time.
struct ScenarioSequence {
    /// A scenario and its validated change set.
    struct Entry {
        /// The place of the scenario, such as `line 3` or `'file' line 3`.
        let title: String
        let scenario: Scenario
        let update: ValidatedChangeSet
    }

    private struct OpenFile {
        let name: String
        /// `nil` for standard input, which the sequence does not own.
        let descriptor: FileDescriptor?
        var reader: LineReader
    }

    private let input: FileDescriptor
    private let profile: ValidationProfile
    /// Whether titles name the file, because a line number alone would be ambiguous.
    private let namesFiles: Bool
    private var rest: ArraySlice<String>
    private var file: OpenFile?

    init(_ options: LintOptions, _ input: FileDescriptor) {
        self.input = input
        profile = options.profile
        rest = options.files.isEmpty ? ["-"] : options.files[...]
        namesFiles = rest.count > 1
    }

    /// Returns whether the next line is available without reading from the file.
    mutating func hasLine() -> Bool { file?.reader.hasLine() ?? false }

    /// Returns the next scenario, or `nil` after the last one.
    mutating func next() throws(ScenarioFault) -> Entry? {
        while true {
            try open()
            guard let line = try nextLine() else {
                close()
                if rest.isEmpty { return nil }
                continue
            }
            if let entry = try entry(line) { return entry }
        }
    }

    /// Closes the current file, if there is one.
    mutating func close() {
        file?.descriptor?.close()
        file = nil
    }

    private mutating func open() throws(ScenarioFault) {
        guard file == nil, let name = rest.popFirst() else { return }
        if name == "-" {
            file = OpenFile(name: "standard input", descriptor: nil, reader: LineReader(input))
            return
        }
        do throws(FileFault) {
            let descriptor = try FileDescriptor.open(name)
            let reader = LineReader(descriptor)
            file = OpenFile(name: "'\(name)'", descriptor: descriptor, reader: reader)
        } catch {
            throw ScenarioFault("cannot read '\(name)': \(error.message)")
        }
    }

    private mutating func nextLine() throws(ScenarioFault) -> LineReader.Line? {
        do throws(FileFault) {
            return try file?.reader.next()
        } catch {
            throw ScenarioFault("cannot read \(file?.name ?? "a file"): \(error.message)")
        }
    }

    private var title: String {
        guard let file else { return "" }
        return (namesFiles ? "\(file.name) " : "") + "line \(file.reader.lineNumber)"
    }

    /// Returns the scenario in a line, or `nil` for an empty line.
    private func entry(_ line: LineReader.Line) throws(ScenarioFault) -> Entry? {
        guard case .bytes(let bytes) = line else {
            throw ScenarioFault("\(title): longer than \(LineReader.lineLimit >> 20) MiB")
        }
        guard !bytes.allSatisfy(ChangesetLint.isSpace) else { return nil }
        let scenario: Scenario
        do throws(ScenarioFault) {
            scenario = try Scenario(line: bytes)
        } catch {
            throw ScenarioFault("\(title): \(error.message)")
        }
        if let probe = scenario.firstProbe {
            throw ScenarioFault(
                "\(title): '\(probe.rawValue)' is not available:"
                    + " \(NamedDifference.modifyCompleted.reason)"
            )
        }
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
