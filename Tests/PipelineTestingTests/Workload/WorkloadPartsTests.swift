import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import PipelineTesting
@testable import SimulatedView

/// Small parts of runs, each by itself.
@Suite("Parts of a workload", .endsHangs)
struct WorkloadPartsTests {
    // MARK: Events

    @Test func onlyWhatHasNotCompletedWaits() {
        let waits: [(PipelineEvent.Kind, Set<PipelineWait>)] = [
            (.suspended, [.room]), (.handedOver, [.deploying]), (.deployed, [.finishing]),
            (.accepted, []), (.resumed, []),
        ]
        for (kind, expected) in waits {
            for isCompleted in [false, true] {
                var order = EventOrder()
                // An event that comes after the end is an error of its own, and nothing waits by it.
                for kind in (isCompleted ? [.completed] : []) + [kind] {
                    let event = PipelineEvent(
                        kind: kind,
                        pipeline: "run",
                        submission: SubmissionID(rawValue: 1),
                        context: nil,
                        timestamp: .zero
                    )
                    _ = order.take(event, mayBeCancelled: false)
                }
                #expect(order.waits == (isCompleted ? [] : expected), "\(kind)")
            }
        }
    }

    // MARK: Ranges

    @Test func everyRangeActionDoesWhatItsNameSays() {
        let ranges = RangeController()
        func perform(_ action: RangeAction) { action.perform(on: ranges) }
        var levels = [ranges.memoryPressure]
        for _ in 0..<3 {
            perform(.pressureRises)
            levels.append(ranges.memoryPressure)
        }
        #expect(levels == [.normal, .warning, .critical, .critical])
        perform(.pressureFalls)
        #expect(ranges.memoryPressure == .normal)
        perform(.goesToBackground)
        #expect(ranges.isInBackground)
        perform(.comesToForeground)
        #expect(!ranges.isInBackground)
        perform(.isHidden)
        #expect(!ranges.isContainerVisible)
        perform(.isSeen)
        #expect(ranges.isContainerVisible)
        perform(.asksForFull)
        #expect(ranges.requestedMode == .full)
        perform(.asksForNothing)
        #expect(ranges.requestedMode == nil)
        let preload = ranges.tuningParameters(for: .preload, in: .full)
        perform(.tunes)
        #expect(ranges.tuningParameters(for: .display, in: .full) == preload)
        #expect(ranges.tuningParameters(for: .preload, in: .full) == .zero)
    }

    // MARK: The model

    private static func model(_ sections: Int, _ items: Int) -> ReferenceModel {
        ReferenceModel(
            nodes: WatchedNodes(fates: Simulation(seed: 1)),
            sections: sections,
            items: items
        )
    }

    @Test func beforeAnythingIsAcceptedAModelIsOfTheFirstGeneration() {
        let model = Self.model(2, 3)
        #expect(model.numberOfSections() == 2)
        #expect(model.expected(at: 0) == [])
        #expect(model.expected(at: 1) == model.sections)
    }

    @Test func sectionsThatAreMissingAreMadeEmpty() {
        let model = Self.model(0, 0)
        model.replaceItems([[], [ModelItem(id: 70)], []])
        // Each takes one number, since none is made for items that it does not get.
        #expect(model.sections.map(\.id) == [0, 1, 2])
        #expect(model.sections.map(\.items) == [[], [ModelItem(id: 70)], []])
        #expect(model.freshItem().id == 3)
        model.replaceItems([[]])
        #expect(model.sections.map(\.id) == [0])
    }

    @Test func thereAreNeverMoreThanTwelveSections() {
        var most = 0
        for seed: UInt64 in 0..<400 {
            let model = Self.model(12, 0)
            var random = SeededGenerator(seed: seed)
            for number in 0..<5 {
                var changes = BatchRecorder(OpenBatch(id: SubmissionID(rawValue: number)))
                model.edit(&random, &changes)
                most = max(most, model.sections.count)
            }
        }
        #expect(most == 12)
    }

    // MARK: Plans

    @Test func onlyWaitsForTheHandOverAreCountedSo() {
        var plan = RunPlan(seed: 1)
        plan.clients = [
            [.reload, .fail, .wait, .edit(1), .waitOnMain, .task(.reload), .waitForNode(1)],
            [.askWhenDone, .task(.handedOver), .clear, .insertAtTop],
        ]
        #expect(plan.handOverWaits == 4)
        plan.clients = [[.reload, .fail, .task(.readModel)]]
        #expect(plan.handOverWaits == 0)
    }

    @Test func theFirstFaultThatIsTooOftenIsNamed() {
        var plan = RunPlan(seed: 1)
        plan.faults = [
            .init(point: .closes, rate: 1), .init(point: .viewIsBusy, rate: 0.95),
            .init(point: .viewIsBusy, rate: 0.98), .init(point: .viewIsBusy, rate: 0.5),
        ]
        #expect(plan.problem == "viewIsBusy has a rate of 0.95, not at most 0.9")
    }

    // MARK: Choices

    @Test func withoutTurningPointsNothingIsOvertaken() {
        for seed: UInt64 in 0..<20 {
            let places: [Simulation.Place] = [.lane(0), .lane(1)]
            var delayed = ChoiceSource(.delayBounded(0), seed: seed)
            let delays = (0..<500).map { _ in delayed.next(among: places) }
            #expect(Set(delays) == [0])
            var prioritized = ChoiceSource(.prioritized(changes: 0), seed: seed)
            let chosen = (0..<500).map { _ in prioritized.next(among: places) }
            #expect(Set(chosen).count == 1)
        }
    }

    /// What cannot happen is no choice, so that a list of choices has none for it.
    @Test func whatCannotHappenIsNoChoice() {
        for probability in [0, -1.0] {
            var source = ChoiceSource(.choices([1, 1]), seed: 1)
            let isImpossible = !source.happens(probability)
            #expect(isImpossible && source.made.isEmpty)
            let happens = source.happens(0.1)
            #expect(happens && source.made.map(\.value) == [1])
        }
    }

    // MARK: Steps

    @Test func aRunGivesUpAfterAMillionSteps() {
        for stepsBefore in [999_999, 999_998] {
            let simulation = Simulation(seed: 1, strategy: .inOrder)
            let lane = simulation.makeLane(label: "main")
            let count = Lock(0)
            lane.enqueue {
                // As if there had been so many.
                simulation.state.withLock { $0.steps = stepsBefore }
                for _ in 0..<2 { lane.enqueue { count.withLock { $0 += 1 } } }
            }
            let isDone = simulation.run()
            #expect(isDone == (stepsBefore == 999_998))
            #expect(count.withLock { $0 } == (isDone ? 2 : 1))
            if isDone {
                #expect(simulation.fault == nil)
            } else if case .livelock(let steps, _)? = simulation.fault {
                #expect(steps == 1_000_000)
            } else {
                Issue.record("the fault is \(String(describing: simulation.fault))")
            }
            simulation.run()
        }
    }

    /// A step within a step: where that pauses, it is the inner one that goes on.
    @Test func theInnermostStepIsTheOneThatPauses() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        simulation.keepTrace()
        let lanes = ["outer", "inner", "other"].map { simulation.makeLane(label: $0) }
        lanes[0].enqueue { simulation.step() }
        lanes[1].enqueue { simulation.yield() }
        lanes[2].enqueue {}
        #expect(simulation.run())
        #expect(simulation.trace.map(\.place) == ["outer", "inner", "other", "inner"])
        #expect(simulation.trace.map(\.isResumed) == [false, false, false, true])
        #expect(simulation.trace.map(\.number) == [0, 1, 2, 1])
    }
}
