import SimulatedView

/// The thread that calls; work waits until it is told to run.
final class CallersLane: Lane, @unchecked Sendable {  // one thread
    let label = "fuzz"
    let isCurrent = true
    private var waiting: [@Sendable () -> Void] = []

    func enqueue(_ work: @escaping @Sendable () -> Void) { waiting.append(work) }

    /// - Returns: whether it came to rest.
    func run() -> Bool {
        for _ in 0..<1000 {
            guard !waiting.isEmpty else { return true }
            let work = waiting
            waiting = []
            for work in work { work() }
        }
        return waiting.isEmpty
    }
}
