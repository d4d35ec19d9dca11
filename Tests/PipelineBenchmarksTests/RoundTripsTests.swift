import CollectionPipeline
import Dispatch
import Foundation
import PipelineTestSupport
import Synchronization
import Testing

@testable import pipeline_benchmarks

@Suite struct RoundTripsTests {
    /// Trips that lead nowhere, and take a while.
    private final class Counted: RoundTrips {
        private let lane = EmulatedMainLane()
        private let departures = Atomic(0)
        var count: Int { departures.load(ordering: .acquiring) }

        func enqueue(_ work: @escaping @Sendable () -> Void) { lane.enqueue(work) }

        func depart(_ arrived: @escaping @Sendable () -> Void) {
            departures.add(1, ordering: .acquiringAndReleasing)
            let start = Stopwatch.wallNanoseconds
            while Stopwatch.wallNanoseconds - start < 100_000 {}
            lane.enqueue(arrived)
        }
    }

    @Test(.endsHangs, arguments: [1, 2, 10])
    func eachTripIsMadeOnceAndCountsAlike(count: Int) {
        let trips = Counted()
        let start = Stopwatch.wallNanoseconds
        let each = trips.nanosecondsATrip(of: count)
        let elapsed = Double(Stopwatch.wallNanoseconds - start)
        #expect(trips.count == count)
        #expect(each >= 100_000)
        #expect(each * Double(count) <= elapsed)
    }

    @Test(.endsHangs)
    func aRestIsLongAndNoPartOfTheTrip() {
        let trips = Counted()
        let start = Stopwatch.wallNanoseconds
        let time = trips.nanosecondsOfATripAfterRest()
        let elapsed = Double(Stopwatch.wallNanoseconds - start)
        #expect(trips.count == 1)
        #expect(time >= 100_000)
        #expect(elapsed >= time + 200_000)
    }

    @Test(.endsHangs)
    func bareHopsGoToAnotherLaneAndBack() {
        let hops = BareHops()
        let lanes = Mutex<[Bool]>([])
        let done = DispatchSemaphore(value: 0)
        hops.enqueue {
            let isOnMain = hops.isOnMain
            lanes.withLock { $0.append(isOnMain) }
            hops.depart {
                let isOnMain = hops.isOnMain
                lanes.withLock { $0.append(isOnMain) }
                done.signal()
            }
        }
        #expect(done.wait(timeout: .now() + .seconds(60)) == .success)
        #expect(lanes.withLock { $0 } == [true, true])
        #expect(!hops.isOnMain)
    }

    @Test(.endsHangs)
    func equalPartsOfTheWorkRunOnBareThreads() {
        for (threads, runs) in [(1, 10), (2, 10), (5, 10)] {
            let counts = Mutex<[ObjectIdentifier: Int]>([:])
            let start = Stopwatch.wallNanoseconds
            let time = BareThreads.nanoseconds(threads: threads, runs: runs) {
                counts.withLock { $0[ObjectIdentifier(Thread.current), default: 0] += 1 }
            }
            let elapsed = Double(Stopwatch.wallNanoseconds - start)
            #expect(time > 0 && time <= elapsed)
            let parts = counts.withLock { $0.values.sorted() }
            #expect(parts.reduce(0, +) == runs)
            #expect(parts.allSatisfy { $0.isMultiple(of: runs / threads) })
        }
    }
}
