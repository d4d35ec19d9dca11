/// One small change of the source, such as a developer could make by mistake.
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
    /// The path of the file, relative to the root of the package.
    package let file: String
    /// The declaration around the mutation, as `Type.member(label:)`; empty outside of
    /// declarations.
    package let declaration: String
    /// The line at which the mutation starts, from 1.
    package let line: Int
    /// The affected lines before the mutation, without white space at their ends.
    package let original: [String]
    /// The affected lines after the mutation, without white space at their ends.
    package let mutated: [String]
    /// The number of equal mutations before this one in the same declaration.
    package var occurrence = 0

    /// The identity of the mutation, as long as its lines and its declaration do not change.
    package var key: String {
        ([file, declaration, kind.rawValue, String(occurrence)] + original + ["=>"] + mutated)
            .joined(separator: "\u{1F}")
    }

    /// A readable description: the location, and the lines before and after the mutation.
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
