import CollectionElements

/// How text is measured, wrapped and drawn in pictures: every character takes a cell of the same size.
///
/// Real fonts differ from machine to machine; cells do not, so that a picture has the same bytes
/// everywhere. Use it to give the elements of a picture the sizes that their texts need.
public enum PictureText {
    /// What a character takes, in the unit of layouts.
    public static let cellSize = Size(width: 6, height: 12)

    /// What is left free around the text of an element, on every side.
    public static let padding = 5.0

    /// The size of the letters: that at which common fixed-width fonts are as wide as a cell.
    static let fontSize = 10.0

    /// From a line's upper edge to where its letters stand.
    static let ascent = 9.0

    /// The lines of a text that is wrapped at blanks to a width; words that are too long for it are cut,
    /// and a width without room for a character counts as room for one.
    ///
    /// The width is that of the element, so with the padding. Complexity: O(n) for n characters.
    public static func lines(of text: String, width: Double) -> [String] {
        let room = (width - 2 * padding) / cellSize.width
        // The comparison is false for what is no number too.
        let columns = room >= 1 ? Int(min(room, 10_000)) : 1
        return lines(of: text, columns: columns)
    }

    /// The size of an element that shows the text within a width, with the padding around it.
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
