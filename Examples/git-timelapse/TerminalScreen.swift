import Foundation

/// The whole terminal as a canvas for frames, from opening to closing.
///
/// Frames are drawn on the alternate screen, so closing restores the previous contents. SIGINT,
/// SIGTERM and SIGHUP close the screen and then end the process as they would without it. SIGTSTP
/// closes the screen, stops the process, and opens the screen again when the process continues.
///
/// Threading: a lock guards the state and every write to the terminal, because a signal may close
/// the screen from another thread while a frame is drawn. No frame is drawn after that.
final class TerminalScreen: Sendable {
    private let channel: OutputChannel
    private let hasColour: Bool
    private let willEnd: @Sendable () -> Void
    private let state = LockedValue(State())

    /// `@unchecked`, because a signal source is not `Sendable`: it is used only under the lock.
    private struct State: @unchecked Sendable {
        var isOpen = false
        /// One source for each signal, from the first opening on. Cancelling them on every closing
        /// would lose a signal that has just arrived.
        var signalSources: [any DispatchSourceSignal] = []
        /// The handlers that Dispatch has installed, once for all sources of a signal. Closing
        /// removes them, and opening installs them again.
        var signalActions: [sigaction] = []
    }

    /// - Parameter willEnd: called before a signal ends the process.
    init(
        _ channel: OutputChannel,
        hasColour: Bool = false,
        willEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.channel = channel
        self.hasColour = hasColour
        self.willEnd = willEnd
    }

    deinit {
        state.update {
            restore(&$0)
            for source in $0.signalSources { source.cancel() }
        }
    }

    /// Switches to the alternate screen, hides the cursor and disables automatic line breaks.
    func open() throws(OutputChannel.WriteError) {
        try state.update { state throws(OutputChannel.WriteError) in
            guard !state.isOpen else { return }
            state.isOpen = true
            if state.signalSources.isEmpty { state.signalSources = watchSignals() }
            for (number, action) in zip(Self.watchedSignals, state.signalActions) {
                var action = action
                sigaction(number, &action, nil)
            }
            try channel.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
        }
    }

    /// Draws `rows` from the top, cut to `size`, and erases everything else.
    func draw(_ rows: [ScreenRow], size: Terminal.Size) throws(OutputChannel.WriteError) {
        try state.update { state throws(OutputChannel.WriteError) in
            guard state.isOpen else { return }
            try channel.write(Self.frame(rows, size: size, hasColour: hasColour))
        }
    }

    /// Restores the terminal. Does nothing if the screen is closed.
    func close() { state.update { restore(&$0) } }

    /// Returns one frame as bytes: the cursor moves to the top, and each row erases what is to its
    /// right.
    ///
    /// There is no line feed after the last row, which would scroll the terminal.
    static func frame(_ rows: [ScreenRow], size: Terminal.Size, hasColour: Bool) -> [UInt8] {
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

    private func restore(_ state: inout State) {
        guard state.isOpen else { return }
        state.isOpen = false
        state.signalActions = Self.watchedSignals.map { number in
            var (standard, own) = (sigaction(), sigaction())
            standard.__sigaction_handler.sa_handler = SIG_DFL
            sigaction(number, &standard, &own)
            return own
        }
        // A terminal that is closed needs no restoring.
        try? channel.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    }

    private static let watchedSignals = [SIGINT, SIGTERM, SIGHUP, SIGTSTP]

    /// Makes sources that call back on an ordinary thread, where locking and writing are allowed,
    /// unlike in a signal handler.
    private func watchSignals() -> [any DispatchSourceSignal] {
        let isWatched = DispatchGroup()
        defer { isWatched.wait() }
        return Self.watchedSignals.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { @Sendable [weak self] in
                if number == SIGTSTP { self?.pause() } else { self?.end(by: number) }
            }
            isWatched.enter()
            source.setRegistrationHandler { @Sendable in isWatched.leave() }
            source.resume()
            return source
        }
    }

    /// Restores the terminal while the process is stopped.
    private func pause() {
        let wasOpen = state.update { state in
            defer { restore(&state) }
            return state.isOpen
        }
        // The signal stops this thread too, so it continues only when the process does.
        raise(SIGSTOP)
        // If the terminal was closed meanwhile, the replay ends elsewhere.
        if wasOpen { try? open() }
    }

    private func end(by number: Int32) {
        // If the terminal does not read, a drawing may hold the lock for any time. Restoring the
        // terminal would wait as well, so it is skipped.
        _ = state.update(before: Date(timeIntervalSinceNow: 0.5)) { restore(&$0) }
        willEnd()
        endProcess(by: number)
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
        let escaped = pieces.map { DisplayText.escaping($0.text) }
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
