import CollectionChanges

/// The moment at which readers of the leader's own hub may see an update. Readers of other members
/// see what these members read from the log.
@nonexhaustive
public enum ReplicationVisibility: Hashable, Sendable {
    /// Readers see an update immediately. An update that readers saw may be lost with the leader.
    case immediately
    /// Readers see an update as soon as the leader's own journal contains it, as durably as its
    /// storage allows. An update that readers saw returns when the leader restarts, unless another
    /// member has led in between.
    case afterLocalSync
    /// Readers see an update as soon as the leader has read it back from its place in the log. This
    /// is the default. An update that readers saw is not lost if any member fails.
    case afterBroker
}

/// The options of a member of a replicated log, which are fixed when the member is created.
///
/// All members of a log use the same ``key``, ``leaseDuration`` and ``limits``. Each member may
/// choose the other values for itself.
public struct ReplicationConfiguration: Sendable {
    /// The name of the member's lanes; "replica" by default.
    public var name = "replica"

    /// The key of all hashes, the same for all members. With a secret key, only holders of the key
    /// can create a record that members apply. With the default key, hashes protect only against
    /// accidents.
    public var key = StableHashKey.usual

    /// The moment at which the leader's own readers may see an update.
    public var visibility = ReplicationVisibility.afterBroker

    /// The time that a campaigning member waits, by its own clock, for the leader to renew its
    /// lease: two seconds by default, at least a millisecond. A leader renews its lease three times
    /// within this time.
    public var leaseDuration = Duration.seconds(2)

    /// The time within which the broker must respond, in addition to the time that the request
    /// itself waits: two seconds by default, at least a millisecond.
    public var answerTimeout = Duration.seconds(2)

    /// The time that a read waits for a new record: a second by default.
    public var readWait = Duration.seconds(1)

    /// The delay before a failed operation is retried: 100 ms by default, at least 1 ms.
    public var retryInterval = Duration.milliseconds(100)

    /// If a member is ahead of the log, the time that it waits for the leader to repair the log
    /// before it adopts the log's state; ten seconds by default.
    public var rollbackGracePeriod = Duration.seconds(10)

    /// The limit of a single read: 512 records or a mebibyte by default.
    public var readLimit = LogReadLimit(records: 512, bytes: 1 << 20)

    /// The maximum number of records that are appended but not confirmed: 16 by default. While so
    /// many wait for the broker, the leader does not read its source, whose updates in the meantime
    /// become one record. If readers need not wait for the broker, the leader reads on.
    public var inFlightRecordLimit = 16

    /// The maximum number of bytes that are appended but not confirmed: 4 MiB by default.
    public var inFlightByteLimit = 4 << 20

    /// The maximum number of sealed records that a leader keeps until they are in the log: 4,096 by
    /// default. If readers need not wait for the broker, a snapshot replaces the records at this
    /// limit; otherwise there are never more than ``inFlightRecordLimit`` and a few.
    public var pendingRecordLimit = 4096

    /// The maximum number of bytes in the sealed records that are not in the log yet: 64 MiB by
    /// default. It has the same effect as ``pendingRecordLimit``.
    public var pendingByteLimit = 64 << 20

    /// The size of the largest record that is appended, in bytes: 768 KiB by default. The content
    /// of a larger record is published in a snapshot instead. The record that opens an epoch, and
    /// the record after such a snapshot, have some hundred bytes and are always appended.
    public var recordByteLimit = 768 << 10

    /// The size of a snapshot's chunks, in bytes: 512 KiB by default.
    public var chunkByteCount = 512 << 10

    /// The size of the largest snapshot that a member reads, in bytes: 2 GiB by default.
    public var snapshotByteLimit = 2 << 30

    /// The number of records after which a leader publishes a new snapshot: 10,000 by default. The
    /// leader also waits until they have as many bytes as the previous snapshot.
    public var snapshotInterval = 10_000

    /// The limits for the size of a received state.
    public var limits = ShapeLimits()

    /// The configuration of the hub that readers join. The hub takes the handle of the log as soon
    /// as the member knows it.
    public var hub = HubConfiguration()

    /// Whether the leader's journal is synced after each batch of records; `true` by default. An
    /// unsynced journal survives the end of the process, but not a crash of the machine.
    public var syncsJournal = true

    /// Creates a configuration with the default values.
    public init() {}

    /// The configuration with minimum times, so that a member cannot flood a broker with requests.
    var bounded: ReplicationConfiguration {
        var bounded = self
        bounded.leaseDuration = max(.milliseconds(1), leaseDuration)
        bounded.answerTimeout = max(.milliseconds(1), answerTimeout)
        bounded.retryInterval = max(.milliseconds(1), retryInterval)
        return bounded
    }
}
