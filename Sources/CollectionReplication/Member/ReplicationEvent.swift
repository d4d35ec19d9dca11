/// What a member of a replicated log tells whoever observes it.
@nonexhaustive
public enum ReplicationEvent: Sendable {
    /// It follows the log from this version on: what it has was found in the log, or taken from a snapshot.
    case following(PublishedVersion)
    /// It has read to the end of the log.
    case current(PublishedVersion)
    /// It leads.
    case leading(epoch: UInt64)
    /// It does not lead any more.
    case resigned(ResignationReason)
    /// Something was wrong, and it found its way again, or is about to.
    case recovering(RecoveryReason)
    /// A record was passed over that is not of the chain.
    case passedOver(PassedRecord)
    /// The broker did not do what it was asked; told once until something goes well, or fails in another way.
    case failed(LogError)
    /// A snapshot is beside the log, from which late members begin.
    case snapshotTaken(PublishedVersion, bytes: Int)
    /// The journal failed: what it had before is not known, or the member does not lead any more.
    case journalFailed(String)
    /// Something that is published cannot be written so that it can be read back.
    case unpublishable(String)
}

/// Why a member does not lead any more.
@nonexhaustive
public enum ResignationReason: String, Hashable, Sendable, CaseIterable {
    /// Another has opened a later epoch in the log.
    case fenced
    /// Another has the lease.
    case leaseLost
    /// What the log has does not follow on what the leader wrote: the broker went back to an older state, and another led
    /// on from there.
    case overwritten
    /// It was asked to.
    case asked
    /// What it publishes cannot be written so that it can be read back.
    case unpublishable
    /// Its own journal failed, which is to have everything first.
    case journalFailed
}

/// Why a member had to find its place again.
@nonexhaustive
public enum RecoveryReason: String, Hashable, Sendable, CaseIterable {
    /// Records that it needs are not there any more, behind a snapshot that is newer than what it has.
    case trimmed
    /// The log ends before what was read of it, or has something else there.
    case rolledBack
    /// A record is missing in the middle.
    case gap
    /// A later epoch goes on from something else than what it has.
    case fork
    /// A record in its place could not be taken in.
    case invalid
    /// The log was deleted.
    case missing
    /// A part of a snapshot is missing, or it is damaged.
    case damagedSnapshot
    /// Something was passed over, and what was read before is not where it was.
    case doubt
}

/// Why a record was passed over.
@nonexhaustive
public enum PassedRecord: String, Hashable, Sendable, CaseIterable {
    /// It was taken in before.
    case duplicate
    /// It is of an earlier epoch.
    case stale
    /// It follows on something else.
    case rival
    /// It is of another history.
    case foreign
    /// It is none, or was damaged.
    case unreadable
}

/// Is told what happens to a member.
public protocol ReplicationObserver: AnyObject, Sendable {
    /// Something happened. On the member's lane, in order; must not block.
    func observe(_ event: ReplicationEvent)
}
