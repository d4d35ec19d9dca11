import Foundation

/// A number as a sentence has it: with commas, and from a million on with one digit after the point.
struct Counted: CustomStringConvertible {
    let description: String

    /// How many seeds, as a sentence has it.
    static func seeds(_ count: some BinaryInteger) -> String {
        "\(Counted(count)) seed\(count == 1 ? "" : "s")"
    }

    init(_ number: some BinaryInteger) {
        if number >= 1_000_000 {
            description = String(format: "%.1f million", (Double(number) / 1e5).rounded(.down) / 10)
            return
        }
        let digits = String(number)
        description = digits.enumerated().reduce(into: "") { text, digit in
            let rest = digits.count - digit.offset
            if digit.offset > 0, rest.isMultiple(of: 3) { text += "," }
            text.append(digit.element)
        }
    }
}
