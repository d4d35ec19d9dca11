import Foundation

/// What a descriptor can tell of the terminal behind it.
struct Terminal: Sendable {
    /// Columns and rows.
    struct Size: Hashable, Sendable {
        var columns: Int
        var rows: Int

        /// Where no terminal says otherwise.
        static let standard = Size(columns: 80, rows: 24)
    }

    let channel: OutputChannel

    init(_ channel: OutputChannel) { self.channel = channel }

    /// Whether a terminal is there that understands more than lines.
    func isInteractive(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Bool {
        let name = environment["TERM"] ?? ""
        return isatty(channel.descriptor) == 1 && !name.isEmpty && name != "dumb"
    }

    /// Whether what is written there may have colours, which `NO_COLOR` forbids.
    func hasColour(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Bool {
        isInteractive(environment: environment) && environment["NO_COLOR", default: ""].isEmpty
    }

    /// The size at this moment, or nil where there is no terminal or it does not know.
    var size: Size? {
        var answer = winsize()
        // Both stay 0 where there is no terminal.
        _ = ioctl(channel.descriptor, UInt(TIOCGWINSZ), &answer)
        guard answer.ws_col > 0, answer.ws_row > 0 else { return nil }
        return Size(columns: Int(answer.ws_col), rows: Int(answer.ws_row))
    }
}
