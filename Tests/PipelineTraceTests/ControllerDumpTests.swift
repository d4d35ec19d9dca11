import Dispatch
import PipelineTestSupport
import PipelineTrace
import Testing

@Suite("Dumps of controllers", .endsHangs) struct ControllerDumpTests {
    private func lines(_ scene: Scene) async -> [String] {
        "\(await scene.controller.dump())".split(separator: "\n").map(String.init)
    }

    @Test(arguments: Substrate.allCases)
    func atRestTheDumpHasAllParts(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"], ["c"]]) { $0.name = "feed" }
        try await scene.controller.reloadData()
        let lane = scene.controller.lane.label
        #expect(
            "\(await scene.controller.dump())" == """
                feed: open, main lane '\(lane)'
                  view: RecordingView
                maps
                  pending   generation 1: 2 sections, 3 items [2, 1]
                  visible   generation 1: 2 sections, 3 items [2, 1]
                  they are the same: everything that was accepted is shown
                backlog: 0 of 64 accepted and not deployed
                  nothing waits
                configuration
                  profile       standard
                  limits        16777216 sections, 16777216 items
                  full backlog  suspend
                  rejection     report
                  measuring     everything
                  stalls after  never
                  switched on   relayoutsWhenSizeRangeChanges
                """
        )
        await scene.close()
        #expect(await lines(scene).first == "feed: closed, main lane '\(lane)'")
    }

    @Test(arguments: Substrate.allCases)
    func aDumpShowsAViewThatDelaysUpdates(_ substrate: Substrate) async throws {
        let view = RecordingView(.onDemand)
        let scene = Scene(substrate, [["a", "b"], ["c"]], view: view) {
            $0.backlogLimit = 3
            $0.stallTimeout = .zero
        }
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await scene.events.wait(for: .handedOver)
        for text in ["d", "e"] { try await scene.append(text) }
        scene.controller.enqueueBatchUpdates({ $0.append("f", &$1) }, completion: { _ in })
        await scene.events.wait(for: .suspended)
        await scene.events.wait(for: .stalled)
        let lines = await lines(scene)
        #expect(lines[3] == "  pending   generation 3: 2 sections, 5 items [4, 1]")
        #expect(lines[4] == "  visible   generation 0: 0 sections, 0 items []")
        #expect(lines[5] == "  the view is 3 generations behind: +2 sections, +5 items")
        #expect(lines[6] == "backlog: 3 of 3 accepted and not deployed")
        #expect(lines[7].hasPrefix("  #1 waits for the view to deploy it, for "))
        #expect(
            lines.contains(
                "  not admitted yet: 1 waiting for capacity, 0 waiting for the end of the open batch"
            )
        )
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    @Test func aDumpShowsADivergenceAfterARejection() async throws {
        let scene = Scene(.dispatch, [["a"]])
        try await scene.controller.reloadData()
        await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { source, _ in
                source.sections[0].items.append("b")
            }
        }
        let lines = await lines(scene)
        #expect(
            lines.contains("  the data source may differ from the pending map: counts since #2")
        )
        #expect(lines.contains { $0.hasPrefix("  last rejection: ") })
        await scene.close()
    }

    @Test func aBlockedMainLaneHidesOnlyItsOwnState() async throws {
        let (scene, gate) = (Scene(.dispatch, [["a"]]), Gate())
        try await scene.controller.reloadData()
        scene.controller.lane.enqueue { gate.pass() }
        let lines = await lines(scene)
        #expect(lines[0].contains(": unknown, main lane"))
        #expect(lines[1].hasPrefix("  the main lane does not respond"))
        #expect(lines.contains("  pending   generation 1: 1 section, 1 item [1]"))
        #expect(!lines.contains { $0.hasPrefix("backlog") })
        gate.open()
        await scene.close()
    }
}
