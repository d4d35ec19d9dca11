import CollectionChanges

extension UpdateError: CustomStringConvertible {
    /// What is wrong, in one line of less than 100 characters.
    public var summary: String { hierarchyError?.summary ?? message.asSummary }

    /// The likely mistake, or what to do.
    public var hint: String? { hierarchyError?.hint ?? code.advice }

    /// Several lines: the summary; the likely mistake, or what to do; for a change set that does not fit, the
    /// operation at fault, both shapes and the data source; the submission; what became of the model; and in the
    /// end the code with the whole message.
    public var description: String {
        var more: [String] = []
        if let submission { more.append("Submission: \(submission)") }
        if let state = stateOfTheModel { more.append("Model: \(state)") }
        if let hierarchyError { return hierarchyError.description(with: more) }
        var lines = [summary]
        if let hint { lines.append("Do: \(hint)") }
        lines += more
        lines.append(summary == message ? "[\(code.rawValue)]" : "[\(code.rawValue)] \(message)")
        return lines.joined(separator: "\n")
    }

    /// What the caller's model may be now.
    private var stateOfTheModel: String? {
        switch divergence {
        case .counts(let since) where since == submission:
            switch (hierarchyError?.oldShape, hierarchyError?.newShape) {
            case (let old?, let new?) where old != new:
                "It keeps what was done to it; undo that, or reload"
            case (_?, _?):
                "Its counts are those of the last accepted state; if items were changed, undo that,"
                    + " or reload"
            default: "It may have been changed; undo that, or reload"
            }
        case .counts(let since):
            "The data source may differ from the last accepted state since submission \(since);"
                + " reload to catch up"
        case .content(let since):
            "Items may be older than in the data source since submission \(since); reload, or"
                + " declareContentCurrent() in a batch"
        case nil: nil
        }
    }
}

extension UpdateError.Code {
    /// What to do about it; nil where the fault of the change set says it.
    fileprivate var advice: String? {
        switch self {
        case .stale: "Record it again against the newest pendingMap"
        case .backlogFull:
            "Wait for completions, raise backlogLimit, or use an asynchronous form, which waits by"
                + " backlogPolicy .suspend"
        case .updatesThrew:
            "Throw a Withdrawal before anything is changed, put the model back, or reload"
        case .unbalancedEnd: "Call beginUpdates() first, or use performBatchUpdates(_:)"
        case .submissionDuringLatch:
            "Submit in a turn of its own (the lane's enqueue(_:)), not while the data source is asked"
        case .dataSourceChangedDuringLatch:
            "Change the model in updates closures only, never in a member of the data source"
        case .diverged: "Reload, or record what differs, before asking for a relayout"
        case .unknownElement: "Use paths of pendingMap; dataSourcePath(for:) converts the view's"
        case .closed: "Submit before closing, or to a new controller; a server answers that it ends"
        case .viewRefused:
            "Look at what its closure for deploy(_:) threw; the next update that it gets is a reload"
        case .invalidState:
            "Give sections and items distinct identifiers, or let DifferenceOptions tell them apart by"
                + " occurrence"
        case .cancelled: "Nothing has changed; submit again where it is still wanted"
        default: nil
        }
    }
}
