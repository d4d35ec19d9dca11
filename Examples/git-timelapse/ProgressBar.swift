import Foundation

/// How far a replay has come, as one line that draws over itself.
///
/// Where standard error is no terminal it shows nothing.
struct ProgressBar {
    private let terminal: Terminal
    private let isShown: Bool
    private var lastDrawing: ContinuousClock.Instant?

    /// Often enough to look alive, seldom enough to cost nothing.
    private static let interval = Duration.milliseconds(100)

    init(
        _ channel: OutputChannel = .standardError,
        isShown: Bool,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        terminal = Terminal(channel)
        self.isShown = isShown && terminal.isInteractive(environment: environment)
    }

    /// Shows `done` of `total`, unless the last drawing was a moment ago.
    mutating func update(
        done: Int,
        of total: Int,
        at now: ContinuousClock.Instant = .now
    ) {
        guard isShown else { return }
        if let lastDrawing, now - lastDrawing < Self.interval { return }
        lastDrawing = now
        let width = (terminal.size ?? .standard).columns
        // One column stays free: a full row makes some terminals go to the next.
        let line = Self.line(done: done, of: total, width: width - 1)
        // Nobody misses a bar that cannot be shown.
        try? terminal.channel.write("\r" + line + "\u{1B}[K")
    }

    /// Takes the bar away.
    mutating func finish() {
        guard lastDrawing != nil else { return }
        lastDrawing = nil
        try? terminal.channel.write("\r\u{1B}[K")
    }

    /// The bar at most `width` columns wide, without its bar, then without more, where that is narrow.
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
