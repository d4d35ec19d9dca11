import Foundation

/// An open file, pipe or terminal, identified by its file descriptor.
struct FileDescriptor: Sendable {
    let number: Int32

    static let standardInput = FileDescriptor(number: STDIN_FILENO)
    static let standardOutput = FileDescriptor(number: STDOUT_FILENO)
    static let standardError = FileDescriptor(number: STDERR_FILENO)

    private static let chunkSize = 1 << 16

    /// Opens a file for reading.
    static func open(_ path: String) throws(FileFault) -> FileDescriptor {
        let number = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard number != -1 else { throw FileFault.latest }
        return FileDescriptor(number: number)
    }

    /// Returns all bytes of a file.
    static func readAll(_ path: String) throws(FileFault) -> [UInt8] {
        let file = try open(path)
        defer { file.close() }
        return try file.readAll()
    }

    func close() { _ = Foundation.close(number) }

    /// Returns all bytes up to the end.
    func readAll() throws(FileFault) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let chunk = try read()
            if chunk.isEmpty { return bytes }
            bytes += chunk
        }
    }

    /// Returns the next bytes, as many as are available, or none at the end.
    func read() throws(FileFault) -> [UInt8] {
        var fault: FileFault?
        let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, length in
            do throws(FileFault) {
                length = try Self.uninterrupted {
                    Foundation.read(number, buffer.baseAddress, buffer.count)
                }
            } catch {
                fault = error
            }
        }
        if let fault { throw fault }
        return chunk
    }

    /// Writes all of `bytes`.
    func write(_ bytes: [UInt8]) throws(FileFault) {
        try Self.handOver(bytes) { Foundation.write(number, $0.baseAddress, $0.count) }
    }

    var isTerminal: Bool { isatty(number) == 1 }

    /// The current width of the terminal, or `nil` if this is not a terminal or its width is
    /// unknown.
    var columns: Int? {
        var size = winsize()
        // The size stays 0 if this is not a terminal.
        _ = ioctl(number, UInt(TIOCGWINSZ), &size)
        return size.ws_col > 0 ? Int(size.ws_col) : nil
    }

    /// The size of a regular file, or `nil` for anything else.
    var byteCount: Int? {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    // MARK: System calls

    /// Writes all of `bytes` with a call that may accept fewer bytes than it is given.
    static func handOver(
        _ bytes: [UInt8],
        by write: (UnsafeRawBufferPointer) -> Int
    ) throws(FileFault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try uninterrupted { rest.withUnsafeBytes(write) }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns the result of a system call, which is repeated if a signal interrupts it.
    static func uninterrupted(_ call: () -> Int) throws(FileFault) -> Int {
        while true {
            let count = call()
            if count != -1 { return count }
            let fault = FileFault.latest
            if fault.errorNumber != EINTR { throw fault }
        }
    }
}

/// The error of a system call that reads or writes.
struct FileFault: Error, Equatable {
    let errorNumber: Int32

    /// The error of the system call that has just failed.
    static var latest: FileFault { FileFault(errorNumber: errno) }

    /// Whether the reader has closed the pipe, which is a clean end and not an error.
    var isBrokenPipe: Bool { errorNumber == EPIPE }

    /// The system's text for the error, such as `No such file or directory`.
    var message: String { String(cString: strerror(errorNumber)) }
}
