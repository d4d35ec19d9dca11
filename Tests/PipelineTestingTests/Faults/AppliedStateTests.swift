import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import PipelineTesting
import Testing

/// States applied from several lanes, to a view that is busy, refuses, loses and stalls.
@Suite("Applied states under faults") struct AppliedStateTests {
    /// Texts in sections without identifiers of their own.
    private struct Texts: CollectionState {
        var sections: [[String]] = []

        var shape: HierarchyShape { HierarchyShape(sections.map(\.count)) }

        func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<String> {
            sections[section][items]
        }

        func changes(
            from old: Texts,
            options: DifferenceOptions,
            isCancelled: () -> Bool
        ) throws(DifferenceError) -> ValidatedChangeSet {
            try ValidatedChangeSet(
                fromIdentifiers: Array(old.sections.enumerated().map { ($0.offset, $0.element) }),
                to: Array(sections.enumerated().map { ($0.offset, $0.element) }),
                options: options,
                isCancelled: isCancelled
            )
        }

        static func random(_ random: inout SeededGenerator) -> Texts {
            var texts = (0..<8).map { "t\($0)" }.shuffled(using: &random)
            texts.removeLast(random.next(below: 5))
            var sections = Array(repeating: [String](), count: 1 + random.next(below: 3))
            for text in texts { sections[random.next(below: sections.count)].append(text) }
            return Texts(sections: sections)
        }
    }

    private struct Ending: Sendable {
        let id: SubmissionID
        let outcome: UpdateOutcome
        let state: [[String]]
    }

    @Test func theNewestIsShownAndEachCompletesOnce() throws {
        var superseded = 0
        for stateSeed in 0..<UInt64(Effort.number(50, usually: 10)) {
            superseded += try countSuperseded(stateSeed)
        }
        #expect(superseded > 0)
    }

    /// Fifty interleavings of the same states.
    private func countSuperseded(_ stateSeed: UInt64) throws -> Int {
        var superseded = 0
        try Simulation.forEachSeed(stateSeed * 50..<stateSeed * 50 + 50) { simulation in
            let list = ListView()
            let view = FaultyView(wrapping: list, in: simulation, expecting: ListView.texts) {
                list.texts
            }
            let controller = DataController(
                states: Texts.self,
                view: view,
                configuration: .unwatched,
                lane: simulation.makeLane(label: "main"),
                environment: simulation.environment
            )
            let endings = Journal<Ending>()
            var random = SeededGenerator(seed: stateSeed)
            for client in 0..<3 {
                let states = (0..<4).map { _ in Texts.random(&random) }
                let lane = simulation.makeLane(label: "client \(client)")
                for state in states {
                    lane.enqueue {
                        controller.apply(state) { result in
                            endings.append(
                                Ending(
                                    id: result.submission,
                                    outcome: result.outcome,
                                    state: state.sections
                                )
                            )
                        }
                    }
                }
            }
            try simulation.settle(controller, view)
            try expect(endings.values, shown: controller.pendingMap)
            superseded += endings.values.count {
                if case .superseded = $0.outcome { true } else { false }
            }
        }
        return superseded
    }

    private func expect(_ endings: [Ending], shown map: ElementMap) throws {
        guard Set(endings.map(\.id)).count == 12, endings.count == 12 else {
            throw TestFailure("\(endings.count) of 12 have completed")
        }
        guard endings.map(\.id) == endings.map(\.id).sorted() else {
            throw TestFailure("they completed out of order: \(endings.map(\.id))")
        }
        let newest = endings.last { ending in
            if case .rejected = ending.outcome { false } else { true }
        }
        guard let newest, ListView.texts(of: map) == newest.state else {
            throw TestFailure("the map is \(ListView.texts(of: map)), not \(newest?.state ?? [])")
        }
        for ending in endings {
            if case .cancelled = ending.outcome { throw TestFailure("\(ending.id) was cancelled") }
        }
    }
}
