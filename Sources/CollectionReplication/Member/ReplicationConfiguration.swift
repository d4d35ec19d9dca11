import CollectionChanges

/// When readers of a leader's own hub may see what it publishes. Others see what they read from the log.
@nonexhaustive
public enum ReplicationVisibility: Hashable, Sendable {
    /// At once. What was shown may be lost with the leader.
    case immediately
    /// When the leader's own journal has it, as durable as the storage makes it. What was shown comes back when the leader
    /// does, unless another has led meanwhile.
    case afterLocalSync
    /// When it was read back from the log, in its place. What was shown is not lost with any member; the default.
    case afterBroker
}

/// How a member of a replicated log behaves; fixed when it is made.
///
/// All members of a log have the same ``key``, ``leaseDuration`` and ``limits``; anything else is each member's own.
public struct ReplicationConfiguration: Sendable {
    /// A name for the member's lanes; "replica" by default.
    public var name = "replica"

    /// The key of all hashes, the same for all members. With a secret one nobody who lacks it can make a record that a
    /// member takes in; with the usual one, the default, hashes protect from accident only.
    public var key = StableHashKey.usual

    /// When a leader's own readers may see what it publishes.
    public var visibility = ReplicationVisibility.afterBroker

    /// How long a member that stands for leadership waits, by its own clock, for the leader to renew its lease: two seconds
    /// by default, at least a millisecond. Who leads renews it three times as often.
    public var leaseDuration = Duration.seconds(2)

    /// How long an answer of the broker may take before it is given up, beyond what the call itself waits: two seconds by
    /// default, at least a millisecond.
    public var answerTimeout = Duration.seconds(2)

    /// How long a read waits for a record to come: a second by default.
    public var readWait = Duration.seconds(1)

    /// How long to wait before something that failed is tried again: 100 ms by default, at least one.
    public var retryInterval = Duration.milliseconds(100)

    /// How long a member that has more than the log waits for who leads to mend the log, before it takes what the log has:
    /// ten seconds by default.
    public var rollbackPatience = Duration.seconds(10)

    /// How much is read at once: 512 records or a mebibyte by default.
    public var readLimit = LogReadLimit(records: 512, bytes: 1 << 20)

    /// How many records may be appended and not confirmed: 512 by default.
    public var inFlightRecords = 512

    /// How many bytes these may have: 4 MiB by default.
    public var inFlightBytes = 4 << 20

    /// How many records a leader keeps that the log does not have: 4,096 by default. Beyond that the source is not read
    /// any more, which merges what it publishes; or, where readers need not wait for the broker, a snapshot will stand for
    /// them.
    public var pendingRecords = 4096

    /// How many bytes these may have: 64 MiB by default.
    public var pendingBytes = 64 << 20

    /// The longest record that is appended, in bytes: 768 KiB by default. What is longer goes round the log, in a snapshot.
    /// The record that opens an epoch, and the one that follows on such a snapshot, have some hundred bytes and are always
    /// appended.
    public var recordByteLimit = 768 << 10

    /// How long a part of a snapshot is: 512 KiB by default.
    public var chunkByteCount = 512 << 10

    /// The largest snapshot that is read: 2 GiB by default.
    public var snapshotByteLimit = 2 << 30

    /// After how many records a leader puts a new snapshot beside the log: 10,000 by default, and not before they have as
    /// many bytes as the snapshot before.
    public var snapshotInterval = 10_000

    /// How large a state may be that has travelled.
    public var limits = ShapeLimits()

    /// How the hub behaves that readers join; its handle is that of the log, once that is known.
    public var hub = HubConfiguration()

    /// Whether the leader's journal is synced after each batch that is written to it, as by default. Otherwise it survives
    /// the end of the process, and not that of the machine.
    public var isJournalSynced = true

    /// The defaults.
    public init() {}

    /// The same with no time so short that a broker would be asked without end.
    var bounded: ReplicationConfiguration {
        var bounded = self
        bounded.leaseDuration = max(.milliseconds(1), leaseDuration)
        bounded.answerTimeout = max(.milliseconds(1), answerTimeout)
        bounded.retryInterval = max(.milliseconds(1), retryInterval)
        return bounded
    }
}
