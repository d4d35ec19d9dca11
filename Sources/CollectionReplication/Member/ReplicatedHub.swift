import CollectionChanges
import CollectionPublishing

/// A member of a replicated log, with its own hub. Any number of processes show the same list
/// through such members.
///
/// Every member follows the log, and readers join its ``hub``. The hub has the same versions in
/// every member, so a reader can move from one member to another and receive the updates that it
/// missed. One member at a time leads: the updates that the hub of its controller (its *source*)
/// publishes become *records* in the log, through which they reach all members. A leadership is an
/// *epoch*: it starts with a record that opens it, and ends when the log contains a record that
/// opens a later one.
///
/// ```swift
/// let replica = ReplicatedHub(log: connection.log(named: "board"))
/// replica.follow()
/// replica.campaign { change in
///     switch change {
///     case .began(let snapshot):
///         let source = UpdateHub()
///         board = Board(from: snapshot, view: source)      // a DataController of the application
///         replica.publish(from: source)
///     case .ended: board = nil
///     }
/// }
/// for await message in try replica.hub.messages(from: lastVersion) { … }
/// ```
///
/// Guarantees, by name; they hold even if the broker loses, duplicates, reorders, damages or
/// forgets data:
/// - **One Writer**: the records that a member applies never mix two leaderships; one ends before
///   the next starts. A member with an expired lease does not change the log until it has renewed
///   the lease.
/// - **No Gap No Double**: each record is applied once, after the record before it.
/// - **Prefix**: a member shows only states that a leader published.
/// - **Converges**: members at one version have the same state and digest; when faults end, all
///   members reach the leader's state.
/// - **Durable As Promised**: an update that readers saw survives the failures that
///   ``ReplicationVisibility`` names.
///
/// Threading: every method may be called on any thread, and returns immediately. Callbacks run on
/// the member's own lane and must not block.
///
/// Retains: the log, the environment and the observer. The caller retains the member: if it is
/// deallocated, it stops as if its process had ended; ``close(_:)`` also releases the lease.
///
/// Complexity: O(k log n) for a record of k edits, in each member. Memory in addition to the state:
/// the result of one read, and a leader's records that are not yet in the log; the configuration
/// bounds both.
///
/// Source: the log of Raft (Ongaro and Ousterhout, 2014) with its terms, on a broker instead of a
/// quorum; fencing tokens (Kleppmann, 2016); Kafka's idempotent producer.
public final class ReplicatedHub: Sendable {
    private let core: MemberCore

    /// Creates a member. It shows nothing and does not lead before ``follow()``.
    ///
    /// - Parameters:
    ///   - log: The log, through the member's own connection.
    ///   - journal: Opens the storage in which a leader writes its records before it appends them;
    ///     called on a lane that may block. `nil` for no journal. The storage belongs to this
    ///     member alone: pass the same one after a restart, and never one of another member.
    ///   - configuration: The options of the member.
    ///   - environment: The environment that provides lanes and timers; a simulation passes its
    ///     own.
    ///   - observer: The observer that receives the member's events; retained.
    public convenience init(
        log: any ReplicatedLog,
        journal: (@Sendable () throws(JournalError) -> any JournalStorage)? = nil,
        configuration: ReplicationConfiguration = ReplicationConfiguration(),
        environment: any PipelineEnvironment = DispatchEnvironment(),
        observer: (any ReplicationObserver)? = nil
    ) {
        self.init(
            log: log,
            journal: journal,
            configuration: configuration,
            environment: environment,
            observer: observer,
            seed: .random(in: .min ... .max)
        )
    }

    package init(
        log: any ReplicatedLog,
        journal: (@Sendable () throws(JournalError) -> any JournalStorage)?,
        configuration: ReplicationConfiguration,
        environment: any PipelineEnvironment,
        observer: (any ReplicationObserver)?,
        seed: UInt64
    ) {
        core = MemberCore(log, journal, configuration, environment, observer, seed: seed)
    }

    deinit { core.abandon() }

    /// The hub that readers of this process join. It is empty until the member has found the log,
    /// or, if readers need not wait for the broker, until it has read the journal.
    public var hub: UpdateHub { core.hub }

    /// The current status of the member.
    public var status: ReplicationStatus { core.currentStatus }

    /// Starts to follow the log.
    public func follow() { core.begin() }

    /// Starts to campaign for leadership. The member takes the lease when no other member renews it
    /// and this member has read the whole log. A member that loses leadership campaigns again
    /// automatically.
    ///
    /// - Parameter body: A closure that is called alternately when the member starts and stops
    ///   leading; released with the member, or when the member is closed.
    public func campaign(_ body: @escaping @Sendable (LeadershipChange) -> Void) {
        core.campaign(body)
    }

    /// Stops leading and campaigning, and releases the lease.
    public func resign() { core.resign() }

    /// Publishes the updates of a hub to all members as long as this member leads. It first
    /// publishes the differences between the hub's state and the state of the log. Sections and
    /// items with the same payload as before keep their identity.
    ///
    /// Does nothing if the member does not lead. A source that has not published anything yet
    /// changes nothing until it does, because it may still be loading. A second source replaces the
    /// first. The source is retained as long as the member reads it.
    public func publish(from source: UpdateHub) { core.publish(from: source) }

    /// Calls `body` when an update of the source is visible to readers of this member; the update
    /// is then as durable as ``ReplicationVisibility`` specifies. A server uses it to confirm an
    /// edit to the client that made it.
    ///
    /// - Parameters:
    ///   - number: The version number of the update in the source's hub, such as
    ///     ``UpdateResult/generation``.
    ///   - body: A closure that is called once, with a version of this member's hub; that version
    ///     and all later ones contain the update. Receives `nil` if this member publishes from no
    ///     source, or stops publishing first.
    public func whenVisible(
        sourceVersion number: Int,
        _ body: @escaping @Sendable (PublishedVersion?) -> Void
    ) {
        core.whenVisible(number, body)
    }

    /// Stops the member, releases the lease, and closes the hub.
    ///
    /// - Parameter completion: A closure that is called when the member no longer uses the journal.
    public func close(_ completion: @escaping @Sendable () -> Void = {}) { core.close(completion) }
}

/// A change of leadership, as a campaigning member reports it.
@nonexhaustive
public enum LeadershipChange: Sendable {
    /// The member leads. The snapshot is the current list: create a controller with it, and publish
    /// from the controller's hub.
    case began(PublishedSnapshot)
    /// The member no longer leads, and no longer publishes the updates of its source.
    case ended(ResignationReason)
}
