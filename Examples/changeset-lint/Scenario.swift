import CollectionPipeline

/// One line of input: a collection before and after an update, and the recorded operations.
struct Scenario: Sendable, Equatable {
    /// The caller's name for the scenario, used only in messages.
    var id: JSONValue?
    /// The number of items in each section before the update.
    var oldCounts: [Int]
    /// The number of items in each section that the data source returns after the update.
    var newCounts: [Int]
    /// The recorded steps, oldest first.
    var steps: [Step]
    /// The recorded result to compare with.
    var result: JSONValue?

    /// One element of `ops`.
    enum Step: Sendable, Equatable {
        case operation(HierarchyChangeSet.Operation)
        case probe(Probe)
    }

    /// A call that Texture's change set has, and that fails with an assertion. In this library
    /// recording and result are values of two types, so no such call exists.
    enum Probe: String, Sendable {
        case complete, readChanges, readMapping

        /// The reason why the call does not exist, as a sentence.
        var absence: String {
            "'\(rawValue)' is not available: \(NamedDifference.modifyCompleted.reason)"
        }
    }

    var firstProbe: Probe? { firstProbeIndex.flatMap(probe(at:)) }

    var firstProbeIndex: Int? { steps.indices.first { probe(at: $0) != nil } }

    private func probe(at index: Int) -> Probe? {
        if case .probe(let probe) = steps[index] { probe } else { nil }
    }

    /// The operations without the probes.
    var operations: [HierarchyChangeSet.Operation] {
        steps.compactMap { if case .operation(let operation) = $0 { operation } else { nil } }
    }

    /// Returns the same scenario with at most this many steps.
    func prefix(_ count: Int) -> Scenario {
        var scenario = self
        scenario.steps = Array(steps.prefix(count))
        return scenario
    }
}

/// The reason why a line is not a scenario, or why a calculation is impossible.
struct ScenarioFault: Error, Equatable, CustomStringConvertible {
    /// A sentence without a full stop that names the field and the fault.
    let description: String

    init(_ description: String) { self.description = description }
}
