/// How many elements of a picture are not drawn, by why.
struct LeftOutElements {
    var unusable = 0
    var hidden = 0
    var empty = 0
    var outside = 0
    /// Edits of elements that are not drawn.
    var edits = 0

    static func + (left: LeftOutElements, right: LeftOutElements) -> LeftOutElements {
        LeftOutElements(
            unusable: left.unusable + right.unusable,
            hidden: left.hidden + right.hidden,
            empty: left.empty + right.empty,
            outside: left.outside + right.outside,
            edits: left.edits + right.edits
        )
    }

    /// What stands below the picture; nil if nothing is left out.
    var note: String? {
        let reasons = [
            (unusable, "with numbers that cannot be drawn"), (hidden, "hidden"),
            (empty, "without extent"), (outside, "beyond the part that is shown"),
            (edits, edits == 1 ? "mark of what is not drawn" : "marks of what is not drawn"),
        ]
        let parts = reasons.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? nil : "Left out: " + parts.joined(separator: ", ") + "."
    }
}
