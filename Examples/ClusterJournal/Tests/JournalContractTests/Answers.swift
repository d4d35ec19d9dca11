import CollectionReplication
import JournalSupport

/// Answers of calls under way together, by a number of the call, in the order in which they came.
final class Answers<Value: Sendable>: Sendable {
    private let state = Guarded<[(key: UInt64, result: Result<Value, LogError>)]>([])

    func add(_ key: UInt64, _ result: Result<Value, LogError>) {
        state.withLock { $0.append((key, result)) }
    }

    private var all: [(key: UInt64, result: Result<Value, LogError>)] { state.withLock { $0 } }

    var count: Int { state.withLock { $0.count } }
    var keys: [UInt64] { all.map(\.key) }
    var values: [Value] { all.compactMap { try? $0.result.get() } }
    var failures: [LogError] {
        all.compactMap { if case .failure(let error) = $0.result { error } else { nil } }
    }

    /// Which keys were answered more than once.
    var doubled: [UInt64] {
        Dictionary(grouping: keys) { $0 }.filter { $0.value.count > 1 }.map(\.key)
    }

    struct TooFew: Error { var count: Int }

    /// Waits until so many have come; half a minute is a failure.
    func wait(for count: Int) async throws {
        for _ in 0..<3_000 {
            if self.count >= count { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw TooFew(count: self.count)
    }
}
