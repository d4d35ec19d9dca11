/// A log of updates that survives crashes: a base state, and every update since.
///
/// Use it for applied updates: append each update with the data that its new items need, replay the
/// log after a start, and occasionally replace the base and the updates up to a newer state with
/// that state. The journal itself keeps only the shape in memory.
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
/// Shape: records have contiguous numbers that start with the number of the base; an update has the
/// number of the state that it produces. Opening a journal finds a torn or damaged end
/// (``recovery``); all records before it survive.
///
/// Threading: every call blocks until the storage has finished, which with `fsync` may take
/// milliseconds. Do not call it on a main lane or an editing lane. Use the journal in one place at
/// a time, such as a serial lane of its own.
///
/// Errors: a failed write leaves the journal unchanged if the storage can undo it. Otherwise, and
/// after a failed sync, every call except ``replay(_:)`` throws `previousWriteFailed`: the system
/// may have dropped data that it could not write, and would not report it again (PostgreSQL,
/// "fsyncgate", 2018). Open the storage again to read its actual contents.
public final class UpdateJournal {
    let storage: any JournalStorage
    let limits: ShapeLimits

    /// The policy that determines when records are synced.
    public let syncing: JournalSyncPolicy

    /// The number of the base state.
    public internal(set) var baseSequence: UInt64

    /// The number of the last update, or of the base if there are no updates.
    public internal(set) var lastSequence: UInt64

    /// The number of the last record that survives a loss of power, provided that the storage is as
    /// durable as it reports.
    public internal(set) var syncedSequence: UInt64

    /// The shape after the last update.
    public internal(set) var shape: HierarchyShape

    /// The digest after the last update; `nil` if none was supplied.
    public internal(set) var digest: StateDigest?

    /// The result of opening the journal. For a new journal the condition is `whole`.
    public internal(set) var recovery: JournalRecovery

    /// The end of the records, in bytes.
    var byteCount: Int

    /// The error that makes the journal unusable for writing; `nil` if there was none.
    var failure: JournalError?

    /// Creates a journal that replaces the contents of the storage. The base is durable when the
    /// initializer returns.
    ///
    /// - Throws: The errors of the storage; `tooLarge` if the base is too large; `unreadable` if
    ///   the base exceeds the limits.
    public init(
        creatingIn storage: any JournalStorage,
        base: JournalBase = JournalBase(),
        syncing: JournalSyncPolicy = .always,
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
        recovery = JournalRecovery(condition: .whole, offset: bytes.count, discardedByteCount: 0)
    }

    /// Opens a journal, reads all of it, and cuts the unreadable end if `cut` allows it.
    ///
    /// Memory: one record at a time, plus the shape.
    ///
    /// - Throws: `empty` if the storage has no bytes; `noBase` if it does not begin with a complete
    ///   base; `damaged`, with the offset, if `cut` does not allow dropping the unreadable part, in
    ///   which case nothing was changed; the errors of the storage.
    public init(
        opening storage: any JournalStorage,
        syncing: JournalSyncPolicy = .always,
        cutting cut: JournalRecoveryPolicy = .dropUnsynced,
        limits: ShapeLimits = ShapeLimits()
    ) throws(JournalError) {
        let size = try storage.byteCount()
        var walk = try JournalReader(storage, before: size, limits)
        let baseSequence = walk.sequence
        while try walk.next() != nil {}
        let recovery = try Self.recovery(of: walk, in: storage, size)
        try Self.check(recovery, against: cut, walk)
        if recovery.discardedByteCount > 0 {
            try storage.truncate(to: walk.offset)
        }
        // The records that were read may not be durable yet, and later records report them as
        // durable.
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

    /// Appends an update, and syncs it if ``syncing`` requires it now.
    ///
    /// - Parameters:
    ///   - update: An update from the state of the last record.
    ///   - digest: The digest of the state that the update produces.
    ///   - payload: Additional bytes that the application defines.
    /// - Returns: The number of the record.
    /// - Throws: `stateMismatch` if the update starts from another shape; `unreadable` if it could
    ///   not be read back, because it exceeds the limits or the `standard` profile rejects it;
    ///   `tooLarge` if the record is too large; `inUse` if another journal has written to the
    ///   storage; `previousWriteFailed` if an earlier write failed; the errors of the storage. The
    ///   update is then not in the journal, unless only the sync failed.
    @discardableResult
    public func append(
        _ update: ValidatedChangeSet,
        digest: StateDigest? = nil,
        payload: [UInt8] = []
    ) throws(JournalError) -> UInt64 {
        try checkUsable()
        guard update.oldShape == shape, lastSequence < .max else {
            throw JournalError(
                .stateMismatch,
                "the update must start from \(shape), but starts from \(update.oldShape)"
            )
        }
        let value = update.encodedWithoutShape()
        do {
            _ = try ValidatedChangeSet(decoding: value, from: shape, limits: limits)
        } catch {
            throw Self.unreadable("the update", error)
        }
        let frame = JournalFrame(
            kind: .update,
            sequence: lastSequence + 1,
            // If nothing is ever synced, all records count as durable, so that damage is not
            // mistaken for the effect of a crash.
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

    /// Waits until all appended records are durable.
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
            // A part may have been written. No record may follow it.
            do {
                try storage.truncate(to: byteCount)
            } catch let second {
                failure = second
            }
            throw error
        }
    }

    /// Checks that no earlier write has failed, and that no other journal has written to the
    /// storage.
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
            .previousWriteFailed,
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
        JournalError(
            .tooLarge,
            "a record must have at most \(JournalFrame.maximumBodyLength) bytes"
        )
    }
}

/// The policy that determines when a journal syncs its records.
@nonexhaustive
public enum JournalSyncPolicy: Hashable, Sendable {
    /// Syncs after each record: an appended record survives a loss of power when `append` returns.
    case always
    /// Syncs after the given number of records, and when `sync()` is called. A loss of power can
    /// lose one record fewer than that number.
    case every(Int)
    /// Syncs only when `sync()` is called. Records that the system had written before a loss of
    /// power usually survive.
    case never
}

extension UpdateJournal {
    /// Calls `body` with the base, and then with every update in order.
    ///
    /// Each update is validated again, from the shape after the previous updates.
    ///
    /// Complexity: O(n) for n bytes; one record in memory at a time.
    ///
    /// - Throws: `damaged` if records that were readable when the journal was opened no longer are;
    ///   the errors of the storage; rethrows the error of `body`.
    public func replay(_ body: (JournalRecord) throws -> Void) throws {
        var walk = try JournalReader(storage, before: byteCount, limits)
        try body(.base(walk.base))
        while let entry = try walk.next() { try body(.update(entry)) }
        try checkEnd(of: walk)
    }

    func checkEnd(of walk: JournalReader) throws(JournalError) {
        guard walk.offset != byteCount else { return }
        throw JournalError(
            .damaged,
            "a record must follow record \(walk.sequence) at byte \(walk.offset), but was"
                + " damaged after it was written",
            offset: walk.offset
        )
    }

    /// Replaces the base and all updates up to a later state by that state. Later updates are kept.
    ///
    /// The journal is then as if it had begun with that state. If the process crashes during the
    /// call, the storage contains either the old or the new journal.
    ///
    /// Complexity: O(n) for n bytes; all kept records are in memory at the same time.
    ///
    /// - Parameter base: One of the states of the journal, with the application's bytes for it.
    /// - Throws: `stateMismatch` if the journal has no state with this number, shape and digest
    ///   (digests are compared if both exist); `damaged` if a record is no longer readable; the
    ///   errors of the storage.
    public func compact(upTo base: JournalBase) throws(JournalError) {
        try checkUsable()
        var walk = try JournalReader(storage, before: byteCount, limits)
        while walk.sequence < base.sequence, try walk.next() != nil {}
        let isSameDigest = walk.digest == nil || base.digest == nil || walk.digest == base.digest
        guard walk.sequence == base.sequence, walk.shape == base.shape, isSameDigest else {
            throw JournalError(
                .stateMismatch,
                "the base must be one of states \(baseSequence)...\(lastSequence) with shape \(walk.shape),"
                    + " but is \(base.sequence) with \(base.shape)"
            )
        }
        var base = base
        base.digest = base.digest ?? walk.digest
        var bytes = try Self.bytes(of: base, limits)
        while let entry = try walk.next() {
            let frame = JournalFrame(
                kind: .update,
                sequence: entry.sequence,
                durable: lastSequence,
                digest: entry.digest,
                value: entry.update.encodedWithoutShape(),
                payload: entry.payload
            )
            // Each record has the same length as before, so this cannot fail.
            guard let frameBytes = frame.bytes(at: bytes.count) else { throw Self.tooLarge }
            bytes += frameBytes
        }
        try checkEnd(of: walk)
        do {
            try storage.replaceAll(with: bytes)
        } catch {
            // The storage may contain the old or the new journal.
            failure = error
            throw error
        }
        byteCount = bytes.count
        baseSequence = base.sequence
        syncedSequence = lastSequence
        if lastSequence == base.sequence { digest = base.digest }
    }
}

/// A record that replaying a journal passes to its closure.
public enum JournalRecord: Sendable {
    /// The state that the journal begins with; passed first, and once.
    case base(JournalBase)
    /// The next update.
    case update(JournalEntry)
}

/// The state that a journal begins with: its number, its shape and the data from which the
/// application can rebuild it.
public struct JournalBase: Hashable, Sendable {
    /// The number of the state. The first update produces the state with the next number.
    public var sequence: UInt64

    /// The shape of the state.
    public var shape: HierarchyShape

    /// The digest of the state; `nil` if there is none.
    public var digest: StateDigest?

    /// The state in the application's own format, such as its items. The journal does not interpret
    /// it.
    public var payload: [UInt8]

    /// Creates a base without validating it.
    public init(
        sequence: UInt64 = 0,
        shape: HierarchyShape = .empty,
        digest: StateDigest? = nil,
        payload: [UInt8] = []
    ) {
        self.sequence = sequence
        self.shape = shape
        self.digest = digest
        self.payload = payload
    }
}

/// An update in a journal.
public struct JournalEntry: Sendable {
    /// The number of the state that the update produces.
    public var sequence: UInt64

    /// The update.
    public var update: ValidatedChangeSet

    /// The digest of the state that the update produces; `nil` if there is none.
    public var digest: StateDigest?

    /// Data of the update in the application's own format, such as new items. The journal does not
    /// interpret it.
    public var payload: [UInt8]
}
