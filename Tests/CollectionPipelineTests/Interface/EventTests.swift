import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Events", .endsHangs)
struct EventTests {
    private static let life = [
        "recordingStarted", "recordingFinished", "accepted", "measuringStarted",
        "measuringFinished", "handingOverStarted", "handedOver", "deployingStarted", "deployed",
        "completed",
    ]

    @Test(arguments: Substrate.allCases)
    func anUpdateIsTraceableThroughAllItsSteps(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"]], view: RecordingView(.onDemand)) {
            $0.name = "feed"
        }
        try await scene.onMain { controller in
            try controller.assumeIsolated().performBatchUpdates(context: "mine", completion: nil)
        }
        await scene.view.received.values(count: 1)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        let events = scene.events.events
        #expect(events.map(\.kind.rawValue) == Self.life)
        #expect(Set(events.map(\.pipeline)) == ["feed"])
        #expect(events.allSatisfy { $0.context as? String == "mine" })
        #expect(events.allSatisfy { $0.submission?.rawValue == 1 })
        let ascend = zip(events, events.dropFirst()).allSatisfy {
            $0.timestamp <= $1.timestamp
        }
        #expect(ascend)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func eventsCarryCountsAndDurations(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"]])
        try await scene.controller.reloadData()
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].items = ["x", "b", "c"]
            changes.reloadItems(at: [ItemPath(0, 0)])
            changes.insertItems(at: [ItemPath(0, 2)])
        }
        let events = scene.events.events.filter { $0.submission?.rawValue == 2 }
        let accepted = try #require(events.first { $0.kind == .accepted })
        #expect(accepted.editCount == 3, "a reload counts as two")
        #expect(accepted.elementCount == 2)
        #expect(accepted.backlog == 1)
        let deployed = try #require(events.first { $0.kind == .deployed })
        #expect(deployed.backlog == 0)
        let kinds: [PipelineEvent.Kind] = [.accepted, .measuringFinished, .deployed, .handedOver]
        let timed = kinds.map { kind in
            events.first { $0.kind == kind }?.duration != nil
        }
        #expect(timed == [true, true, true, true])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRejectionIsAnEventWithItsError(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates(context: 7) { $1.deleteSections([3]) }
        }
        await scene.settle()
        #expect(
            scene.events.kinds(of: SubmissionID(rawValue: 2)) == [
                "recordingStarted", "recordingFinished", "rejected", "completed",
            ]
        )
        let rejected = scene.events.events(.rejected).first
        #expect((rejected?.error as? UpdateError)?.code == .invalidUpdate)
        #expect(rejected?.context as? Int == 7)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func closingIsReportedLast(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        await scene.close()
        #expect(scene.events.kinds(of: nil) == ["closing", "closed"])
        #expect(scene.events.events.last?.kind == .closed)
    }

    /// An event is told when what it names has happened, and not before.
    @Test(arguments: Substrate.allCases)
    func eventsComeAfterWhatTheyName(_ substrate: Substrate) async throws {
        final class Noting: PipelineObserver {
            let journal: Journal<String>
            init(_ journal: Journal<String>) { self.journal = journal }
            func observe(_ event: PipelineEvent) { journal.append(event.kind.rawValue) }
        }
        let journal = Journal<String>()
        let stage = substrate.makeStage()
        let nodes = NodeBook(stage)
        nodes.onMeasure { _, _ in
            journal.append("measure")
            return nil
        }
        let view = RecordingView(.onDemand)
        let controller = stage.makeController(
            TextDataSource([["a"]], nodes: nodes),
            view: view,
            observer: Noting(journal)
        )
        try await onMain(controller) { controller in
            view.onApply = { [weak controller] _ in
                journal.append("apply \(controller?.visibleMap.generation ?? -1)")
            }
            try controller.assumeIsolated().performBatchUpdates(
                { _, _ in
                    let list = controller.assumeIsolated()
                    try list.performBatchUpdates(completion: { _ in
                        journal.append("inner completion")
                    })
                },
                completion: { _ in journal.append("completion") }
            )
        }
        await view.received.values(count: 1)
        await onMain(controller) { _ in view.catchUp() }
        await controller.close()
        #expect(
            journal.values == [
                "recordingStarted", "recordingFinished", "accepted", "measuringStarted",
                "measure", "measuringFinished", "handingOverStarted", "handedOver",
                "deployingStarted", "apply 1", "deployed", "inner completion", "completion",
                "completed", "closing", "closed",
            ]
        )
    }

    /// Also where the view, or nobody, deploys within the hand-over.
    @Test(arguments: Substrate.allCases)
    func theOrderOfEventsFollowsTheStepsWhereAViewDeploysAtOnce(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a", "b"]])
        try await scene.controller.reloadData()
        let alone = EventRecorder()
        let controller = scene.stage.makeController(TextDataSource([["a"]]), observer: alone)
        try await controller.reloadData()
        await scene.settle()
        await controller.settle()
        let id = SubmissionID(rawValue: 1)
        #expect(scene.events.kinds(of: id) == Self.life)
        #expect(alone.kinds(of: id) == Self.life)
        await scene.close()
        await controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func aSubmissionThatWaitsSaysForWhatAndKeepsItsNumber(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand)) {
            $0.backlogLimit = 1
        }
        let (controller, events) = (scene.controller, scene.events)
        try await scene.onMain { try $0.assumeIsolated().beginUpdates() }
        controller.enqueueBatchUpdates(context: "first", { _, _ in }) { _ in }
        await events.wait(for: .suspended)
        try await scene.onMain { try $0.assumeIsolated().endUpdates(completion: nil) }
        controller.enqueueBatchUpdates(context: "second", { _, _ in }) { _ in }
        await events.wait(for: .suspended, count: 2)
        let suspended = events.events(.suspended)
        #expect(suspended.map(\.wait) == [.batchEnd, .room])
        #expect(suspended.map { $0.context as? String } == ["first", "second"])
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        for event in suspended {
            #expect(events.kinds(of: event.submission) == ["suspended", "resumed"] + Self.life)
        }
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whoIsSentAwayOrCancelledByACloseIsToldAboutToo(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.onMain { try $0.assumeIsolated().beginUpdates() }
        scene.controller.enqueueBatchUpdates({ _, _ in }) { _ in }
        await scene.events.wait(for: .suspended)
        await scene.close(draining: false)
        let kinds = [1, 2].map { scene.events.kinds(of: SubmissionID(rawValue: $0)) }
        #expect(kinds[0] == ["recordingStarted", "recordingFinished", "rejected", "completed"])
        #expect(kinds[1] == ["suspended", "resumed", "rejected", "completed"])
    }

    @Test(arguments: Substrate.allCases)
    func everyEventOfASubmissionHasItsNumberAndContext(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "bad"]]) { $0.backlogLimit = 1 }
        scene.nodes.onMake { if $0 == "bad" { throw TestFailure() } }
        scene.view.onApply = { if !$0.changeSet.isReloadData { throw TestFailure() } }
        let controller = scene.controller
        for number in 1...6 {
            _ = try? await controller.performBatchUpdates(context: number) { source, changes in
                if number == 3 { throw TestFailure() }
                if number == 4 { changes.deleteSections([9]) }
                if number > 4 { source.append("\(number)", &changes) }
            }
        }
        await scene.close()
        let events = scene.events.events.filter { $0.submission != nil }
        let contexts = events.compactMap { $0.context as? Int }
        #expect(Set(contexts) == Set(1...6))
        let numbers = Dictionary(grouping: events) { $0.submission }
        for (number, events) in numbers {
            // The pipeline's own reloads have none.
            #expect(Set(events.map { $0.context as? Int }).count == 1, "\(number?.rawValue ?? 0)")
        }
        let without = scene.events.events.filter { $0.submission == nil }
        #expect(without.map(\.kind) == [.closing, .closed])
    }

    @Test
    func withoutAnObserverTheClockIsNotRead() async throws {
        let environment = NotingEnvironment(DispatchEnvironment(workerCount: 1))
        let controller = DataController(
            dataSource: TextDataSource([["a"]]),
            environment: environment
        )
        try await controller.reloadData()
        try await controller.performBatchUpdates { $1.reloadItems(at: [ItemPath(0, 0)]) }
        await #expect(throws: UpdateError.self) {
            try await controller.performBatchUpdates { $1.deleteSections([3]) }
        }
        await controller.close()
        #expect(environment.clockReads.count == 0)
    }
}
