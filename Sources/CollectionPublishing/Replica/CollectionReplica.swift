/// A copy of what a hub publishes, that checks every message before it takes it in.
///
/// ```swift
/// var replica = CollectionReplica()
/// for await message in try hub.messages(from: version) {
///     try replica.apply(message)  // a server writes it to a connection, as slow as that may be
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
    /// What there is, with its digest, kept with every update so that it can be compared at any.
    private(set) var contents = KeptState()

    /// Which version that is; nil before the first message.
    public private(set) var version: PublishedVersion?

    /// Where in a list that is, for the reader of a window; nil for who has the whole list.
    public private(set) var place: WindowPlace?

    /// Whether it was told that nothing comes any more, and nothing came since: it may have come back, to another hub.
    public private(set) var isClosed = false

    /// How large what has travelled may make the state.
    public let limits: ShapeLimits

    /// A replica of nothing yet.
    ///
    /// - Parameter limits: how large the state may become by messages that have travelled.
    public init(limits: ShapeLimits = ShapeLimits()) { self.limits = limits }

    /// What there is.
    public var state: PublishedState { contents.state }

    /// The digest of what there is; the hub's at the same version. Complexity: O(1).
    public var digest: StateDigest { contents.digest.value }

    /// Does what a message says.
    ///
    /// - Throws: where the message cannot follow on what there is; nothing has changed then.
    public mutating func apply(_ message: HubMessage) throws(ReplicaError) {
        switch message {
        case .reset(let snapshot, _): try take(snapshot)
        case .update(let update): try apply(update)
        case .upToDate(let version, let digest): try check(version, digest)
        case .closed(let version):
            try check(version, nil)
            isClosed = true
        }
    }

    mutating func take(_ snapshot: PublishedSnapshot) throws(ReplicaError) {
        let contents = KeptState(snapshot.state)
        try take(contents, snapshot.place, at: snapshot.version, expecting: snapshot.digest)
    }

    private mutating func apply(_ update: PublishedUpdate) throws(ReplicaError) {
        try checkStep(from: update.from, to: update.to, update.place)
        let changeSet = update.changeSet
        guard changeSet.oldShape == state.shape else {
            throw ReplicaError(
                .misfit,
                "an update of \(update.from) must start from \(state.shape), but starts from"
                    + " \(changeSet.oldShape)"
            )
        }
        if let misfit = update.misfit { throw ReplicaError(.misfit, misfit) }
        var next = contents
        next.go(by: changeSet, update.contents)
        try take(next, update.place, at: update.to, expecting: update.digest)
    }

    /// Has what a message leads to from now on, if that is what it says.
    mutating func take(
        _ next: KeptState,
        _ place: WindowPlace?,
        at version: PublishedVersion,
        expecting digest: StateDigest?
    ) throws(ReplicaError) {
        if let misfit = place?.misfit(next.state.shape) { throw ReplicaError(.misfit, misfit) }
        if let digest { try check(next.digest, digest, at: version) }
        contents = next
        self.place = place
        self.version = version
        isClosed = false
    }

    /// A message that changes nothing must be of the version that is there.
    private mutating func check(
        _ version: PublishedVersion,
        _ digest: StateDigest?
    ) throws(ReplicaError) {
        try checkPlace(version)
        if let digest { try check(contents.digest, digest, at: version) }
        isClosed = false
    }

    /// An update must lead from the version that is there to a later one, or to the same where a window is told that it is
    /// another; and say where the window is to whom has one.
    func checkStep(
        from: PublishedVersion,
        to: PublishedVersion,
        _ place: WindowPlace?
    ) throws(ReplicaError) {
        try checkPlace(from)
        guard (place == nil) == (self.place == nil) else {
            let (wanted, found) = place == nil ? ("a window", "a list") : ("a list", "a window")
            throw ReplicaError(
                .misfit,
                "an update must be of \(wanted), as what is there, but is of \(found)"
            )
        }
        let isOfHistory = to.handle == from.handle
        guard isOfHistory, to.number > from.number || to == from && place != nil else {
            throw ReplicaError(
                isOfHistory ? .double : .otherHistory,
                "an update must lead to a later version, but leads from \(from) to \(to)"
            )
        }
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
