import SimulatedView

extension DisplayText {
    /// The narrowest width that text is laid out in: one wide character.
    static let minimumWidth = 2

    /// The text cut to `width` columns, the last of them an ellipsis where something is missing.
    ///
    /// A width below ``minimumWidth`` is taken as that.
    static func truncated(_ text: String, to width: Int) -> String {
        let width = max(minimumWidth, width)
        var used = 0
        var end = text.startIndex
        var position = text.startIndex
        while position < text.endIndex {
            used += self.width(of: text[position])
            if used > width { return text[..<end] + "…" }
            position = text.index(after: position)
            // The last column is kept for the ellipsis until all of the text is known to fit.
            if used < width { end = position }
        }
        return text
    }

    /// How wide text is set within a range: there is no limit where a view has gone, and a line needs one.
    static func width(within range: SizeRange) -> Double {
        min(range.maximum.width, widest)
    }

    /// Wider than any terminal.
    private static let widest = 10_000.0

    /// The text in lines of at most `width` columns, broken at spaces where there are any, and
    /// inside words that are too long for a line.
    ///
    /// Spaces at a break go; an empty text is one empty line. A width below ``minimumWidth`` is
    /// taken as that.
    static func lines(of text: String, width: Int) -> [String] {
        let width = max(minimumWidth, width)
        var lines: [String] = []
        var line = ""
        var lineWidth = 0
        for word in text.split(separator: " ") {
            let wordWidth = self.width(of: word)
            if !line.isEmpty {
                if lineWidth + 1 + wordWidth <= width {
                    line += " " + word
                    lineWidth += 1 + wordWidth
                    continue
                }
                lines.append(line)
                line = ""
                lineWidth = 0
            }
            for character in word {
                let characterWidth = self.width(of: character)
                if lineWidth + characterWidth > width {
                    lines.append(line)
                    line = ""
                    lineWidth = 0
                }
                line.append(character)
                lineWidth += characterWidth
            }
        }
        // Every word has left something in it: it is empty only where there is no word at all.
        lines.append(line)
        return lines
    }
}
