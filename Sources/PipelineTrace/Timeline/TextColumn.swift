/// Texts that stand below each other.
enum TextColumn {
    /// At the right end of so many columns; longer ones are cut.
    static func right(_ text: String, _ width: Int) -> String {
        let text = cut(text, width)
        return String(repeating: " ", count: width - text.count) + text
    }

    /// At the left end of so many columns; longer ones are cut.
    static func left(_ text: String, _ width: Int) -> String {
        let text = cut(text, width)
        return text + String(repeating: " ", count: width - text.count)
    }

    /// In one line of at most so many characters, without what a terminal would take for more than a character.
    static func cut(_ text: String, _ width: Int) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Character in
            scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value ? "?" : Character(scalar)
        }
        return scalars.count <= width
            ? String(scalars) : String(scalars.prefix(max(0, width - 1))) + "…"
    }

    /// Nanoseconds as milliseconds, with three decimals.
    static func milliseconds(_ nanoseconds: Int64) -> String {
        let sign = nanoseconds < 0 ? "-" : ""
        let microseconds = nanoseconds.magnitude / 1_000
        let fraction = String(microseconds % 1_000 + 1_000).dropFirst()
        return "\(sign)\(microseconds / 1_000).\(fraction)"
    }
}
