import Foundation
import ProgramSupport

/// The whole terminal as a canvas for frames, from opening to closing.
///
/// Frames are drawn on the alternate screen, so closing restores the previous contents.
///
/// Threading: a lock guards the state and every write to the terminal, because a signal may close
/// the screen from another thread while a frame is drawn. No frame is drawn after that.
final class TerminalScreen: Sendable {
    private let channel: OutputChannel
    private let hasColour: Bool
    private let isOpen = LockedValue(false)

    init(_ channel: OutputChannel, hasColour: Bool) {
        self.channel = channel
        self.hasColour = hasColour
    }

    /// Switches to the alternate screen, hides the cursor and disables automatic line breaks.
    func open() throws(SystemError) {
        try isOpen.update { isOpen throws(SystemError) in
            guard !isOpen else { return }
            isOpen = true
            try channel.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
        }
    }

    /// Draws `rows` from the top, cut to `size`, and erases everything else.
    func draw(_ rows: [ScreenRow], size: TerminalSize) throws(SystemError) {
        try isOpen.update { isOpen throws(SystemError) in
            guard isOpen else { return }
            try channel.write(Self.frame(rows, size: size, hasColour: hasColour))
        }
    }

    /// Restores the terminal, and returns whether the screen was open.
    @discardableResult
    func close() -> Bool { isOpen.update { restore(&$0) } }

    /// Restores the terminal before the process ends. If the terminal does not read, a drawing may
    /// hold the lock for any time, and restoring would wait as well, so it is skipped.
    func closeInTime() {
        _ = isOpen.update(before: Date(timeIntervalSinceNow: 0.5)) { restore(&$0) }
    }

    /// Stops the process, and restores the terminal meanwhile.
    func pause() {
        let wasOpen = close()
        // The signal stops this thread too, so it continues only when the process does.
        raise(SIGSTOP)
        // If the terminal was closed meanwhile, the replay ends elsewhere.
        if wasOpen { try? open() }
    }

    private func restore(_ isOpen: inout Bool) -> Bool {
        guard isOpen else { return false }
        isOpen = false
        // A terminal that is closed needs no restoring.
        try? channel.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        return true
    }

    /// Returns one frame as bytes: the cursor moves to the top, and each row erases what is to its
    /// right.
    ///
    /// There is no line feed after the last row, which would scroll the terminal.
    static func frame(_ rows: [ScreenRow], size: TerminalSize, hasColour: Bool) -> [UInt8] {
        var text = "\u{1B}[H"
        for (index, row) in rows.prefix(size.rows).enumerated() {
            if index > 0 { text += "\r\n" }
            let row = row.cut(to: size.columns)
            text += row.shown(hasColour: hasColour)
            // After a full row the cursor is still on the last column, which would be erased.
            if DisplayText.width(of: row.text) < size.columns { text += "\u{1B}[K" }
        }
        if rows.count < size.rows { text += rows.isEmpty ? "\u{1B}[J" : "\r\n\u{1B}[J" }
        return Array(text.utf8)
    }
}

/// One row of the screen: pieces of text, each with its own style.
struct ScreenRow: Hashable, Sendable {
    /// The style of a piece. Colours help, but they are never the only distinction.
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

    /// The text of all pieces.
    var text: String { pieces.map(\.text).joined() }

    /// Returns the row cut to `width` columns, with all control characters escaped.
    func cut(to width: Int) -> ScreenRow {
        let escaped = pieces.map { $0.text.escapedForTerminal }
        var rest = DisplayText.truncated(escaped.joined(), to: width)[...]
        var row = self
        for (index, text) in escaped.enumerated() {
            row.pieces[index].text = String(rest.prefix(text.count))
            rest = rest.dropFirst(text.count)
        }
        return row
    }

    /// Returns the row with another one beside it, which begins at `column`. If the other one is
    /// blank, nothing is added.
    func beside(_ other: ScreenRow, at column: Int) -> ScreenRow {
        var row = cut(to: column - 1)
        if other.text.allSatisfy({ $0 == " " }) { return row }
        let gap = String(repeating: " ", count: column - DisplayText.width(of: row.text))
        row.pieces += [Piece(text: gap, ink: .plain)] + other.pieces
        return row
    }

    /// Returns the text for the terminal. Colours take no columns.
    func shown(hasColour: Bool) -> String {
        guard hasColour else { return text }
        return pieces.map { piece in
            guard piece.ink != .plain, !piece.text.isEmpty else { return piece.text }
            return "\u{1B}[\(piece.ink.rawValue)m\(piece.text)\u{1B}[0m"
        }.joined()
    }
}
