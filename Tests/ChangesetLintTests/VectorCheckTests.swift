import CollectionPipeline
import Foundation
import TestSupport
import Testing

@testable import changeset_lint

/// The recorded answers of the original against those of a real pipeline.
@Suite struct VectorCheckTests {
    @Test func everySampledVectorIsReproducedOrNamedInTexture() async {
        let run = await LintRun("--profile", "texture", "--check", Vectors.sample.path)
        #expect(run.exitCode == .success)
        #expect(run.errors == [])
        #expect(
            run.output.map(Self.withoutReason) == [
                "1511 checked, 1219 agree",
                "292 differ for a reason (some for several)",
                "15 modifyCompleted",
                "14 readIncomplete",
                "14 mappingBeforeComplete",
                "14 completeTwice",
                "1 completedByProbe",
                "40 duplicatesAppliedOnce",
                "170 reloadedRows",
                "28 reloadDataEdits",
                "0 failures",
            ]
        )
    }

    @Test(
        .enabled("the file of all vectors is not at hand, or takes too long") {
            Effort.isFull && Vectors.all != nil
        }
    )
    func everyVectorIsReproducedOrNamedInTexture() async throws {
        let path = try #require(Vectors.all).path
        let run = await LintRun("--profile=texture", "--check", path)
        #expect(run.exitCode == .success)
        #expect(
            run.output.map(Self.withoutReason) == [
                "6000 checked, 4878 agree",
                "1122 differ for a reason (some for several)",
                "55 modifyCompleted",
                "55 readIncomplete",
                "55 mappingBeforeComplete",
                "55 completeTwice",
                "1 completedByProbe",
                "150 duplicatesAppliedOnce",
                "657 reloadedRows",
                "110 reloadDataEdits",
                "0 failures",
            ]
        )
    }

    /// How many of the sample differ for which reason; where the two profiles part, in both.
    private static func sampledReport(_ profile: ValidationProfile) -> [String] {
        let isStrict = profile == .strict
        return [
            "1511 checked, 429 agree",
            "1082 differ for a reason (some for several)",
            "15 modifyCompleted",
            "14 readIncomplete",
            "14 mappingBeforeComplete",
            "14 completeTwice",
            "1 completedByProbe",
            "8 duplicatesAppliedOnce",
            "97 reloadedRows",
            "28 reloadDataEdits",
            "485 ownFaults",
            "50 emptyOperations",
            "14 repeatedReloadData",
            "86 duplicatesRejected",
            "18 reloadConflicts",
            "\(isStrict ? 169 : 168) boundsChecked",
            "\(isStrict ? 39 : 52) realMoves",
            "\(isStrict ? 18 : 19) movedCounts",
        ] + (isStrict ? ["13 earlyFaults"] : []) + ["0 failures"]
    }

    @Test(
        .enabled("every one takes long, and so does every other profile") { Effort.isFull },
        arguments: [ValidationProfile.standard, .strict]
    )
    func everySampledVectorIsReproducedOrNamedElsewhere(profile: ValidationProfile) async {
        let run = await LintRun("--profile", profile.rawValue, "--check", Vectors.sample.path)
        #expect(run.exitCode == .success)
        #expect(run.output.first?.hasPrefix("1511 checked, ") == true)
        #expect(run.output.last == "0 failures")
        #expect(run.output.map(Self.withoutReason) == Self.sampledReport(profile))
        #expect(run.errors == [])
    }

    /// What agrees is also written alike, byte for byte.
    @Test func theAnswersOfTextureAreTheRecordedTexts() async throws {
        let all = try String(contentsOf: Vectors.sample, encoding: .utf8).split(separator: "\n")
        let vectors = stride(from: 0, to: all.count, by: Effort.number(1, usually: 11))
            .map { all[$0] }
        let input = vectors.joined(separator: "\n") + "\n"
        let run = await LintRun("--profile", "texture", input: input)
        try #require(run.output.count == vectors.count)
        let equal = zip(vectors, run.output).count { $0.hasSuffix(#","result":\#($1)}"#) }
        let check = await LintRun("--profile", "texture", "--check", input: input)
        #expect(check.output.first == "\(vectors.count) checked, \(equal) agree")
        #expect(equal > 0)
    }

    /// Whatever is changed in a recorded answer: no name may cover it.
    @Test(arguments: [ValidationProfile.texture, .standard])
    func aMutatedResultFails(profile: ValidationProfile) async throws {
        let check = ResultCheck(examiner: Examiner(), profile: profile)
        // 7 and 41 have no divisor in common with the groups that the sample was taken from.
        for scenario in try Vectors.scenarios(stride: Effort.number(7, usually: 41)) {
            guard case .object(let members) = scenario.result else { continue }
            for index in members.indices where members[index].key != "quirks" {
                var mutated = members
                mutated[index].value = Self.mutate(mutated[index].value)
                var scenario = scenario
                scenario.result = .object(mutated)
                let comparison = try await check.compare(scenario)
                #expect(
                    !comparison.faults.isEmpty,
                    "\(scenario.id?.text ?? ""): \(members[index].key)"
                )
            }
        }
    }

    @Test func aMutatedResultIsCountedAndEndsTheRunWithOne() async throws {
        let line = #"{"id":7,"oldCounts":[2],"newCounts":[2],"ops":[],"result":{"valid":true,"#
        let run = await LintRun(
            "--check",
            input: line + #""map":[["o0.0","o0.1"]]}}"# + "\n" + line
                + #""map":[["o0.0","n0"]]}}"# + "\n"
        )
        #expect(run.exitCode == .failedCheck)
        #expect(
            run.output == [
                #"line 2 (id 7): map[0][1]: expected "n0", found "o0.1""#,
                "2 checked, 1 agree",
                "0 differ for a reason",
                "1 failure",
            ]
        )
    }

    /// What is printed can be recorded, and then agrees in every field.
    @Test(arguments: ValidationProfile.allCases)
    func recordedAnswersAgree(profile: ValidationProfile) async throws {
        let scenarios = try Vectors.scenarios(stride: Effort.number(5, usually: 29)).filter {
            $0.firstProbe == nil
        }
        let examiner = Examiner()
        let check = ResultCheck(examiner: examiner, profile: profile)
        for var scenario in scenarios {
            let examination = try await examiner.examine(scenario, profile: check.profile)
            scenario.result = Answer(examination).json
            let comparison = try await check.compare(scenario)
            #expect(comparison.agrees)
        }
    }

    private static func withoutReason(_ line: String) -> String {
        String(line.prefix { $0 != ":" }.drop { $0 == " " })
    }

    /// Changes one leaf, the last that there is.
    private static func mutate(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null: return .integer(0)
        case .bool(let bool): return .bool(!bool)
        case .integer(let integer): return .integer(integer + 1)
        case .number(let text), .string(let text): return .string(text + "x")
        case .array(var elements):
            guard let last = elements.popLast() else { return .array([.integer(0)]) }
            return .array(elements + [mutate(last)])
        case .object(var members):
            guard !members.isEmpty else { return .null }
            members[members.count - 1].value = mutate(members[members.count - 1].value)
            return .object(members)
        }
    }
}
