import CollectionPublishing

/// An event that a member of a replicated log reports to its observer.
@nonexhaustive
public enum ReplicationEvent: Sendable {
    /// The member follows the log, starting at this version: it found its last record in the log or
    /// loaded a snapshot.
    case following(PublishedVersion)
    /// The member has read to the end of the log.
    case caughtUp(PublishedVersion)
    /// The member leads.
    case leading(epoch: UInt64)
    /// The member no longer leads.
    case resigned(ResignationReason)
    /// The member detected a problem, and must find its place in the log again or has already found
    /// it.
    case recovering(RecoveryReason)
    /// The member ignored a record that does not belong to its chain.
    case ignoredRecord(IgnoredRecord)
    /// The broker did not carry out a request. The failure is not reported again until a request
    /// has succeeded or failed with another code.
    case failed(LogError)
    /// A snapshot was published. Members that join later start from it.
    case snapshotTaken(PublishedVersion, bytes: Int)
    /// The journal failed: its earlier contents are unknown, or the member no longer leads.
    case journalFailed(String)
    /// An update of the source cannot be encoded in a form that members can decode.
    case unpublishable(String)
}

/// The reason that a member no longer leads.
@nonexhaustive
public enum ResignationReason: String, Hashable, Sendable, CaseIterable {
    /// Another member has opened a later epoch in the log.
    case fenced
    /// Another member has the lease.
    case leaseLost
    /// The log does not continue the leader's records: the broker returned to an older state, and
    /// another member led from there.
    case overwritten
    /// The application called ``ReplicatedHub/resign()``.
    case requested
    /// An update of the source cannot be encoded in a form that members can decode.
    case unpublishable
    /// The member's journal failed. It must contain every record before the record is appended.
    case journalFailed
}

/// The reason that a member had to find its place in the log again.
@nonexhaustive
public enum RecoveryReason: String, Hashable, Sendable, CaseIterable {
    /// Records that the member needs were removed from the log; a snapshot that is newer than the
    /// member's state replaces them.
    case trimmed
    /// The log ends before the last record that was read, or has other records at that place.
    case rolledBack
    /// A record is missing in the middle of the log.
    case gap
    /// A later epoch does not continue from the member's last record.
    case fork
    /// The next record is invalid and could not be applied.
    case invalid
    /// The log was deleted.
    case missing
    /// A chunk of a snapshot is missing, or the snapshot is damaged.
    case damagedSnapshot
    /// The member cannot confirm its place: for example, it ignored some records, and the last
    /// record that it applied is no longer where it was.
    case unverifiedPosition
}

/// The reason why a member ignored a record.
@nonexhaustive
public enum IgnoredRecord: String, Hashable, Sendable, CaseIterable {
    /// The record was already applied.
    case duplicate
    /// The record belongs to an earlier epoch.
    case stale
    /// The record does not follow the member's last record.
    case rival
    /// The record belongs to another history.
    case foreign
    /// The bytes are not a record, or the record is damaged.
    case unreadable
}

/// An object that observes the events of a member.
public protocol ReplicationObserver: AnyObject, Sendable {
    /// Receives an event. Called on the member's lane, in order; must not block.
    func observe(_ event: ReplicationEvent)
}

/// The current status of a member.
public struct ReplicationStatus: Hashable, Sendable {
    /// The position of the last record that the member applied; `nil` before it found any.
    public var position: ChainPosition?

    /// Whether the member knows its place in the log and has read to the end of the log.
    public var isCurrent = false

    /// Whether the member leads.
    public var isLeading = false

    /// The number of records that a leader has sealed and not yet read back.
    public var pendingRecords = 0

    /// The log position up to which the member has read.
    public var logPosition: UInt64 = 0

    /// The member's lag in records: the number of records after ``logPosition`` when the log was
    /// last read. It does not include records that have been appended since then.
    public var recordsBehind: UInt64 = 0

    /// The member's lag by its own clock: the time since it learned of records that it has not
    /// applied, or since it lost track of the end of the log. Zero if the member is current.
    public var timeBehind = Duration.zero

    init() {}

    init(of member: Member) {
        position = member.chain?.position
        isCurrent = member.cursor.isCurrent
        isLeading = member.isLeading
        pendingRecords = member.pending.records.count
        logPosition = member.cursor.position
        recordsBehind = member.cursor.end - min(member.cursor.position, member.cursor.end)
    }
}
