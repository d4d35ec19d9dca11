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
