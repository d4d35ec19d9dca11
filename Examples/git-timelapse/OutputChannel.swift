import Foundation

/// A file descriptor that bytes are written to, whole.
struct OutputChannel: Sendable {
    /// Why nothing more can be written.
    struct WriteError: Error, Hashable, CustomStringConvertible {
        /// What the system calls `errno`.
        var number: Int32

        /// Whether the reader has gone, as in `git-timelapse | head`: a clean end, not a failure.
        var isBrokenPipe: Bool { number == EPIPE }

        var description: String { "cannot write: \(String(cString: strerror(number)))" }
    }

    let descriptor: Int32

    static let standardOutput = OutputChannel(descriptor: STDOUT_FILENO)
    static let standardError = OutputChannel(descriptor: STDERR_FILENO)

    /// Makes a write to a closed pipe an error of that write; by default it ends the process, which
    /// would leave a terminal as it is.
    static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Writes all of `text`.
    func write(_ text: String) throws(WriteError) { try write(Array(text.utf8)) }

    /// Writes all of `bytes`; waits where the other side is slow.
    ///
    /// - Throws: where nothing more can be written, whatever the reason.
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

    /// Writes all of `text`, unless the reader has gone.
    func writeToWhoeverReads(_ text: String) throws(WriteError) {
        do {
            try write(text)
        } catch {
            if !error.isBrokenPipe { throw error }
        }
    }

    /// Returns where writing may be tried again.
    private func recover(from number: Int32) throws(WriteError) {
        switch number {
        case EINTR: break
        // Where it cannot be waited for, the next write says why.
        case EAGAIN: _ = try? waitUntilReady([descriptor], for: POLLOUT)
        default: throw WriteError(number: number)
        }
    }
}
