import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Durations that nobody means, but a caller or a configuration may bring.
@Suite("Extreme durations", .endsHangs)
struct ExtremeDurationTests {
    private static let negative = [
        Duration(attoseconds: .min), .seconds(Int64.min), Duration(attoseconds: -1),
    ]
    private static let endless = [Duration.seconds(Int64.max), Duration(attoseconds: .max)]

    @Test(arguments: Substrate.allCases)
    func aNegativeDelayIsNoneAndAnEndlessOneHoldsNobodyBack(_ substrate: Substrate) async {
        let stage = substrate.makeStage()
        let fired = Journal<Duration>()
        for delay in Self.endless { stage.environment.schedule(after: delay, on: stage.lane) {} }
        for delay in Self.negative {
            stage.environment.schedule(after: delay, on: stage.lane) { fired.append(delay) }
        }
        #expect(await fired.values(count: 3).sorted() == Self.negative.sorted())
    }

    /// A load that waits in the view.
    private func held(_ substrate: Substrate) async throws -> Scene {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        try await scene.onMain {
            try $0.assumeIsolated().reloadData(completion: scene.completion("load"))
        }
        await scene.view.received.values(count: 1)
        return scene
    }

    @Test(arguments: Substrate.allCases, negative + [.zero])
    func aCloseWithNoTimeAtAllCancelsWhatIsLeft(
        _ substrate: Substrate,
        _ timeout: Duration
    ) async throws {
        let scene = try await held(substrate)
        await scene.close(timeout: timeout)
        #expect(scene.outcomes.values.map(\.description) == ["load: cancelled"])
    }

    @Test(arguments: Substrate.threaded, endless)
    func aCloseWithAllTimeWaitsForTheView(
        _ substrate: Substrate,
        _ timeout: Duration
    ) async throws {
        let scene = try await held(substrate)
        let closed = Journal<Void>()
        scene.controller.close(timeout: timeout) { closed.append(()) }
        await scene.onMain { _ in scene.view.catchUp() }
        await closed.values(count: 1)
        #expect(scene.outcomes.values.map(\.description) == ["load: deployed"])
    }

    @Test(arguments: Substrate.threaded, negative + [.zero] + endless)
    func aStallIsToldAtOnceOrNever(_ substrate: Substrate, _ timeout: Duration) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand)) {
            $0.stallTimeout = timeout
        }
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await scene.view.received.values(count: 1)
        if timeout <= .zero { await scene.events.wait(for: .stalled) }
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
        #expect(scene.events.events(.stalled).isEmpty == (timeout > .zero))
    }

    @Test func aReportSaysAnyTime() {
        let times: [(Duration, String)] = [
            (.zero, "0 ns"), (.milliseconds(99), "99 ms"), (.milliseconds(12_099), "12.1 s"),
            (.seconds(Int64.max), "9223372036854775807 s"),
            (Duration(attoseconds: .max), "170141183460469231732 s"),
            (Duration(attoseconds: .min), "-170141183460469231732 s"),
        ]
        for (time, text) in times {
            let waiting = PipelineReport.Waiting(
                submission: SubmissionID(rawValue: 5),
                wait: .deploying,
                duration: time
            )
            let expected = "#5 waits for the view to deploy it, for \(text)"
            #expect(waiting.description == expected)
        }
    }
}
