/// A line on a terminal that shows how much of the input has been read. It appears only if that
/// takes long.
struct ProgressBar {
    private let terminal: FileDescriptor
    /// The size of the input, or `nil` if it is unknown.
    private let totalBytes: Int?
    private var nextDrawing: ContinuousClock.Instant
    private var isShown = false

    private static let delay = Duration.milliseconds(500)
    /// Ten updates a second look steady and cost almost nothing.
    private static let interval = Duration.milliseconds(100)
    private static let width = 30

    init(on terminal: FileDescriptor, totalBytes: Int?) {
        self.terminal = terminal
        self.totalBytes = totalBytes
        nextDrawing = .now + Self.delay
    }

    mutating func update(scenarios: Int, bytes: Int) {
        let now = ContinuousClock.now
        guard now >= nextDrawing else { return }
        nextDrawing = now + Self.interval
        isShown = true
        draw(Self.text(scenarios: scenarios, bytes: bytes, of: totalBytes))
    }

    /// Erases the bar before other output.
    mutating func erase() {
        guard isShown else { return }
        isShown = false
        draw("")
    }

    static func text(scenarios: Int, bytes: Int, of totalBytes: Int?) -> String {
        guard let totalBytes, totalBytes > 0 else { return "\(scenarios) scenarios" }
        let share = min(1, Double(bytes) / Double(totalBytes))
        let filled = Int(share * Double(width))
        let bar =
            String(repeating: "#", count: filled)
            + String(repeating: ".", count: width - filled)
        return "[\(bar)] \(Int(share * 100)) %  \(scenarios) scenarios"
    }

    /// Replaces the line. A closed terminal is not a reason to stop.
    private func draw(_ text: String) {
        try? terminal.write(Array("\r\u{1B}[K\(text)".utf8))
    }
}
