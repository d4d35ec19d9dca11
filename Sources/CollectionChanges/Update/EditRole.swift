/// Why an element or section is removed or inserted. There is no fifth role, so a `switch` needs no
/// default.
public enum EditRole: Hashable, Sendable {
    /// It is gone; removals only.
    case delete
    /// It is new; insertions only.
    case insert
    /// It is replaced: its old self is removed, its fresh one inserted.
    case reload
    /// It goes elsewhere: what is removed here is inserted at its associated place.
    case move
}
