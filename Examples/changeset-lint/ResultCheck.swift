import CollectionPipeline

/// Compares the answers of one profile with recorded ones.
///
/// A result is compared with the profile's own answer first. In `standard` and `strict` it may be
/// the original's instead: then it must be what `texture` answers, and the difference between the
/// two profiles must follow from a rule that has a name.
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
        let original = try await examiner.examine(scenario, profile: .texture)
        guard Self.comparison(scenario, recorded, original).faults.isEmpty,
            let rule = try await rule(scenario, recorded, examination, original)
        else { return comparison }
        // No rule explains what the pipeline itself does wrong.
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
        let answer = Answer(examination).json
        var original: OriginalFields?
        if case .accepted(let acceptance) = examination.verdict {
            original = OriginalFields(scenario, acceptance, answer)
        }
        let comparison = ResultComparison(recorded: recorded, answer: answer, original: original)
        return ResultComparison(
            differences: comparison.differences,
            faults: comparison.faults + examination.faults
        )
    }

    // MARK: Between profiles

    /// The rule by which `examination` is not `original`, both of the same scenario.
    private func rule(
        _ scenario: Scenario,
        _ recorded: JSONValue,
        _ examination: Examination,
        _ original: Examination
    ) async throws(ScenarioFault) -> NamedDifference? {
        switch (examination.verdict, original.verdict) {
        case (.refused, .refused): return .ownFaults
        case (.accepted, .refused(let error)): return .accepting(error.code)
        case (.refused(let error), .accepted):
            if profile == .strict {
                let standard = try await examiner.examine(scenario, profile: .standard)
                if case .accepted = standard.verdict { return .earlyFaults }
            }
            if let rule = NamedDifference.refusing(error.code) { return rule }
            switch try await decomposed(scenario).verdict {
            case .accepted: return .movedCounts
            case .refused(let error): return .refusing(error.code)
            }
        case (.accepted, .accepted):
            // With the moves taken apart nothing may be left of the difference.
            let decomposed = try await decomposed(scenario)
            let comparison = Self.comparison(scenario, recorded, decomposed)
            return comparison.faults.isEmpty ? .realMoves : nil
        }
    }

    /// The profile's answer where a move is a delete and an insert, as for the original.
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
        case (.refused(let error), _) where OriginalStage(of: error.code) == .build:
            // The original never came to the probe.
            return try await compare(prefix)
        case (_, .readChanges), (_, .readMapping): misuse = .reading(probe, at: index)
        case (.refused(let error), .complete):
            misuse = .completing(at: index, failingWith: error)
        case (.accepted, .complete):
            misuse = .afterCompletion(scenario.steps, from: index + 1)
        }
        let comparison = ResultComparison(recorded: recorded, answer: misuse.json)
        return comparison.faults.isEmpty
            ? ResultComparison(differences: [misuse.difference]) : comparison
    }
}
