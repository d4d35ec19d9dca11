import Foundation

/// The whole terminal as a canvas: frames while it is open, and everything as before once closed.
///
/// Frames go to the alternate screen, so what was on the terminal comes back. SIGINT, SIGTERM and
/// SIGHUP close the screen and then end the process as they would have without it.
///
/// Threading: a lock guards the state and every write to the terminal, because a signal may close the
/// screen from another thread while a frame is being drawn; no frame is drawn after that.
final class TerminalScreen: Sendable {
    private let channel: OutputChannel
    private let state = Guarded(State())

    /// `@unchecked`, because a source is not `Sendable`: it is only ever reached under the lock.
    private struct State: @unchecked Sendable {
        var isOpen = false
        var signalSources: [any DispatchSourceSignal] = []
    }

    init(_ channel: OutputChannel) { self.channel = channel }

    deinit { close() }

    /// Switches to the alternate screen, hides the cursor and turns off automatic line breaks.
    func open() throws(OutputChannel.WriteError) {
        try state.update { state throws(OutputChannel.WriteError) in
            guard !state.isOpen else { return }
            state.isOpen = true
            state.signalSources = watchSignals()
            try channel.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
        }
    }

    /// Draws `rows` from the top, cut to `size`; what was there before is gone.
    func draw(_ rows: [String], size: Terminal.Size) throws(OutputChannel.WriteError) {
        try state.update { state throws(OutputChannel.WriteError) in
            guard state.isOpen else { return }
            try channel.write(Self.frame(rows, size: size))
        }
    }

    /// Puts the terminal back as it was; closing again does nothing.
    func close() { state.update { restore(&$0) } }

    /// One frame as bytes: the cursor goes home, and each row clears what is right of it.
    ///
    /// Pure, and free of line feeds after the last row, which would scroll.
    static func frame(_ rows: [String], size: Terminal.Size) -> [UInt8] {
        var text = "\u{1B}[H"
        for (index, row) in rows.prefix(size.rows).enumerated() {
            if index > 0 { text += "\r\n" }
            let row = DisplayText.truncated(DisplayText.escaping(row), to: size.columns)
            text += row
            // After a full row the cursor stands on its last column, which would be cleared.
            if DisplayText.width(of: row) < size.columns { text += "\u{1B}[K" }
        }
        if rows.count < size.rows { text += rows.isEmpty ? "\u{1B}[J" : "\r\n\u{1B}[J" }
        return Array(text.utf8)
    }

    private func restore(_ state: inout State) {
        guard state.isOpen else { return }
        state.isOpen = false
        for source in state.signalSources { source.cancel() }
        for number in Self.endingSignals { signal(number, SIG_DFL) }
        // A terminal that is gone needs no restoring.
        try? channel.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    }

    private static let endingSignals = [SIGINT, SIGTERM, SIGHUP]

    /// A source calls back on an ordinary thread, where, unlike in a signal handler, locking and
    /// writing are allowed.
    private func watchSignals() -> [any DispatchSourceSignal] {
        Self.endingSignals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { @Sendable [weak self] in self?.end(by: number) }
            source.resume()
            return source
        }
    }

    private func end(by number: Int32) {
        // A terminal that does not read holds a drawing up, and the lock with it, for as long as it
        // likes; restoring it would only wait as well.
        _ = state.update(before: Date(timeIntervalSinceNow: 0.5)) { restore(&$0) }
        signal(number, SIG_DFL)
        kill(getpid(), number)
        // Reached for long only where every thread blocks the signal.
        usleep(200_000)
        _exit(128 + number)
    }
}
