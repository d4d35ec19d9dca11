import CollectionElements

@testable import CollectionReplication

/// A connection whose requests and responses pass through a test's closure.
final class TwistedLog: ReplicatedLog {
    typealias Completion = @Sendable (LogAnswer) -> Void
    typealias Twist = @Sendable (LogRequest, MemoryLog, @escaping Completion) -> Void

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
        twist(request, log) { response in
            if case .failed(let error) = response { return answer(.failure(error)) }
            if let value = value(response) { answer(.success(value)) }
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

/// Records the requests on some connections, and the number and size of concurrent appends.
final class RequestRecorder: Sendable {
    private struct State {
        var all: [LogRequest] = []
        var underWay = (records: 0, bytes: 0)
        var greatest = (records: 0, bytes: 0)
    }

    private let state = Lock(State())
    private let interval: Int

    /// - Parameter interval: an append is lost if its number among all requests is a multiple of
    /// this.
    init(losingEvery interval: Int = .max) { self.interval = interval }

    var all: [LogRequest] { state.withLock { $0.all } }
    var reads: Int { all.count { if case .read = $0 { true } else { false } } }
    /// The largest number and size of appends without a response.
    var greatest: (records: Int, bytes: Int) { state.withLock { $0.greatest } }

    func wrap(_ log: MemoryLog) -> any ReplicatedLog {
        TwistedLog(log) { [self] request, log, answer in
            let number = state.withLock { state in
                state.all.append(request)
                return state.all.count
            }
            guard case .append(let record, _, _) = request else { return log.ask(request, answer) }
            if number.isMultiple(of: interval) { return }
            changeUnderWay(1, record)
            log.ask(request) { [self] response in
                changeUnderWay(-1, record)
                answer(response)
            }
        }
    }

    private func changeUnderWay(_ count: Int, _ record: [UInt8]) {
        state.withLock { state in
            state.underWay.records += count
            state.underWay.bytes += count * record.count
            state.greatest.records = max(state.greatest.records, state.underWay.records)
            state.greatest.bytes = max(state.greatest.bytes, state.underWay.bytes)
        }
    }
}
