import CollectionReplication
import Dispatch
import JournalSupport

/// The log of a collection in two JetStream streams. One holds records, whose sequence numbers are
/// the positions; the other holds chunks and registers, one message for each subject.
///
/// ``NATSConnection/log(named:)`` creates it. See `BrokerBehavior.md` for what NATS guarantees.
public final class NATSLog: ReplicatedLog {
    // Retained to keep the connection open.
    private let connection: NATSConnection
    private let names: NATSNames
    private let reading: NATSLogReader

    init(connection: NATSConnection, names: NATSNames) {
        self.connection = connection
        self.names = names
        reading = NATSLogReader(connection.link, names.logStream)
    }

    deinit { reading.close() }

    private var link: NATSLink { connection.link }

    // MARK: Records

    /// Creates both streams if they do not exist.
    public func create(_ answer: @escaping LogAnswer<Void>) {
        let window = link.options.duplicateWindow.wholeMilliseconds
        let bytes = link.options.logByteCeiling ?? -1
        let limits = "\"duplicate_window\":\(window)000000,\"max_bytes\":\(bytes)"
        create(names.logStream, [names.log], limits) { [self] result in
            guard case .success = result else { return answer(result) }
            let limits = "\"max_msgs_per_subject\":1,\"max_bytes\":-1"
            create(names.keptStream, names.kept, limits, answer)
        }
    }

    private func create(
        _ stream: String,
        _ subjects: [String],
        _ limits: String,
        _ answer: @escaping LogAnswer<Void>
    ) {
        let subjects = subjects.map { "\"\($0)\"" }.joined(separator: ",")
        let configuration = """
            {"name":"\(stream)","subjects":[\(subjects)],"retention":"limits","storage":"file",\
            "discard":"old","num_replicas":1,"max_consumers":-1,"max_msgs":-1,"max_age":0,\
            "max_msg_size":-1,"allow_direct":true,\(limits)}
            """
        link.call("STREAM.CREATE.\(stream)", configuration, as: NATSOutcome.self) { result in
            answer(
                result.flatMap { outcome in
                    // An existing stream with other settings stays: an operator made it.
                    if outcome.error?.errorCode == NATSFault.streamNameInUse { return .success(()) }
                    return outcome.result
                }
            )
        }
    }

    /// Publishes with the expected position and the identifier. The broker checks the identifier
    /// first, so a retry receives the first attempt's result.
    public func append(
        _ record: [UInt8],
        id: String,
        after position: UInt64,
        _ answer: @escaping LogAnswer<UInt64>
    ) {
        // Set as a header, because the library omits its own option if the value is 0.
        let headers = [("Nats-Msg-Id", id), ("Nats-Expected-Last-Sequence", String(position))]
        link.publish(names.log, headers: headers, body: record, stream: names.logStream, answer)
    }

    /// Reads records that a consumer on the broker sends ahead; see ``NATSOptions/readAhead``.
    public func read(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        _ answer: @escaping LogAnswer<LogBatch>
    ) {
        reading.read(from: position, limit: limit, wait: wait, answer)
    }

    /// Purges the stream of records through a position.
    public func purge(through position: UInt64, _ answer: @escaping LogAnswer<Void>) {
        let (link, stream, reading) = (link, names.logStream, reading)
        // Purging beyond the end would make the purged position the next one.
        link.state(of: stream) { result in
            guard let state = result.value(orFail: answer) else { return }
            let end = min(position, state.last)
            guard end >= state.first, state.messages > 0 else { return answer(.success(())) }
            let body = "{\"seq\":\(end + 1)}"
            link.call("STREAM.PURGE.\(stream)", body, as: NATSOutcome.self) { result in
                reading.forget(through: end)
                answer(result.flatMap(\.result))
            }
        }
    }

    // MARK: Chunks of snapshots

    /// Publishes a chunk to its subject, which keeps one message.
    public func put(
        _ chunk: [UInt8],
        at index: Int,
        of snapshot: String,
        _ answer: @escaping LogAnswer<Void>
    ) {
        if let fault = JournalNames.fault(ofChunk: index, of: snapshot) {
            return answer(.failure(fault))
        }
        let subject = names.chunk(index, of: snapshot)
        link.publish(subject, body: chunk, stream: names.keptStream) { answer($0.map { _ in }) }
    }

    /// Reads the last message of the chunk's subject.
    public func chunk(
        at index: Int,
        of snapshot: String,
        _ answer: @escaping LogAnswer<[UInt8]?>
    ) {
        if let fault = JournalNames.fault(ofChunk: index, of: snapshot) {
            return answer(.failure(fault))
        }
        last(names.chunk(index, of: snapshot)) { answer($0.map { $0?.bytes }) }
    }

    /// Lists the chunk subjects, and purges those of earlier snapshots.
    public func removeSnapshots(before name: String, _ answer: @escaping LogAnswer<Void>) {
        let (link, stream, prefix) = (link, names.keptStream, names.snapshots)
        link.state(of: stream, listing: prefix + ">") { result in
            guard let state = result.value(orFail: answer) else { return }
            let found = (state.subjects ?? [:]).keys
                .compactMap { $0.dropFirst(prefix.count).split(separator: ".").first }
            let earlier = Set(found.map(String.init))
                .filter { $0.utf8.lexicographicallyPrecedes(name.utf8) }
            Self.purge(earlier.sorted()[...], prefix, stream, link, answer)
        }
    }

    private static func purge(
        _ snapshots: ArraySlice<String>,
        _ prefix: String,
        _ stream: String,
        _ link: NATSLink,
        _ answer: @escaping LogAnswer<Void>
    ) {
        guard let snapshot = snapshots.first else { return answer(.success(())) }
        let body = "{\"filter\":\"\(prefix)\(snapshot).*\"}"
        link.call("STREAM.PURGE.\(stream)", body, as: NATSOutcome.self) { result in
            let outcome = result.flatMap(\.result)
            guard case .success = outcome else { return answer(outcome) }
            purge(snapshots.dropFirst(), prefix, stream, link, answer)
        }
    }

    // MARK: Registers

    /// Reads the last message of the register's subject.
    public func read(_ register: LogRegister, _ answer: @escaping LogAnswer<LogRegisterValue?>) {
        last(names.register(register), answer)
    }

    /// Publishes to the register's subject, expecting the previous message's sequence number.
    public func set(
        _ bytes: [UInt8],
        in register: LogRegister,
        expecting revision: UInt64?,
        _ answer: @escaping LogAnswer<UInt64>
    ) {
        let headers = [("Nats-Expected-Last-Subject-Sequence", String(revision ?? 0))]
        let (subject, stream) = (names.register(register), names.keptStream)
        link.publish(subject, headers: headers, body: bytes, stream: stream) { result in
            // The sequence number in this error belongs to registers, not to records.
            answer(result.mapError { $0.code == .conflict ? LogError(.conflict, $0.message) : $0 })
        }
    }

    // MARK: The last message of a subject

    /// Reads the last message of a subject.
    ///
    /// Requests the stream first: a server does not answer a direct request for a message of a
    /// missing stream, and NATS 2.9 crashes on other requests for a message of a stream that is
    /// being created.
    private func last(_ subject: String, _ answer: @escaping LogAnswer<LogRegisterValue?>) {
        let (link, stream) = (link, names.keptStream)
        link.stream(stream) { result in
            guard let info = result.value(orFail: answer) else { return }
            let body = "{\"last_by_subj\":\"\(subject)\"}"
            if info.allowsDirect { return link.direct(stream, body, answer) }
            // The stream was created without direct reads: reads from its leader.
            link.call("STREAM.MSG.GET.\(stream)", body, as: NATSOutcome.self) { result in
                answer(
                    result.flatMap { outcome in
                        if outcome.error?.errorCode == NATSFault.noMessage { return .success(nil) }
                        if let error = outcome.error { return .failure(error.asLogError) }
                        guard let message = outcome.message, let bytes = message.bytes else {
                            return .failure(LogError(.unavailable, "NATS sent no message."))
                        }
                        return .success(LogRegisterValue(bytes: bytes, revision: message.seq))
                    }
                )
            }
        }
    }
}

/// The names of a collection's stream of records, and of its stream of chunks and registers.
struct NATSNames: Sendable {
    let logStream: String
    let keptStream: String
    let log: String
    let snapshots: String
    private let prefix: String

    init(_ collection: String, namespace: String) {
        // A namespace has no underscore and the suffixes differ, so no two collections clash.
        logStream = "\(namespace)_\(collection)_log"
        keptStream = "\(namespace)_\(collection)_kept"
        prefix = "\(namespace).\(collection)."
        log = prefix + "log"
        snapshots = prefix + "snap."
    }

    func chunk(_ index: Int, of snapshot: String) -> String { "\(snapshots)\(snapshot).\(index)" }

    func register(_ register: LogRegister) -> String { prefix + register.rawValue }

    var kept: [String] { LogRegister.allCases.map(self.register) + [snapshots + ">"] }
}

/// The cursors of a log. A read that continues an earlier one receives prefetched records. Any
/// other read creates a consumer on the broker, unless it reads only one record.
final class NATSLogReader: Sendable {
    let link: NATSLink
    let stream: String
    private let cursors = LockedValue<[NATSCursor]>([])
    let firstPosition = FirstPosition()

    /// Two, for two members in one process, or a restarted member whose old cursor still exists.
    private static let cursorLimit = 2

    init(_ link: NATSLink, _ stream: String) { (self.link, self.stream) = (link, stream) }

    func read(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        _ answer: @escaping LogAnswer<LogBatch>
    ) {
        let position = max(1, position)
        let read = NATSCursor.Read(position: position, limit: limit, wait: wait, answer: answer)
        guard limit.records <= 1, wait <= .zero else { return follow(read) }
        readDirectly(at: position) { [self] result in
            if let result { answer(result) } else { follow(read) }
        }
    }

    /// Reads one record directly; returns `nil` if that fails and a cursor must read.
    private func readDirectly(
        at position: UInt64,
        _ answer: @escaping @Sendable (Result<LogBatch, LogError>?) -> Void
    ) {
        link.stream(stream) { [link, stream] result in
            guard let info = result.value(orFail: answer) else { return }
            guard info.allowsDirect, let state = info.state, state.messages > 0,
                position >= state.first, position <= state.last
            else { return answer(nil) }
            link.direct(stream, "{\"seq\":\(position)}") { message in
                guard case .success(let message?) = message else { return answer(nil) }
                let (first, last, records) = (state.first, state.last, [message.bytes])
                let batch = LogBatch(start: position, records: records, first: first, last: last)
                answer(.success(batch))
            }
        }
    }

    private func follow(_ read: NATSCursor.Read) {
        let (cursor, dropped) = cursors.withLock { cursors -> (NATSCursor, [NATSCursor]) in
            if let index = cursors.firstIndex(where: { $0.claim(read.position) }) {
                let cursor = cursors.remove(at: index)
                cursors.append(cursor)
                return (cursor, [])
            }
            let cursor = NATSCursor(self, claimedAt: read.position)
            cursors.append(cursor)
            // The oldest idle cursors.
            var dropped: [NATSCursor] = []
            while cursors.count > Self.cursorLimit,
                let index = cursors.firstIndex(where: { $0 !== cursor && $0.claimIfIdle() })
            {
                dropped.append(cursors.remove(at: index))
            }
            return (cursor, dropped)
        }
        for cursor in dropped { cursor.end() }
        cursor.begin(read)
    }

    /// Ends cursors whose prefetched records were purged.
    func forget(through position: UInt64) {
        let ended = cursors.withLock { cursors in
            let ended = cursors.filter { $0.claimIfIdle(upTo: position) }
            cursors.removeAll { cursor in ended.contains { $0 === cursor } }
            return ended
        }
        for cursor in ended { cursor.end() }
        firstPosition.notePurge(through: position)
    }

    func remove(_ cursor: NATSCursor) {
        cursors.withLock { $0.removeAll { $0 === cursor } }
    }

    func close() {
        for cursor in cursors.withLock({ exchange(&$0, with: []) }) { cursor.end() }
    }

    // MARK: The first position

    /// Returns the known first position, and refreshes it if it is older than a second.
    func first() -> UInt64 {
        firstPosition.known {
            link.state(of: stream) { [firstPosition] result in
                if case .success(let state) = result { firstPosition.note(state.first) }
            }
        }
    }
}
