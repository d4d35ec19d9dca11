import CollectionPipeline

/// Texture's result for a scenario that completes its change set too early, or reads from the
/// change set before it is complete.
struct Misuse {
    let difference: NamedDifference
    let json: JSONValue

    /// Returns the result of reading at step `index`, before completion.
    static func reading(_ probe: Scenario.Probe, at index: Int) -> Misuse {
        let (difference, error): (NamedDifference, String) =
            probe == .readMapping
            ? (.mappingBeforeComplete, "Cannot call sectionMapping before `markCompleted` returns.")
            : (.readIncomplete, "Attempt to process incomplete changeset <description>")
        return Misuse(difference, error, opIndex: index)
    }

    /// Returns the result of a completion at step `index` that fails.
    static func completing(at index: Int, failingWith error: HierarchyUpdateError) -> Misuse {
        // Two of Texture's errors are the same assertion. The vectors distinguish them by whether a
        // submission or the completion failed. Here it is a submitted step.
        let code: HierarchyUpdateError.Code =
            error.code == .reloadWithoutTarget ? .emptyItemOp : error.code
        return Misuse(
            .completedByProbe,
            code: code.rawValue,
            error: error.message,
            exception: TextureStage(of: error.code)?.exception,
            opIndex: index
        )
    }

    /// Returns the result of a successful completion, which is the first step from `start` on that
    /// Texture rejects.
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
            // Reading is permitted after completion.
            case .probe(.readChanges), .probe(.readMapping): break
            }
        }
        // Texture completes every change set at its end.
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
            exception: TextureStage.completion.exception,
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
        json = [
            "valid": .bool(false), "code": .string(code), "error": .string(error),
            "exception": exception.map(JSONValue.string),
            "stage": .string(opIndex == nil ? "complete" : "build"),
            "opIndex": opIndex.map(JSONValue.integer),
        ]
    }
}

/// The stage at which Texture rejects a change set: an assertion when an operation is submitted, an
/// assertion on completion, or an exception from validation.
enum TextureStage {
    case build
    case completion
    case validation

    /// `nil` for an error that Texture does not have.
    init?(of code: HierarchyUpdateError.Code) {
        switch code {
        case .emptyItemOp, .emptySectionOp, .reloadDataTwice: self = .build
        case .reloadDeletedSection, .reloadWithoutTarget: self = .completion
        case .sectionCount, .deleteSectionRange, .deleteItemSectionRange, .deleteItemRange,
            .insertItemSectionRange, .insertItemRange, .insertSectionRange, .deleteAndReloadItem,
            .itemCount:
            self = .validation
        default: return nil
        }
    }

    var name: String { self == .build ? "build" : "complete" }

    var exception: String {
        self == .validation
            ? "ASCollectionInvalidUpdateException" : "NSInternalInconsistencyException"
    }
}
