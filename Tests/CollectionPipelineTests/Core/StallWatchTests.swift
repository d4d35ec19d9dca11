import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionPipeline

/// All sequences of events of waits, timers and the main lane, up to a length.
@Suite("Watching for stalls")
struct StallWatchTests {
    private struct Run: MachineRun {
        enum Input: CaseIterable {
            case timePasses, timerComes, mainLaneStallReported, waitBegins, waitEnds, sent,
                received, queried
        }

        var watch = StallWatch(timeout: .nanoseconds(8))
        var now = Duration.nanoseconds(100)
        var waits: [Stall] = []
        var arrivals = 0
        /// The time of the pending timer, and the pending queries of the main lane.
        var (timer, queries): (Duration?, [Duration]) = (nil, [])
        var begun = 0
        var reported: [Stall] = []
        /// The stall of the main lane that the timer's lane is reporting.
        var reporting: Stall?
        var mistake: String?

        private var mainStall: Stall? { reported.first { $0.wait == .mainLane } }

        mutating func take(_ input: Input) -> Bool {
            switch input {
            case .timePasses: now += .nanoseconds(3)
            case .timerComes:
                // The timer's lane is serial.
                guard let due = timer, reporting == nil else { return false }
                now = max(now, due)
                timer = nil
                perform(watch.timerFired(at: now))
            case .mainLaneStallReported:
                guard let stall = reporting else { return false }
                reporting = nil
                reported.append(stall)
                perform(watch.mainLaneStallReported())
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
                perform(watch.sent())
            case .received:
                guard arrivals > 0 else { return false }
                arrivals -= 1
                watch.received()
                look()
            case .queried:
                guard !queries.isEmpty else { return false }
                queries.removeFirst()
                answer()
            }
            return true
        }

        private mutating func startTimer() {
            if timer != nil { mistake = "two timers" }
            timer = now + watch.interval
        }

        private mutating func perform(_ action: StallWatch.Action) {
            switch action {
            case .rest: break
            case .startTimer: startTimer()
            case .query: queries.append(now)
            case .queryAndStartTimer:
                queries.append(now)
                startTimer()
            case .report(let stall):
                if queries.isEmpty { mistake = "the main lane was not queried" }
                if mainStall != nil { mistake = "the stall of the main lane is reported twice" }
                let isIdle = waits.isEmpty && arrivals == 0
                if isIdle, now - stall.since < watch.timeout { mistake = "too early" }
                reporting = stall
            }
        }

        private mutating func look() {
            if watch.needsResponse { answer() }
            if mainStall != nil { mistake = "the main lane ran but its stall has not ended" }
        }

        private mutating func answer() {
            let outcome = watch.answered(waits, at: now)
            for stall in outcome.ended {
                if !reported.contains(stall) { mistake = "ended but never reported" }
                reported.removeAll { $0 == stall }
            }
            for stall in outcome.stalled {
                if reported.contains(stall) { mistake = "reported twice" }
                reported.append(stall)
            }
            perform(outcome.action)
            if mainStall != nil { mistake = "the main lane responded but its stall has not ended" }
            for wait in waits where (now - wait.since >= watch.timeout) != reported.contains(wait) {
                mistake = "\(wait) after \(now - wait.since)"
            }
        }

        var fault: String? {
            if let mistake { return mistake }
            if reported.contains(where: { $0.wait != .mainLane && !waits.contains($0) }) {
                return "the end of a wait was not reported"
            }
            let isOutstanding = arrivals > 0 || waits.contains { !reported.contains($0) }
            if isOutstanding, timer == nil, (reporting ?? mainStall) == nil {
                return "no timer will detect the stall"
            }
            if mainStall != nil, queries.isEmpty {
                return "no query will detect the end of the stall"
            }
            return watch.isArmed == (timer != nil) ? nil : "the timer"
        }
    }

    @Test func everyLongWaitAndItsEndAreReportedOnce() {
        let walked = walk(Run(), length: Effort.number(9, usually: 7))
        #expect(walked.fault == nil)
        #expect(walked.count > 5_000)
    }

    /// While the timer's lane reports a stall of the main lane, the main lane may proceed.
    @Test func theEndOfAMainLaneStallIsReportedAfterIt() {
        var run = Run()
        for input in [Run.Input.sent] + Array(repeating: .timerComes, count: 5) {
            let isTaken = run.take(input)
            #expect(isTaken && run.fault == nil, "\(input)")
        }
        #expect(run.reporting != nil)
        let walked = walk(run, length: Effort.number(7, usually: 6))
        #expect(walked.fault == nil)
        #expect(walked.count > 5_000)
    }
}

/// Reports of stalls, with time and turns under the test's control.
@Suite("Reports of stalls")
struct StallDriverTests {
    private let stage = ManualStage(seed: 1)
    private let view = KeepingView()
    private let events = EventRecorder()

    private func makeController(
        _ timeout: Duration? = .seconds(8),
        isObserved: Bool = true
    ) -> DataController<TextDataSource> {
        var configuration = PipelineConfiguration()
        (configuration.stallTimeout, configuration.backlogLimit) = (timeout, 2)
        return DataController(
            dataSource: TextDataSource([["a"]]),
            view: view,
            configuration: configuration,
            lane: stage.main,
            environment: stage,
            observer: isObserved ? events : nil
        )
    }

    private func reported(_ kind: PipelineEvent.Kind) -> [String] {
        events.events(kind).compactMap(\.stall).map { "\($0.wait) \($0.submission?.rawValue ?? 0)" }
    }

    private func pass(_ seconds: Int) {
        for _ in 0..<(seconds / 2) {
            stage.pass(.seconds(2))
            stage.rest()
        }
    }

    /// Each stall is reported once, in the order of the steps, and its end in the turn in which it
    /// ends.
    @Test func everyStallAndItsEndAreReportedOnce() throws {
        let controller = makeController()
        try stage.main.perform {
            let list = controller.assumeIsolated()
            for _ in 0..<3 { try list.reloadData() }
        }
        stage.finish()
        stage.main.perform {
            #expect(view.waiting.removeFirst().deploy { _ in } == true, "not finished")
        }
        _ = try stage.main.perform { try controller.assumeIsolated().reloadData() }
        for _ in 0..<2 { controller.enqueueBatchUpdates({ _, _ in }, completion: { _ in }) }
        stage.rest()
        #expect(reported(.stalled) == [])
        pass(20)
        // The first was dropped and has ended, and the fourth has not been measured.
        #expect(
            reported(.stalled) == [
                "\(PipelineWait.backlogCapacity) 5", "\(PipelineWait.deploying) 2",
                "\(PipelineWait.measuring) 4",
            ]
        )
        stage.work()
        stage.rest()
        #expect(reported(.stallEnded) == ["\(PipelineWait.measuring) 4"])
        stage.main.perform {
            let update = view.waiting.removeFirst()
            update.deploy { _ in }
            view.showing.append(update)
        }
        stage.rest()
        #expect(reported(.stallEnded).suffix(1) == ["\(PipelineWait.deploying) 2"])
        pass(20)
        let waits: [PipelineWait] = [.finishing, .deploying]
        #expect(Set(events.events(.stalled).dropFirst(3).compactMap(\.stall?.wait)) == Set(waits))
        // The two submissions that waited for capacity end too.
        for _ in 0..<2 {
            (view.waiting, view.showing) = ([], [])
            stage.finish()
        }
        try stage.main.perform { try controller.assumeIsolated().beginUpdates() }
        pass(20)
        #expect(reported(.stalled).suffix(1) == ["\(PipelineWait.batchEnd) 7"])
        controller.close(draining: false) {}
        stage.finish()
        #expect(
            reported(.stalled).sorted() == reported(.stallEnded).sorted(),
            "every stall has ended"
        )
        let durations = events.events(.stallEnded).map { $0.duration ?? .zero }
        #expect(durations.allSatisfy { $0 >= .seconds(8) }, "measured from the start of the wait")
    }

    /// A submission is pending, and only the timer can detect the stall.
    @Test func aBlockedMainLaneIsReportedOnceAndItsEndWhenItResumes() {
        let controller = makeController()
        for _ in 0..<2 { controller.enqueueBatchUpdates({ _, _ in }, completion: { _ in }) }
        for _ in 0..<20 {
            stage.pass(.seconds(2))
            while stage.turnOthers() {}
        }
        #expect(reported(.stalled) == ["\(PipelineWait.mainLane) 0"])
        #expect(reported(.stallEnded) == [])
        stage.finish()
        #expect(reported(.stallEnded) == ["\(PipelineWait.mainLane) 0"])
        controller.close(draining: false) {}
        stage.finish()
    }

    private func load(_ controller: DataController<TextDataSource>) throws {
        _ = try stage.main.perform { try controller.assumeIsolated().reloadData() }
        stage.finish()
    }

    @Test(arguments: [Duration(attoseconds: .min), .zero, .seconds(Int64.max)])
    func extremeTimeoutsReportStallsImmediatelyOrNever(_ timeout: Duration) throws {
        let controller = makeController(timeout)
        try load(controller)
        pass(4)
        #expect(reported(.stalled).isEmpty == (timeout > .zero))
        controller.close(draining: false) {}
        stage.finish()
    }

    /// After all stalls are reported, after all waits have ended, and from the start if there is no
    /// observer.
    @Test(arguments: [nil, Duration.seconds(8)], [true, false])
    func timersRestWithoutWork(_ timeout: Duration?, _ isObserved: Bool) throws {
        let controller = makeController(timeout, isObserved: isObserved)
        try load(controller)
        pass(20)
        let count = stage.delays.count
        #expect((count > 0) == (isObserved && timeout != nil))
        #expect(Set(stage.delays).isSubset(of: [.seconds(2)]))
        pass(20)
        #expect(stage.delays.count == count, "the stall has been reported")
        stage.main.perform {
            let update = view.waiting.removeFirst()
            if update.deploy({ _ in }) { update.finish() }
        }
        pass(20)
        let last = stage.delays.count
        pass(20)
        #expect(stage.delays.count == last && view.waiting.isEmpty)
        controller.close {}
        stage.finish()
    }

    /// The kinds of waits with the descriptions of their stalls.
    private static let waits: [(wait: PipelineWait, submission: Int?, text: String)] = [
        (
            .deploying, 1,
            "#1 waits for the view to deploy it: look for a perform(_:) that keeps its update and"
                + " never calls deploy(_:)"
        ),
        (
            .finishing, 1,
            "#1 waits for the view to finish it: look for an update whose finish() is never called"
        ),
        (
            .batchEnd, 1,
            "#1 waits for the end of the open batch: look for a beginUpdates() without its"
                + " endUpdates()"
        ),
        (
            .backlogCapacity, 2,
            "#2 waits for room in the backlog: the view must deploy what was accepted earlier"
        ),
        (
            .measuring, 1,
            "#1 waits for its nodes to be measured: look for a node provider, a measurement or a"
                + " layout that blocks"
        ),
        (
            .mainLane, nil,
            "The controller waits for a turn of the main lane: look for what blocks it, or for a"
                + " queue that is not drained"
        ),
    ]

    @Test func stallsContainAdvice() {
        for (wait, number, text) in Self.waits {
            let submission = number.map { SubmissionID(rawValue: $0) }
            let stall = Stall(wait: wait, submission: submission, since: .zero)
            #expect(stall.description == text)
        }
    }
}
