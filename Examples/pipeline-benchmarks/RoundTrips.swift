import Dispatch
import Foundation

/// Trips from a lane and back to it, one after the other, timed by the clock on the wall.
protocol RoundTrips: AnyObject, Sendable {
    /// Runs `work` on the lane.
    func enqueue(_ work: @escaping @Sendable () -> Void)

    /// Sets out on one trip; on the lane. `arrived` is called there as well.
    func depart(_ arrived: @escaping @Sendable () -> Void)
}

extension RoundTrips {
    /// Blocks until `count` trips are made; the thread that waits takes no part in them.
    func nanosecondsATrip(of count: Int) -> Double {
        let journey = Journey(self, trips: count)
        enqueue { journey.begin() }
        return journey.waitForNanoseconds() / Double(count)
    }

    /// The same of one trip, before which nothing happens for so long that threads go to sleep.
    func nanosecondsOfATripAfterRest() -> Double {
        usleep(200)
        return nanosecondsATrip(of: 1)
    }
}

/// Some trips in a row.
private final class Journey: @unchecked Sendable {  // lane-confined, but for the semaphore's order
    private let trips: any RoundTrips
    private var tripsLeft: Int
    private var start: UInt64 = 0
    private var end: UInt64 = 0
    private let done = DispatchSemaphore(value: 0)

    init(_ trips: any RoundTrips, trips count: Int) {
        self.trips = trips
        tripsLeft = count
    }

    func begin() {
        start = Stopwatch.wallNanoseconds
        next()
    }

    private func next() {
        guard tripsLeft > 0 else {
            end = Stopwatch.wallNanoseconds
            done.signal()
            return
        }
        tripsLeft -= 1
        trips.depart { self.next() }
    }

    func waitForNanoseconds() -> Double {
        done.wait()
        return Double(end - start)
    }
}
