import CollectionPipeline

/// Compares the results of one profile with recorded results.
///
/// A recorded result is first compared with the profile's own result. In `standard` and `strict` it
/// may be Texture's result instead: then it must equal the result in `texture`, and the difference
/// between the two profiles must follow from a named rule.
struct ResultCheck {
    let examiner: Examiner
    let profile: ValidationProfile

    func compare(_ scenario: Scenario) async throws(ScenarioFault) -> ResultComparison {
        let recorded = try Self.recordedResult(of: scenario)
        if let index = scenario.firstProbeIndex, let probe = scenario.firstProbe {
            return try await compareMisuse(scenario, recorded, probe, at: index)
        }
        let examination = try await examiner.examine(scenario, profile: profile)
        let comparison = Self.comparison(scenario, recorded, examination)
        guard profile != .texture, !comparison.faults.isEmpty else { return comparison }
        let texture = try await examiner.examine(scenario, profile: .texture)
        guard Self.comparison(scenario, recorded, texture).faults.isEmpty,
            let rule = try await rule(scenario, recorded, examination, texture)
        else { return comparison }
        // No rule excuses a guarantee that the pipeline broke.
        return ResultComparison(differences: [rule], faults: examination.faults)
    }

    private static func recordedResult(of scenario: Scenario) throws(ScenarioFault) -> JSONValue {
        guard let result = scenario.result else {
            throw ScenarioFault("missing field 'result', which --check compares with")
        }
        let field = try JSONField(name: "result", value: result).object()
        _ = try field.member("valid").bool()
        return result
    }

    private static func comparison(
        _ scenario: Scenario,
        _ recorded: JSONValue,
        _ examination: Examination
    ) -> ResultComparison {
        let computed = ScenarioResult(examination).json
        var texture: TextureFields?
        if case .accepted(let acceptance) = examination.verdict {
            texture = TextureFields(scenario, acceptance, computed)
        }
        let comparison = ResultComparison(recorded: recorded, computed: computed, texture: texture)
        return ResultComparison(
            differences: comparison.differences,
            faults: comparison.faults + examination.faults
        )
    }

    // MARK: Between profiles

    /// Returns the rule that explains why `examination` differs from `texture`, for the same
    /// scenario.
    private func rule(
        _ scenario: Scenario,
        _ recorded: JSONValue,
        _ examination: Examination,
        _ texture: Examination
    ) async throws(ScenarioFault) -> NamedDifference? {
        switch (examination.verdict, texture.verdict) {
        case (.rejected, .rejected): return .ownFaults
        case (.accepted, .rejected(let error)): return .accepting(error.code)
        case (.rejected(let error), .accepted):
            if profile == .strict {
                let standard = try await examiner.examine(scenario, profile: .standard)
                if case .accepted = standard.verdict { return .earlyFaults }
            }
            if let rule = NamedDifference.rejecting(error.code) { return rule }
            switch try await decomposed(scenario).verdict {
            case .accepted: return .movedCounts
            case .rejected(let error): return .rejecting(error.code)
            }
        case (.accepted, .accepted):
            // If moves are decomposed, no difference may remain.
            let decomposed = try await decomposed(scenario)
            let comparison = Self.comparison(scenario, recorded, decomposed)
            return comparison.faults.isEmpty ? .realMoves : nil
        }
    }

    /// Returns the profile's result if a move is a delete and an insert, as in Texture.
    private func decomposed(_ scenario: Scenario) async throws(ScenarioFault) -> Examination {
        try await examiner.examine(scenario, profile: profile, decomposesMoves: true)
    }

    // MARK: Misuse

    private func compareMisuse(
        _ scenario: Scenario,
        _ recorded: JSONValue,
        _ probe: Scenario.Probe,
        at index: Int
    ) async throws(ScenarioFault) -> ResultComparison {
        let prefix = scenario.prefix(index)
        let examination = try await examiner.examine(prefix, profile: .texture)
        let misuse: Misuse
        switch (examination.verdict, probe) {
        case (.rejected(let error), _) where TextureStage(of: error.code) == .build:
            // Texture never reached the probe.
            return try await compare(prefix)
        case (_, .readChanges), (_, .readMapping): misuse = .reading(probe, at: index)
        case (.rejected(let error), .complete):
            misuse = .completing(at: index, failingWith: error)
        case (.accepted, .complete):
            misuse = .afterCompletion(scenario.steps, from: index + 1)
        }
        let comparison = ResultComparison(recorded: recorded, computed: misuse.json)
        return comparison.faults.isEmpty
            ? ResultComparison(differences: [misuse.difference]) : comparison
    }
}

/// The comparison of a recorded result with a computed one: explained and unexplained differences.
struct ResultComparison {
    private(set) var differences: Set<NamedDifference> = []
    /// The unexplained differences, each with its place.
    private(set) var faults: [String] = []

    var agrees: Bool { differences.isEmpty && faults.isEmpty }

    init(differences: Set<NamedDifference> = [], faults: [String] = []) {
        self.differences = differences
        self.faults = faults
    }

    /// Compares every recorded field. `texture` contains Texture's values, which are also
    /// accepted.
    init(recorded: JSONValue, computed: JSONValue, texture: TextureFields? = nil) {
        guard case .object(let members) = recorded else { return }
        // If the verdicts differ, all other fields differ too.
        let keys = recorded["valid"] == computed["valid"] ? members.map(\.key) : ["valid"]
        // The quirks are remarks on Texture, which no result contains.
        for key in keys where key != "quirks" {
            guard let value = recorded[key], value != computed[key] else { continue }
            if let field = texture?.fields[key], field.value == value {
                differences.insert(field.difference)
            } else {
                faults.append(
                    JSONDifference(expected: value, found: computed[key], at: key).description
                )
            }
        }
    }
}

/// The first place at which two values differ.
struct JSONDifference: CustomStringConvertible {
    /// The path of the place, such as `map[2][0]`.
    private(set) var place: String
    private(set) var expected: JSONValue?
    private(set) var found: JSONValue?

    /// Finds the place, in arrays of equal length and in objects with equal keys.
    init(expected: JSONValue?, found: JSONValue?, at place: String) {
        (self.place, self.expected, self.found) = (place, expected, found)
        while let step = step() {
            (self.place, self.expected, self.found) = step
        }
    }

    private func step() -> (String, JSONValue?, JSONValue?)? {
        switch (expected, found) {
        case (.array(let expected), .array(let found)) where expected.count == found.count:
            for (index, pair) in zip(expected, found).enumerated() where pair.0 != pair.1 {
                return ("\(place)[\(index)]", pair.0, pair.1)
            }
        case (.object(let expected), .object(let found))
        where expected.map(\.key) == found.map(\.key):
            for (left, right) in zip(expected, found) where left.value != right.value {
                return ("\(place).\(left.key)", left.value, right.value)
            }
        default: break
        }
        return nil
    }

    var description: String {
        "\(place): expected \(Self.text(expected)), found \(Self.text(found))"
    }

    private static func text(_ value: JSONValue?) -> String {
        guard let text = value?.text else { return "nothing" }
        return text.count > 160 ? "\(text.prefix(160))…" : text
    }
}

/// The number of scenarios that agree with their results, and of those that differ, by reason.
struct CheckTally {
    private(set) var agreements = 0
    /// The number of scenarios all of whose differences are explained.
    private(set) var explained = 0
    private(set) var failures = 0
    private var counts: [NamedDifference: Int] = [:]

    mutating func note(_ comparison: ResultComparison) {
        // An unexplained difference is a failure, whatever else is explained.
        guard comparison.faults.isEmpty else {
            failures += 1
            return
        }
        if comparison.agrees { agreements += 1 } else { explained += 1 }
        for difference in comparison.differences { counts[difference, default: 0] += 1 }
    }

    func count(_ difference: NamedDifference) -> Int { counts[difference, default: 0] }

    /// The summary, one line per entry.
    var report: [String] {
        let named = NamedDifference.allCases.filter { count($0) > 0 }
        let width = String(named.map(count).max() ?? 0).count
        return ["\(agreements + explained + failures) checked, \(agreements) agree"]
            + ["\(explained) differ for a reason" + (named.isEmpty ? "" : " (some for several):")]
            + named.map { difference in
                let count = String(count(difference))
                let padding = String(repeating: " ", count: width - count.count)
                return "  \(padding)\(count) \(difference.rawValue): \(difference.reason)"
            }
            + ["\(failures) \(failures == 1 ? "failure" : "failures")"]
    }
}
