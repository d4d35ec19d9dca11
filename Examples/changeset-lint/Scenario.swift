import CollectionPipeline

/// One line of input: a collection before and after an update, and what was recorded in between.
struct Scenario: Sendable, Equatable {
    /// The caller's name for it, for messages only.
    var id: JSONValue?
    /// The number of items of every section before the update.
    var oldCounts: [Int]
    /// What the data source answers after it.
    var newCounts: [Int]
    /// What was recorded, oldest first.
    var steps: [Step]
    /// The answer to compare with.
    var result: JSONValue?

    /// One element of `ops`.
    enum Step: Sendable, Equatable {
        case operation(HierarchyChangeSet.Operation)
        case probe(Probe)
    }

    /// A call that the original's change set has, and answers with an assertion. Here recording and
    /// result are values of two types, so it cannot be written.
    enum Probe: String, Sendable {
        case complete, readChanges, readMapping
    }

    var firstProbe: Probe? { firstProbeIndex.flatMap(probe(at:)) }

    var firstProbeIndex: Int? { steps.indices.first { probe(at: $0) != nil } }

    private func probe(at index: Int) -> Probe? {
        if case .probe(let probe) = steps[index] { probe } else { nil }
    }

    /// The operations alone.
    var operations: [HierarchyChangeSet.Operation] {
        steps.compactMap { if case .operation(let operation) = $0 { operation } else { nil } }
    }

    /// The same scenario with no more than this many steps.
    func prefix(_ count: Int) -> Scenario {
        var scenario = self
        scenario.steps = Array(steps.prefix(count))
        return scenario
    }
}
