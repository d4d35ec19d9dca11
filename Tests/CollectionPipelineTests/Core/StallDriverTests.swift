import CollectionElements
import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionPipeline

/// Who is told of what lasts too long, with time and turns that come when the test says so.
@Suite("Telling of stalls")
struct StallDriverTests {
    private let stage = HandStage(seed: 1)
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

    private func told(_ kind: PipelineEvent.Kind) -> [String] {
        events.events(kind).compactMap(\.stall).map { "\($0.wait) \($0.submission?.rawValue ?? 0)" }
    }

    private func pass(_ seconds: Int) {
        for _ in 0..<(seconds / 2) {
            stage.pass(.seconds(2))
            stage.rest()
        }
    }

    /// Each once, in the order of the steps; and its end, in the turn in which it comes.
    @Test func everythingThatWaitsIsToldOnceAndItsEndToo() throws {
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
        #expect(told(.stalled) == [])
        pass(20)
        // The first was dropped and is over, and the fourth has not been measured.
        #expect(
            told(.stalled) == [
                "\(PipelineWait.room) 5", "\(PipelineWait.deploying) 2",
                "\(PipelineWait.measuring) 4",
            ]
        )
        stage.work()
        stage.rest()
        #expect(told(.stallEnded) == ["\(PipelineWait.measuring) 4"])
        stage.main.perform {
            let update = view.waiting.removeFirst()
            update.deploy { _ in }
            view.showing.append(update)
        }
        stage.rest()
        #expect(told(.stallEnded).suffix(1) == ["\(PipelineWait.deploying) 2"])
        pass(20)
        let waits: [PipelineWait] = [.finishing, .deploying]
        #expect(Set(events.events(.stalled).dropFirst(3).compactMap(\.stall?.wait)) == Set(waits))
        // With them go the two that have waited for room.
        for _ in 0..<2 {
            (view.waiting, view.showing) = ([], [])
            stage.finish()
        }
        try stage.main.perform { try controller.assumeIsolated().beginUpdates() }
        pass(20)
        #expect(told(.stalled).suffix(1) == ["\(PipelineWait.batchEnd) 7"])
        controller.close(draining: false) {}
        stage.finish()
        #expect(told(.stalled).sorted() == told(.stallEnded).sorted(), "everything is over")
        let durations = events.events(.stallEnded).map { $0.duration ?? .zero }
        #expect(durations.allSatisfy { $0 >= .seconds(8) }, "since it began")
    }

    /// A submission is on its way to it, and nobody else would find out.
    @Test func aMainLaneThatDoesNotGoOnIsToldOnceAndItsEndWhenItGoesOn() {
        let controller = makeController()
        for _ in 0..<2 { controller.enqueueBatchUpdates({ _, _ in }, completion: { _ in }) }
        for _ in 0..<20 {
            stage.pass(.seconds(2))
            while stage.turnOthers() {}
        }
        #expect(told(.stalled) == ["\(PipelineWait.mainLane) 0"])
        #expect(told(.stallEnded) == [])
        stage.finish()
        #expect(told(.stallEnded) == ["\(PipelineWait.mainLane) 0"])
        controller.close(draining: false) {}
        stage.finish()
    }

    private func load(_ controller: DataController<TextDataSource>) throws {
        _ = try stage.main.perform { try controller.assumeIsolated().reloadData() }
        stage.finish()
    }

    @Test(arguments: [Duration(attoseconds: .min), .zero, .seconds(Int64.max)])
    func aStallIsToldAtOnceOrNever(_ timeout: Duration) throws {
        let controller = makeController(timeout)
        try load(controller)
        pass(4)
        #expect(told(.stalled).isEmpty == (timeout > .zero))
        controller.close(draining: false) {}
        stage.finish()
    }

    /// Once everything has been told, once there is nothing to tell, and from the beginning where nobody would be told.
    @Test(arguments: [nil, Duration.seconds(8)], [true, false])
    func timersComeToRest(_ timeout: Duration?, _ isObserved: Bool) throws {
        let controller = makeController(timeout, isObserved: isObserved)
        try load(controller)
        pass(20)
        let count = stage.delays.count
        #expect((count > 0) == (isObserved && timeout != nil))
        #expect(Set(stage.delays).isSubset(of: [.seconds(2)]))
        pass(20)
        #expect(stage.delays.count == count, "it has been told")
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

    /// What is waited for, and what the stall says.
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
            .room, 2,
            "#2 waits for room in the backlog: the view must deploy what was accepted earlier"
        ),
        (
            .measuring, 1,
            "#1 waits for its nodes to be measured: look for a node provider, a measurement or a"
                + " layout that blocks"
        ),
        (
            .mainLane, nil,
            "The controller waits for a turn of the main lane: look for what blocks it, or for why"
                + " nobody drains it"
        ),
    ]

    @Test func aStallSaysWhatToLookFor() {
        for (wait, number, text) in Self.waits {
            let submission = number.map { SubmissionID(rawValue: $0) }
            let stall = Stall(wait: wait, submission: submission, since: .zero)
            #expect(stall.description == text)
        }
    }
}
