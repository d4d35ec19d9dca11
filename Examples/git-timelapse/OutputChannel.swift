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
            if count >= 0 {
                written += count
                continue
            }
            let error = errno
            if error == EAGAIN {
                waitUntilWritable()
            } else if error != EINTR {
                throw WriteError(number: error)
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

    private func waitUntilWritable() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
    }
}
