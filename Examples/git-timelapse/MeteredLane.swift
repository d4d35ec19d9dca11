import Dispatch
import Foundation
import SimulatedView

/// The emulated main lane with a stopwatch for the total and the longest duration of its work.
final class MeteredLane: Lane {
    private let lane = EmulatedMainLane(label: "git-timelapse.main")
    private let times = LockedValue(Times())

    struct Times: Sendable {
        var totalNanoseconds: UInt64 = 0
        var longestNanoseconds: UInt64 = 0
    }

    /// The durations so far.
    var measured: Times { times.value }

    var label: String { lane.label }

    var isCurrent: Bool { lane.isCurrent }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        lane.enqueue { [times] in
            let start = DispatchTime.now().uptimeNanoseconds
            work()
            let duration = DispatchTime.now().uptimeNanoseconds - start
            times.update { times in
                times.totalNanoseconds += duration
                times.longestNanoseconds = max(times.longestNanoseconds, duration)
            }
        }
    }
}

/// A value that a lock guards.
final class LockedValue<Value: Sendable>: @unchecked Sendable {  // `lock` guards the value
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
        // A `Result` is necessary because `withLock` does not preserve the type of an error.
        try lock.withLock { Swift.Result { () throws(Failure) in try body(&stored) } }.get()
    }

    /// Calls `body` as `update(_:)` does, or returns `nil` if the lock is not available before
    /// `deadline`.
    func update<Result>(before deadline: Date, _ body: (inout Value) -> Result) -> Result? {
        guard lock.lock(before: deadline) else { return nil }
        defer { lock.unlock() }
        return body(&stored)
    }
}
