/// One edit of a validated change set, in the form in which it is applied to an array of arrays.
///
/// The edits of an update come in four runs (see ``ValidatedChangeSet``); each case is one run.
/// There is no fifth, so who applies edits needs no default.
public enum HierarchyEdit: Hashable, Sendable {
    /// Remove an item; paths descend over the run.
    case removeItem(ItemEdit)
    /// Remove a section with what is left in it; indexes descend over the run.
    case removeSection(SectionEdit)
    /// Insert a section; indexes ascend over the run.
    case insertSection(SectionEdit)
    /// Insert an item; paths ascend over the run.
    case insertItem(ItemEdit)
}

extension HierarchyEdit: CustomStringConvertible {
    /// The edit in words, such as `remove item 0 - 2 (move with 1 - 0)`.
    public var description: String {
        func words<Place>(_ role: EditRole, _ associatedWith: Place?, _ fresh: Int = 0) -> String {
            let other = associatedWith.map { " with \($0)" } ?? ""
            return "(\(role)\(other)\(fresh == 0 ? "" : ", \(fresh) fresh"))"
        }
        return switch self {
        case .removeItem(let edit):
            "remove item \(edit.path) \(words(edit.role, edit.associatedWith))"
        case .removeSection(let edit):
            "remove section \(edit.section) \(words(edit.role, edit.associatedWith))"
        case .insertSection(let edit):
            "insert section \(edit.section)"
                + " \(words(edit.role, edit.associatedWith, edit.freshItemCount))"
        case .insertItem(let edit):
            "insert item \(edit.path) \(words(edit.role, edit.associatedWith))"
        }
    }
}
