extension PipelineEvent: CustomStringConvertible {
    /// A line for a log, such as `feed #4 accepted: 2 edits, 1 element, backlog 1, took 312 µs`.
    public var description: String {
        var details: [String] = []
        if let wait { details.append("waits for \(wait)") }
        if let stall { details.append(kind == .stallEnded ? stall.endDescription : "\(stall)") }
        if let disagreement { details.append("\(disagreement)") }
        if let failedElement {
            details.append("\(failedElement)")
        } else if let error {
            details.append(Self.firstLine(of: error))
        }
        if let editCount { details.append(Self.counted(editCount, "edit")) }
        if let elementCount { details.append(Self.counted(elementCount, "element")) }
        if let backlog { details.append("backlog \(backlog)") }
        if let divergence { details.append("diverged in \(divergence)") }
        if let duration { details.append("took \(duration.shortText)") }
        let who = submission.map { "\(pipeline) \($0)" } ?? pipeline
        let what = "\(who) \(kind.rawValue)"
        return details.isEmpty ? what : "\(what): \(details.joined(separator: ", "))"
    }

    /// What is wrong in one line; an error of the library explains itself on those that follow.
    private static func firstLine(of error: any Error) -> String {
        if let error = error as? UpdateError { return error.summary }
        return String("\(error)".prefix { $0 != "\n" })
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
