import CollectionChanges

/// Writes a leader's sealed records to its journal, on a lane that may block. Records that arrive
/// during a write are written together afterwards.
final class JournalWriter: Sendable {
    typealias Open = @Sendable () throws(JournalError) -> any JournalStorage

    private let configuration: ReplicationConfiguration
    private let open: Open
    /// The lane that calls the writer and receives its results.
    private let home: any Lane
    private let lane: any Lane

    // nonisolated(unsafe): only the home lane reads and writes these.
    /// The records that wait to be written.
    private nonisolated(unsafe) var unwritten: [PendingRecord] = []
    private nonisolated(unsafe) var isWriting = false
    /// The leadership that the writer works for; results of an earlier one are ignored.
    private nonisolated(unsafe) var term = 0

    // nonisolated(unsafe): only the journal's lane reads and writes this.
    private nonisolated(unsafe) var journal: RecordJournal?

    init(
        _ configuration: ReplicationConfiguration,
        home: any Lane,
        lane: any Lane,
        open: @escaping Open
    ) {
        self.configuration = configuration
        self.home = home
        self.lane = lane
        self.open = open
    }

    /// Opens the journal, and reads what an earlier run of the member wrote.
    ///
    /// - Parameter body: A closure that is called on the home lane.
    func restore(
        _ body: @escaping @Sendable (Result<RecordJournal.Restored?, JournalError>) -> Void
    ) {
        let (open, configuration) = (open, configuration)
        lane.enqueue { [weak self] in
            guard let self else { return }
            var result: Result<RecordJournal.Restored?, JournalError>
            do throws(JournalError) {
                let isSynced = configuration.syncsJournal
                let journal = RecordJournal(try open(), isSynced: isSynced)
                self.journal = journal
                let (key, limits) = (configuration.key, configuration.limits)
                result = .success(try journal.restore(key: key, limits: limits))
            } catch {
                result = .failure(error)
            }
            home.enqueue { [result] in body(result) }
        }
    }

    /// Restarts the journal with a state, durably.
    ///
    /// - Parameters:
    ///   - snapshot: The state.
    ///   - report: A closure that is called on the home lane with the result, and with the results
    ///     of records that arrive by then.
    func rebase(
        _ snapshot: EncodableSnapshot,
        _ report: @escaping @Sendable (Member.Input) -> Void
    ) {
        forget()
        term += 1
        let key = configuration.key
        write(through: snapshot.position.sequence, report) { (journal) throws(JournalError) in
            try journal.rebase(snapshot.encoded(key: key))
        }
    }

    /// Writes a record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - report: A closure that is called on the home lane with the result, and with the results
    ///     of records that arrive by then.
    func append(_ record: PendingRecord, _ report: @escaping @Sendable (Member.Input) -> Void) {
        unwritten.append(record)
        writeOn(report)
    }

    /// Drops the records that were not written yet.
    func forget() { unwritten = [] }

    /// Releases the storage, then calls `completion` on the home lane.
    func close(_ completion: @escaping @Sendable () -> Void) {
        lane.enqueue { [self] in
            journal = nil
            home.enqueue(completion)
        }
    }

    private func writeOn(_ report: @escaping @Sendable (Member.Input) -> Void) {
        guard !isWriting, let last = unwritten.last else { return }
        let records = unwritten.map(\.bytes)
        unwritten = []
        write(through: last.sequence, report) { (journal) throws(JournalError) in
            try journal.append(records)
        }
    }

    private func write(
        through sequence: UInt64,
        _ report: @escaping @Sendable (Member.Input) -> Void,
        _ body: @escaping @Sendable (RecordJournal) throws(JournalError) -> Void
    ) {
        isWriting = true
        let term = term
        lane.enqueue { [weak self] in
            guard let self else { return }
            var input = Member.Input.journaled(through: sequence)
            do throws(JournalError) {
                guard let journal else {
                    throw JournalError(.previousWriteFailed, "the journal failed before")
                }
                try body(journal)
            } catch {
                input = .journalFailed(error.message)
                // The contents of the storage are unknown now.
                journal = nil
            }
            home.enqueue { [weak self, input] in
                guard let self, term == self.term else { return }
                isWriting = false
                report(input)
                writeOn(report)
            }
        }
    }
}

/// The journal of a leader: a snapshot, and the records sealed since. The leader writes each record
/// here before it appends the record to the log.
///
/// The journal has the frame format of ``UpdateJournal``: the snapshot is the base, and each record
/// is the value of an update. On restoring, the journal drops everything from the first frame that
/// is torn or damaged, or has a record that does not extend the chain: such a record is in the log,
/// or is lost.
///
/// Errors: after an error, the contents of the storage are unknown. The journal must be discarded;
/// a new one can restore what the storage contains.
///
/// Threading: its methods block, so it is used on a separate lane.
final class RecordJournal {
    private let storage: any JournalStorage
    private let isSynced: Bool
    private var byteCount = 0
    /// The sequence number of the last frame.
    private var sequence: UInt64 = 0

    /// The contents of a restored journal.
    struct Restored: Sendable {
        let chain: LogChain
        /// The last record of each of the most recent leaderships, ending with that of the chain.
        let ancestors: [ChainPosition]
        /// The number of bytes that were dropped because they could not be read.
        let discardedByteCount: Int
    }

    init(_ storage: any JournalStorage, isSynced: Bool) {
        self.storage = storage
        self.isSynced = isSynced
    }

    /// Reads the whole journal, and drops the part that cannot be read. Returns `nil` if nothing
    /// can be read.
    ///
    /// Complexity: O(n) for n bytes; one frame in memory at a time.
    func restore(
        key: StableHashKey,
        limits: ShapeLimits
    ) throws(JournalError) -> Restored? {
        let size = try storage.byteCount()
        guard let (base, start) = try storage.frame(at: 0, before: size), base.kind == .base,
            let snapshot = try? EncodableSnapshot(decoding: base.value, key: key, limits: limits)
        else { return nil }
        var chain = LogChain(snapshot, key: key, limits: limits)
        var ancestors = snapshot.ancestors
        ancestors.remember(chain.position)
        (byteCount, sequence) = (start, base.sequence)
        while let (frame, next) = try storage.frame(at: byteCount, before: size) {
            guard frame.kind == .update, frame.sequence == sequence &+ 1,
                let record = try? LogRecord(decoding: frame.value, key: key),
                case .extended = chain.take(record)
            else { break }
            (byteCount, sequence) = (next, frame.sequence)
        }
        if byteCount < size { try storage.truncate(to: byteCount) }
        // The bytes that were read may not be durable yet.
        try storage.sync()
        ancestors.remember(chain.position)
        return Restored(chain: chain, ancestors: ancestors, discardedByteCount: size - byteCount)
    }

    /// Restarts the journal with a snapshot, durably.
    func rebase(_ snapshot: [UInt8]) throws(JournalError) {
        let frame = JournalFrame(kind: .base, sequence: 0, durable: 0, value: snapshot)
        let bytes = try Self.bytes(of: frame, at: 0)
        try storage.replaceAll(with: bytes)
        (byteCount, sequence) = (bytes.count, 0)
    }

    /// Appends records, durably if the journal is synced.
    func append(_ records: [[UInt8]]) throws(JournalError) {
        var bytes: [UInt8] = []
        for (index, record) in records.enumerated() {
            let frame = JournalFrame(
                kind: .update,
                sequence: sequence + UInt64(index) + 1,
                durable: sequence,
                value: record
            )
            bytes += try Self.bytes(of: frame, at: byteCount + bytes.count)
        }
        try storage.append(bytes)
        if isSynced { try storage.sync() }
        byteCount += bytes.count
        sequence += UInt64(records.count)
    }

    private static func bytes(
        of frame: JournalFrame,
        at offset: Int
    ) throws(JournalError) -> [UInt8] {
        guard let bytes = frame.bytes(at: offset) else { throw UpdateJournal.tooLarge }
        return bytes
    }
}
