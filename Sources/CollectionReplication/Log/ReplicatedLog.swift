/// The log of one collection on a broker: the calls that an adapter implements.
///
/// A member (``ReplicatedHub``) appends records to the log, reads them, and stores snapshots and
/// three small compare-and-set registers next to it. Members do not trust the broker: every record
/// states which record it follows, and every member checks it. An adapter can therefore be thin,
/// and may fail in any way as long as it keeps two rules:
///
/// - It calls a completion at most once, on any thread; it may do so before the call returns. The
///   member stops waiting for a completion after ``ReplicationConfiguration/answerTimeout``.
/// - Appends of one member reach the broker in the order in which the member called them.
///
/// Positions are the broker's own numbers of records. The first record of a new log has position 1,
/// and each append takes the next one. A position says nothing about a record's contents: a log
/// that was deleted and created again starts at 1 again.
///
/// Threading: every call may be made on any thread, and returns without waiting for the broker.
public protocol ReplicatedLog: AnyObject, Sendable {
    /// Creates the log, its snapshots and its registers if they do not exist; otherwise changes
    /// nothing.
    func create(_ answer: @escaping @Sendable (Result<Void, LogError>) -> Void)

    /// Appends a record if the newest record is at `position`, and reports the new record's
    /// position, `position + 1`.
    ///
    /// Several appends may be in flight: each names the position that the previous one will have.
    ///
    /// - Parameters:
    ///   - record: The bytes; at most some hundred thousand, see
    ///     ``ReplicationConfiguration/recordByteLimit``.
    ///   - id: An ID that is the same for each attempt to append this record, and different for
    ///     every other record. A broker that removes duplicates can then respond to a second
    ///     attempt like the first.
    ///   - position: The position of the newest record; 0 if there is none.
    ///   - answer: A closure that receives the position, or ``LogError/Code/conflict`` with the
    ///     position of the newest record if that is not `position`; in that case nothing was
    ///     appended.
    func append(
        _ record: [UInt8],
        id: String,
        after position: UInt64,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    )

    /// Reads records in order, starting at a position.
    ///
    /// If there is no record at or after `position`, waits up to `wait` for one to be appended,
    /// then returns an empty batch. If the oldest record is after `position`, returns records
    /// starting at the oldest one, and the reader detects the difference. If the log ends before
    /// `position - 1`, returns immediately.
    ///
    /// - Parameters:
    ///   - position: The position to start at; at least 1.
    ///   - limit: The number of records and bytes to return; at least one record is returned.
    ///   - wait: The longest time that the broker may wait.
    ///   - answer: A closure that receives the records.
    func read(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        _ answer: @escaping @Sendable (Result<LogBatch, LogError>) -> Void
    )

    /// Removes all records up to and including the one at `position`. The other records keep their
    /// positions.
    func purge(
        through position: UInt64,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    )

    /// Stores a chunk of a snapshot, and replaces a chunk with the same name and index.
    ///
    /// - Parameters:
    ///   - chunk: The bytes; at most ``ReplicationConfiguration/chunkByteCount``.
    ///   - index: The index of the chunk in the snapshot, from 0.
    ///   - snapshot: The snapshot's name: at most 100 letters, digits and hyphens.
    ///   - answer: A closure that is called when the chunk is stored.
    func put(
        _ chunk: [UInt8],
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    )

    /// Reads a chunk of a snapshot; the result is `nil` if the chunk does not exist.
    func chunk(
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<[UInt8]?, LogError>) -> Void
    )

    /// Removes the snapshots with names that sort before `name`, in the order of their bytes.
    ///
    /// Names of later leaderships sort later, so a former leader whose call is late removes none of
    /// their snapshots.
    func removeSnapshots(
        before name: String,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    )

    /// Reads a register; the result is `nil` if the register was never set.
    func read(
        _ register: LogRegister,
        _ answer: @escaping @Sendable (Result<LogRegisterValue?, LogError>) -> Void
    )

    /// Sets a register if it was not set since `revision`, and returns the new revision.
    ///
    /// - Parameters:
    ///   - bytes: The new value; at most some hundred bytes.
    ///   - register: The register to set.
    ///   - revision: The revision of the value to replace; `nil` if the register was never set.
    ///   - answer: A closure that receives the new revision, or ``LogError/Code/conflict`` if the
    ///     register has another revision; in that case the register was not set.
    func set(
        _ bytes: [UInt8],
        in register: LogRegister,
        expecting revision: UInt64?,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    )
}

/// A compare-and-set register next to a log.
public enum LogRegister: String, Hashable, Sendable, CaseIterable {
    /// The newest snapshot, and the log position from which the log continues it.
    case head
    /// The current leader's lease.
    case lease
    /// A request for a new snapshot. A member sets it if the existing records and snapshots cannot
    /// bring the member up to date.
    case request
}

/// The value of a register.
public struct LogRegisterValue: Hashable, Sendable {
    /// The bytes of the value.
    public var bytes: [UInt8]

    /// The broker's own number for this value; every time the register is set, it has a different
    /// revision.
    public var revision: UInt64

    /// Creates a value.
    public init(bytes: [UInt8], revision: UInt64) {
        self.bytes = bytes
        self.revision = revision
    }
}

/// The limit of a single read.
public struct LogReadLimit: Hashable, Sendable {
    /// The maximum number of records; a read returns at least one.
    public var records: Int

    /// The number of bytes after which a read returns no further record.
    public var bytes: Int

    /// Creates a limit.
    public init(records: Int, bytes: Int) {
        self.records = records
        self.bytes = bytes
    }
}

/// Consecutive records of a log, with the positions of the log's first and last record.
public struct LogBatch: Hashable, Sendable {
    /// The position of the first of ``records``, if there are any.
    public var start: UInt64

    /// The records at `start`, `start + 1`, and so on.
    public var records: [[UInt8]]

    /// The position of the oldest record in the log; the position after ``last`` if the log is
    /// empty.
    public var first: UInt64

    /// The position of the newest record; 0 if the log never had one.
    public var last: UInt64

    /// The greatest position that a member accepts. No log reaches it, and adding to it does not
    /// overflow.
    static let greatestPosition: UInt64 = 1 << 62

    /// Whether the positions are valid: they are within the limit, and records have positions from
    /// 1.
    var isPossible: Bool {
        max(start, first, last) <= Self.greatestPosition && (start > 0 || records.isEmpty)
    }

    /// Creates a batch.
    public init(start: UInt64, records: [[UInt8]], first: UInt64, last: UInt64) {
        self.start = start
        self.records = records
        self.first = first
        self.last = last
    }
}

/// The reason that a broker did not carry out a request.
public struct LogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code of the fault.
    public let code: Code

    /// A sentence that describes the fault, with its values.
    public let message: String

    /// The position of the newest record, if an append had a conflict.
    public let last: UInt64?

    /// Creates an error, for use in adapters.
    public init(_ code: Code, _ message: String, last: UInt64? = nil) {
        self.code = code
        self.message = message
        self.last = last
    }

    /// The code of a fault. Later releases may add codes, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code, stable across releases.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The newest record or the register was not the expected one, and nothing was changed.
        public static let conflict = Code(rawValue: "conflict")
        /// The log does not exist: it was never created, or was deleted.
        public static let missing = Code(rawValue: "missing")
        /// The broker is unreachable, and nothing was changed.
        public static let unavailable = Code(rawValue: "unavailable")
        /// No response arrived in time. The request may or may not have been carried out.
        public static let unanswered = Code(rawValue: "unanswered")
        /// The broker rejects the request, and will always reject it, for example because a record
        /// is too large.
        public static let rejected = Code(rawValue: "rejected")
    }

    /// The message of the error.
    public var description: String { message }
}
