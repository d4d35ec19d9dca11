/// One edit of a validated change set, in the form in which it is applied to an array of arrays.
///
/// The edits of an update come in four runs (see ``ValidatedChangeSet``); each case is one run.
public enum HierarchyEdit: Hashable, Sendable {
    /// Take an item out; paths descend over the run.
    case takeOutItem(ItemEdit)
    /// Take a section out with what is left in it; indexes descend over the run.
    case takeOutSection(SectionEdit)
    /// Put a section in; indexes ascend over the run.
    case putInSection(SectionEdit)
    /// Put an item in; paths ascend over the run.
    case putInItem(ItemEdit)
}

extension HierarchyEdit: CustomStringConvertible {
    /// The edit in words, such as `take out item 0 - 2 (move with 1 - 0)`.
    public var description: String {
        func words<Place>(_ role: EditRole, _ counterpart: Place?, _ fresh: Int = 0) -> String {
            let other = counterpart.map { " with \($0)" } ?? ""
            return "(\(role)\(other)\(fresh == 0 ? "" : ", \(fresh) fresh"))"
        }
        return switch self {
        case .takeOutItem(let edit):
            "take out item \(edit.path) \(words(edit.role, edit.counterpart))"
        case .takeOutSection(let edit):
            "take out section \(edit.section) \(words(edit.role, edit.counterpart))"
        case .putInSection(let edit):
            "put in section \(edit.section)"
                + " \(words(edit.role, edit.counterpart, edit.freshItemCount))"
        case .putInItem(let edit):
            "put in item \(edit.path) \(words(edit.role, edit.counterpart))"
        }
    }
}
