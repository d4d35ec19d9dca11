/// A mistake that a rejected record likely comes from. It fits the numbers: with it undone, or with what it says
/// recorded, they come out.
enum LikelyMistake: Hashable {
    /// The data source changed, and the record is empty, or has nothing in it that changes counts.
    case nothingRecorded(isEmpty: Bool)
    /// Edits were recorded, but the counts are the old ones.
    case modelUnchanged
    /// Something is recorded once too often.
    case recordedTwice
    /// The operations fit one after the other, each in the collection that those before it left.
    case readInSequence
    /// The index fits on the other side of the update; with what that section is on the side where it is needed.
    case otherSide(isOldExpected: Bool, Counterpart?)
    /// The index is the count.
    case onePastTheEnd(last: Int, isOld: Bool)
    /// Without the edit at fault everything comes out.
    case superfluous
    /// Section edits come out with this index instead.
    case otherSection(recorded: Int, fits: Int)
    /// Items come in sections that are new and not recorded.
    case sectionsNotInserted(SectionSet)
    /// All items of sections are deleted, and the sections are gone too.
    case sectionsNotDeleted(SectionSet)
    /// What was recorded for one section happened in another.
    case inOtherSection(recorded: Int, happened: Int)
    /// A section changed of which nothing is recorded.
    case untouchedSection(Int, before: Int, after: Int)
    /// Something is missing in the record, or too much.
    case miscounted(CountArithmetic)

    /// What a section of one side is on the other.
    enum Counterpart: Hashable {
        case section(Int, onOtherSide: Int)
        /// It is deleted, or new.
        case missing(Int)
    }

    /// Whether it says which index space was expected, as the rules do.
    var hasRule: Bool {
        switch self {
        case .readInSequence, .otherSide: true
        default: false
        }
    }
}

extension LikelyMistake: CustomStringConvertible {
    /// The mistake, and what to do about it.
    var description: String {
        switch self {
        case .nothingRecorded(let isEmpty):
            "The data source changed but nothing was recorded\(isEmpty ? "" : " that changes counts");"
                + " record every change in the batch that makes it"
        case .modelUnchanged:
            "Edits were recorded but no count of the data source changed; change it before the batch"
                + " ends, and answer numberOfSections() where there is more than one"
        case .recordedTwice: "It was recorded twice; with one of the two the counts come out"
        case .readInSequence:
            "Each edit was recorded as if those before it were done; old indexes are those before the whole"
                + " batch, new ones those after it"
        case .otherSide(let isOld, let counterpart):
            (isOld
                ? "The index is one after the update; deletes, reloads and sources of moves need that before it"
                : "The index is one before the update; inserts and targets of moves need that after it")
                + (counterpart.map { Self.words(for: $0, isOld: isOld) } ?? "")
        case .onePastTheEnd(let last, let isOld):
            "The index is one too high: the last \(isOld ? "before" : "after") the update is \(last)"
        case .superfluous:
            "It was recorded but did not happen in the data source; without it the counts come out"
        case .otherSection(let recorded, let fits):
            "It was section \(fits), not \(recorded); with \(fits) the counts come out"
        case .sectionsNotInserted(let sections): Self.words(forInserted: sections)
        case .sectionsNotDeleted(let sections): Self.words(forDeleted: sections)
        case .inOtherSection(let recorded, let happened):
            "What was recorded for section \(recorded) happened in section \(happened)"
        case .untouchedSection(let section, let before, let after):
            "Section \(section) went from \(before) to \(after) items and nothing was recorded for it, in this"
                + " batch or where the model changed before it"
        case .miscounted(let sum): Self.words(for: sum)
        }
    }

    private static func words(forInserted sections: SectionSet) -> String {
        let list = list(sections)
        let record = "record insertSections([\(list)])"
        return sections.count == 1
            ? "Section \(list) is new; \(record), and it comes with its items"
            : "Sections \(list) are new; \(record), and they come with their items"
    }

    private static func words(forDeleted sections: SectionSet) -> String {
        let list = list(sections)
        let gone =
            sections.count == 1
            ? "Section \(list) went with its items" : "Sections \(list) went with their items"
        return "\(gone); record deleteSections([\(list)]) as well"
    }

    private static func list(_ sections: SectionSet) -> String {
        sections.map(String.init).joined(separator: ", ")
    }

    private static func words(for counterpart: Counterpart, isOld: Bool) -> String {
        switch counterpart {
        case .section(let section, onOtherSide: let other):
            ", where section \(other) \(isOld ? "was" : "is") \(section)"
        case .missing(let section):
            ", and section \(section) is \(isOld ? "new" : "deleted")"
        }
    }

    /// Which numbers differ, as plainly as they allow.
    private static func words(for sum: CountArithmetic) -> String {
        let (gains, losses) = (sum.inserted + sum.movedIn, sum.deleted + sum.movedOut)
        let growth = sum.after &- sum.before
        func counted(_ number: Int) -> String { number == 0 ? "none" : "\(number)" }
        func recorded(_ number: Int) -> String {
            "\(counted(number)) \(number > 1 ? "were" : "was") recorded"
        }
        let difference: String
        if losses == 0, growth >= 0 {
            difference = "The counts say that \(counted(growth)) came, but \(recorded(gains))"
        } else if gains == 0, growth <= 0 {
            difference = "The counts say that \(counted(-growth)) left, but \(recorded(losses))"
        } else {
            let number = (sum.after &- sum.expected).magnitude
            difference =
                sum.after > sum.expected
                ? "\(number) more came, or \(number) fewer left, than was recorded"
                : "\(number) more left, or \(number) fewer came, than was recorded"
        }
        return "\(difference); record every change of the model once, in the batch that makes it"
    }
}
