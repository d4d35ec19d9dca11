/// A likely mistake that caused a record to be rejected. It fits the numbers: without the mistake,
/// the counts add up.
enum LikelyMistake: Hashable {
    /// The data source changed, but the record is empty or contains nothing that changes counts.
    case nothingRecorded(isEmpty: Bool)
    /// Edits were recorded, but the counts of the data source have not changed.
    case modelUnchanged
    /// An edit is recorded once too often.
    case recordedTwice
    /// The operations fit if each one is applied to the collection that the previous ones left.
    case readInSequence
    /// The index belongs to the other side of the update. The counterpart is that section's index
    /// on the expected side.
    case otherSide(isOldExpected: Bool, Counterpart?)
    /// The index equals the count.
    case onePastTheEnd(last: Int, isOld: Bool)
    /// The counts add up without the faulty edit.
    case superfluous
    /// The counts add up if the section edit has this index instead.
    case otherSection(recorded: Int, fits: Int)
    /// Items are inserted into new sections whose insertion is not recorded.
    case sectionsNotInserted(SectionSet)
    /// All items of some sections are deleted. The sections are gone too, but their deletion is not
    /// recorded.
    case sectionsNotDeleted(SectionSet)
    /// The edits that were recorded for one section happened in another.
    case inOtherSection(recorded: Int, happened: Int)
    /// A section changed, but no edit was recorded for it.
    case untouchedSection(Int, before: Int, after: Int)
    /// The record has too few or too many edits.
    case miscounted(CountArithmetic)

    /// The counterpart, on one side of the update, of a section on the other side.
    enum Counterpart: Hashable {
        case section(Int, onOtherSide: Int)
        /// The section is deleted, or new.
        case missing(Int)
    }

    /// Whether the description states which index space was expected, as the rules do.
    var hasRule: Bool {
        switch self {
        case .readInSequence, .otherSide: true
        default: false
        }
    }
}

extension LikelyMistake: CustomStringConvertible {
    /// A description of the mistake and of its correction.
    var description: String {
        switch self {
        case .nothingRecorded(let isEmpty):
            "The data source changed but nothing was recorded\(isEmpty ? "" : " that changes counts")."
                + " Record every change in the batch that makes it"
        case .modelUnchanged:
            "Edits were recorded but no count of the data source changed. Change it before the batch"
                + " ends, and implement numberOfSections() if there is more than one section"
        case .recordedTwice:
            "The edit was recorded twice; the counts add up with only one of the two"
        case .readInSequence:
            "Each edit was recorded as if the previous ones had already been applied; old indexes are"
                + " those before the whole batch, new indexes those after it"
        case .otherSide(let isOld, let counterpart):
            (isOld
                ? "This is a new index; deletes, reloads and move sources need old indexes"
                : "This is an old index; inserts and move targets need new indexes")
                + (counterpart.map { Self.words(for: $0, isOld: isOld) } ?? "")
        case .onePastTheEnd(let last, let isOld):
            "The index is one too high: the last \(isOld ? "before" : "after") the update is \(last)"
        case .superfluous:
            "The edit was recorded but did not happen in the data source; the counts add up without it"
        case .otherSection(let recorded, let fits):
            "The section is \(fits), not \(recorded); the counts add up with \(fits)"
        case .sectionsNotInserted(let sections): Self.words(forInserted: sections)
        case .sectionsNotDeleted(let sections): Self.words(forDeleted: sections)
        case .inOtherSection(let recorded, let happened):
            "The edits recorded for section \(recorded) happened in section \(happened)"
        case .untouchedSection(let section, let before, let after):
            "Section \(section) went from \(before) to \(after) items but nothing was recorded for it, in this"
                + " batch or when the model changed earlier"
        case .miscounted(let sum): Self.words(for: sum)
        }
    }

    private static func words(forInserted sections: SectionSet) -> String {
        let list = list(sections)
        let record = "Record insertSections([\(list)])"
        return sections.count == 1
            ? "Section \(list) is new. \(record), which includes its items"
            : "Sections \(list) are new. \(record), which includes their items"
    }

    private static func words(forDeleted sections: SectionSet) -> String {
        let list = list(sections)
        let gone =
            sections.count == 1
            ? "Section \(list) was deleted with its items"
            : "Sections \(list) were deleted with their items"
        return "\(gone). Record deleteSections([\(list)]) as well"
    }

    private static func list(_ sections: SectionSet) -> String {
        sections.map(String.init).joined(separator: ", ")
    }

    private static func words(for counterpart: Counterpart, isOld: Bool) -> String {
        switch counterpart {
        case .section(let section, onOtherSide: let other):
            isOld
                ? "; section \(other) was section \(section) before the update"
                : "; section \(other) is section \(section) after the update"
        case .missing(let section):
            "; section \(section) is \(isOld ? "new" : "deleted")"
        }
    }

    /// Returns a description of the difference, as simple as the numbers allow.
    private static func words(for sum: CountArithmetic) -> String {
        let (gains, losses) = (sum.inserted + sum.movedIn, sum.deleted + sum.movedOut)
        let growth = sum.after &- sum.before
        func counted(_ number: Int) -> String { number == 0 ? "none" : "\(number)" }
        func recorded(_ number: Int) -> String {
            "\(counted(number)) \(number > 1 ? "were" : "was") recorded"
        }
        let difference: String
        if losses == 0, growth >= 0 {
            difference = "The counts show \(counted(growth)) added, but \(recorded(gains))"
        } else if gains == 0, growth <= 0 {
            difference = "The counts show \(counted(-growth)) removed, but \(recorded(losses))"
        } else {
            let number = (sum.after &- sum.expected).magnitude
            difference =
                sum.after > sum.expected
                ? "The counts show \(number) more added, or \(number) fewer removed, than were recorded"
                : "The counts show \(number) more removed, or \(number) fewer added, than were recorded"
        }
        return "\(difference). Record every change of the model once, in the batch that makes it"
    }
}
