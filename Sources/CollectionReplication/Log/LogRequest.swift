/// A request of a member to a log.
enum LogRequest: Hashable, Sendable {
    case create
    case append([UInt8], id: String, after: UInt64)
    case read(from: UInt64, LogReadLimit, wait: Duration)
    case purge(through: UInt64)
    case put([UInt8], index: Int, snapshot: String)
    case chunk(index: Int, snapshot: String)
    case removeSnapshots(before: String)
    case register(LogRegister)
    case set([UInt8], LogRegister, expecting: UInt64?)

    /// Whether the request changes something on which other members rely.
    var isChange: Bool {
        switch self {
        case .append, .set, .purge, .removeSnapshots: true
        case .create, .read, .put, .chunk, .register: false
        }
    }
}

/// The response of a log.
enum LogAnswer: Sendable {
    case done
    /// The response to an append.
    case position(UInt64)
    case batch(LogBatch)
    case chunk([UInt8]?)
    case register(LogRegisterValue?)
    /// The response to setting a register.
    case revision(UInt64)
    case failed(LogError)

    var isFailure: Bool { if case .failed = self { true } else { false } }
}

/// The purpose and the number of a request or timer. A member uses it to ignore responses that it
/// no longer waits for.
struct LogTicket: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case reading
        case leasing
        case appending
        case publication
        case helping
        case fencing
    }

    let purpose: Purpose
    let number: UInt64
}

extension ReplicatedLog {
    /// Sends a request, and passes the response to `answer`.
    func ask(_ request: LogRequest, _ answer: @escaping @Sendable (LogAnswer) -> Void) {
        switch request {
        case .create: create { answer(LogAnswer($0) { _ in .done }) }
        case .append(let record, let id, let position):
            append(record, id: id, after: position) { answer(LogAnswer($0, LogAnswer.position)) }
        case .read(let position, let limit, let wait):
            read(from: position, limit: limit, wait: wait) {
                answer(LogAnswer($0, LogAnswer.batch))
            }
        case .purge(let position):
            purge(through: position) { answer(LogAnswer($0) { _ in .done }) }
        case .put(let bytes, let index, let snapshot):
            put(bytes, at: index, of: snapshot) { answer(LogAnswer($0) { _ in .done }) }
        case .chunk(let index, let snapshot):
            chunk(at: index, of: snapshot) { answer(LogAnswer($0, LogAnswer.chunk)) }
        case .removeSnapshots(let name):
            removeSnapshots(before: name) { answer(LogAnswer($0) { _ in .done }) }
        case .register(let register):
            read(register) { answer(LogAnswer($0, LogAnswer.register)) }
        case .set(let bytes, let register, let revision):
            set(bytes, in: register, expecting: revision) {
                answer(LogAnswer($0, LogAnswer.revision))
            }
        }
    }
}

extension LogAnswer {
    fileprivate init<Value>(_ result: Result<Value, LogError>, _ body: (Value) -> LogAnswer) {
        switch result {
        case .success(let value): self = body(value)
        case .failure(let error): self = .failed(error)
        }
    }
}
