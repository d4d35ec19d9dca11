import CollectionPipeline
import ProgramSupport

/// The change set that turns one file of lines into another.
struct LineDifference {
    let update: ValidatedChangeSet
    private let old: LineFile
    private let new: LineFile

    /// Finds the difference. Equal lines and equal sections are distinguished by their occurrence.
    init(
        from old: LineFile,
        to new: LineFile,
        profile: ValidationProfile
    ) throws(ScenarioFault) {
        self.old = old
        self.new = new
        do throws(HierarchyUpdateError) {
            // The printed scenario must be readable again.
            for file in [old, new] {
                try Examiner.defaultLimits.check(HierarchyShape(file.counts))
            }
        } catch {
            throw ScenarioFault("too many lines: \(error.message)")
        }
        do throws(DifferenceError) {
            update = try ValidatedChangeSet(
                fromIdentifiers: old.sections.map { ($0.name, $0.lines) },
                to: new.sections.map { ($0.name, $0.lines) },
                options: DifferenceOptions(profile: profile)
            )
        } catch {
            throw ScenarioFault(error.message)
        }
    }

    /// One line per edit, in the order in which the edits are applied. A move has one line.
    var explanation: [String] {
        let lines = update.edits.compactMap(text)
        return lines.isEmpty ? ["no edits"] : lines
    }

    private func text(_ edit: HierarchyEdit) -> String? {
        switch edit {
        case .removeItem(let edit):
            "\(edit.role) item \(edit.path)\(Self.to(edit.associatedWith)): \(line(edit.path, old))"
        case .removeSection(let edit):
            "\(edit.role) section \(edit.section)\(Self.to(edit.associatedWith)):"
                + " \(name(edit.section, old))"
        // The other end of the move already has a line.
        case .insertSection(let edit) where edit.associatedWith != nil: nil
        case .insertItem(let edit) where edit.associatedWith != nil: nil
        case .insertSection(let edit):
            "insert section \(edit.section) with \(edit.newItemCount)"
                + " \(edit.newItemCount == 1 ? "new item" : "new items"): \(name(edit.section, new))"
        case .insertItem(let edit): "insert item \(edit.path): \(line(edit.path, new))"
        }
    }

    private static func to(_ place: (some CustomStringConvertible)?) -> String {
        place.map { " to \($0)" } ?? ""
    }

    private func line(_ path: ItemPath, _ file: LineFile) -> String {
        file.sections[path.section].lines[path.item].text
    }

    private func name(_ section: Int, _ file: LineFile) -> String {
        file.sections[section].name?.text ?? "the lines before the first section"
    }
}

/// A text file as sections of lines.
struct LineFile {
    /// A line without its newline. Lines are equal if their bytes are: lines that look alike may
    /// differ.
    struct Line: Hashable {
        let bytes: [UInt8]

        /// The line as text for people.
        var text: String { String(decoding: bytes, as: UTF8.self).escapedForTerminal }
    }

    /// The sections in order. The lines before the first named section have the name `nil`.
    private(set) var sections: [(name: Line?, lines: [Line])] = []

    /// The number of lines in each section.
    var counts: [Int] { sections.map(\.lines.count) }

    /// Reads a file.
    ///
    /// - Parameter hasSections: whether a line that begins with `# ` begins a section of that name.
    /// - Throws: `LineInput.Failure`, or `ScenarioFault` with the number of the line if the file is
    ///   not valid UTF-8.
    init(_ input: LineInput, hasSections: Bool) throws {
        if !hasSections { sections.append((nil, [])) }
        while let line = try input.next() {
            guard String(validating: line, as: UTF8.self) != nil else {
                throw ScenarioFault("\(input.name) is not UTF-8 in line \(input.lineNumber)")
            }
            if hasSections, line.starts(with: "# ".utf8) {
                sections.append((Line(bytes: Array(line.dropFirst(2))), []))
            } else {
                if sections.isEmpty { sections.append((nil, [])) }
                sections[sections.count - 1].lines.append(Line(bytes: line))
            }
        }
    }
}
