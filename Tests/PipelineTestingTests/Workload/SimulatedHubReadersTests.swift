import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPublishing
@testable import PipelineTesting

/// The hub of a run as it is drawn, its readers, and what they must be told at the end.
@Suite("Readers of the hub of a run", .endsHangs)
struct SimulatedHubReadersTests {
    private static func run(seed: UInt64 = 1) -> SimulatedRun {
        var plan = RunPlan(seed: 1)
        (plan.seed, plan.strategy, plan.faults) = (seed, .inOrder, [])
        return SimulatedRun(plan, keepsTrace: false)
    }

    // MARK: What is drawn

    @Test func everyConfigurationIsDrawnAndNoOther() {
        var configurations: [HubConfiguration] = []
        let count = 4000
        for seed: UInt64 in 0..<UInt64(count) {
            let run = Self.run(seed: seed)
            configurations.append(SimulatedHub(run).configuration)
        }
        func values<Value: Hashable>(_ value: (HubConfiguration) -> Value) -> Set<Value> {
            Set(configurations.map(value))
        }
        #expect(values(\.resumableUpdates) == [0, 1, 2, 1000])
        #expect(values(\.resumableEdits) == [8, 1_000_000])
        #expect(values(\.retainedVersions) == [1, 1000])
        #expect(values(\.digestInterval) == [1, 2, 3])
        #expect(values(\.recentUpdates) == [1, 2, 3, 4])
        #expect(values(\.unpublishedUpdates) == [1, 2])
        #expect(values(\.minimumInterval) == [.zero, .microseconds(20)])
        #expect(values(\.retainedEdits) == [4, HubConfiguration().retainedEdits])
        // What is odd is drawn so often that each run of some seeds meets it, and not in most runs.
        func share(_ isOdd: (HubConfiguration) -> Bool) -> Double {
            Double(configurations.count(where: isOdd)) / Double(count)
        }
        #expect((0.225...0.275).contains(share { $0.resumableEdits == 8 }))
        #expect((0.225...0.275).contains(share { $0.retainedVersions == 1 }))
        #expect((0.225...0.275).contains(share { $0.retainedEdits == 4 }))
        #expect((0.3...0.37).contains(share { $0.minimumInterval > .zero }))
    }

    @Test func readersJoinWithEveryPolicyAndEveryVersionThatNobodyHas() {
        let run = Self.run()
        let hub = SimulatedHub(run)
        var limits: Set<Int> = []
        var numbers: Set<Int> = []
        for seed: UInt64 in 0..<2000 {
            hub.act(seed)
            guard let reader = hub.readers.last else { continue }
            if case .individually(let limit) = reader.policy { limits.insert(limit) }
            if let version = reader.wanted { numbers.insert(version.number) }
        }
        #expect(limits == [0, 1, 2, 3])
        // Nobody has been told anything yet, so that nobody comes back.
        #expect(numbers == [.min, -1, 1_000_000, .max])
        run.simulation.run()
    }

    // MARK: The end

    /// A hub with one reader, which has been told what there is.
    private static func joined(_ run: SimulatedRun, from start: UInt64) -> SimulatedHub {
        let hub = SimulatedHub(run)
        hub.hub.attach(to: run.lane)
        for seed in start... where hub.hub.numberOfReaders == 0 {
            hub.act(seed)
            run.simulation.run()
            if hub.hub.numberOfReaders > 0 { break }
        }
        return hub
    }

    @Test func whoIsToldOfTheCloseIsRight() {
        for start: UInt64 in 0..<20 {
            let run = Self.run()
            let hub = Self.joined(run, from: start * 100)
            run.lane.enqueue { hub.hub.controllerDidClose() }
            run.simulation.run()
            hub.checkClosed()
            run.simulation.run()
            #expect(run.violations == [])
        }
    }

    /// A hub that never closes: everybody is asked to go on as often as there can be messages, and then given up.
    @Test func whoIsNotToldOfTheCloseIsNoted() {
        var rounds: [Int] = []
        for start: UInt64 in 0..<20 {
            let run = Self.run()
            let hub = Self.joined(run, from: start * 100)
            let before = run.simulation.steps
            hub.checkClosed()
            rounds.append(run.simulation.steps - before)
            run.simulation.run()
            let found = run.violations.map(\.description)
            #expect(
                found.contains("Slow Hurts Nobody: hub: reader 1 is not told of the close"),
                "\(found)"
            )
            #expect(found.contains("Slow Hurts Nobody: hub: 1 readers are kept after the close"))
        }
        // A round is a step of a reader that goes on already.
        #expect(rounds.min() == 64)
    }

    @Test func withoutReadersNothingRunsAtTheEnd() {
        let run = Self.run()
        let hub = SimulatedHub(run)
        run.lane.enqueue {}
        hub.checkClosed()
        #expect(run.simulation.steps == 0)
        run.simulation.run()
        #expect(run.violations == [])
    }
}
