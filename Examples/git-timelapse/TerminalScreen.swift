import Foundation

/// The whole terminal as a canvas: frames while it is open, and everything as before once closed.
///
/// Frames go to the alternate screen, so what was on the terminal comes back. SIGINT, SIGTERM and
/// SIGHUP close the screen and then end the process as they would have without it; SIGTSTP closes it,
/// stops the process, and opens it again when that goes on.
///
/// Threading: a lock guards the state and every write to the terminal, because a signal may close the
/// screen from another thread while a frame is being drawn; no frame is drawn after that.
final class TerminalScreen: Sendable {
    private let channel: OutputChannel
    private let hasColour: Bool
    private let willEnd: @Sendable () -> Void
    private let state = Guarded(State())

    /// `@unchecked`, because a source is not `Sendable`: it is only ever reached under the lock.
    private struct State: @unchecked Sendable {
        var isOpen = false
        /// One for each signal from the first opening on: one that went away with every closing would
        /// take with it what has just come.
        var signalSources: [any DispatchSourceSignal] = []
        /// The handlers that Dispatch has set, which it does once for all sources of a signal: closing
        /// takes them away, and opening again puts them back.
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

    /// Switches to the alternate screen, hides the cursor and turns off automatic line breaks.
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

    /// Draws `rows` from the top, cut to `size`; what was there before is gone.
    func draw(_ rows: [ScreenRow], size: Terminal.Size) throws(OutputChannel.WriteError) {
        try state.update { state throws(OutputChannel.WriteError) in
            guard state.isOpen else { return }
            try channel.write(Self.frame(rows, size: size, hasColour: hasColour))
        }
    }

    /// Puts the terminal back as it was; closing again does nothing.
    func close() { state.update { restore(&$0) } }

    /// One frame as bytes: the cursor goes home, and each row clears what is right of it.
    ///
    /// Pure, and free of line feeds after the last row, which would scroll.
    static func frame(_ rows: [ScreenRow], size: Terminal.Size, hasColour: Bool) -> [UInt8] {
        var text = "\u{1B}[H"
        for (index, row) in rows.prefix(size.rows).enumerated() {
            if index > 0 { text += "\r\n" }
            let row = row.cut(to: size.columns)
            text += row.shown(hasColour: hasColour)
            // After a full row the cursor stands on its last column, which would be cleared.
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
        // A terminal that is gone needs no restoring.
        try? channel.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    }

    private static let watchedSignals = [SIGINT, SIGTERM, SIGHUP, SIGTSTP]

    /// A source calls back on an ordinary thread, where, unlike in a signal handler, locking and
    /// writing are allowed.
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

    /// Lets the terminal go until the process goes on.
    private func pause() {
        let wasOpen = state.update { state in
            defer { restore(&state) }
            return state.isOpen
        }
        // To this thread, which does not go on from here before the process does.
        raise(SIGSTOP)
        // A terminal that has gone meanwhile ends the replay elsewhere.
        if wasOpen { try? open() }
    }

    private func end(by number: Int32) {
        // A terminal that does not read holds a drawing up, and the lock with it, for as long as it
        // likes; restoring it would only wait as well.
        _ = state.update(before: Date(timeIntervalSinceNow: 0.5)) { restore(&$0) }
        willEnd()
        endProcess(by: number)
    }
}
