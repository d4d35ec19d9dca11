import CollectionPipeline
import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// Parts of a fork run on workers, which are nobody's lanes; what joins them is of the process.
@Suite("Forks of processes")
struct ProcessForkTests {
    private let simulation = Simulation(seed: 1, strategy: .inOrder, workerCount: 3)
    private let journal = Journal<String>()

    private func makeProcess() -> SimulatedProcess {
        SimulatedProcess(simulation.environment, SimulatedProcess.SharedLanes())
    }

    /// Forks on a lane of a process.
    private func fork(_ process: SimulatedProcess) {
        let lane = process.makeLane(label: "lane")
        process.fork(parts: 3, joinOn: lane) { part in
            journal.append("\(part) \(process.isCurrentWorker)")
        } join: {
            journal.append("join \(lane.isCurrent)")
        }
    }

    private static let parts = ["0 true", "1 true", "2 true"]

    @Test func partsRunAndAreJoined() {
        let process = makeProcess()
        #expect(process.workerCount == 3)
        fork(process)
        simulation.run()
        #expect(journal.values.dropLast().sorted() == Self.parts)
        #expect(journal.values.last == "join true")
        #expect(journal.count == 4)
    }

    @Test func whoStandsStillIsJoinedWhenItGoesOn() {
        let process = makeProcess()
        process.pause()
        fork(process)
        simulation.run()
        #expect(journal.values.sorted() == Self.parts)
        process.goOn()
        simulation.run()
        #expect(journal.values.last == "join true")
        #expect(journal.count == 4)
    }

    @Test func whoIsDeadIsNotJoined() {
        let process = makeProcess()
        fork(process)
        process.die()
        simulation.run()
        #expect(journal.values.sorted() == Self.parts)
    }
}
