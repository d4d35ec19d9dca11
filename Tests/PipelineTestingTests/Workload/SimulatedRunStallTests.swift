import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import PipelineTesting

/// What a run says of waits that last too long, and of a simulation that gave up.
@Suite("Stalls and the end of a run", .endsHangs)
struct SimulatedRunStallTests {
    private static let guarantee = "Nothing Hangs In Silence"

    private static func stall(_ wait: PipelineWait, _ submission: Int) -> Stall {
        Stall(wait: wait, submission: SubmissionID(rawValue: submission), since: .zero)
    }

    private static func told(_ stall: Stall) -> PipelineEvent {
        RunScene.event(.stalled) { $0.stall = stall }
    }

    private static func ended(_ stall: Stall) -> PipelineEvent {
        RunScene.event(.stallEnded) { $0.stall = stall }
    }

    // MARK: Stalls

    @Test func whoWaitsAtRestMustBeToldOfUnlessNobodyIs() {
        for timeout in [nil, 1] {
            for isTold in [false, true] {
                let scene = RunScene { $0.stallMicroseconds = timeout }
                let id = SubmissionID(rawValue: 77)
                scene.run.observe(RunScene.event(.suspended, of: id))
                // Another wait is none of its business.
                scene.run.observe(Self.told(Self.stall(isTold ? .room : .deploying, 77)))
                scene.run.checkStalls()
                let text =
                    "\(Self.guarantee): somebody waits for room in the backlog, and nobody was told"
                #expect(scene.noted == (timeout == nil || isTold ? [] : [text]))
                let mark = scene.run.marks["stalled for room in the backlog"]
                #expect(mark == (timeout == nil ? nil : 1))
            }
        }
    }

    @Test func aStallIsToldOnceAndThenItsEnd() {
        let scene = RunScene()
        let (first, second) = (Self.stall(.room, 77), Self.stall(.deploying, 78))
        let (run, guarantee) = (scene.run, Self.guarantee)
        run.observe(Self.told(first))
        run.observe(Self.told(second))
        #expect(scene.noted == [])
        run.observe(Self.told(first))
        #expect(scene.noted == ["\(guarantee): it was told twice: \(first)"])
        run.observe(Self.ended(first))
        #expect(scene.noted == [])
        run.observe(Self.ended(first))
        #expect(scene.noted == ["\(guarantee): it was never told: \(first)"])
        #expect(run.stalls == [second])
        run.observe(Self.ended(second))
        run.checkNoStall()
        #expect(scene.noted == [])
    }

    @Test func whatHasNotEndedIsNamedInTheOrderInWhichItWasTold() {
        let scene = RunScene()
        let stalls = [Self.stall(.room, 77), Self.stall(.deploying, 76), Self.stall(.room, 78)]
        for stall in stalls { scene.run.observe(Self.told(stall)) }
        let texts = stalls.map { "\(Self.guarantee): the end of a stall was not told: \($0)" }
        scene.run.checkNoStall()
        #expect(scene.noted == texts)
        scene.run.tearDown()
        #expect(scene.noted == texts)
    }

    // MARK: The end

    @Test func aCloseThatDoesNotEndIsNoted() {
        let scene = RunScene()
        // As if somebody had closed it.
        scene.run.isClosing = true
        scene.run.tearDown()
        #expect(scene.noted == ["Quiet After Close: the close did not end"])
        let closed = RunScene()
        closed.run.tearDown()
        #expect(closed.run.isClosed && closed.noted == [])
    }

    @Test func whatIsLeftAtTheEndIsNoted() {
        let scene = RunScene()
        let controller = scene.run.controller
        scene.run.observe(RunScene.event(.accepted, of: SubmissionID(rawValue: 77)))
        scene.run.tearDown()
        let found = scene.noted
        for text in [
            "Events In Order: #77 was accepted and no event says that it completed",
            "Lifetimes: the controller is still there",
        ] { #expect(found.contains(text), "\(found)") }
        withExtendedLifetime(controller) {}
    }

    /// Of a simulation that gave up nothing else can be said.
    @Test func afterAFaultOfTheSimulationNothingElseIsNoted() {
        for isClosing in [false, true] {
            let scene = RunScene { $0.stallMicroseconds = 1 }
            let run = scene.run
            _ = run.newToken()
            for kind: PipelineEvent.Kind in [.suspended, .accepted] {
                run.observe(RunScene.event(kind, of: SubmissionID(rawValue: 77)))
            }
            scene.giveUp()
            #expect(run.simulation.fault != nil)
            run.isClosing = isClosing
            let controller = run.controller
            run.endStall()
            run.checkEnd()
            run.checkHandedOver([SubmissionID(rawValue: 77)])
            run.checkLiveness()
            #expect(run.completions.count == 2)
            run.tearDown()
            #expect(scene.noted == [])
            #expect(run.marks["stalled for room in the backlog"] == nil)
            withExtendedLifetime(controller) {}
        }
    }

    /// The same without the fault.
    @Test func withoutAFaultWhatIsLeftIsNoted() {
        let scene = RunScene { $0.stallMicroseconds = 1 }
        _ = scene.run.newToken()
        scene.run.observe(RunScene.event(.suspended, of: SubmissionID(rawValue: 77)))
        scene.run.endStall()
        scene.run.checkEnd()
        scene.run.checkHandedOver([SubmissionID(rawValue: 77)])
        #expect(
            scene.noted == [
                "\(Self.guarantee): somebody waits for room in the backlog, and nobody was told",
                "Exactly One Completion: submission 1 of 2 never completed",
                "Never Blocks Main: a wait ended before #77 was handed over",
            ]
        )
    }

    // MARK: Results

    @Test func theResultHasWhatTheNodesOfTheRunReported() {
        let run = SimulatedRun(RunScene.plan, keepsTrace: false)
        run.nodes.report("of a node", breaking: "One")
        run.nodes.report("of another")
        run.note("Other", "of the run")
        #expect(
            run.result().violations.map(\.description) == [
                "Other: of the run", "One: of a node", "Consistent Snapshot: of another",
            ]
        )
        #expect(SimulatedRun.run(RunScene.plan).violations == [])
    }

    @Test func theResultSaysThatTheSimulationGaveUp() {
        let run = SimulatedRun(RunScene.plan, keepsTrace: false)
        run.lane.enqueue {}
        run.simulation.run(atMost: 0)
        let found = run.result().violations.map(\.description)
        #expect(found.count == 1 && found[0].hasPrefix("Simulation: livelock"), "\(found)")
    }
}
