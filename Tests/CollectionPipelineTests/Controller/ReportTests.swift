import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Reports", .endsHangs)
struct ReportTests {
    /// Without its times.
    private func text(_ report: PipelineReport) -> String {
        report.description.split(separator: "\n").map { line in
            let words = line.components(before: ", for ")
            return line.contains(" waits for ") ? words : String(line)
        }.joined(separator: "\n")
    }

    @Test func aControllerAtRestSaysSo() async throws {
        let scene = Scene(.dispatch, [["a"]]) { $0.name = "feed" }
        try await scene.controller.reloadData()
        await scene.settle()
        #expect(
            text(await scene.controller.report()) == """
                feed: open
                  maps: 1 accepted, 1 visible
                  backlog: 0 of 64
                  view: RecordingView
                """
        )
        await scene.close()
        let report = await scene.controller.report()
        #expect(report.details?.phase == .closed)
    }

    /// All that can be waited for at the same time.
    @Test func aReportNamesWhatEachSubmissionWaitsFor() async throws {
        let scene = Scene(.dispatch, [["a"]], view: RecordingView(.onDemand)) {
            $0.backlogLimit = 2
        }
        let controller = scene.controller
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await scene.view.received.values(count: 1)
        await scene.onMain { _ in _ = scene.view.deployNext(finishing: false) }
        try await scene.append("b")
        try await scene.append("c")
        await scene.view.received.values(count: 3)
        await #expect(throws: UpdateError.self) {
            try await scene.onMain { try $0.assumeIsolated().endUpdates(completion: nil) }
        }
        await #expect(throws: UpdateError.self) {
            try await scene.onMain { controller in
                controller.assumeIsolated().dataSource.sections[0].items.append("d")
                try controller.assumeIsolated().deleteSections([7])
            }
        }
        controller.enqueueBatchUpdates({ _, _ in }) { _ in }
        await scene.events.wait(for: .suspended)
        #expect(
            text(await controller.report()) == """
                collection: open
                  maps: 3 accepted, 1 visible
                  backlog: 2 of 2
                  #1 waits for the view to finish it
                  #2 waits for the view to deploy it
                  #3 waits for the view to deploy it
                  waiting to come in: 1 for room in the backlog, 0 for the end of the open batch
                  view: RecordingView
                  the data source may differ: counts since #5
                  last rejection: \(try await lastRejection(scene))
                """
        )
        let waiting = await controller.report().details?.waiting ?? []
        #expect(waiting.allSatisfy { $0.duration != nil })
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    private func lastRejection(_ scene: Scene) async throws -> String {
        let error = try #require(scene.events.events(.rejected).last?.error)
        return String("\(error)".prefix { $0 != "\n" })
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func anOpenBatchAndStepThreeAreNamed(_ substrate: Substrate) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = Scene(substrate, [["a"]], workerCount: 1)
        scene.nodes.onMake { _ in gate.pass() }
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await gate.reached()
        try await scene.onMain { try $0.assumeIsolated().beginUpdates() }
        scene.controller.enqueueBatchUpdates({ _, _ in }) { _ in }
        await scene.events.wait(for: .suspended)
        #expect(
            text(await scene.controller.report()) == """
                collection: open
                  maps: 1 accepted, 0 visible
                  backlog: 1 of 64
                  #2 waits for the end of the open batch
                  #1 waits for its nodes to be measured
                  waiting to come in: 0 for room in the backlog, 1 for the end of the open batch
                  view: RecordingView
                """
        )
        gate.open()
        try await scene.onMain { try $0.assumeIsolated().endUpdates(completion: nil) }
        await scene.close()
    }

    @Test func whatWasForgottenIsSaid() async throws {
        let source = ModelList([["a"]])
        let controller = DataController(dataSource: source, view: RecordingView())
        let report = await controller.report()
        #expect(
            report.description == """
                collection: open
                  maps: 0 accepted, 0 visible; nothing is loaded yet: call reloadData()
                  backlog: 0 of 64
                  view: gone; the application must keep it
                """
        )
        await controller.close()
    }

    @Test func aMainLaneThatDoesNotAnswerIsSaid() async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = Scene(.dispatch, [["a"]])
        try await scene.controller.reloadData()
        scene.stage.lane.enqueue { gate.pass() }
        await gate.reached()
        let report = await scene.controller.report()
        #expect(report.details == nil)
        #expect(
            report.description == """
                collection: unknown
                  the main lane has not answered for 1 s: look for what blocks it, or for why nobody \
                drains it
                  maps: 1 accepted, 1 visible
                """
        )
        gate.open()
        await scene.close()
    }

    @Test func ofManySubmissionsTheFirstAreListedAndWithoutAnObserverNoTimes() async throws {
        let view = RecordingView(.onDemand)
        let controller = DataController(
            dataSource: TextDataSource([["a"]]),
            view: view,
            environment: DispatchEnvironment(workerCount: 1)
        )
        try await onMain(controller) { controller in
            for _ in 0..<40 { try controller.assumeIsolated().performBatchUpdates(completion: nil) }
        }
        await view.received.values(count: 40)
        let report = await controller.report()
        let lines = report.description.split(separator: "\n")
        #expect(lines.count == 15)
        #expect(lines[3] == "  #1 waits for the view to deploy it")
        #expect(lines[13] == "  … and 30 more")
        await onMain(controller) { _ in view.catchUp() }
        await controller.close()
    }

    @Test func whatAReloadStandsForAndWhatWaitsForOthersIsToldApart() {
        struct Item: Deliverable {
            let generation: Int
            var id: SubmissionID { SubmissionID(rawValue: generation) }
        }
        var delivery = Delivery<Item>()
        for generation in 1...4 {
            _ = delivery.accepted(Item(generation: generation))
            if generation < 4 { _ = delivery.handedOver(generation) }
        }
        for generation in 1...2 {
            _ = delivery.deploying(generation)
            _ = delivery.deployed(generation)
        }
        _ = delivery.finished(2)
        #expect(delivery.allWaits.map(\.wait) == [.finishing, .earlier, .deploying, .measuring])
        _ = delivery.deploying(3)
        delivery.rejected(3, reload: SubmissionID(rawValue: 5), reloadGeneration: 5)
        _ = delivery.accepted(Item(generation: 5))
        #expect(
            delivery.allWaits.map(\.wait)
                == [.finishing, .earlier, .reload, .measuring, .measuring]
        )
    }
}

extension Substring {
    /// What comes before a text; everything where it does not occur.
    fileprivate func components(before text: String) -> String {
        guard let range = firstRange(of: text) else { return String(self) }
        return String(self[..<range.lowerBound])
    }
}
