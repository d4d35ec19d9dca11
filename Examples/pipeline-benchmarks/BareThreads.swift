import Dispatch
import Foundation

/// Work on threads that nothing coordinates.
enum BareThreads {
    /// How long it takes until all threads are done, by the clock on the wall.
    ///
    /// - Parameters:
    ///   - runs: how often `work` runs in all; each thread has an equal part of them.
    static func nanoseconds(
        threads: Int,
        runs: Int,
        _ work: @escaping @Sendable () -> Void
    ) -> Double {
        let ended = DispatchGroup()
        let start = Stopwatch.wallNanoseconds
        for _ in 0..<threads {
            ended.enter()
            Thread.detachNewThread {
                for _ in 0..<(runs / threads) { work() }
                ended.leave()
            }
        }
        ended.wait()
        return Double(Stopwatch.wallNanoseconds - start)
    }
}
