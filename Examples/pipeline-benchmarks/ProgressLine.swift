/// One line on a terminal that says what is being measured.
///
/// Anywhere else it shows nothing.
struct ProgressLine {
    private let terminal: (any TextSink)?
    private var isShown = false

    init(on sink: any TextSink) { terminal = sink.isTerminal ? sink : nil }

    mutating func show(_ name: String, number: Int, of count: Int) {
        isShown = true
        draw("[\(number)/\(count)] \(name) …")
    }

    /// Makes room for other output.
    mutating func erase() {
        guard isShown else { return }
        isShown = false
        draw("")
    }

    /// Replaces the line; a terminal that is gone is no reason to stop.
    private func draw(_ text: String) { try? terminal?.write("\r\u{1B}[K" + text) }
}
