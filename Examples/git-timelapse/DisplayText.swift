import SimulatedView

/// Computes the width of text on a terminal.
enum DisplayText {
    /// Returns the approximate number of columns of `text`. Terminals differ, and none is queried.
    static func width(of text: some StringProtocol) -> Int {
        var width = 0
        for character in text { width += self.width(of: character) }
        return width
    }

    /// Returns 0 for a combining character by itself, 2 for a wide East Asian character or an
    /// emoji, otherwise 1.
    static func width(of character: Character) -> Int {
        if let ascii = character.asciiValue { return ascii < 0x20 || ascii == 0x7F ? 0 : 1 }
        var width = 0
        for scalar in character.unicodeScalars {
            // This variation selector requests an emoji, which is wide.
            if scalar.value == 0xFE0F { return 2 }
            width = max(width, self.width(of: scalar))
        }
        return width
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        switch scalar.value {
        // Hangul vowels and final consonants occupy the columns of the first consonant.
        case 0x1160...0x11FF: return 0
        // Blocks of Unicode's East Asian Width classes W and F.
        case 0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x2E80...0x303E,
            0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
            0x16FE0...0x18AFF, 0x1B000...0x1B2FF, 0x1F1E6...0x1F1FF, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F7E0...0x1F7EB, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF,
            0x20000...0x3FFFD:
            return 2
        default:
            return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }
}

extension DisplayText {
    /// The narrowest width in which text is laid out: one wide character.
    static let minimumWidth = 2

    /// Returns the text cut to `width` columns, with an ellipsis in the last one if something is
    /// missing.
    ///
    /// A width below ``minimumWidth`` counts as that.
    static func truncated(_ text: String, to width: Int) -> String {
        let width = max(minimumWidth, width)
        var used = 0
        var end = text.startIndex
        var position = text.startIndex
        while position < text.endIndex {
            used += self.width(of: text[position])
            if used > width { return text[..<end] + "…" }
            position = text.index(after: position)
            // The last column is kept for the ellipsis until the whole text is known to fit.
            if used < width { end = position }
        }
        return text
    }

    /// Returns the width for text within a range. A line needs a limit even if the view no longer
    /// exists and the range has none.
    static func width(within range: SizeRange) -> Double {
        min(range.maximum.width, widest)
    }

    /// A width beyond that of any terminal.
    private static let widest = 10_000.0

    /// Returns the text in lines of at most `width` columns, broken at spaces, and inside words
    /// that are too long for a line.
    ///
    /// Spaces at a break are removed. An empty text is one empty line. A width below
    /// ``minimumWidth`` counts as that.
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
        // Every word leaves something in `line`, so it is empty only if there is no word at all.
        lines.append(line)
        return lines
    }
}
