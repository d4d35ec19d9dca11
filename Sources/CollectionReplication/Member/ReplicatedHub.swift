import CollectionChanges
import CollectionElements
import CollectionPublishing

/// One of any number of processes that show one list: a member of a log on a broker, with a hub of its own.
///
/// Every member follows the log, and its readers join its ``hub``, which has the same versions in every member: a reader
/// moves from one to another and is given what it missed. One member at a time leads: what the hub of its controller (its
/// *source*) publishes goes into the log as *records*, and so to all. A leadership is an *epoch*: it begins with a record
/// that opens it, and ends where the log has one that opens a later epoch.
///
/// ```swift
/// let replica = ReplicatedHub(log: connection.log(named: "board"))
/// replica.follow()
/// replica.lead { change in
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
/// Guarantees, by name; what a broker loses, doubles, reorders, spoils or forgets does not break them:
/// - **One Writer**: in what a member takes in, no two leaderships mix: one ends where the next begins. Whose lease has run
///   out changes nothing in the log before it has renewed it.
/// - **No Gap No Double**: each record is taken in once, behind the one before it.
/// - **Prefix**: what a member shows is at every moment a state that a leader published.
/// - **Converges**: members at one version have one state, digest included; when faults end all come to the leader's.
/// - **Durable As Promised**: what readers were shown survives what ``ReplicationVisibility`` says.
///
/// Threading: every member may be called from anywhere, and returns at once. Callbacks run on a lane of the member's
/// own and must not block.
///
/// Retained by who made it. When it goes, it stops as if the process had ended; ``close(_:)`` gives up the lease first.
///
/// Complexity: O(k log n) for a record of k edits, in each member. Memory beside the state: what was read at once, and a
/// leader's records that are not in the log yet, both bounded by the configuration.
///
/// Source: the log of Raft (Ongaro and Ousterhout, 2014) with its terms, on a broker in place of a quorum; fencing tokens
/// (Kleppmann, 2016); Kafka's idempotent producer.
public final class ReplicatedHub: Sendable {
    private let core: MemberCore

    /// Makes a member, which neither shows anything nor leads before ``follow()``.
    ///
    /// - Parameters:
    ///   - log: the log, over the member's own connection.
    ///   - journal: opens where a leader writes its records down before it appends them, on a lane where it may block; nil
    ///     for none. It is the member's own: the next life of the member has the same, and no other member has.
    ///   - configuration: how to behave.
    ///   - environment: where lanes and timers come from; for a simulation.
    ///   - observer: is told what happens; retained.
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

    /// What readers of this process join. It is empty until the log was found; or, where readers need not wait for the
    /// broker, until the journal was read.
    public var hub: UpdateHub { core.hub }

    /// How the member is doing.
    public var status: ReplicationStatus { core.currentStatus }

    /// Begins to follow the log.
    public func follow() { core.begin() }

    /// Stands for leadership from now on: takes the lease, which says who leads, when nobody renews it and this member has
    /// all that the log has. Who loses it to another stands again by itself.
    ///
    /// - Parameter body: told when it leads, and when it does not any more, by turns; released with the member, or when it
    ///   is closed.
    public func lead(_ body: @escaping @Sendable (LeadershipChange) -> Void) { core.lead(body) }

    /// Does not lead, or stand for it, any more, and gives up the lease.
    public func resign() { core.resign() }

    /// Publishes to all members what a hub publishes, as long as this one leads: first what is different there from what
    /// the log has. Sections and items that show the same as before are the same.
    ///
    /// Does nothing where it does not lead. A source that has published nothing yet, since it loads, changes nothing until
    /// it does. A second source takes the place of the first. The source is retained as long as it is read.
    public func publish(from source: UpdateHub) { core.publish(from: source) }

    /// Tells when readers of this member are shown what its source published, and so when it is as durable as
    /// ``ReplicationVisibility`` says: a server answers who made the change then.
    ///
    /// - Parameters:
    ///   - number: the version number of the source's hub, such as the ``UpdateResult/generation`` of an update.
    ///   - body: called once, with a version of this member's hub from which on all versions have it; with nil where this
    ///     member publishes from no source, or does not any more before that.
    public func whenShown(
        source number: Int,
        _ body: @escaping @Sendable (PublishedVersion?) -> Void
    ) {
        core.whenShown(number, body)
    }

    /// Stops, gives up the lease, and tells readers that nothing comes any more.
    ///
    /// - Parameter completion: called when the journal is not used any more.
    public func close(_ completion: @escaping @Sendable () -> Void = {}) { core.close(completion) }
}

/// What a member is told that stands for leadership.
@nonexhaustive
public enum LeadershipChange: Sendable {
    /// It leads, and the list is this: make a controller that begins with it, and publish from its hub.
    case began(PublishedSnapshot)
    /// It does not lead any more: what its controller does is not published.
    case ended(ResignationReason)
}
