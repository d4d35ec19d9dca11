import Foundation

/// A value behind a lock.
final class Guarded<Value: Sendable>: @unchecked Sendable {  // `lock` guards the value
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) { stored = value }

    var value: Value {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }

    func update<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // By way of a result, because `withLock` does not keep the type of an error.
        try lock.withLock { Swift.Result { () throws(Failure) in try body(&stored) } }.get()
    }

    /// As `update`, or nothing where the lock is not free until `deadline`.
    func update<Result>(before deadline: Date, _ body: (inout Value) -> Result) -> Result? {
        guard lock.lock(before: deadline) else { return nil }
        defer { lock.unlock() }
        return body(&stored)
    }
}
