import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// The queue of blocks on a lane whose turns the test takes itself.
@Suite("Turns of the main serial queue")
struct MainSerialQueueTurnTests {
    /// A lane that does one turn when it is told to.
    private final class SteppedLane: Lane {
        private struct State {
            var work: [@Sendable () -> Void] = []
            var isCurrent = false
            var enqueued = 0
        }

        private let state = Lock(State())
        let label = "stepped"

        var isCurrent: Bool { state.withLock { $0.isCurrent } }
        var enqueued: Int { state.withLock { $0.enqueued } }

        func enqueue(_ work: @escaping @Sendable () -> Void) {
            state.withLock { state in
                state.work.append(work)
                state.enqueued += 1
            }
        }

        /// Does the next turn; false where there is none.
        @discardableResult
        func turn() -> Bool {
            let work = state.withLock { state -> (@Sendable () -> Void)? in
                guard !state.work.isEmpty else { return nil }
                state.isCurrent = true
                return state.work.removeFirst()
            }
            work?()
            state.withLock { $0.isCurrent = false }
            return work != nil
        }

        /// Is on the lane for a while.
        func visit(_ body: () -> Void) {
            state.withLock { $0.isCurrent = true }
            body()
            state.withLock { $0.isCurrent = false }
        }
    }

    /// A signal that does something instead of waiting, as another thread might.
    private final class BusySignal: PipelineSignal {
        let signals = Journal<Void>()
        let waits = Journal<Void>()
        private let onWait: @Sendable () -> Void

        init(onWait: @escaping @Sendable () -> Void) { self.onWait = onWait }

        func signal() { signals.append(()) }

        func wait() {
            waits.append(())
            onWait()
        }
    }

    private enum Step: CaseIterable {
        /// A block comes.
        case perform
        /// One comes that adds another.
        case performNested
        /// The lane does a turn.
        case turn
    }

    /// Every sequence of seven steps, each followed by all turns that are left.
    @Test func everyBlockHasATurnOfItsOwnInOrder() {
        func walk(_ steps: [Step]) {
            if steps.count < 7 {
                for step in Step.allCases { walk(steps + [step]) }
            } else {
                check(steps)
            }
        }
        walk([])
    }

    private func check(_ steps: [Step]) {
        let lane = SteppedLane()
        let queue = MainSerialQueue(lane: lane)
        let ran = Journal<Int>()
        // What should be: the blocks that wait, and how often a block has run.
        var waiting: [(number: Int, addsAnother: Bool)] = []
        var (expected, next) = ([Int](), 0)
        func perform(addsAnother: Bool) {
            let number = next
            next += addsAnother ? 2 : 1
            waiting.append((number, addsAnother))
            queue.perform {
                #expect(queue.isRunningBlock)
                ran.append(number)
                if addsAnother { queue.perform { ran.append(number + 1) } }
            }
        }
        func turn() -> Bool {
            guard !waiting.isEmpty else { return lane.turn() }
            let block = waiting.removeFirst()
            expected.append(block.number)
            if block.addsAnother { waiting.append((block.number + 1, false)) }
            return lane.turn()
        }
        func isAsExpected() -> Bool {
            ran.values == expected && queue.numberOfScheduledBlocks == waiting.count
                && !queue.isRunningBlock
        }
        for step in steps {
            switch step {
            case .perform: perform(addsAnother: false)
            case .performNested: perform(addsAnother: true)
            case .turn: _ = turn()
            }
            guard isAsExpected() else {
                Issue.record("\(steps): \(ran.values)")
                return
            }
        }
        while turn() {}
        #expect(isAsExpected() && expected.count == next, "\(steps): \(ran.values)")
        #expect(lane.enqueued == next, "\(steps): a turn for each block, and no more")
    }

    @Test func whoWaitsRunsBlocksUntilItIsDoneAndNoFurther() {
        for needed in 0...4 {
            for count in 0...4 {
                let lane = SteppedLane()
                let queue = MainSerialQueue(lane: lane)
                let ran = Journal<Int>()
                for number in 0..<count { queue.perform { ran.append(number) } }
                // What is missing comes while the waiter sleeps, one at a time.
                let signal = BusySignal { queue.perform { ran.append(ran.count) } }
                lane.visit { queue.drain(until: { ran.count >= needed }, signal: signal) }
                #expect(ran.values == Array(0..<max(count, needed)))
                #expect(signal.waits.count == max(0, needed - count))
                #expect(signal.signals.count == signal.waits.count)
                #expect(!queue.isRunningBlock && queue.numberOfScheduledBlocks == 0)
                // The waiter has gone, so nobody is woken for what comes later.
                queue.perform { ran.append(-1) }
                #expect(signal.signals.count == signal.waits.count)
                while lane.turn() {}
                #expect(ran.values.last == -1)
            }
        }
    }

    /// It looks whether it is done before it runs what blocks have added meanwhile.
    @Test func whatBlocksAddWhileSomebodyWaitsForThemComesAfterwards() {
        let lane = SteppedLane()
        let queue = MainSerialQueue(lane: lane)
        let ran = Journal<String>()
        queue.perform {
            ran.append("first")
            queue.perform { ran.append("second") }
        }
        let signal = BusySignal {}
        lane.visit { queue.drain(until: { ran.count > 0 }, signal: signal) }
        #expect(ran.values == ["first"])
        #expect(signal.waits.count == 0)
        while lane.turn() {}
        #expect(ran.values == ["first", "second"])
    }

    /// A block that comes before the waiter sleeps leaves a signal, or the waiter might sleep for ever.
    @Test func whatComesWhileTheWaiterRunsBlocksKeepsItFromSleeping() {
        let lane = SteppedLane()
        let queue = MainSerialQueue(lane: lane)
        let ran = Journal<String>()
        queue.perform {
            ran.append("first")
            queue.perform { ran.append("second") }
        }
        let signal = BusySignal {}
        lane.visit { queue.drain(until: { ran.count > 1 }, signal: signal) }
        #expect(ran.values == ["first", "second"])
        #expect((signal.signals.count, signal.waits.count) == (1, 1))
    }

    @Test func waitingElsewhereStopsTheProcess() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let queue = MainSerialQueue(lane: EmulatedMainLane(label: "somewhere"))
            queue.drain(until: { true }, signal: DispatchEnvironment().makeSignal())
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("A waiting call must be called on the lane 'somewhere'"))
    }
}
