import CollectionReplication
import Dispatch
import JournalSupport

/// The first thing that went wrong, and how many answers came.
final class Tally: Sendable {
    private let state = Guarded<(failure: String?, count: Int)>((nil, 0))

    func fail(_ text: String) { state.withLock { $0.failure = $0.failure ?? text } }

    var failure: String? { state.withLock { $0.failure } }
}

/// Waits on this thread for one answer.
enum Waiting<Value: Sendable> {
    static func wait(
        _ call: (@escaping @Sendable (Result<Value, LogError>) -> Void) -> Void
    ) throws -> Value {
        let done = DispatchSemaphore(value: 0)
        let answer = Guarded<Result<Value, LogError>?>(nil)
        call { result in
            answer.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let result = answer.withLock({ $0 }) else { throw BenchFailure("no answer") }
        return try result.get()
    }
}
