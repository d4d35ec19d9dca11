import Dispatch
import Foundation

/// Work on threads that nothing coordinates.
enum BareThreads {
    /// How long it takes until all threads are done, by the clock on the wall.
    static func nanoseconds(threads: Int, runsEach runs: Int, _ load: SpinLoad) -> Double {
        let ended = DispatchGroup()
        let start = Stopwatch.wallNanoseconds
        for _ in 0..<threads {
            ended.enter()
            Thread.detachNewThread {
                for _ in 0..<runs { load.run() }
                ended.leave()
            }
        }
        ended.wait()
        return Double(Stopwatch.wallNanoseconds - start)
    }
}
