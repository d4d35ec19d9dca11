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

    /// Completing successfully, and the first step from `start` on that the original then refuses.
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
            case .probe: continue
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
        var members = [
            JSONValue.Member(key: "valid", value: .bool(false)),
            JSONValue.Member(key: "code", value: .string(code)),
            JSONValue.Member(key: "error", value: .string(error)),
        ]
        if let exception {
            members.append(JSONValue.Member(key: "exception", value: .string(exception)))
        }
        members.append(
            JSONValue.Member(key: "stage", value: .string(opIndex == nil ? "complete" : "build"))
        )
        if let opIndex {
            members.append(JSONValue.Member(key: "opIndex", value: .integer(opIndex)))
        }
        json = .object(members)
    }
}
