/// Why an element or section is taken out or put in.
public enum EditRole: Hashable, Sendable {
    /// It is gone; take-outs only.
    case delete
    /// It is new; put-ins only.
    case insert
    /// It is replaced: its old self is taken out, its fresh one put in.
    case reload
    /// It goes elsewhere: what is taken out here is put in at the counterpart.
    case move
}
