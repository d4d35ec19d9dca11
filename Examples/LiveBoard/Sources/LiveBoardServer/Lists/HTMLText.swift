/// Text that came from outside, as part of a page.
enum HTMLText {
    /// The text with everything escaped that HTML reads as something else, in content and in attributes that are in
    /// double or single quotes. What no page may contain (other control characters) becomes a replacement character.
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

    /// A `span` of a class, with what the text says to who does not see it, where that is more.
    static func span(_ name: String, _ text: String, label: String? = nil) -> String {
        let label = label.map { " aria-label=\"\(escaped($0))\"" } ?? ""
        return "<span class=\"\(name)\"\(label)>\(escaped(text))</span>"
    }
}
