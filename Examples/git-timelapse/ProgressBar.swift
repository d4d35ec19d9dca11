import Foundation

/// The progress of a replay as one line that is redrawn in place.
///
/// If standard error is not a terminal, nothing is shown.
struct ProgressBar {
    private let terminal: Terminal
    private let isShown: Bool
    private var lastDrawing: ContinuousClock.Instant?

    /// Ten updates a second look smooth and cost almost nothing.
    private static let interval = Duration.milliseconds(100)

    init(
        _ channel: OutputChannel = .standardError,
        isShown: Bool,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        terminal = Terminal(channel)
        self.isShown = isShown && terminal.isInteractive(environment: environment)
    }

    /// Shows `done` of `total`, unless the bar has just been drawn.
    mutating func update(
        done: Int,
        of total: Int,
        at now: ContinuousClock.Instant = .now
    ) {
        guard isShown else { return }
        if let lastDrawing, now - lastDrawing < Self.interval { return }
        lastDrawing = now
        let width = (terminal.size ?? .standard).columns
        // One column stays empty, because a full row makes some terminals move to the next one.
        let line = Self.line(done: done, of: total, width: width - 1)
        // The bar is optional, so an error is ignored.
        try? terminal.channel.write("\r" + line + "\u{1B}[K")
    }

    /// Erases the bar.
    mutating func finish() {
        guard lastDrawing != nil else { return }
        lastDrawing = nil
        try? terminal.channel.write("\r\u{1B}[K")
    }

    /// Returns the line with at most `width` columns. If there is not enough room, the bar is
    /// omitted first.
    static func line(done: Int, of total: Int, width: Int) -> String {
        let done = min(max(0, done), max(0, total))
        let percent = total > 0 ? done * 100 / total : 100
        let numbers = "\(percent) % \(done)/\(total) commits"
        let room = min(40, width - numbers.count - 3)
        guard room >= 4 else { return DisplayText.truncated(numbers, to: width) }
        let filled = total > 0 ? done * room / total : room
        return "[" + String(repeating: "#", count: filled)
            + String(repeating: ".", count: room - filled) + "] " + numbers
    }
}
