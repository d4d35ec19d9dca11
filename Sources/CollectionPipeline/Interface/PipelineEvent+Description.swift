extension PipelineEvent: CustomStringConvertible {
    /// A line for a log, such as `feed #4 accepted: 2 edits, 1 element, backlog 1, took 312 µs`.
    public var description: String {
        var details = remarks
        if let editCount { details.append(Self.counted(editCount, "edit")) }
        if let elementCount { details.append(Self.counted(elementCount, "element")) }
        if let backlog { details.append("backlog \(backlog)") }
        if let divergence { details.append("diverged in \(divergence)") }
        if let duration { details.append("took \(duration.shortText)") }
        let who = submission.map { "\(pipeline) \($0)" } ?? pipeline
        let what = "\(who) \(kind.rawValue)"
        return details.isEmpty ? what : "\(what): \(details.joined(separator: ", "))"
    }

    /// What it says of what is waited for, or went wrong, in parts of a line.
    package var remarks: [String] {
        var remarks: [String] = []
        if let wait { remarks.append("waits for \(wait)") }
        if let stall { remarks.append(kind == .stallEnded ? stall.endDescription : "\(stall)") }
        if let disagreement { remarks.append("\(disagreement)") }
        if let failedElement {
            remarks.append("\(failedElement)")
        } else if let error {
            remarks.append(Self.firstLine(of: error))
        }
        return remarks
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
