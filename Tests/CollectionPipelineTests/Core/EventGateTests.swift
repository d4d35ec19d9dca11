import Dispatch
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Event gate", .endsHangs)
struct EventGateTests {
    /// Tries every sequence of seven enters, leaves and shuts.
    @Test func onlyTheLastToLeaveAShutGateLearnsIt() {
        func check(_ steps: [Int]) {
            let gate = EventGate()
            var (inside, isShut, ends) = (0, false, 0)
            for step in steps {
                switch step {
                case 0:
                    let isIn = gate.enter()
                    #expect(isIn == !isShut)
                    if isIn { inside += 1 }
                case 1 where inside > 0:
                    inside -= 1
                    let isLast = gate.leave()
                    #expect(isLast == (isShut && inside == 0))
                    if isLast { ends += 1 }
                case 2:
                    isShut = true
                    let isEmpty = gate.shut()
                    #expect(isEmpty == (inside == 0))
                default: continue
                }
            }
            #expect(ends <= 1)
        }
        func walk(_ steps: [Int]) {
            if steps.count == 7 { return check(steps) }
            for step in 0..<3 { walk(steps + [step]) }
        }
        walk([])
    }

    private final class SharedGate: Sendable {
        let gate = EventGate()
    }

    /// An enter that conflicts with another retries with the new state.
    @Test func concurrentEntersAndLeavesAreCountedOnce() {
        let shared = SharedGate()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<50_000 {
                if shared.gate.enter() { _ = shared.gate.leave() }
            }
        }
        let isEmpty = shared.gate.shut()
        let isIn = shared.gate.enter()
        #expect(isEmpty && !isIn)
    }

    /// Records its events, and is held at one kind of event.
    private struct HeldObserver: PipelineObserver {
        let kind: PipelineEvent.Kind
        let gate: Gate
        let journal: Journal<String>

        func observe(_ event: PipelineEvent) {
            if event.kind == kind { gate.pass() }
            journal.append(event.kind.rawValue)
        }
    }

    /// The call has returned by then, and the events in between were delivered.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func closesWaitForRunningObserverCalls(_ substrate: Substrate) async throws {
        let (stage, gate, journal) = (substrate.makeStage(), Gate(), Journal<String>())
        let controller = stage.makeController(
            TextDataSource([["a"]], nodes: NodeBook(stage), calls: Journal()),
            observer: HeldObserver(kind: .measuringStarted, gate: gate, journal: journal)
        )
        _ = try await stage.lane.run {
            try controller.assumeIsolated().reloadData(completion: nil)
        }
        await gate.reached()
        controller.close(draining: false) { journal.append("done") }
        await #expect(throws: UpdateError.self) { try await controller.reloadData() }
        for _ in 0..<10 { await stage.lane.run {} }
        #expect(!journal.values.contains("closed"))
        #expect(journal.values.contains("rejected"))
        gate.open()
        await controller.close()
        for _ in 0..<10 { await stage.lane.run {} }
        #expect(journal.values.suffix(3) == ["measuringStarted", "closed", "done"])
    }
}
