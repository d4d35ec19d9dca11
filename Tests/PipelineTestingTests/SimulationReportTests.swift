import PipelineTestSupport
import PipelineTesting
import Testing

@Suite("What a simulation tells of itself", .endsHangs)
struct SimulationReportTests {
    /// So many pieces of work, one after the other.
    private func busy(_ pieces: Int) -> Simulation {
        let simulation = Simulation(seed: 1)
        let lane = simulation.makeLane(label: "main")
        for _ in 0..<pieces { lane.enqueue {} }
        return simulation
    }

    @Test(arguments: [0, 1, 9, 10, 11, -3])
    func itGivesUpAfterExactlySoManySteps(_ limit: Int) {
        let simulation = busy(10)
        let isDone = simulation.run(atMost: limit)
        #expect(isDone == (limit >= 10))
        #expect(simulation.steps == min(10, max(0, limit)))
        #expect((simulation.fault == nil) == isDone)
        #expect(simulation.run(), "the rest runs all the same")
        #expect(simulation.steps == 10 && simulation.report == "nothing waits")
    }

    @Test(arguments: [-1, 0, 1, 3])
    func thereIsAtLeastOneWorker(_ count: Int) {
        let simulation = Simulation(seed: 1, workerCount: count)
        #expect(simulation.environment.workerCount == max(1, count))
        let journal = Journal<Int>()
        simulation.environment.fork(
            parts: 4,
            joinOn: simulation.makeLane(label: "main"),
            body: { journal.append($0) },
            join: { journal.append(-1) }
        )
        #expect(simulation.run() && journal.values.count == 5)
    }

    @Test func opportunitiesAndFaultsAreCountedUntilFaultsEnd() {
        let simulation = Simulation(seed: 3, faultRates: [.closes: 0.5])
        var happened = 0
        for _ in 0..<200 where simulation.happens(.closes) { happened += 1 }
        for _ in 0..<50 { #expect(!simulation.happens(.viewRefuses)) }
        #expect(happened > 50 && simulation.faultCounts == [.closes: happened])
        #expect(simulation.opportunities == 250)
        simulation.endFaults()
        #expect((0..<100).allSatisfy { _ in !simulation.happens(.closes) })
        #expect(simulation.opportunities == 250 && simulation.faultCounts == [.closes: happened])
    }

    @Test func whatIsNotKeptIsNotEvenNoted() {
        let simulation = busy(1)
        let lane = simulation.makeLane(label: "second")
        @Sendable func note() -> String {
            Issue.record("made for nobody")
            return ""
        }
        lane.enqueue { simulation.annotate(note()) }
        simulation.run()
        #expect(simulation.trace.isEmpty)
        #expect(simulation.laneLabels == ["main", "second"])
        simulation.keepTrace()
        lane.enqueue { simulation.annotate("noted") }
        lane.enqueue {}
        simulation.run()
        #expect(simulation.trace.map(\.notes) == [["noted"], []])
        #expect(simulation.trace.map(\.step) == [3, 4])
        #expect(simulation.trace.map(\.place) == ["second", "second"])
    }

    @Test func equalRunsHaveEqualFingerprintsAndOthersMostlyNot() {
        var prints: [[Int]: UInt64] = [:]
        for number in 0..<81 {
            let choices = [number / 27, number / 9 % 3, number / 3 % 3, number % 3]
            let simulation = Simulation(seed: 1, strategy: .choices(choices))
            let journal = Journal<Int>()
            let lanes = (0..<3).map { simulation.makeLane(label: "\($0)") }
            for number in 0..<9 { lanes[number % 3].enqueue { journal.append(number) } }
            simulation.run()
            let known = prints.updateValue(simulation.fingerprint, forKey: journal.values)
            #expect(known == nil || known == simulation.fingerprint)
        }
        // A choice among fewer than three is one of fewer.
        #expect(prints.count == 78 && Set(prints.values).count == 78)
    }

    @Test func everyFaultPointHasANameOfItsOwn() {
        #expect(Set(FaultPoint.all.map(\.rawValue)).count == FaultPoint.all.count)
        #expect(FaultPoint(rawValue: "closes") == .closes)
    }

    @Test func theClockMovesWithoutRunningWhatFallsDue() {
        let simulation = Simulation(seed: 1)
        let journal = Journal<Int>()
        let lane = simulation.makeLane(label: "main")
        simulation.environment.schedule(after: .nanoseconds(10), on: lane) { journal.append(1) }
        simulation.advanceClock(by: .microseconds(1))
        #expect(journal.values == [] && simulation.now == .microseconds(1) && simulation.steps == 0)
        simulation.run()
        #expect(journal.values == [1] && simulation.now == .microseconds(1))
    }

    @Test func theClockNeverGoesBackAndStopsAtItsEnd() {
        let simulation = Simulation(seed: 1)
        let longest = Duration(attoseconds: .max)
        let moves: [(by: Duration, now: Duration)] = [
            (.seconds(-1), .zero), (.nanoseconds(1), .nanoseconds(1)),
            (Duration(attoseconds: .min), .nanoseconds(1)),
            (.seconds(Int64.max), .seconds(Int64.max) + .nanoseconds(1)),
            (longest, longest), (longest, longest), (.seconds(-1), longest),
        ]
        for move in moves {
            simulation.advanceClock(by: move.by)
            #expect(simulation.now == move.now)
        }
    }

    @Test func timersOfAnyDelayComeInTheOrderOfTheirTimes() {
        let simulation = Simulation(seed: 1)
        let lane = simulation.makeLane(label: "main")
        let longest = Duration(attoseconds: .max)
        let journal = Journal<[Duration]>()
        simulation.advanceClock(by: .seconds(1))
        for delay in [longest, .seconds(2), Duration(attoseconds: .min), Duration(attoseconds: 1)] {
            simulation.environment.schedule(after: delay, on: lane) {
                journal.append([delay, simulation.now - .seconds(1)])
            }
        }
        simulation.run()
        #expect(
            journal.values == [
                [Duration(attoseconds: .min), .zero],
                [Duration(attoseconds: 1), Duration(attoseconds: 1)],
                [.seconds(2), .seconds(2)],
                [longest, longest - .seconds(1)],
            ]
        )
    }
}
