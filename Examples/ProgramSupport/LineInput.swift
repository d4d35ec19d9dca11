import Foundation

/// A reader of the lines of a file or of standard input.
package final class LineInput {
    /// The name of the input in messages.
    package let name: String
    /// The number of lines that were read.
    package private(set) var lineNumber = 0
    /// The number of bytes that were read.
    package private(set) var byteCount = 0

    private let stream: UnsafeMutablePointer<FILE>
    private var buffer: UnsafeMutablePointer<CChar>?
    private var capacity = 0

    /// The reason why an input cannot be read, as a sentence.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        fileprivate init(_ name: String) {
            description = "cannot read \(name): \(SystemError.latest)"
        }
    }

    /// Opens the file at a path, or standard input if the path is `-`.
    package init(_ path: String) throws(Failure) {
        name = path == "-" ? "standard input" : "'\(path)'"
        let stream = path == "-" ? fdopen(dup(STDIN_FILENO), "r") : fopen(path, "re")
        guard let stream else { throw Failure(name) }
        self.stream = stream
    }

    deinit {
        free(buffer)
        fclose(stream)
    }

    /// Returns the next line without its line feed, or `nil` after the last line.
    package func next() throws(Failure) -> [UInt8]? {
        let count = getline(&buffer, &capacity, stream)
        guard count != -1, let buffer else {
            if ferror(stream) != 0 { throw Failure(name) }
            return nil
        }
        lineNumber += 1
        byteCount += count
        let bytes = UnsafeRawBufferPointer(start: buffer, count: count)
        return bytes.last == UInt8(ascii: "\n") ? Array(bytes.dropLast()) : Array(bytes)
    }

    /// The size of a regular file, or `nil` for anything else.
    package var fileSize: Int? {
        var status = stat()
        guard fstat(fileno(stream), &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return Int(status.st_size)
    }
}

/// Whether a line has nothing but spaces, tabs and a carriage return.
package func isBlank(_ line: [UInt8]) -> Bool {
    line.allSatisfy {
        $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r")
    }
}
