/// A copy of what a hub publishes, that checks every message before it takes it in.
///
/// ```swift
/// var replica = CollectionReplica()
/// for await message in try hub.messages() {
///     try replica.apply(message)
///     print(replica.version!, replica.state.shape)
/// }
/// ```
///
/// What is checked: that an update starts where the replica is, in the same history (No Gap No Double); that its
/// edits fit the shape that is there, and its contents the edits; and the digest of the state that it leads to, where it
/// has one (Converges). A message that fails is a ``ReplicaError``, and nothing has changed: resume from ``version``,
/// or join anew.
///
/// A value; threading as that. Complexity: as ``PublishedState``, for an update of k edits O(k log n); O(n) for a reset.
public struct CollectionReplica: Sendable {
    /// What there is.
    public private(set) var state = PublishedState()

    /// Which version that is; nil before the first message.
    public private(set) var version: PublishedVersion?

    /// Whether it was told that nothing comes any more, and nothing came since: it may have come back, to another hub.
    public private(set) var isClosed = false

    /// Kept with every update, so that a digest can be compared at any.
    private var currentDigest = PublishedDigest(of: PublishedState())

    /// A replica of nothing yet.
    public init() {}

    /// The digest of what there is; the hub's at the same version. Complexity: O(1).
    public var digest: StateDigest { currentDigest.value }

    /// Does what a message says.
    ///
    /// - Throws: where the message cannot follow on what there is; nothing has changed then.
    public mutating func apply(_ message: HubMessage) throws(ReplicaError) {
        switch message {
        case .reset(let snapshot, _): try take(snapshot)
        case .update(let update): try apply(update)
        case .upToDate(let version, let digest): try check(version, digest)
        case .closed(let version): try check(version, nil)
        }
        isClosed = if case .closed = message { true } else { false }
    }

    private mutating func take(_ snapshot: PublishedSnapshot) throws(ReplicaError) {
        let digest = PublishedDigest(of: snapshot.state)
        try check(digest, snapshot.digest, at: snapshot.version)
        state = snapshot.state
        version = snapshot.version
        currentDigest = digest
    }

    private mutating func apply(_ update: PublishedUpdate) throws(ReplicaError) {
        try checkPlace(update.from)
        let isOfHistory = update.to.handle == update.from.handle
        guard isOfHistory, update.to.number > update.from.number else {
            throw ReplicaError(
                isOfHistory ? .double : .otherHistory,
                "an update must lead to a later version, but leads from \(update.from) to \(update.to)"
            )
        }
        let changeSet = update.changeSet
        guard changeSet.oldShape == state.shape else {
            throw ReplicaError(
                .misfit,
                "an update of \(update.from) must start from \(state.shape), but starts from"
                    + " \(changeSet.oldShape)"
            )
        }
        guard update.contents.fit(changeSet) else {
            throw ReplicaError(
                .misfit,
                "the update to \(update.to) must bring a content for each place that is new or"
                    + " changed, but brings others"
            )
        }
        let next = state.applying(changeSet, update.contents)
        let digest = currentDigest.updated(by: changeSet, from: state, to: next)
        if let expected = update.digest { try check(digest, expected, at: update.to) }
        state = next
        version = update.to
        currentDigest = digest
    }

    /// A message that changes nothing must be of the version that is there.
    private func check(
        _ version: PublishedVersion,
        _ digest: StateDigest?
    ) throws(ReplicaError) {
        try checkPlace(version)
        if let digest { try check(currentDigest, digest, at: version) }
    }

    private func checkPlace(_ place: PublishedVersion) throws(ReplicaError) {
        guard let version else {
            throw ReplicaError(
                .noState,
                "the first message must bring a state, but follows on version \(place)"
            )
        }
        if place == version { return }
        let code: ReplicaError.Code =
            place.handle != version.handle
            ? .otherHistory : place.number > version.number ? .gap : .double
        throw ReplicaError(
            code,
            "a message must follow on version \(version), but follows on \(place)"
        )
    }

    private func check(
        _ digest: PublishedDigest,
        _ expected: StateDigest,
        at version: PublishedVersion
    ) throws(ReplicaError) {
        guard digest.value != expected else { return }
        throw ReplicaError(
            .otherDigest,
            "the state at \(version) must have the digest \(expected), but has \(digest.value)"
        )
    }
}
