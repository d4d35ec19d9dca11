import CollectionReplication
import Synchronization

// Registers for tasks: an answer that does not come in time is given up, since a broker need not answer.

extension ReplicatedLog {
    /// What a register holds; nil where nothing was ever set, or there is no such log yet.
    func value(
        of register: LogRegister,
        within timeout: Duration
    ) async throws -> LogRegisterValue? {
        do throws(LogError) {
            return try await answer(within: timeout) { self.read(register, $0) }
        } catch {
            if error.code == .missing { return nil }
            throw error
        }
    }

    /// Sets a register that was not set since `revision`; makes the log where there is none.
    func put(
        _ bytes: [UInt8],
        in register: LogRegister,
        expecting revision: UInt64?,
        within timeout: Duration
    ) async throws {
        do throws(LogError) {
            _ = try await answer(within: timeout) {
                self.set(bytes, in: register, expecting: revision, $0)
            }
        } catch {
            guard error.code == .missing else { throw error }
            try await answer(within: timeout) { self.create($0) }
            _ = try await answer(within: timeout) {
                self.set(bytes, in: register, expecting: nil, $0)
            }
        }
    }

    private func answer<Value: Sendable>(
        within timeout: Duration,
        _ ask: (@escaping @Sendable (Result<Value, LogError>) -> Void) -> Void
    ) async throws(LogError) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, LogError>, Never>) in
            let waiting = OneAnswer(continuation)
            ask { waiting.resume($0) }
            Task {
                try? await Task.sleep(for: timeout)
                waiting.resume(.failure(LogError(.unanswered, "no answer came in time")))
            }
        }
        return try result.get()
    }
}

/// Resumes a continuation once, whoever comes first.
private final class OneAnswer<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, Never>?>

    init(_ continuation: CheckedContinuation<Value, Never>) {
        self.continuation = Mutex(continuation)
    }

    func resume(_ value: Value) {
        let taken = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        taken?.resume(returning: value)
    }
}
