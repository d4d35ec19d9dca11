import PipelineTesting

@testable import CollectionReplication

/// A connection whose requests and answers go through somebody else's hands.
final class TwistedLog: ReplicatedLog {
    typealias Answer = @Sendable (LogAnswer) -> Void
    typealias Twist = @Sendable (LogRequest, MemoryLog, @escaping Answer) -> Void

    private let log: MemoryLog
    private let twist: Twist

    init(_ log: MemoryLog, _ twist: @escaping Twist) {
        self.log = log
        self.twist = twist
    }

    private func ask<Value>(
        _ request: LogRequest,
        _ answer: @escaping @Sendable (Result<Value, LogError>) -> Void,
        _ value: @escaping @Sendable (LogAnswer) -> Value?
    ) {
        twist(request, log) { said in
            if case .failed(let error) = said { return answer(.failure(error)) }
            if let value = value(said) { answer(.success(value)) }
        }
    }

    func create(_ answer: @escaping @Sendable (Result<Void, LogError>) -> Void) {
        ask(.create, answer) { _ in () }
    }

    func append(
        _ record: [UInt8],
        id: String,
        after position: UInt64,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    ) {
        ask(.append(record, id: id, after: position), answer) {
            if case .position(let position) = $0 { position } else { nil }
        }
    }

    func read(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        _ answer: @escaping @Sendable (Result<LogBatch, LogError>) -> Void
    ) {
        ask(.read(from: position, limit, wait: wait), answer) {
            if case .batch(let batch) = $0 { batch } else { nil }
        }
    }

    func purge(
        through position: UInt64,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        ask(.purge(through: position), answer) { _ in () }
    }

    func put(
        _ chunk: [UInt8],
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        ask(.put(chunk, index: index, snapshot: snapshot), answer) { _ in () }
    }

    func chunk(
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<[UInt8]?, LogError>) -> Void
    ) {
        ask(.chunk(index: index, snapshot: snapshot), answer) {
            if case .chunk(let chunk) = $0 { .some(chunk) } else { nil }
        }
    }

    func removeSnapshots(
        before name: String,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        ask(.removeSnapshots(before: name), answer) { _ in () }
    }

    func read(
        _ register: LogRegister,
        _ answer: @escaping @Sendable (Result<LogRegisterValue?, LogError>) -> Void
    ) {
        ask(.register(register), answer) {
            if case .register(let value) = $0 { .some(value) } else { nil }
        }
    }

    func set(
        _ bytes: [UInt8],
        in register: LogRegister,
        expecting revision: UInt64?,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    ) {
        ask(.set(bytes, register, expecting: revision), answer) {
            if case .revision(let revision) = $0 { revision } else { nil }
        }
    }
}
