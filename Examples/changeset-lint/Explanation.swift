import CollectionPipeline

/// A text that explains an examination: the sums, and the edits in the order in which they are
/// applied.
struct Explanation {
    private var lines: [String] = []

    /// Returns the lines as one text without a final newline.
    ///
    /// - Parameter width: the maximum length of a line, as far as its words permit, or `nil` for no
    ///   limit. Continuation lines are indented further.
    func text(width: Int? = nil) -> String {
        guard let width else { return lines.joined(separator: "\n") }
        return lines.flatMap { Self.wrapped($0, width) }.joined(separator: "\n")
    }

    private static func wrapped(_ line: String, _ width: Int) -> [String] {
        let indentation = String(line.prefix { $0 == " " })
        var lines: [String] = []
        var current = indentation
        for word in line.split(separator: " ") {
            let isFirst = current.allSatisfy { $0 == " " }
            if !isFirst, current.count + 1 + word.count > width {
                lines.append(current)
                current = indentation + "    " + word
            } else {
                current += (isFirst ? "" : " ") + word
            }
        }
        return lines + [current]
    }

    /// - Parameter title: the text before the first line.
    init(_ scenario: Scenario, _ examination: Examination, title: String? = nil) {
        switch examination.verdict {
        case .accepted(let acceptance): explain(acceptance, examination.profile)
        case .rejected(let error): explain(error, examination.profile, scenario)
        }
        if let title { lines[0] = "\(title): \(lines[0])" }
    }

    // MARK: Rejected

    private mutating func explain(
        _ error: HierarchyUpdateError,
        _ profile: ValidationProfile,
        _ scenario: Scenario
    ) {
        lines = [
            "invalid in \(profile.rawValue), \(error.code.rawValue)",
            "  \(error.message)",
            "  before: \(HierarchyShape(scenario.oldCounts))",
            "  after:  \(HierarchyShape(scenario.newCounts))",
        ]
        if let index = error.operationIndex {
            lines.append("  at fault: operation \(index), \(scenario.operations[index])")
        }
        if let path = error.path {
            lines.append("  at fault: item \(path)")
        } else if let section = error.section {
            lines.append("  at fault: section \(section)")
        }
        if let sum = error.arithmetic {
            lines.append("  sum: \(sum)")
        }
        if let hint = error.hint { lines.append("  hint: \(hint)") }
    }

    // MARK: Accepted

    private mutating func explain(
        _ acceptance: Examination.Acceptance,
        _ profile: ValidationProfile
    ) {
        let update = acceptance.update
        lines = [
            "valid in \(profile.rawValue)",
            "  before: \(update.oldShape)",
            "  after:  \(update.newShape)",
        ]
        explainSums(update)
        let edits = update.edits
        lines.append("  edits:" + (edits.isEmpty ? " none" : ""))
        list(edits.enumerated(), "    ") { "\($0.offset + 1). \(Self.text($0.element))" }
        list(update.reconfigurations, "    then ") {
            "reconfigure item \($0.oldPath), now at \($0.newPath)"
        }
        list(update.supplementaryReloads, "    then ") {
            "reload \($0.kind) in section \($0.newSection)"
        }
        lines.append("  requests: \(Self.list(acceptance.contentRequests))")
        list(acceptance.map.enumerated(), "  ") {
            "section \($0.offset), \(acceptance.sections[$0.offset]): \(Self.list($0.element))"
        }
    }

    /// Appends one line per element, up to ``limit``.
    private mutating func list<Elements: Sequence>(
        _ elements: Elements,
        _ start: String,
        _ text: (Elements.Element) -> String
    ) {
        var count = 0
        for element in elements {
            if count < Self.limit { lines.append(start + text(element)) }
            count += 1
        }
        if count > Self.limit { lines.append(start + "… \(count - Self.limit) more") }
    }

    /// The number of elements of a list that are printed. The JSON result contains all.
    private static let limit = 40

    private static func list(_ names: [String], limit: Int = Self.limit) -> String {
        guard !names.isEmpty else { return "none" }
        let rest = names.count > limit ? " … \(names.count - limit) more" : ""
        return names.prefix(limit).joined(separator: " ") + rest
    }

    private mutating func explainSums(_ update: ValidatedChangeSet) {
        if update.isReloadData {
            lines.append("  sums: none, because everything is reloaded")
            return
        }
        let sums = UpdateArithmetic(update)
        lines.append("  sections: \(sums.sections)")
        list(sums.changedItems, "  ") { section, sum in
            let oldSection = update.oldSection(for: section) ?? section
            let name = oldSection == section ? "\(section)" : "\(section), before \(oldSection)"
            return "items of section \(name): \(sum)"
        }
    }

    private static func text(_ edit: HierarchyEdit) -> String {
        switch edit {
        case .removeItem(let edit):
            "remove item \(edit.path): \(edit.role)\(to(edit.associatedWith))\(text(edit.animation))"
        case .removeSection(let edit):
            "remove section \(edit.section): \(edit.role)\(to(edit.associatedWith))"
                + text(edit.animation)
        case .insertSection(let edit):
            "insert section \(edit.section): \(edit.role)\(from(edit.associatedWith))"
                + (edit.role == .move ? "" : " with \(edit.newItemCount) new items")
                + text(edit.animation)
        case .insertItem(let edit):
            "insert item \(edit.path): \(edit.role)\(from(edit.associatedWith))"
                + text(edit.animation)
        }
    }

    private static func to(_ place: (some CustomStringConvertible)?) -> String {
        place.map { " to \($0)" } ?? ""
    }

    private static func from(_ place: (some CustomStringConvertible)?) -> String {
        place.map { " from \($0)" } ?? ""
    }

    private static func text(_ animation: AnimationOption) -> String {
        ", animation \(animation.rawValue)"
    }
}

/// The sums of an accepted change set: how its edits lead from the old counts to the new ones.
struct UpdateArithmetic {
    let sections: CountArithmetic
    /// The surviving sections whose items have edits, by new index, ascending.
    let changedItems: [(newSection: Int, sum: CountArithmetic)]

    init(_ update: ValidatedChangeSet) {
        sections = CountArithmetic(
            before: update.oldShape.numberOfSections,
            after: update.newShape.numberOfSections,
            inserted: update.sectionInsertions.count { $0.role == .insert },
            deleted: update.sectionRemovals.count { $0.role == .delete }
        )
        let (counts, newCounts) = (update.oldShape.itemCounts, update.newShape.itemCounts)
        // Reloads cancel out, and so do moves within the section that is counted.
        func unedited(_ oldSection: Int, _ section: Int) -> CountArithmetic {
            let (before, after) = (counts[oldSection], newCounts[section])
            return CountArithmetic(before: before, after: after, inserted: 0, deleted: 0)
        }
        var sums: [Int: CountArithmetic] = [:]
        for edit in update.itemRemovals {
            // The items of a section that does not survive need no sum.
            let oldSection = edit.path.section
            guard let section = update.newSection(for: oldSection) else { continue }
            let unchanged = unedited(oldSection, section)
            let staysInSection = edit.associatedWith?.section == section
            if edit.role == .delete { sums[section, default: unchanged].deleted += 1 }
            if edit.role == .move, !staysInSection {
                sums[section, default: unchanged].movedOut += 1
            }
        }
        for edit in update.itemInsertions {
            let section = edit.path.section
            guard let oldSection = update.oldSection(for: section) else { continue }
            let unchanged = unedited(oldSection, section)
            let staysInSection = edit.associatedWith?.section == oldSection
            if edit.role == .insert { sums[section, default: unchanged].inserted += 1 }
            if edit.role == .move, !staysInSection {
                sums[section, default: unchanged].movedIn += 1
            }
        }
        for edit in update.sectionInsertions where edit.role == .reload { sums[edit.section] = nil }
        changedItems = sums.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
