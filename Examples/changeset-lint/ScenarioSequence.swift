import CollectionPipeline

/// The scenarios of one or more files, in order, each validated; one at a time in memory.
struct ScenarioSequence {
    /// A scenario and what validation made of it.
    struct Entry {
        /// Where it stands, such as `line 3` or `'file' line 3`.
        let title: String
        let scenario: Scenario
        let update: ValidatedChangeSet
    }

    private struct OpenFile {
        let name: String
        /// Nil for standard input, which is not ours to close.
        let descriptor: FileDescriptor?
        var reader: LineReader
    }

    private let input: FileDescriptor
    private let profile: ValidationProfile
    /// Whether a line's number alone would not say where it is.
    private let namesFiles: Bool
    private var rest: ArraySlice<String>
    private var file: OpenFile?

    init(_ options: LintOptions, _ input: FileDescriptor) {
        self.input = input
        profile = options.profile
        rest = options.files.isEmpty ? ["-"] : options.files[...]
        namesFiles = rest.count > 1
    }

    /// Whether the next line can be had without reading.
    mutating func hasLine() -> Bool { file?.reader.hasLine() ?? false }

    /// The next scenario, or nil after the last.
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

    /// Lets go of the file that is being read, if there is one.
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

    /// The scenario in a line; nil for an empty one.
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
                "\(title): '\(probe.rawValue)' cannot be written here:"
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
