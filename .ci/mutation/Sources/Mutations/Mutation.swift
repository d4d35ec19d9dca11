/// One small change of the source: what a person could have got wrong in a place.
package struct Mutation: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable, Codable {
        case conditionTrue = "condition forced true"
        case conditionFalse = "condition forced false"
        case boundary = "comparison boundary"
        case negation = "comparison or condition negated"
        case logic = "logical operator swapped"
        case arithmetic = "arithmetic"
        case offByOne = "number off by one"
        case boolean = "truth value flipped"
        case range = "range half-open or closed"
        case extreme = "minimum and maximum swapped"
        case end = "first and last swapped"
        case order = "order of elements"
        case statement = "statement removed"
        case exit = "early exit removed"
        case deferred = "defer dropped"
    }

    package let kind: Kind
    /// The file, from the package's root.
    package let file: String
    /// What it stands in, as `Type.member(label:)`; empty for what stands in no declaration.
    package let declaration: String
    /// The line that it begins in, from 1.
    package let line: Int
    /// The lines that it is about, as they are and as it makes them; white space at their ends is gone.
    package let original: [String]
    package let mutated: [String]
    /// How many like it come before, in the same declaration.
    package var occurrence = 0

    /// Names it as long as its lines and its declaration stay what they are.
    package var key: String {
        ([file, declaration, kind.rawValue, String(occurrence)] + original + ["=>"] + mutated)
            .joined(separator: "\u{1F}")
    }

    /// How it reads in a list: where it is and what it does, for a person.
    package var difference: String {
        var lines = ["\(file):\(line)  \(declaration)  (\(kind.rawValue))"]
        lines += Self.shortened(original).map { "-   \($0)" }
        lines += Self.shortened(mutated).map { "+   \($0)" }
        return lines.joined(separator: "\n")
    }

    private static func shortened(_ lines: [String]) -> [String] {
        guard lines.count > 6 else { return lines }
        return lines.prefix(3) + ["…"] + lines.suffix(2)
    }
}
