import Foundation

/// The two clocks that figures are taken from, in nanoseconds.
enum Stopwatch {
    /// How long the calling thread has run: what else the machine does is not in it.
    static var threadNanoseconds: UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }

    /// What a clock on the wall shows, from an arbitrary start.
    static var wallNanoseconds: UInt64 { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// How long `body` kept the calling thread busy.
    static func threadNanoseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = threadNanoseconds
        try body()
        return Double(threadNanoseconds - start)
    }
}
