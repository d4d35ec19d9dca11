import CollectionPublishing

/// How a member is doing.
public struct ReplicationStatus: Hashable, Sendable {
    /// What it has taken in; nil before anything was found.
    public var position: ChainPosition?

    /// Whether its place in the log is known, and everything was read that was there.
    public var isCurrent = false

    /// Whether it leads.
    public var isLeading = false

    /// How many records a leader has sealed that were not read back.
    public var pendingRecords = 0

    /// The position in the log that it has read to.
    public var logPosition: UInt64 = 0

    /// How many records there were behind that when the log was last read: the lag of a member. What came since, it does
    /// not know of.
    public var recordsBehind: UInt64 = 0

    /// For how long it has known of records that it has not taken in, or has not known what there is: the lag by its own
    /// clock. Zero where it has everything.
    public var timeBehind = Duration.zero

    init() {}

    init(of member: Member) {
        position = member.chain?.position
        isCurrent = member.isCurrent
        isLeading = member.isLeading
        pendingRecords = member.pending.count
        logPosition = member.position
        recordsBehind = member.logEnd - min(member.position, member.logEnd)
    }
}
