extension Figure {
    /// One object on one line, with every key always there, in the same order.
    ///
    /// - Parameter isJudged: whether the figures of this build mean anything.
    func json(isJudged: Bool) -> String {
        let members: [(key: String, value: String)] = [
            ("name", Self.quoted(name)),
            ("value", Self.number(value)),
            ("unit", Self.quoted(unit.rawValue)),
            ("spread", Self.number(spread)),
            ("reference", Self.number(reference)),
            ("ratio", Self.number(ratio)),
            ("goal", Self.number(goal?.bound)),
            ("bound", goal.map { Self.quoted($0.side) } ?? "null"),
            ("met", isJudged ? isMet.map { "\($0)" } ?? "null" : "null"),
        ]
        return "{" + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// Six digits: no measurement has more. JSON knows neither infinity nor NaN.
    private static func number(_ number: Double?) -> String {
        guard let number, number.isFinite else { return "null" }
        if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
        var unit = 1.0
        while abs(number) * unit < 1e5, unit < 1e12 { unit *= 10 }
        let rounded = (number * unit).rounded() / unit
        return rounded == rounded.rounded() && abs(rounded) < 1e15
            ? String(Int(rounded)) : "\(rounded)"
    }

    /// Names and units are plain ASCII without quotes.
    private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}
