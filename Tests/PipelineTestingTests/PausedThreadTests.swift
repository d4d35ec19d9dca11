import Dispatch
import PipelineTestSupport
import PipelineTesting
import Testing

/// Which of the threads of a simulation goes on, and how a step that waits in vain comes to its end.
@Suite("The threads of steps that have paused", .endsHangs)
struct PausedThreadTests {
    /// A step that goes on may let another go on itself, and comes to its own end before whoever let it go on.
    @Test func aStepThatLetsAnotherGoOnEndsBeforeItsStarterGoesOn() {
        // All begin and pause, and then the first ends: the other two are on threads of their own.
        let simulation = Simulation(seed: 1, strategy: .choices([0, 0, 1]))
        let lanes = ["a", "b", "c"].map { simulation.makeLane(label: $0) }
        let journal = Journal<String>()
        for (lane, name) in zip(lanes, ["a", "b", "c"]) {
            lane.enqueue {
                journal.append("\(name) begins")
                simulation.yield()
                journal.append("\(name) goes on")
                if name == "b" {
                    #expect(simulation.step())
                    #expect(lane.isCurrent)
                }
                journal.append("\(name) ends")
            }
        }
        #expect(simulation.run())
        #expect(
            journal.values == [
                "a begins", "b begins", "c begins", "a goes on", "a ends", "b goes on",
                "c goes on", "c ends", "b ends",
            ]
        )
        #expect(simulation.steps == 6 && simulation.pauses == 3)
    }

    /// Whoever calls from a thread of its own lets nobody run.
    @Test func aYieldOfAnotherThreadDoesNothing() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let lanes = ["a", "b"].map { simulation.makeLane(label: $0) }
        let journal = Journal<String>()
        lanes[0].enqueue {
            let done = DispatchSemaphore(value: 0)
            DispatchQueue(label: "elsewhere").async {
                simulation.yield()
                done.signal()
            }
            done.wait()
            journal.append("a")
        }
        lanes[1].enqueue { journal.append("b") }
        #expect(simulation.run())
        #expect(journal.values == ["a", "b"])
        #expect(simulation.steps == 2 && simulation.pauses == 0)
    }

    // MARK: Signals

    /// Each signal ends one wait, and no other.
    @Test func aSignalIsTakenByTheWaitThatItEnds() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let lanes = (0..<3).map { simulation.makeLane(label: "\($0)") }
        let signal = simulation.environment.makeSignal()
        let journal = Journal<String>()
        lanes[0].enqueue {
            for number in 1...2 {
                signal.wait()
                journal.append("goes on \(number)")
            }
        }
        for (lane, name) in zip(lanes.dropFirst(), ["first", "second"]) {
            lane.enqueue {
                journal.append(name)
                signal.signal()
            }
        }
        #expect(simulation.run())
        #expect(journal.values == ["first", "goes on 1", "second", "goes on 2"])
        #expect(simulation.fault == nil && simulation.pauses == 2)
    }

    @Test func oneSignalForTwoLetsOneGoOnAndTheOtherIsStuck() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let lanes = ["a", "b", "c"].map { simulation.makeLane(label: $0) }
        let signal = simulation.environment.makeSignal()
        let journal = Journal<String>()
        for (lane, name) in zip(lanes, ["a", "b"]) {
            lane.enqueue {
                signal.wait()
                journal.append("\(name) \(simulation.fault == nil)")
            }
        }
        lanes[2].enqueue { signal.signal() }
        simulation.run()
        #expect(journal.values == ["a true", "b false"])
        #expect(simulation.fault == .deadlock(report: "lane b: #1 waits for a signal"))
    }

    // MARK: In vain

    /// It is on a thread of its own, and would be left behind on that.
    @Test func whoWaitsInVainEndsWhereTheStepsAreUsedUp() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let lanes = (0..<3).map { simulation.makeLane(label: "\($0)") }
        let signal = simulation.environment.makeSignal()
        let journal = Journal<String>()
        lanes[0].enqueue {
            simulation.yield()
            journal.append("goes on")
        }
        lanes[1].enqueue {
            signal.wait()
            journal.append("gives up")
        }
        @Sendable func again() { lanes[2].enqueue { again() } }
        again()
        #expect(!simulation.run(atMost: 50))
        #expect(journal.values == ["goes on", "gives up"])
        #expect(simulation.steps == 51)
        guard case .livelock(50, _) = simulation.fault else {
            Issue.record("found \(String(describing: simulation.fault))")
            return
        }
    }

    /// One step that waits for what nobody gives, so many times.
    private static func wait(times: Int) -> Simulation {
        let simulation = Simulation(seed: 1)
        let signal = simulation.environment.makeSignal()
        simulation.makeLane(label: "main").enqueue {
            for _ in 0..<times { signal.wait() }
        }
        simulation.run()
        return simulation
    }

    @Test func tenThousandWaitsInVainComeToTheirEnd() {
        let simulation = Self.wait(times: 10_000)
        #expect(simulation.fault == .deadlock(report: "lane main: #0 waits for a signal"))
        #expect(simulation.steps == 2 && simulation.report == "nothing waits")
    }

    /// It may go on for ever, and the process ends with what was wrong first.
    @Test func whoWaitsInVainOnceMoreStopsTheProcess() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = Self.wait(times: 10_001)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("lane main: #0 waits for a signal"), "\(text)")
    }
}
