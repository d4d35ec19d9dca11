/// A log of records on a broker, of one collection: the few calls that an adapter gives.
///
/// A member (``ReplicatedHub``) appends records to it and reads them, and keeps snapshots beside it, and three small
/// registers that are compared and set. Nothing of what a broker says is believed: records say themselves what follows on
/// what, and every member checks it. So an adapter is thin, and may fail in any way as long as it keeps to this:
///
/// - a call is answered at most once, from any thread, also before the call returns. One that is never answered is given
///   up after ``ReplicationConfiguration/answerTimeout``;
/// - appends of one member reach the broker in the order in which they were called.
///
/// Positions: the broker's own numbers of records. The first of a log that was just made is 1, and each append takes the
/// next. They say nothing of what a record is: a log that was deleted and made again begins anew.
///
/// Threading: every call may come from any thread, and returns without waiting for the broker.
public protocol ReplicatedLog: AnyObject, Sendable {
    /// Makes the log, its snapshots and registers where they are not there; changes nothing where they are.
    func create(_ answer: @escaping @Sendable (Result<Void, LogError>) -> Void)

    /// Appends a record if the newest is at `position`, and tells where it is: at `position + 1`.
    ///
    /// Several may be under way: each names the position that the one before it will have.
    ///
    /// - Parameters:
    ///   - record: the bytes; some hundred thousand at most, see ``ReplicationConfiguration/recordByteLimit``.
    ///   - id: the same for each attempt with the same record, and for no other record, so that a broker that removes
    ///     duplicates can answer a second attempt as it would have answered the first.
    ///   - position: where the newest record is; 0 for the first.
    ///   - answer: ``LogError/Code/conflict`` with the newest position where it is another, and nothing was appended.
    func append(
        _ record: [UInt8],
        id: String,
        after position: UInt64,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    )

    /// Reads some records in their order, from a position on.
    ///
    /// Where there is none yet, waits until one comes, for as long as `wait`, and then answers with none. Where the first
    /// that there is comes after `position`, answers from that one on: the reader notices. Where the log ends before
    /// `position - 1`, answers at once.
    ///
    /// - Parameters:
    ///   - position: at least 1.
    ///   - limit: how many records and bytes, at least one record.
    ///   - wait: how long the broker may wait.
    ///   - answer: the records.
    func read(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        _ answer: @escaping @Sendable (Result<LogBatch, LogError>) -> Void
    )

    /// Removes all records up to and including that at `position`. Positions stay as they are.
    func purge(
        through position: UInt64,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    )

    /// Keeps a part of a snapshot, in place of one of the same name and number.
    ///
    /// - Parameters:
    ///   - chunk: the bytes; ``ReplicationConfiguration/chunkByteCount`` at most.
    ///   - index: which part, from 0.
    ///   - snapshot: the name: letters, digits and hyphens, at most 100.
    ///   - answer: that it is kept.
    func put(
        _ chunk: [UInt8],
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    )

    /// Reads a part of a snapshot; nil where there is none.
    func chunk(
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<[UInt8]?, LogError>) -> Void
    )

    /// Removes the snapshots whose names come before this one, in the order of their bytes.
    ///
    /// Those of later leaderships come later, so whoever asks long after it led removes none of theirs.
    func removeSnapshots(
        before name: String,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    )

    /// Reads a register; nil where nothing was ever set.
    func read(
        _ register: LogRegister,
        _ answer: @escaping @Sendable (Result<LogRegisterValue?, LogError>) -> Void
    )

    /// Sets a register if it was not set since `revision`, and tells the new revision.
    ///
    /// - Parameters:
    ///   - bytes: some hundred at most.
    ///   - register: which one.
    ///   - revision: that of the value which this one replaces; nil where nothing was ever set.
    ///   - answer: ``LogError/Code/conflict`` where it is another, and nothing was set.
    func set(
        _ bytes: [UInt8],
        in register: LogRegister,
        expecting revision: UInt64?,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    )
}

/// What is compared and set beside a log.
public enum LogRegister: String, Hashable, Sendable, CaseIterable {
    /// Which snapshot is the newest, and where the log goes on from it.
    case head
    /// Who leads.
    case lease
    /// Who asks for a new snapshot, since what there is leads it nowhere.
    case request
}

/// What a register holds.
public struct LogRegisterValue: Hashable, Sendable {
    /// The value.
    public var bytes: [UInt8]

    /// Which setting of the register this is; the broker's own number, another for each.
    public var revision: UInt64

    /// Makes a value.
    public init(bytes: [UInt8], revision: UInt64) {
        self.bytes = bytes
        self.revision = revision
    }
}
