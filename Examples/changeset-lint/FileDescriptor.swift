import Foundation

/// An open file, pipe or terminal, by the number that the system gave it.
struct FileDescriptor: ByteSource, ByteSink {
    let number: Int32

    static let standardInput = FileDescriptor(number: STDIN_FILENO)
    static let standardOutput = FileDescriptor(number: STDOUT_FILENO)
    static let standardError = FileDescriptor(number: STDERR_FILENO)

    private static let chunkSize = 1 << 16

    /// Opens a file for reading.
    static func open(_ path: String) throws(FileFault) -> FileDescriptor {
        let number = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw FileFault.latest }
        return FileDescriptor(number: number)
    }

    func close() { _ = Foundation.close(number) }

    func read() throws(FileFault) -> [UInt8] {
        while true {
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, length in
                count = Foundation.read(number, buffer.baseAddress, buffer.count)
                length = max(0, count)
            }
            if count >= 0 { return chunk }
            let fault = FileFault.latest
            if fault.errorNumber != EINTR { throw fault }
        }
    }

    func write(_ bytes: [UInt8]) throws(FileFault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(number, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            let fault = FileFault.latest
            if fault.errorNumber != EINTR { throw fault }
        }
    }

    var isTerminal: Bool { isatty(number) == 1 }

    /// The size of a regular file; nil for what has no end yet.
    var fileSize: Int? {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }
}
