import CollectionReplication
import JournalSupport

/// The log of a collection in two JetStream streams: one of records, whose own numbers are the positions, and one of
/// chunks and registers, with one message for each subject.
///
/// ``NATSConnection/log(named:)`` makes it. The package's README says what NATS promises for it, and what it does not.
public final class NATSLog: ReplicatedLog {
    // Keeps the connection open.
    private let connection: NATSConnection
    private let names: NATSNames
    private let reading: NATSReading

    init(connection: NATSConnection, names: NATSNames) {
        self.connection = connection
        self.names = names
        reading = NATSReading(connection.link, names.logStream)
    }

    deinit { reading.close() }

    private var link: NATSLink { connection.link }

    // MARK: Records

    /// Makes both streams if they are not there.
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
                    // A stream that is there with other settings is an operator's, and stays.
                    if outcome.error?.errorCode == NATSFault.streamNameInUse { return .success(()) }
                    return outcome.result
                }
            )
        }
    }

    /// Publishes with the expected position and the identifier. The broker looks at the identifier first, so a second
    /// attempt is answered as the first.
    public func append(
        _ record: [UInt8],
        id: String,
        after position: UInt64,
        _ answer: @escaping LogAnswer<UInt64>
    ) {
        // By hand, because the library's own option is not sent if it is 0.
        let headers = [("Nats-Msg-Id", id), ("Nats-Expected-Last-Sequence", String(position))]
        link.publish(names.log, headers: headers, body: record, stream: names.logStream, answer)
    }

    /// Reads what a consumer on the broker sends ahead; see ``NATSOptions/readAhead``.
    public func read(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        _ answer: @escaping LogAnswer<LogBatch>
    ) {
        reading.read(from: position, limit: limit, wait: wait, answer)
    }

    /// Purges the stream of records up to a position.
    public func purge(through position: UInt64, _ answer: @escaping LogAnswer<Void>) {
        let (link, stream, reading) = (link, names.logStream, reading)
        // A position that was not reached yet would become the next one.
        link.state(of: stream) { result in
            switch result {
            case .failure(let error): answer(.failure(error))
            case .success(let state):
                let end = min(position, state.last)
                guard end >= state.first, state.messages > 0 else { return answer(.success(())) }
                let body = "{\"seq\":\(end + 1)}"
                link.call("STREAM.PURGE.\(stream)", body, as: NATSOutcome.self) { result in
                    reading.forget(through: end)
                    answer(result.flatMap(\.result))
                }
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

    /// Lists the subjects of chunks, and purges those of each earlier snapshot.
    public func removeSnapshots(before name: String, _ answer: @escaping LogAnswer<Void>) {
        let (link, stream, prefix) = (link, names.keptStream, names.snapshots)
        link.state(of: stream, listing: prefix + ">") { result in
            switch result {
            case .failure(let error): answer(.failure(error))
            case .success(let state):
                let found = (state.subjects ?? [:]).keys
                    .compactMap { $0.dropFirst(prefix.count).split(separator: ".").first }
                let earlier = Set(found.map(String.init))
                    .filter { $0.utf8.lexicographicallyPrecedes(name.utf8) }
                Self.purge(earlier.sorted()[...], prefix, stream, link, answer)
            }
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

    /// Publishes to the register's subject with the expected number of the message before.
    public func set(
        _ bytes: [UInt8],
        in register: LogRegister,
        expecting revision: UInt64?,
        _ answer: @escaping LogAnswer<UInt64>
    ) {
        let headers = [("Nats-Expected-Last-Subject-Sequence", String(revision ?? 0))]
        let (subject, stream) = (names.register(register), names.keptStream)
        link.publish(subject, headers: headers, body: bytes, stream: stream) { result in
            // The number that NATS gives here is one of registers, not of records.
            answer(result.mapError { $0.code == .conflict ? LogError(.conflict, $0.message) : $0 })
        }
    }

    // MARK: The last message of a subject

    /// Reads the last message of a subject.
    ///
    /// Requests the stream first: a server does not answer a direct request for a message of a missing stream, and NATS
    /// 2.9 crashes on any other request for a message of a stream that is being created.
    private func last(_ subject: String, _ answer: @escaping LogAnswer<LogRegisterValue?>) {
        let (link, stream) = (link, names.keptStream)
        link.stream(stream) { result in
            switch result {
            case .failure(let error): answer(.failure(error))
            case .success(let info) where info.allowsDirect:
                link.direct(stream, "{\"last_by_subj\":\"\(subject)\"}", answer)
            case .success: Self.last(subject, stream, link, answer)
            }
        }
    }

    /// Reads from the broker that leads the stream, which was made without direct reading.
    private static func last(
        _ subject: String,
        _ stream: String,
        _ link: NATSLink,
        _ answer: @escaping LogAnswer<LogRegisterValue?>
    ) {
        let body = "{\"last_by_subj\":\"\(subject)\"}"
        link.call("STREAM.MSG.GET.\(stream)", body, as: NATSOutcome.self) { result in
            answer(
                result.flatMap { outcome in
                    if outcome.error?.errorCode == NATSFault.noMessage { return .success(nil) }
                    if let error = outcome.error { return .failure(error.asLogError) }
                    guard let message = outcome.message, let bytes = message.bytes else {
                        return .failure(LogError(.unavailable, "NATS gives no message."))
                    }
                    return .success(LogRegisterValue(bytes: bytes, revision: message.seq))
                }
            )
        }
    }
}

/// The streams and subjects of a collection.
struct NATSNames: Sendable {
    /// The stream of records, whose numbers are the positions.
    let logStream: String
    /// The stream of chunks and registers: one message for each subject.
    let keptStream: String
    /// The subject of records.
    let log: String
    /// The beginning of the subjects of chunks.
    let snapshots: String
    private let prefix: String

    init(_ collection: String, namespace: String) {
        // A namespace has no underscore and the ends differ, so that no two collections make the same name.
        logStream = "\(namespace)_\(collection)_log"
        keptStream = "\(namespace)_\(collection)_kept"
        prefix = "\(namespace).\(collection)."
        log = prefix + "log"
        snapshots = prefix + "snap."
    }

    func chunk(_ index: Int, of snapshot: String) -> String { "\(snapshots)\(snapshot).\(index)" }

    func register(_ register: LogRegister) -> String { prefix + register.rawValue }

    /// The subjects of the second stream.
    var kept: [String] { LogRegister.allCases.map(self.register) + [snapshots + ">"] }
}
