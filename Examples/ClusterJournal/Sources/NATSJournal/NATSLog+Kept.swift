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

    /// Reads the last message of a subject.
    ///
    /// First it is asked for the stream, since for one that is not there nobody answers a direct question; and a stream
    /// that is being made ends a server of 2.9 that is asked for a message of it otherwise than directly.
    private func last(
        _ subject: String,
        _ answer: @escaping @Sendable (Result<LogRegisterValue?, LogError>) -> Void
    ) {
        let (link, stream) = (link, names.keptStream)
        link.call("STREAM.INFO.\(stream)", as: NATSStream.self) { result in
            switch result {
            case .failure(let error): answer(.failure(error))
            case .success(let info):
                if let error = info.error { return answer(.failure(error.asLogError)) }
                let isDirect = info.config?.allowsDirect == true
                let read = isDirect ? Self.lastDirectly : Self.last
                read(subject, stream, link, answer)
            }
        }
    }

    /// From whoever has the stream, as it lies there.
    private static func lastDirectly(
        _ subject: String,
        _ stream: String,
        _ link: NATSLink,
        _ answer: @escaping @Sendable (Result<LogRegisterValue?, LogError>) -> Void
    ) {
        // A subject has no character that JSON writes otherwise.
        let body = Array("{\"last_by_subj\":\"\(subject)\"}".utf8)
        link.request("\(link.options.interfacePrefix).DIRECT.GET.\(stream)", body: body) { reply in
            switch reply {
            case .failure(let error): answer(.failure(error))
            case .message(let message):
                if message.status == NATSFault.notFoundStatus { return answer(.success(nil)) }
                guard message.status == nil,
                    let revision = message.header("Nats-Sequence").flatMap({ UInt64($0) })
                else {
                    let text = "NATS does not serve \(stream) yet."
                    return answer(.failure(LogError(.unavailable, text)))
                }
                answer(.success(LogRegisterValue(bytes: message.bytes, revision: revision)))
            }
        }
    }

    /// From the broker that leads the stream: of one that was made without direct reading.
    private static func last(
        _ subject: String,
        _ stream: String,
        _ link: NATSLink,
        _ answer: @escaping @Sendable (Result<LogRegisterValue?, LogError>) -> Void
    ) {
        let body = ["last_by_subj": subject]
        link.call("STREAM.MSG.GET.\(stream)", body, as: NATSOutcome.self) { result in
            answer(
                result.flatMap { outcome in
                    if let error = outcome.error {
                        if error.errorCode == NATSFault.noMessage { return .success(nil) }
                        return .failure(error.asLogError)
                    }
                    guard let message = outcome.message, let bytes = message.bytes else {
                        return .failure(LogError(.unavailable, "NATS gives no message."))
                    }
                    return .success(LogRegisterValue(bytes: bytes, revision: message.seq))
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
