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
