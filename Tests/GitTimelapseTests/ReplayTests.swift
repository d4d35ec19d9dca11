import CollectionPipeline
import Foundation
import PipelineTestSupport
import SimulatedView
import Testing

@testable import git_timelapse

@Suite(.serialized, .endsHangs) struct ReplayTests {
    private let replay = Replay(size: Size(width: 20, height: 10), show: nil)

    /// Runs `body` on a thread of its own, and says whether it has come to its end.
    private func start(_ body: @escaping @Sendable () -> Void) -> Guarded<Bool> {
        let hasEnded = Guarded(false)
        Thread.detachNewThread {
            body()
            hasEnded.value = true
        }
        return hasEnded
    }

    /// Whether it comes to its end only after the main lane goes on.
    private func ends(_ hasEnded: Guarded<Bool>, after gate: Gate) -> Bool {
        usleep(20_000)
        let waits = !hasEnded.value
        gate.open()
        while !hasEnded.value { usleep(1_000) }
        return waits
    }

    private func holdTheMainLane() -> Gate {
        let gate = Gate()
        replay.controller.lane.enqueue { gate.pass() }
        return gate
    }

    @Test func figuresAreThoseOfTheWholeReplay() throws {
        let start = DispatchTime.now().uptimeNanoseconds
        let commits: [GitCommit] = [
            .test("1", [.add("a"), .add("b"), .add("d/x")]),
            .test("2", [.modify("a"), .rename(from: "b", to: "d/y"), .delete("d/x")]),
            .test("3", []),
        ]
        var model = RepositoryModel()
        let shown = Guarded(0)
        for commit in commits {
            _ = try model.apply(commit)
            try replay.submit(commit) { shown.update { $0 += 1 } }
            try replay.waitUntilShown()
            #expect(TreeListing(shownBy: replay.controller.visibleMap) == model.listing)
        }
        #expect(shown.value == 3)
        let events = Guarded(-1)
        let isCounted = DispatchSemaphore(value: 0)
        replay.controller.lane.enqueue { [replay] in
            events.value = replay.view.eventLog.count
            isCounted.signal()
        }
        isCounted.wait()
        #expect(events.value == 0)
        var summary = Summary()
        replay.finish(&summary)
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        #expect(summary.changeSets == 3)
        // Two sections, with what is in them; then a move's two halves, a removal, and what shows
        // another subject.
        #expect(summary.edits == 2 + 3 + 2)
        #expect(summary.sections == 2)
        #expect(summary.items == 2)
        #expect(summary.nodesMeasured == 3 + 2)
        let latency = summary.latencyMilliseconds
        #expect(0 < latency.p50 && latency.p50 <= latency.max && latency.max < seconds * 1e3)
        #expect(0 < summary.mainLaneSeconds && summary.mainLaneSeconds < seconds)
        let stall = summary.mainLaneLongestStallMilliseconds
        #expect(0 < stall && stall <= summary.mainLaneSeconds * 1e3)

        // Its end is the end.
        try replay.submit(.test("4", [])) {}
        let error = #expect(throws: ReplayError.self) { try replay.waitUntilShown() }
        #expect(error?.description == "the replay was cancelled")
    }

    @Test func atMostThirtyTwoCommitsAreOnTheWay() throws {
        // Whoever has waited gives back what there was, no more and no less.
        for _ in 0..<40 { try replay.waitUntilShown() }
        let gate = holdTheMainLane()
        let submitted = Guarded(0)
        let replay = replay
        let hasEnded = start {
            for number in 0..<40 {
                try? replay.submit(.test("", [.add(FileName("\(number)".utf8))])) {}
                submitted.update { $0 += 1 }
            }
        }
        while submitted.value < 32 { usleep(1_000) }
        usleep(20_000)
        #expect(submitted.value == 32)
        #expect(ends(hasEnded, after: gate))
        #expect(submitted.value == 40)
        try replay.waitUntilShown()
        #expect(replay.controller.visibleMap.numberOfItems == 40)
    }

    @Test func waitingLastsUntilTheLastCommitIsShown() throws {
        let gate = holdTheMainLane()
        let replay = replay
        try replay.submit(.test("", [])) {}
        #expect(ends(start { try? replay.waitUntilShown() }, after: gate))
    }

    @Test func finishingLastsUntilThePipelineIsClosed() {
        let gate = holdTheMainLane()
        let replay = replay
        let hasEnded = start {
            var summary = Summary()
            replay.finish(&summary)
        }
        #expect(ends(hasEnded, after: gate))
    }

    @Test func firstCommitThatDoesNotFitIsTheErrorOfAllLaterOnes() throws {
        try replay.submit(.test("", [.add("a")])) {}
        try replay.waitUntilShown()
        let gate = holdTheMainLane()
        let shown = Guarded(0)
        for path in ["x", "y"] as [FileName] {
            try replay.submit(.test("", [.delete(path)])) { shown.update { $0 += 1 } }
        }
        gate.open()
        let words = "commit 0123456 does not fit its parent: x is not there"
        func isFirst(_ error: (any Error)?) -> Bool {
            error is CommitMismatch && "\(error!)" == words
        }
        let shownError = #expect(throws: CommitMismatch.self) { try replay.waitUntilShown() }
        #expect(isFirst(shownError))
        #expect(shown.value == 2)
        // More of them than there is room.
        for _ in 0..<40 {
            let error = #expect(throws: CommitMismatch.self) {
                try replay.submit(.test("", [.add("z")])) {}
            }
            #expect(isFirst(error))
        }
        let lastError = #expect(throws: CommitMismatch.self) { try replay.waitUntilShown() }
        #expect(isFirst(lastError))
        #expect(replay.controller.visibleMap.numberOfItems == 1)
    }

    @Test func laneMeasuresWhatIsDoneOnIt() {
        let lane = MeteredLane()
        #expect(lane.label == "git-timelapse.main")
        #expect(lane.measured.totalNanoseconds == 0 && lane.measured.longestNanoseconds == 0)
        let start = DispatchTime.now().uptimeNanoseconds
        let done = DispatchSemaphore(value: 0)
        let wasCurrent = Guarded(false)
        for microseconds in [1_000, 4_000, 2_000] as [UInt32] {
            lane.enqueue {
                wasCurrent.value = lane.isCurrent
                usleep(microseconds)
            }
        }
        lane.enqueue { done.signal() }
        done.wait()
        let elapsed = DispatchTime.now().uptimeNanoseconds - start
        let measured = lane.measured
        #expect(wasCurrent.value && !lane.isCurrent)
        #expect(measured.longestNanoseconds >= 4_000_000)
        #expect(measured.totalNanoseconds >= measured.longestNanoseconds + 3_000_000)
        #expect(measured.totalNanoseconds <= elapsed)
    }

    @Test func lockThatIsNotFreeInTimeIsLeft() {
        let guarded = Guarded(0)
        let (isHeld, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let hasEnded = start {
            guarded.update { _ in
                isHeld.signal()
                release.wait()
            }
        }
        isHeld.wait()
        func increment(within seconds: Double) -> Int? {
            guarded.update(before: Date(timeIntervalSinceNow: seconds)) { value in
                value += 1
                return value
            }
        }
        #expect(increment(within: 0.01) == nil)
        release.signal()
        while !hasEnded.value { usleep(1_000) }
        #expect(increment(within: 60) == 1)
        #expect(increment(within: 60) == 2)
        #expect(guarded.value == 2)
    }
}
