import CollectionElements

/// Functions that measure and wrap the text in pictures. Every character occupies a cell of the
/// same size.
///
/// Real fonts differ between machines. Cells do not, so a picture has the same bytes everywhere.
/// Use this type to compute the sizes that elements need for their text.
public enum PictureText {
    /// The size of the cell of one character, in layout units.
    public static let cellSize = Size(width: 6, height: 12)

    /// The padding around the text of an element, on every side.
    public static let padding = 5.0

    /// The font size at which common fixed-width fonts are as wide as a cell.
    static let fontSize = 10.0

    /// The distance from the upper edge of a line to the baseline of its letters.
    static let ascent = 9.0

    /// Returns the lines of a text that is wrapped at white space to a width. Words that are too
    /// long are split. If the width is too small for a character, each line has one character.
    ///
    /// The width is that of the element, including the padding. Complexity: O(n) for n characters.
    public static func lines(of text: String, width: Double) -> [String] {
        let room = (width - 2 * padding) / cellSize.width
        // The comparison is also false if `room` is not a number.
        let columns = room >= 1 ? Int(min(room, 10_000)) : 1
        return lines(of: text, columns: columns)
    }

    /// Returns the size of an element that shows the text within a width, including the padding.
    public static func size(of text: String, width: Double) -> Size {
        let lines = lines(of: text, width: width)
        let columns = lines.reduce(1) { max($0, $1.count) }
        return Size(
            width: Double(columns) * cellSize.width + 2 * padding,
            height: Double(max(1, lines.count)) * cellSize.height + 2 * padding
        )
    }

    static func lines(of text: String, columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var length = 0
        for word in text.split(whereSeparator: \.isWhitespace) {
            var rest = word
            var count = rest.count
            if length > 0, length + 1 + count > columns {
                lines.append(line)
                (line, length) = ("", 0)
            }
            while count > columns {
                lines.append(String(rest.prefix(columns)))
                rest = rest.dropFirst(columns)
                count -= columns
            }
            line += length > 0 ? " \(rest)" : String(rest)
            length += (length > 0 ? 1 : 0) + count
        }
        if length > 0 { lines.append(line) }
        return lines
    }
}
