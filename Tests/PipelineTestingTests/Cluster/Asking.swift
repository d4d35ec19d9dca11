import CollectionElements
import CollectionReplication
import PipelineTestSupport
import PipelineTesting

/// Asks a log for something, and waits for the answer.
func ask<Value: Sendable>(
    _ call: (@escaping @Sendable (Result<Value, LogError>) -> Void) -> Void
) async throws(LogError) -> Value {
    try await suspend { (resume: @escaping @Sendable (Result<Value, LogError>) -> Void) in
        call(resume)
    }.get()
}

/// The code of the error that an answer is; nil for none.
func code<Value: Sendable>(
    _ call: (@escaping @Sendable (Result<Value, LogError>) -> Void) -> Void
) async -> LogError.Code? {
    do throws(LogError) {
        _ = try await ask(call)
        return nil
    } catch {
        return error.code
    }
}

extension LogReadLimit {
    /// More than any test has.
    static let all = LogReadLimit(records: 1000, bytes: 1 << 20)
}

extension MemoryLog {
    /// Appends a record of one byte that is its id as well.
    func append(_ byte: UInt8, after position: UInt64) async throws(LogError) -> UInt64 {
        try await ask { append([byte], id: "\(byte)", after: position, $0) }
    }

    /// What there is from a position on, without waiting.
    func records(from position: UInt64, _ limit: LogReadLimit = .all) async throws(LogError)
        -> LogBatch
    {
        try await ask { read(from: position, limit: limit, wait: .zero, $0) }
    }
}
