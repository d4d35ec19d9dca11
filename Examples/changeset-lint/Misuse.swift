import CollectionPipeline

/// The original's answer to a scenario that completes its change set half-way, or reads from it
/// before it is complete.
struct Misuse {
    let difference: NamedDifference
    let json: JSONValue

    /// Reading at step `index`, before completion.
    static func reading(_ probe: Scenario.Probe, at index: Int) -> Misuse {
        probe == .readMapping
            ? Misuse(
                .mappingBeforeComplete,
                "Cannot call sectionMapping before `markCompleted` returns.",
                opIndex: index
            )
            : Misuse(
                .readIncomplete,
                "Attempt to process incomplete changeset <description>",
                opIndex: index
            )
    }

    /// Completing at step `index`, which fails.
    static func completing(at index: Int, failingWith error: HierarchyUpdateError) -> Misuse {
        // Two of the original's faults are one and the same assertion; the vectors tell them apart
        // by whether a submission or a completion failed, and here it is a submitted step.
        let code: HierarchyUpdateError.Code =
            error.code == .reloadWithoutTarget ? .emptyItemOp : error.code
        return Misuse(
            .completedByProbe,
            code: code.rawValue,
            error: error.message,
            exception: OriginalStage(of: error.code)?.exception,
            opIndex: index
        )
    }

    /// Completing successfully, and the first step from `start` on that the original then rejects.
    static func afterCompletion(_ steps: [Scenario.Step], from start: Int) -> Misuse {
        for index in steps.indices.dropFirst(start) {
            switch steps[index] {
            case .operation:
                return Misuse(
                    .modifyCompleted,
                    "Attempt to modify completed changeset <description>",
                    opIndex: index
                )
            case .probe(.complete): return completingTwice(at: index)
            // Reading is what completion is for.
            case .probe(.readChanges), .probe(.readMapping): break
            }
        }
        // Every set is completed at its end.
        return completingTwice(at: nil)
    }

    private static func completingTwice(at index: Int?) -> Misuse {
        Misuse(
            .completeTwice,
            "Attempt to mark already-completed changeset as completed.",
            opIndex: index
        )
    }

    private init(_ difference: NamedDifference, _ error: String, opIndex: Int?) {
        self.init(
            difference,
            code: difference.rawValue,
            error: error,
            exception: OriginalStage.completion.exception,
            opIndex: opIndex
        )
    }

    private init(
        _ difference: NamedDifference,
        code: String,
        error: String,
        exception: String?,
        opIndex: Int?
    ) {
        self.difference = difference
        let fields: KeyValuePairs<String, JSONValue?> = [
            "valid": .bool(false), "code": .string(code), "error": .string(error),
            "exception": exception.map(JSONValue.string),
            "stage": .string(opIndex == nil ? "complete" : "build"),
            "opIndex": opIndex.map(JSONValue.integer),
        ]
        json = .object(
            fields.compactMap { key, value in
                value.map { JSONValue.Member(key: key, value: $0) }
            }
        )
    }
}
