/// One row of the screen: pieces of text, each in an ink of its own.
struct ScreenRow: Hashable, Sendable {
    /// How a piece is written. Colours help, and are never all that tells things apart.
    enum Ink: String, Sendable {
        case plain = ""
        case strong = "1"
        case faint = "2"
        case added = "32"
        case changed = "33"
        case moved = "36"
        case visible = "1;32"
        case display = "1;36"
        case preload = "1;33"
    }

    struct Piece: Hashable, Sendable {
        var text: String
        var ink: Ink
    }

    var pieces: [Piece]

    init(_ pieces: (String, Ink)...) {
        self.pieces = pieces.map { Piece(text: $0.0, ink: $0.1) }
    }

    init(_ text: String, _ ink: Ink = .plain) { self.init((text, ink)) }

    /// What it says.
    var text: String { pieces.map(\.text).joined() }

    /// The row cut to `width` columns, and without anything that would do more than show.
    func cut(to width: Int) -> ScreenRow {
        let escaped = pieces.map { DisplayText.escaping($0.text) }
        var rest = DisplayText.truncated(escaped.joined(), to: width)[...]
        var row = self
        for (index, text) in escaped.enumerated() {
            row.pieces[index].text = String(rest.prefix(text.count))
            rest = rest.dropFirst(text.count)
        }
        return row
    }

    /// The row with another beside it, which begins at a column; alone where that shows nothing.
    func beside(_ other: ScreenRow, at column: Int) -> ScreenRow {
        var row = cut(to: column - 1)
        if other.text.allSatisfy({ $0 == " " }) { return row }
        let gap = String(repeating: " ", count: column - DisplayText.width(of: row.text))
        row.pieces += [Piece(text: gap, ink: .plain)] + other.pieces
        return row
    }

    /// What goes to the terminal; colours take no columns.
    func shown(hasColour: Bool) -> String {
        guard hasColour else { return text }
        return pieces.map { piece in
            guard piece.ink != .plain, !piece.text.isEmpty else { return piece.text }
            return "\u{1B}[\(piece.ink.rawValue)m\(piece.text)\u{1B}[0m"
        }.joined()
    }
}
