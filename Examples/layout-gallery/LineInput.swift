import Foundation

/// Reads a file, or the standard input, line by line.
final class LineInput {
    private let stream: UnsafeMutablePointer<FILE>
    private let name: String
    private var buffer: UnsafeMutablePointer<CChar>?
    private var capacity = 0
    private(set) var lineNumber = 0

    /// - Parameter file: nil for the standard input.
    init(_ file: String?) throws {
        name = file.map { "'\($0)'" } ?? "standard input"
        let stream = file.map { fopen($0, "re") } ?? fdopen(STDIN_FILENO, "r")
        guard let stream else {
            throw GalleryFault("cannot read \(name): \(String(cString: strerror(errno)))")
        }
        self.stream = stream
    }

    deinit {
        free(buffer)
        fclose(stream)
    }

    /// The next line without its end, or nil after the last.
    func next() throws -> [UInt8]? {
        let count = getline(&buffer, &capacity, stream)
        guard count != -1, let buffer else {
            guard ferror(stream) != 0 else { return nil }
            throw GalleryFault("cannot read \(name): \(String(cString: strerror(errno)))")
        }
        lineNumber += 1
        let bytes = UnsafeRawBufferPointer(start: buffer, count: count)
        return bytes.last == 0x0A ? Array(bytes.dropLast()) : Array(bytes)
    }
}
