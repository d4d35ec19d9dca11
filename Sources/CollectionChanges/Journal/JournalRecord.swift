/// What replaying a journal gives, one after the other.
public enum JournalRecord: Sendable {
    /// The state to begin with; comes first, and once.
    case base(JournalBase)
    /// What changed next.
    case update(JournalEntry)
}

/// What a journal begins with: a state, by its number, its outline and whatever the application needs to
/// make it again.
public struct JournalBase: Hashable, Sendable {
    /// The number of the state; the first update makes the next one of it.
    public var sequence: UInt64

    /// The outline of the state.
    public var shape: HierarchyShape

    /// The digest of the state, where there is one.
    public var digest: StateDigest?

    /// The state in bytes of the application's own, such as its items. Kept unread.
    public var payload: [UInt8]

    /// Makes a base; nothing is checked.
    public init(
        sequence: UInt64 = 0,
        shape: HierarchyShape = .empty,
        digest: StateDigest? = nil,
        payload: [UInt8] = []
    ) {
        self.sequence = sequence
        self.shape = shape
        self.digest = digest
        self.payload = payload
    }
}

/// One update in a journal.
public struct JournalEntry: Sendable {
    /// The number of the state that the update makes.
    public var sequence: UInt64

    /// What changed.
    public var update: ValidatedChangeSet

    /// The digest of the state that the update makes, where there is one.
    public var digest: StateDigest?

    /// What goes with the update in bytes of the application's own, such as new items. Kept unread.
    public var payload: [UInt8]
}
