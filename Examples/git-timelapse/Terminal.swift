import Foundation

/// The properties of the terminal at a descriptor.
struct Terminal: Sendable {
    struct Size: Hashable, Sendable {
        var columns: Int
        var rows: Int

        /// The size if no terminal reports one.
        static let standard = Size(columns: 80, rows: 24)
    }

    let channel: OutputChannel

    init(_ channel: OutputChannel) { self.channel = channel }

    /// Returns whether the descriptor is a terminal that understands escape sequences.
    func isInteractive(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Bool {
        let name = environment["TERM"] ?? ""
        return isatty(channel.descriptor) == 1 && !name.isEmpty && name != "dumb"
    }

    /// Returns whether output may have colours, which `NO_COLOR` disables.
    func hasColour(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Bool {
        isInteractive(environment: environment) && environment["NO_COLOR", default: ""].isEmpty
    }

    /// The current size, or `nil` if this is not a terminal or its size is unknown.
    var size: Size? {
        var answer = winsize()
        // Both stay 0 if this is not a terminal.
        _ = ioctl(channel.descriptor, UInt(TIOCGWINSZ), &answer)
        guard answer.ws_col > 0, answer.ws_row > 0 else { return nil }
        return Size(columns: Int(answer.ws_col), rows: Int(answer.ws_row))
    }
}

/// A file descriptor to which bytes are written completely.
struct OutputChannel: Sendable {
    /// The reason why nothing more can be written.
    struct WriteError: Error, Hashable, CustomStringConvertible {
        /// The value of `errno`.
        var number: Int32

        /// Whether the reader has closed the pipe, as in `git-timelapse | head`. This is a clean
        /// end, not a failure.
        var isBrokenPipe: Bool { number == EPIPE }

        var description: String { "cannot write: \(String(cString: strerror(number)))" }
    }

    let descriptor: Int32

    static let standardOutput = OutputChannel(descriptor: STDOUT_FILENO)
    static let standardError = OutputChannel(descriptor: STDERR_FILENO)

    /// Makes a write to a closed pipe fail with an error. By default it would end the process and
    /// leave the terminal in a wrong state.
    static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Writes all of `text`.
    func write(_ text: String) throws(WriteError) { try write(Array(text.utf8)) }

    /// Writes all of `bytes`. Waits if the reader is slow.
    ///
    /// - Throws: ``WriteError`` if nothing more can be written, for any reason.
    func write(_ bytes: [UInt8]) throws(WriteError) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count == -1 {
                try recover(from: errno)
            } else {
                written += count
            }
        }
    }

    /// Writes all of `text`. Does nothing if the reader has closed the pipe.
    func writeUnlessClosed(_ text: String) throws(WriteError) {
        do {
            try write(text)
        } catch {
            if !error.isBrokenPipe { throw error }
        }
    }

    /// Returns if the write may be repeated.
    private func recover(from number: Int32) throws(WriteError) {
        switch number {
        case EINTR: break
        // If waiting fails, the next write reports the reason.
        case EAGAIN: _ = try? waitUntilReady([descriptor], for: POLLOUT)
        default: throw WriteError(number: number)
        }
    }
}

/// Ends the process as the unhandled signal would.
func endProcess(by number: Int32) {
    signal(number, SIG_DFL)
    kill(getpid(), number)
    // The process gets here only if every thread blocks the signal.
    usleep(200_000)
    _exit(128 + number)
}
