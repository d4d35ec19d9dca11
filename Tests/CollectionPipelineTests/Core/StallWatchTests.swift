import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Everything that can happen to waits, timers and the main lane, in every order, up to a length.
@Suite("Watching for stalls")
struct StallWatchTests {
    private struct Run: MachineRun {
        enum Input: CaseIterable {
            case timePasses, timerComes, mainLaneTold, waitBegins, waitEnds, sent, received, asked
        }

        var watch = StallWatch(timeout: .nanoseconds(8))
        var now = Duration.nanoseconds(100)
        var waits: [Stall] = []
        var arrivals = 0
        /// When the timer comes that is on its way, and the turns in which the main lane is asked.
        var (timer, questions): (Duration?, [Duration]) = (nil, [])
        var begun = 0
        var told: [Stall] = []
        /// The stall of the main lane that the timer's lane is telling.
        var telling: Stall?
        var mistake: String?

        private var mainStall: Stall? { told.first { $0.wait == .mainLane } }

        mutating func take(_ input: Input) -> Bool {
            switch input {
            case .timePasses: now += .nanoseconds(3)
            case .timerComes:
                // The timer's lane is serial.
                guard let due = timer, telling == nil else { return false }
                now = max(now, due)
                timer = nil
                timerComes()
            case .mainLaneTold:
                guard let stall = telling else { return false }
                telling = nil
                told.append(stall)
                if watch.mainLaneTold() { questions.append(now) }
            case .waitBegins:
                guard waits.count < 2 else { return false }
                begun += 1
                let id = SubmissionID(rawValue: begun)
                waits.append(Stall(wait: .deploying, submission: id, since: now))
                look()
            case .waitEnds:
                guard !waits.isEmpty else { return false }
                waits.removeFirst()
                look()
            case .sent:
                guard arrivals < 2 else { return false }
                arrivals += 1
                if watch.sent() { startTimer() }
            case .received:
                guard arrivals > 0 else { return false }
                arrivals -= 1
                watch.received()
                look()
            case .asked:
                guard !questions.isEmpty else { return false }
                questions.removeFirst()
                answer()
            }
            return true
        }

        private mutating func startTimer() {
            if timer != nil { mistake = "two timers" }
            timer = now + watch.interval
        }

        private mutating func timerComes() {
            let isIdle = waits.isEmpty && arrivals == 0
            switch watch.timerCame(at: now) {
            case .rest: break
            case .wait: startTimer()
            case .ask:
                questions.append(now)
                startTimer()
            case .tell(let stall):
                if questions.isEmpty { mistake = "the main lane was not asked" }
                if mainStall != nil { mistake = "told twice of the main lane" }
                if isIdle, now - stall.since < watch.timeout { mistake = "too early" }
                telling = stall
            }
        }

        private mutating func look() {
            if watch.needsAnswer { answer() }
            if mainStall != nil { mistake = "the main lane looks and tells nothing" }
        }

        private mutating func answer() {
            let outcome = watch.answered(waits, at: now)
            for stall in outcome.ended {
                if !told.contains(stall) { mistake = "ended and never told" }
                told.removeAll { $0 == stall }
            }
            for stall in outcome.stalled {
                if told.contains(stall) { mistake = "told twice" }
                told.append(stall)
            }
            if outcome.startsTimer { startTimer() }
            if mainStall != nil { mistake = "the main lane has answered" }
            for wait in waits where (now - wait.since >= watch.timeout) != told.contains(wait) {
                mistake = "\(wait) after \(now - wait.since)"
            }
        }

        var fault: String? {
            if let mistake { return mistake }
            if told.contains(where: { $0.wait != .mainLane && !waits.contains($0) }) {
                return "what is over was not told as ended"
            }
            let isOutstanding = arrivals > 0 || waits.contains { !told.contains($0) }
            if isOutstanding, timer == nil, (telling ?? mainStall) == nil {
                return "nobody will find out"
            }
            if mainStall != nil, questions.isEmpty { return "nobody will tell the end" }
            return watch.isArmed == (timer != nil) ? nil : "the timer"
        }
    }

    @Test func everyLastingWaitIsToldOnceAndItsEndToo() {
        let walked = walk(Run(), length: Effort.number(9, usually: 7))
        #expect(walked.fault == nil)
        #expect(walked.count > 5_000)
    }

    /// The timer's lane tells that the main lane has stalled, which may go on in the middle of that.
    @Test func theEndOfAStallOfTheMainLaneIsToldAfterIt() {
        var run = Run()
        for input in [Run.Input.sent] + Array(repeating: .timerComes, count: 5) {
            let isTaken = run.take(input)
            #expect(isTaken && run.fault == nil, "\(input)")
        }
        #expect(run.telling != nil)
        let walked = walk(run, length: Effort.number(7, usually: 6))
        #expect(walked.fault == nil)
        #expect(walked.count > 5_000)
    }

    /// From a beginning until everything rests, as time goes on.
    @Test(
        arguments: [1, 3, 4, 8, 1_000_000_007].map { Duration.nanoseconds($0) }
            + [Duration(attoseconds: .max / 2)]
    )
    func aWaitIsToldWithinHalfOfTheTimeAgainAndThenTimersRest(_ timeout: Duration) {
        var watch = StallWatch(timeout: timeout)
        let start = Duration.nanoseconds(10)
        let wait = Stall(wait: .batchEnd, submission: nil, since: start)
        var (now, looks, timers) = (start, 0, 0)
        var told: [Duration] = []
        if watch.answered([wait], at: now).startsTimer { timers += 1 }
        while timers > 0, looks < 100 {
            timers -= 1
            looks += 1
            now += watch.interval
            let look = watch.timerCame(at: now)
            if look != .rest { timers += 1 }
            guard look == .ask else { continue }
            let outcome = watch.answered([wait], at: now)
            if outcome.startsTimer { timers += 1 }
            told += outcome.stalled.map { _ in now - start }
        }
        #expect(looks <= 7)
        #expect(told.count == 1)
        let duration = told.first ?? .zero
        #expect(duration >= timeout && duration <= timeout + watch.interval * 2)
        #expect(watch.answered([], at: now).ended == [wait])
        #expect(!watch.isArmed)
    }
}
