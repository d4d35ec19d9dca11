extension PipelineEvent: CustomStringConvertible {
    /// A line for a log, such as `feed #4 accepted: 2 edits, 1 element, backlog 1, took 312 µs`.
    public var description: String {
        var details = remarks
        if let editCount { details.append(counted(editCount, "edit")) }
        if let elementCount { details.append(counted(elementCount, "element")) }
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
        if kind == .viewGone { remarks.append("keep the view, unless it was dropped on purpose") }
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
}

extension Duration {
    /// The duration in three digits at most and the unit that suits them, such as `5.7 µs`, `312 ms` or `2 s`.
    package var shortText: String {
        let units: [(name: String, attoseconds: Int128)] = [
            ("s", 1_000_000_000_000_000_000), ("ms", 1_000_000_000_000_000),
            ("µs", 1_000_000_000_000),
        ]
        let length = attoseconds.magnitude
        let sign = attoseconds < 0 ? "-" : ""
        // What is rounded up to a whole of the next unit is given in that.
        let (name, unit) =
            units.first { length >= $0.attoseconds.magnitude / 10_000 * 9_995 }
            .map { ($0.name, $0.attoseconds.magnitude) } ?? ("ns", 1_000_000_000)
        let decimals = length < unit * 10 ? 2 : length < unit * 100 ? 1 : 0
        let scale: UInt128 = decimals == 2 ? 100 : decimals == 1 ? 10 : 1
        let rounded = (length * scale + unit / 2) / unit
        var text = "\(rounded / scale)"
        var fraction = String(String(rounded % scale + scale).dropFirst())
        while fraction.last == "0" { fraction.removeLast() }
        if !fraction.isEmpty { text += ".\(fraction)" }
        return "\(sign)\(text) \(name)"
    }
}
