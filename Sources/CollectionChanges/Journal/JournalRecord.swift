/// What replaying a journal gives, one after the other.
public enum JournalRecord: Sendable {
    /// The state to begin with; comes first, and once.
    case base(JournalBase)
    /// What changed next.
    case update(JournalEntry)
}
