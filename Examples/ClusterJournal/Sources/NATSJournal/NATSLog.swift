import CollectionReplication
import Foundation
import JournalSupport

/// The log of a collection in two JetStream streams: one of records, whose own numbers are the positions, and one of
/// what is kept beside, with one message a subject.
///
/// Made by ``NATSConnection/log(named:)``. What NATS promises for it, and what it does not, is in the package's README.
public final class NATSLog: ReplicatedLog {
    // Keeps the connection open.
    private let connection: NATSConnection
    let names: NATSNames
    let reading: NATSReading

    init(connection: NATSConnection, names: NATSNames) {
        self.connection = connection
        self.names = names
        reading = NATSReading(connection.link, names)
    }

    deinit { reading.close() }

    private var link: NATSLink { connection.link }

    /// Makes both streams where they are not there.
    public func create(_ answer: @escaping @Sendable (Result<Void, LogError>) -> Void) {
        let options = link.options
        var log: [String: Any] = Self.configuration(names.logStream, [names.log])
        log["duplicate_window"] = options.duplicateWindow.wholeMilliseconds * 1_000_000
        if let ceiling = options.logByteCeiling { log["max_bytes"] = ceiling }
        var kept = Self.configuration(names.keptStream, names.kept)
        kept["max_msgs_per_subject"] = 1
        let keptConfiguration = UncheckedConfiguration(kept)
        create(UncheckedConfiguration(log)) { [self] result in
            guard case .success = result else { return answer(result) }
            create(keptConfiguration, answer)
        }
    }

    /// A dictionary that nobody changes any more.
    private struct UncheckedConfiguration: @unchecked Sendable {
        // @unchecked: of strings, numbers and truth values only, made before and only read after.
        let values: [String: Any]
        init(_ values: [String: Any]) { self.values = values }
    }

    private static func configuration(_ stream: String, _ subjects: [String]) -> [String: Any] {
        [
            "name": stream, "subjects": subjects, "retention": "limits", "storage": "file",
            "discard": "old", "num_replicas": 1, "max_consumers": -1, "max_msgs": -1,
            "max_bytes": -1, "max_age": 0, "max_msg_size": -1, "allow_direct": true,
        ]
    }

    private func create(
        _ configuration: UncheckedConfiguration,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        let name = configuration.values["name"] as? String ?? ""
        link.call("STREAM.CREATE.\(name)", configuration.values, as: NATSOutcome.self) { result in
            answer(
                result.flatMap { outcome in
                    // One that is there with other settings is an operator's, and stays.
                    guard let error = outcome.error, error.errorCode != NATSFault.streamNameInUse
                    else { return .success(()) }
                    return .failure(error.asLogError)
                }
            )
        }
    }

    /// Publishes with the expected position and the identifier, which the broker checks in the other order: a second
    /// attempt is answered as the first.
    public func append(
        _ record: [UInt8],
        id: String,
        after position: UInt64,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    ) {
        // By hand, because the library's own option is not sent where it is 0.
        let headers = [
            ("Nats-Msg-Id", id), ("Nats-Expected-Last-Sequence", String(position)),
        ]
        link.publish(
            names.log,
            headers: headers,
            body: record,
            stream: names.logStream,
            answer
        )
    }

    /// Reads what a consumer on the broker sends ahead; see ``NATSOptions/readAhead``.
    public func read(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        _ answer: @escaping @Sendable (Result<LogBatch, LogError>) -> Void
    ) {
        reading.read(from: position, limit: limit, wait: wait, answer)
    }

    /// Purges the stream of records up to a position.
    public func purge(
        through position: UInt64,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        let (link, names, reading) = (link, names, reading)
        // A position that was not reached yet would become the next one.
        link.state(of: names.logStream) { result in
            switch result {
            case .failure(let error): answer(.failure(error))
            case .success(let (state, _)):
                let end = min(position, state.last)
                guard end >= state.first, state.messages > 0 else {
                    return answer(.success(()))
                }
                link.call(
                    "STREAM.PURGE.\(names.logStream)",
                    ["seq": end + 1],
                    as: NATSOutcome.self
                ) { result in
                    reading.forget(through: end)
                    answer(Self.outcome(result))
                }
            }
        }
    }

    static func outcome(_ result: Result<NATSOutcome, LogError>) -> Result<Void, LogError> {
        result.flatMap { outcome in
            outcome.error.map { .failure($0.asLogError) } ?? .success(())
        }
    }
}
