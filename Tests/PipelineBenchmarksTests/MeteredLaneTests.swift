import Dispatch
import Synchronization
import Testing

@testable import pipeline_benchmarks

@Suite struct MeteredLaneTests {
    @Test func everyBlockIsCountedOnceAndInOrder() {
        let lane = MeteredLane()
        let next = Counter()
        for number in 0..<100 {
            lane.enqueue { [lane] in
                if !lane.isCurrent { Issue.record("block \(number) runs elsewhere") }
                if next.take() != number { Issue.record("block \(number) is out of order") }
            }
        }
        #expect(!lane.isCurrent)
        let times = lane.takeTimes()
        #expect(times.blocks == 100)
        #expect(times.longestNanoseconds <= times.nanoseconds)
        #expect(lane.takeTimes() == LaneTimes())
    }

    @Test func onlyWorkOfTheLaneCounts() {
        let lane = MeteredLane()
        lane.enqueue { SpinLoad(nanoseconds: 1_000).run() }
        let busy = lane.takeTimes()
        #expect(busy.blocks == 1)
        #expect(busy.nanoseconds > 0 && busy.wallNanoseconds > 0)
        SpinLoad(nanoseconds: 1_000).run()
        #expect(lane.takeTimes() == LaneTimes())
    }

    @Test func whatABlockHoldsIsReleasedOnTheLane() {
        let lane = MeteredLane()
        let freedOnLane = AtomicFlag()
        // Held back until this thread has released the block.
        let letGo = DispatchSemaphore(value: 0)
        lane.enqueue { letGo.wait() }
        lane.enqueue { [guardian = Guardian(lane, freedOnLane)] in _ = guardian }
        letGo.signal()
        _ = lane.takeTimes()
        #expect(freedOnLane.isSet)
    }

    @Test func aBlockThatIsTooLongMissesFrames() {
        let frame = LaneTimes.frameNanoseconds
        let lane = MeteredLane()
        lane.enqueue {
            let start = Stopwatch.threadNanoseconds
            while Stopwatch.threadNanoseconds - start < 3 * frame {}
        }
        lane.enqueue {}
        let times = lane.takeTimes()
        #expect(times.longestNanoseconds >= 3 * frame)
        #expect(times.missedFrames >= 3)
        #expect(UInt64(times.missedFrames) <= times.nanoseconds / frame)
    }

    private final class Counter: Sendable {
        private let value = Atomic(0)
        func take() -> Int { value.add(1, ordering: .relaxed).oldValue }
    }

    private final class AtomicFlag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .acquiring) }
        func set() { value.store(true, ordering: .releasing) }
    }

    private final class Guardian: Sendable {
        private let lane: MeteredLane
        private let flag: AtomicFlag

        init(_ lane: MeteredLane, _ flag: AtomicFlag) {
            self.lane = lane
            self.flag = flag
        }

        deinit { if lane.isCurrent { flag.set() } }
    }
}
