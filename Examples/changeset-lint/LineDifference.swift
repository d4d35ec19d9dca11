import CollectionPipeline

/// What makes one file of lines of another.
struct LineDifference {
    let update: ValidatedChangeSet
    private let old: LineFile
    private let new: LineFile

    /// Lines and sections that occur more than once are told apart by their occurrence.
    init(
        from old: LineFile,
        to new: LineFile,
        profile: ValidationProfile
    ) throws(ScenarioFault) {
        self.old = old
        self.new = new
        do throws(HierarchyUpdateError) {
            // What is printed is to be read again.
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

    /// A line for each edit, in the order in which they are applied; a move is one.
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
        // Where the other end was told already.
        case .insertSection(let edit) where edit.associatedWith != nil: nil
        case .insertItem(let edit) where edit.associatedWith != nil: nil
        case .insertSection(let edit):
            "insert section \(edit.section) with \(edit.freshItemCount)"
                + " \(edit.freshItemCount == 1 ? "new item" : "new items"): \(name(edit.section, new))"
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
