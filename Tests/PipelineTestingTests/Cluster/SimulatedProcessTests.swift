import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@testable import PipelineTesting

@Suite("Processes that stand still and die")
struct SimulatedProcessTests {
    private let simulation = Simulation(seed: 1, strategy: .inOrder)
    private let journal = Journal<String>()

    private func makeProcess() -> SimulatedProcess {
        SimulatedProcess(simulation.environment, SimulatedProcess.SharedLanes())
    }

    @Test func whatStandsStillGoesOnInOrder() {
        let process = makeProcess()
        let lane = process.makeLane(label: "lane")
        lane.enqueue { journal.append("before") }
        simulation.run()
        process.pause()
        for number in 0..<3 { lane.enqueue { journal.append("\(number)") } }
        process.schedule(after: .milliseconds(1), on: lane) { journal.append("timer") }
        simulation.run()
        #expect(journal.values == ["before"])
        lane.enqueue { journal.append("last") }
        process.goOn()
        process.goOn()
        simulation.run()
        #expect(journal.values == ["before", "0", "1", "2", "timer", "last"])
    }

    @Test func nothingOfADeadProcessRuns() {
        let process = makeProcess()
        let lane = process.makeLane(label: "lane")
        weak var kept: Journal<String>?
        do {
            let own = Journal<String>()
            kept = own
            lane.enqueue { own.append("never") }
            process.schedule(after: .milliseconds(1), on: lane) { journal.append("timer") }
        }
        #expect(kept != nil)
        process.die()
        #expect(kept == nil, "what it was to do is released")
        lane.enqueue { journal.append("late") }
        process.goOn()
        simulation.run()
        #expect(journal.values == [])
    }

    @Test func lanesGoOnInTheOrderInWhichTheyWereMade() {
        let process = makeProcess()
        let lanes = (0..<3).map { process.makeLane(label: "\($0)") }
        process.pause()
        for number in lanes.indices.reversed() {
            for part in ["a", "b"] { lanes[number].enqueue { journal.append("\(number)\(part)") } }
        }
        simulation.run()
        #expect(journal.values == [])
        process.goOn()
        simulation.run()
        #expect(journal.values == ["0a", "0b", "1a", "1b", "2a", "2b"])
    }

    @Test func whoMissedNothingHasNothingToCatchUp() {
        let process = makeProcess()
        let lane = process.makeLane(label: "lane")
        process.pause()
        process.goOn()
        #expect(!simulation.step())
        process.pause()
        for number in 0..<2 { lane.enqueue { journal.append("\(number)") } }
        simulation.run()
        process.goOn()
        let steps = simulation.steps
        simulation.run()
        #expect(simulation.steps == steps + 2)
        #expect(journal.values == ["0", "1"])
    }

    @Test func aDeadProcessKeepsNoLane() {
        let process = makeProcess()
        weak var early: (any Lane)?
        weak var late: (any Lane)?
        early = process.makeLane(label: "early")
        #expect(early != nil, "who lives keeps its lanes, to let them go on")
        process.die()
        #expect(early == nil)
        late = process.makeLane(label: "late")
        #expect(late == nil)
        #expect(process.isDead)
    }

    @Test func livesHaveTheSameLanesOfTheSimulation() {
        let lanes = SimulatedProcess.SharedLanes()
        for life in 0..<3 {
            let process = SimulatedProcess(simulation.environment, lanes)
            let lane = process.makeLane(label: "lane")
            #expect(!lane.isCurrent)
            lane.enqueue { journal.append("\(life) \(lane.isCurrent)") }
            simulation.run()
            process.die()
        }
        #expect(journal.values == ["0 true", "1 true", "2 true"])
        #expect(simulation.laneLabels == ["lane"])
    }
}
