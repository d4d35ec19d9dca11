import CollectionReplication
import Foundation
import JournalSupport

// What is kept beside the records: chunks of snapshots, and the registers.

extension NATSLog {
    private var link: NATSLink { reading.link }

    /// Publishes a chunk to its subject, which keeps one message.
    public func put(
        _ chunk: [UInt8],
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        let fault =
            JournalNames.fault(ofSnapshot: snapshot) ?? JournalNames.fault(ofChunk: index)
        if let fault { return answer(.failure(fault)) }
        link.publish(
            names.chunk(index, of: snapshot),
            headers: [],
            body: chunk,
            stream: names.keptStream
        ) { answer($0.map { _ in }) }
    }

    /// Reads the last message of the chunk's subject.
    public func chunk(
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<[UInt8]?, LogError>) -> Void
    ) {
        let fault =
            JournalNames.fault(ofSnapshot: snapshot) ?? JournalNames.fault(ofChunk: index)
        if let fault { return answer(.failure(fault)) }
        last(names.chunk(index, of: snapshot)) { answer($0.map { $0?.bytes }) }
    }

    /// Reads the last message of a subject, from the broker that leads the stream. Not directly, which for a stream that
    /// is not there is not answered at all.
    private func last(
        _ subject: String,
        _ answer: @escaping @Sendable (Result<LogRegisterValue?, LogError>) -> Void
    ) {
        let (body, stream) = (["last_by_subj": subject], names.keptStream)
        link.call("STREAM.MSG.GET.\(stream)", body, as: NATSOutcome.self) { result in
            answer(
                result.flatMap { outcome in
                    if let error = outcome.error {
                        if error.errorCode == NATSFault.noMessage { return .success(nil) }
                        return .failure(error.asLogError)
                    }
                    guard let message = outcome.message,
                        let data = Data(base64Encoded: message.data ?? "")
                    else { return .failure(LogError(.unavailable, "NATS gives no message.")) }
                    return .success(LogRegisterValue(bytes: Array(data), revision: message.seq))
                }
            )
        }
    }

    /// Lists the subjects of chunks, and purges those of each earlier snapshot.
    public func removeSnapshots(
        before name: String,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        let (link, stream, prefix) = (link, self.names.keptStream, self.names.snapshots)
        link.state(of: stream, listing: prefix + ">") { result in
            switch result {
            case .failure(let error): answer(.failure(error))
            case .success(let (state, _)):
                let subjects = (state.subjects ?? [:]).keys
                let found = Set(
                    subjects.compactMap { $0.dropFirst(prefix.count).split(separator: ".").first }
                )
                let rest = found.map(String.init)
                    .filter { $0.utf8.lexicographicallyPrecedes(name.utf8) }
                    .sorted()
                Self.purge(rest[...], prefix, stream, link, answer)
            }
        }
    }

    private static func purge(
        _ snapshots: ArraySlice<String>,
        _ prefix: String,
        _ stream: String,
        _ link: NATSLink,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        guard let snapshot = snapshots.first else { return answer(.success(())) }
        link.call(
            "STREAM.PURGE.\(stream)",
            ["filter": "\(prefix)\(snapshot).*"],
            as: NATSOutcome.self
        ) { result in
            let outcome = outcome(result)
            guard case .success = outcome else { return answer(outcome) }
            purge(snapshots.dropFirst(), prefix, stream, link, answer)
        }
    }

    /// Reads the last message of the register's subject.
    public func read(
        _ register: LogRegister,
        _ answer: @escaping @Sendable (Result<LogRegisterValue?, LogError>) -> Void
    ) {
        last(names.register(register), answer)
    }

    /// Publishes to the register's subject with the expected number of the message before.
    public func set(
        _ bytes: [UInt8],
        in register: LogRegister,
        expecting revision: UInt64?,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    ) {
        let expected = ("Nats-Expected-Last-Subject-Sequence", String(revision ?? 0))
        link.publish(
            names.register(register),
            headers: [expected],
            body: bytes,
            stream: names.keptStream
        ) { result in
            // The number that NATS tells is one of registers here, not of records.
            answer(
                result.mapError { $0.code == .conflict ? LogError(.conflict, $0.message) : $0 }
            )
        }
    }
}
