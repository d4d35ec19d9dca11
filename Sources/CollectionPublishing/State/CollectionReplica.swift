/// A copy of a hub's state that checks every message before applying it.
///
/// ```swift
/// var replica = CollectionReplica()
/// for await message in try hub.messages(from: version) {
///     try replica.apply(message)  // a server writes it to a connection instead
/// }
/// ```
///
/// The replica checks that an update starts at the replica's version, in the same history (No Gap
/// No Double); that its edits fit the current shape, and its contents fit the edits; and that the
/// resulting state has the digest of the message, if the message has one (Converges). If a check
/// fails, `apply` throws a ``ReplicaError`` and changes nothing: resume from ``version``, or join
/// again without a version.
///
/// Threading: a value, which one task at a time may change. Complexity: O(k log n) for an update of
/// k edits, O(n) for a reset; reading is as fast as with ``PublishedState``.
public struct CollectionReplica: Sendable {
    /// The current state with its digest. Every update maintains the digest, so that it can be
    /// compared after each update.
    private(set) var contents = StateWithDigest()

    /// The version of the current state; `nil` before the first message.
    public private(set) var version: PublishedVersion?

    /// The position of the window in the list; `nil` for a replica of the whole list.
    public private(set) var place: WindowPlace?

    /// Whether the hub has closed. A later message, perhaps from another hub, resets it.
    public private(set) var isClosed = false

    /// The maximum size of the state that wire messages may lead to.
    public let limits: ShapeLimits

    /// Creates a replica without a state.
    ///
    /// - Parameter limits: The maximum size of the state that wire messages may lead to.
    public init(limits: ShapeLimits = ShapeLimits()) { self.limits = limits }

    /// The replica's current state.
    public var state: PublishedState { contents.state }

    /// The digest of the current state; the hub has the same digest at the same version.
    /// Complexity: O(1).
    public var digest: StateDigest { contents.digest.value }

    /// Applies a message.
    ///
    /// - Throws: An error if the message does not follow the current state; the replica is then
    ///   unchanged.
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
        let contents = StateWithDigest(snapshot.state)
        try take(contents, snapshot.place, at: snapshot.version, expecting: snapshot.digest)
    }

    private mutating func apply(_ update: PublishedUpdate) throws(ReplicaError) {
        try checkStep(from: update.from, to: update.to, update.place)
        let changeSet = update.changeSet
        guard changeSet.oldShape == state.shape else {
            throw ReplicaError(
                .mismatch,
                "an update of \(update.from) must start from \(state.shape), but starts from"
                    + " \(changeSet.oldShape)"
            )
        }
        if let mismatch = update.mismatch { throw ReplicaError(.mismatch, mismatch) }
        var next = contents
        next.apply(changeSet, update.contents)
        try take(next, update.place, at: update.to, expecting: update.digest)
    }

    /// Makes `next` the current state, if it fits the window's position and has the expected
    /// digest.
    mutating func take(
        _ next: StateWithDigest,
        _ place: WindowPlace?,
        at version: PublishedVersion,
        expecting digest: StateDigest?
    ) throws(ReplicaError) {
        if let mismatch = place?.mismatch(next.state.shape) {
            throw ReplicaError(.mismatch, mismatch)
        }
        if let digest { try check(next.digest, digest, at: version) }
        contents = next
        self.place = place
        self.version = version
        isClosed = false
    }

    /// Checks that a message that changes nothing has the current version.
    private mutating func check(
        _ version: PublishedVersion,
        _ digest: StateDigest?
    ) throws(ReplicaError) {
        try checkPlace(version)
        if let digest { try check(contents.digest, digest, at: version) }
        isClosed = false
    }

    /// Checks that an update leads from the current version to a later one of the same history, and
    /// that it has a window's position exactly if the replica has one. An update that only moves
    /// the window may lead to the same version.
    func checkStep(
        from: PublishedVersion,
        to: PublishedVersion,
        _ place: WindowPlace?
    ) throws(ReplicaError) {
        try checkPlace(from)
        guard (place == nil) == (self.place == nil) else {
            let (wanted, found) = place == nil ? ("a window", "a list") : ("a list", "a window")
            throw ReplicaError(
                .mismatch,
                "an update must be of \(wanted), like the current state, but is of \(found)"
            )
        }
        let isOfHistory = to.handle == from.handle
        guard isOfHistory, to.number > from.number || to == from && place != nil else {
            throw ReplicaError(
                isOfHistory ? .duplicate : .historyMismatch,
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
            ? .historyMismatch : place.number > version.number ? .gap : .duplicate
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
            .digestMismatch,
            "the state at \(version) must have the digest \(expected), but has \(digest.value)"
        )
    }

    /// Applies an untrusted wire message.
    ///
    /// In addition to the checks of every message, this checks that the message is valid by itself:
    /// lists are in order, numbers are in range and occur only once, and moves start at removed
    /// places (``ReplicaError/Code/unreadable``). It also checks that the resulting state stays
    /// within the ``limits``. The digest reveals a new item whose number the state already has. No
    /// message can stop the process, and memory use is proportional to the message and the state.
    ///
    /// Complexity: as for any message, plus O(k log k + s) for an update of k edits between s
    /// sections.
    ///
    /// - Throws: An error if the message is invalid or does not follow the current state; the
    ///   replica is then unchanged.
    public mutating func apply(_ wire: WireMessage) throws(ReplicaError) {
        switch wire.body {
        case .reset(let reset): try take(try reset.snapshot(within: limits))
        case .update(let update): try apply(update)
        case .upToDate(let version, let digest): try apply(.upToDate(version, digest: digest))
        case .closed(let version): try apply(.closed(version))
        }
    }

    private mutating func apply(_ update: WireUpdate) throws(ReplicaError) {
        let moves = try update.checked()
        let place = try update.place?.checked()
        try checkStep(from: update.from, to: update.to, place)
        var next = contents
        if let step = try update.edits(moves, from: state.shape, within: limits) {
            next.apply(step.changeSet, step.contents)
        }
        if let step = try update.changes(in: next.state, within: limits) {
            next.apply(step.changeSet, step.contents)
        }
        try take(next, place, at: update.to, expecting: update.digest)
    }
}

/// An error that made a replica reject a message; the replica has not changed.
///
/// In every case, a reader that joins again receives the whole state.
public struct ReplicaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of the error.
    public let code: Code

    /// A sentence that describes the error, with its values.
    public let message: String

    /// The name of an error. Later releases may add codes, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable across releases.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        // Clients know the values, and the replica for browsers has the same. Some of them differ
        // from the names for that reason.

        /// The message belongs to another history.
        public static let historyMismatch = Code(rawValue: "otherHistory")
        /// The update starts at a later version than the replica's, so updates in between are
        /// missing.
        public static let gap = Code(rawValue: "gap")
        /// The update starts at an earlier version than the replica's, so all or part of it was
        /// already applied; or it does not lead to a later version.
        public static let duplicate = Code(rawValue: "double")
        /// The update does not start from the replica's shape, or its contents do not fit its
        /// edits.
        public static let mismatch = Code(rawValue: "misfit")
        /// The digest of the resulting state differs from the digest in the message.
        public static let digestMismatch = Code(rawValue: "otherDigest")
        /// The replica has no state yet, and the first message is not a reset.
        public static let noState = Code(rawValue: "noState")
        /// A wire message is invalid by itself.
        public static let unreadable = Code(rawValue: "unreadable")
    }

    /// The message.
    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
