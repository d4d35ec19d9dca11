import Foundation

/// The error of a system call.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The value of `errno`.
    package let number: Int32

    package init(number: Int32) { self.number = number }

    /// The error of the call that has just failed.
    package static var latest: SystemError { SystemError(number: errno) }

    /// Whether the reader has closed the pipe, as `head` does. This is a clean end, not a failure.
    package var isBrokenPipe: Bool { number == EPIPE }

    /// The system's text for the error, such as `No such file or directory`.
    package var description: String { String(cString: strerror(number)) }
}

/// A file descriptor to which bytes are written completely.
package struct OutputChannel: Sendable {
    package let descriptor: Int32

    package static let standardOutput = OutputChannel(descriptor: STDOUT_FILENO)
    package static let standardError = OutputChannel(descriptor: STDERR_FILENO)

    /// Opens a file, which is created if necessary, and discards its previous contents. The caller
    /// closes it.
    package init(creating path: String) throws(SystemError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        if descriptor < 0 { throw SystemError.latest }
    }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// Closes a file that was opened.
    package func close() { _ = Foundation.close(descriptor) }

    /// Makes a write to a closed pipe fail with an error. By default it would end the process.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Writes all of `text`.
    package func write(_ text: String) throws(SystemError) { try write(Array(text.utf8)) }

    /// Writes all of `bytes`. Waits if the reader is slow.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                // If waiting fails, the next write reports the reason.
                poll(&request, 1, -1)
            } else if errno != EINTR {
                throw SystemError.latest
            }
        }
    }

    /// Writes a line. If even that fails, such as for a message about another error, nothing is
    /// left to try.
    package func report(_ line: String) { try? write(line + "\n") }

    /// Whether this is a terminal that understands escape sequences.
    package var isTerminal: Bool {
        let name = ProcessInfo.processInfo.environment["TERM", default: ""]
        return isatty(descriptor) == 1 && !name.isEmpty && name != "dumb"
    }

    /// The current size of the terminal, or `nil` if this is not one or its size is unknown.
    package var terminalSize: TerminalSize? {
        var answer = winsize()
        // Both stay 0 if this is not a terminal.
        _ = ioctl(descriptor, UInt(TIOCGWINSZ), &answer)
        guard answer.ws_col > 0, answer.ws_row > 0 else { return nil }
        return TerminalSize(columns: Int(answer.ws_col), rows: Int(answer.ws_row))
    }
}

/// The size of a terminal in characters.
package struct TerminalSize: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    /// The size if no terminal reports one.
    package static let standard = TerminalSize(columns: 80, rows: 24)

    package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
}

/// A line on a terminal that shows the progress and is replaced in place. Elsewhere it shows
/// nothing.
package struct ProgressLine {
    private let terminal: OutputChannel?
    private var nextDrawing: ContinuousClock.Instant
    private var isShown = false

    /// Ten updates a second look steady and cost almost nothing.
    private static let interval = Duration.milliseconds(100)

    /// - Parameter delay: The time before which nothing is shown.
    package init(on channel: OutputChannel, after delay: Duration = .zero) {
        terminal = channel.isTerminal ? channel : nil
        nextDrawing = .now + delay
    }

    /// Replaces the line, unless it has just been drawn.
    package mutating func update(_ text: (_ columns: Int) -> String) {
        guard let terminal, .now >= nextDrawing else { return }
        nextDrawing = .now + Self.interval
        // One column stays empty, because a full row makes some terminals move to the next one.
        show(text((terminal.terminalSize ?? .standard).columns - 1))
    }

    /// Replaces the line. A closed terminal is not a reason to stop.
    package mutating func show(_ text: String) {
        try? terminal?.write("\r\u{1B}[K\(text)")
        isShown = true
    }

    /// Erases the line before other output.
    package mutating func erase() {
        if isShown { show("") }
        isShown = false
    }

    /// Returns a bar of which `done` of `total` is filled.
    package static func bar(_ done: Int, of total: Int, width: Int) -> String {
        let filled = total > 0 ? min(done, total) * width / total : width
        let rest = String(repeating: ".", count: width - filled)
        return "[" + String(repeating: "#", count: filled) + rest + "]"
    }
}

extension StringProtocol {
    /// The text with all characters escaped that move the cursor, end the line or change the
    /// reading direction.
    package var escapedForTerminal: String {
        guard unicodeScalars.contains(where: \.isEscapedForTerminal) else { return String(self) }
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where scalar.isEscapedForTerminal:
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    fileprivate var isEscapedForTerminal: Bool {
        switch value {
        // Controls; line and paragraph separators; embeddings, overrides, isolates and marks.
        case 0...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
