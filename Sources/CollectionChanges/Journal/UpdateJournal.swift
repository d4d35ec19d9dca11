/// A log of updates that survives crashes: a state, and every update since.
///
/// Use it for what was deployed: append each update with whatever its new items need, replay all after a
/// start, and now and then put a newer state in place of the old one and of what led to it. It keeps no state
/// itself but the outline.
///
/// ```swift
/// let journal = try UpdateJournal(creatingIn: storage, base: JournalBase(shape: [3]))
/// try journal.append(update, payload: bytesOfNewItems)
///
/// // At the next start, and never beside the first:
/// let reopened = try UpdateJournal(opening: storage)
/// try reopened.replay { record in model.apply(record) }
/// ```
///
/// Shape: records have contiguous numbers, from that of the base on; an update has the number of the state
/// that it makes. A torn or damaged end is found when the journal is opened (``recovery``), and all before it
/// survives.
///
/// Threading: every call blocks until the storage has done it, which with `fsync` may take milliseconds. So
/// it does not belong on a main lane or an editing lane: use it in one place at a time, such as a serial lane
/// of its own.
///
/// Errors: a write that fails leaves the journal as it was where the storage can take it back. After a failed
/// sync, and where it cannot, every call but ``replay(_:)`` throws `failedBefore`: the system may have
/// dropped what it could not write, and would not say so again (PostgreSQL, "fsyncgate", 2018). Open the
/// storage again, which reads what is really there.
public final class UpdateJournal {
    let storage: any JournalStorage
    let limits: ShapeLimits

    /// When records are synced.
    public let syncing: JournalSyncing

    /// The number of the state that the journal begins with.
    public internal(set) var baseSequence: UInt64

    /// The number of the last update, or of the base where there is none.
    public internal(set) var lastSequence: UInt64

    /// The last record that survives the loss of power, as far as the storage keeps its promises.
    public internal(set) var syncedSequence: UInt64

    /// The outline after the last update.
    public internal(set) var shape: HierarchyShape

    /// The digest after the last update, where it was given.
    public internal(set) var digest: StateDigest?

    /// What opening the journal found; `whole` for a new one.
    public internal(set) var recovery: JournalRecovery

    /// Where the records end.
    var byteCount: Int

    /// Why nothing can be written any more.
    var failure: JournalError?

    /// Makes a journal, in place of whatever the storage holds. The base is durable when this returns.
    ///
    /// - Throws: what the storage throws; `tooLarge`; `unreadable` where the base breaks the limits.
    public init(
        creatingIn storage: any JournalStorage,
        base: JournalBase = JournalBase(),
        syncing: JournalSyncing = .always,
        limits: ShapeLimits = ShapeLimits()
    ) throws(JournalError) {
        let bytes = try Self.bytes(of: base, limits)
        try storage.replaceAll(with: bytes)
        self.storage = storage
        self.syncing = syncing
        self.limits = limits
        baseSequence = base.sequence
        lastSequence = base.sequence
        syncedSequence = base.sequence
        shape = base.shape
        digest = base.digest
        byteCount = bytes.count
        recovery = JournalRecovery(finding: .whole, offset: bytes.count, bytesCut: 0)
    }

    /// Opens a journal, reads all of it, and cuts what cannot be read, as far as `cut` allows.
    ///
    /// Memory: one record at a time, beside the outline.
    ///
    /// - Throws: `empty` where the storage has no bytes, and `noBase` where it does not begin with a whole base; `damaged`, with the offset,
    ///   where something is found that `cut` does not allow to drop, and then nothing was changed; what the
    ///   storage throws.
    public init(
        opening storage: any JournalStorage,
        syncing: JournalSyncing = .always,
        cutting cut: JournalCut = .unpromised,
        limits: ShapeLimits = ShapeLimits()
    ) throws(JournalError) {
        let size = try storage.byteCount()
        var walk = try JournalWalk(storage, before: size, limits)
        let baseSequence = walk.sequence
        while try walk.next() != nil {}
        let recovery = try Self.recovery(of: walk, in: storage, size)
        try Self.check(recovery, against: cut, walk)
        if recovery.bytesCut > 0 {
            try storage.truncate(to: walk.offset)
        }
        // What was read may be in memory only; from here on later records vouch for it.
        try storage.sync()
        self.storage = storage
        self.syncing = syncing
        self.limits = limits
        self.baseSequence = baseSequence
        lastSequence = walk.sequence
        syncedSequence = walk.sequence
        shape = walk.shape
        digest = walk.digest
        byteCount = walk.offset
        self.recovery = recovery
    }

    /// Appends an update, and syncs it where its turn has come.
    ///
    /// - Parameters:
    ///   - update: what changed since the last record.
    ///   - digest: the digest of the state that it makes.
    ///   - payload: what goes with it, in bytes of the application's own.
    /// - Returns: the number of the record.
    /// - Throws: `otherStart` where the update starts from another shape; `unreadable` where it would not be read back,
    ///   since it breaks the limits or is none that `standard` accepts; `inUse` where another has written; what the
    ///   storage throws. The update is then not in the journal, unless it was the sync that failed.
    @discardableResult
    public func append(
        _ update: ValidatedChangeSet,
        digest: StateDigest? = nil,
        payload: [UInt8] = []
    ) throws(JournalError) -> UInt64 {
        try checkUsable()
        guard update.oldShape == shape, lastSequence < .max else {
            throw JournalError(
                .otherStart,
                "the update must start from \(shape), but starts from \(update.oldShape)"
            )
        }
        let value = update.encodedAlone()
        do {
            _ = try ValidatedChangeSet(decoding: value, from: shape, limits: limits)
        } catch {
            throw Self.unreadable("the update", error)
        }
        let frame = JournalFrame(
            kind: .update,
            sequence: lastSequence + 1,
            // Where nothing is ever synced, damage is not to pass for what a crash does.
            durable: syncing == .never ? lastSequence : syncedSequence,
            digest: digest,
            value: value,
            payload: payload
        )
        guard let bytes = frame.bytes(at: byteCount) else { throw Self.tooLarge }
        try write(bytes)
        byteCount += bytes.count
        lastSequence += 1
        shape = update.newShape
        self.digest = digest
        switch syncing {
        case .always: try sync()
        case .every(let count):
            if lastSequence - syncedSequence >= UInt64(max(1, count)) { try sync() }
        case .never: break
        }
        return lastSequence
    }

    /// Waits until everything that was appended is durable.
    public func sync() throws(JournalError) {
        try checkUsable()
        do {
            try storage.sync()
        } catch {
            failure = error
            throw error
        }
        syncedSequence = lastSequence
    }

    private func write(_ bytes: [UInt8]) throws(JournalError) {
        do {
            try storage.append(bytes)
        } catch {
            // A part may have been written, behind which nothing may follow.
            do {
                try storage.truncate(to: byteCount)
            } catch let second {
                failure = second
            }
            throw error
        }
    }

    /// Checks that nothing has failed, and that nobody else has written.
    func checkUsable() throws(JournalError) {
        guard let failure else {
            let size = try storage.byteCount()
            if size == byteCount { return }
            throw JournalError(
                .inUse,
                "the storage must have the \(byteCount) bytes that this journal wrote or read, but has"
                    + " \(size): another journal uses it"
            )
        }
        throw JournalError(
            .failedBefore,
            "the journal must be opened again, since an earlier write failed: \(failure.message)",
            systemError: failure.systemError,
            path: failure.path
        )
    }

    static func bytes(of base: JournalBase, _ limits: ShapeLimits) throws(JournalError) -> [UInt8] {
        let shape = base.shape.encoded()
        do {
            _ = try HierarchyShape(decoding: shape, limits: limits)
        } catch {
            throw unreadable("the base", error)
        }
        let frame = JournalFrame(
            kind: .base,
            sequence: base.sequence,
            durable: base.sequence,
            digest: base.digest,
            value: shape,
            payload: base.payload
        )
        guard let bytes = frame.bytes(at: 0) else { throw tooLarge }
        return bytes
    }

    static func unreadable(_ what: String, _ error: BinaryDecodingError) -> JournalError {
        JournalError(.unreadable, "\(what) could be written, but not read back: \(error.message)")
    }

    package static var tooLarge: JournalError {
        JournalError(.tooLarge, "a record must have at most \(JournalFrame.longestBody) bytes")
    }
}

/// When a journal waits for what it wrote to be durable.
@nonexhaustive
public enum JournalSyncing: Hashable, Sendable {
    /// After each record: an append that returned survives the loss of power.
    case always
    /// After as many records as that, and where `sync()` is called: so many, less one, may be lost.
    case every(Int)
    /// Never but where `sync()` is called. What the system had written by then survives, mostly.
    case never
}
