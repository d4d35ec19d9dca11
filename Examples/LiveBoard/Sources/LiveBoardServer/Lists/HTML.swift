/// Text from outside as part of a page.
enum HTML {
    /// Returns the text with everything escaped that HTML reads as something else, in content and in quoted
    /// attributes. Control characters that a page must not contain become replacement characters.
    static func escaped(_ text: some StringProtocol) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\t", "\n": escaped.unicodeScalars.append(character)
            case "\u{0}"..<" ", "\u{7f}"..."\u{9f}": escaped += "\u{fffd}"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    /// Returns a `span` of a class, with a label for screen readers if that says more than the text.
    static func span(_ name: String, _ text: String, label: String? = nil) -> String {
        let label = label.map { " aria-label=\"\(escaped($0))\"" } ?? ""
        return "<span class=\"\(name)\"\(label)>\(escaped(text))</span>"
    }

    /// Returns the text that ``escaped(_:)`` was given.
    static func unescaped(_ text: some StringProtocol) -> String {
        let marks: [(String, Unicode.Scalar)] = [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
        ]
        // By scalars, because a mark that is composed with a bracket would make one character with it.
        var scalars = Array(text.unicodeScalars)
        for (mark, plain) in marks {
            scalars = scalars.replacing(Array(mark.unicodeScalars), with: CollectionOfOne(plain))
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
