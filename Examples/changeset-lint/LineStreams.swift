/// A reader that divides a stream of bytes into lines and holds one line at a time.
struct LineReader {
    private let source: FileDescriptor
    /// The bytes that were read and not yet released. Only the end of a line that is too long is
    /// kept.
    private(set) var buffer: [UInt8] = []
    /// The position in `buffer` at which the next line begins.
    private var start = 0
    /// The position in `buffer` up to which the next line has been searched for its end.
    private var searched = 0
    private var isAtEnd = false
    private(set) var lineNumber = 0
    /// The number of bytes of all lines that have been returned or skipped so far.
    private(set) var bytesRead = 0

    /// The maximum length of a line. A scenario of the maximum size has about half of it.
    static let lineLimit = 1 << 26

    /// A line without its newline.
    enum Line: Equatable {
        case bytes([UInt8])
        case tooLong
    }

    init(_ source: FileDescriptor) { self.source = source }

    /// Returns whether the next line is available without reading from the stream.
    mutating func hasLine() -> Bool {
        searched = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) ?? buffer.count
        return searched < buffer.count
    }

    /// Returns the next line, or `nil` after the last one.
    mutating func next() throws(FileFault) -> Line? {
        var isTooLong = false
        while !hasLine() {
            if isAtEnd {
                guard start < buffer.count || isTooLong else { return nil }
                return line(upTo: buffer.count, skipping: 0, isTooLong)
            }
            if buffer.count - start > Self.lineLimit {
                isTooLong = true
                bytesRead += buffer.count - start
                start = buffer.count
            }
            try refill()
        }
        return line(upTo: searched, skipping: 1, isTooLong)
    }

    private mutating func line(upTo end: Int, skipping: Int, _ isTooLong: Bool) -> Line {
        let content = buffer[start..<end]
        bytesRead += end + skipping - start
        start = end + skipping
        searched = start
        lineNumber += 1
        return isTooLong || content.count > Self.lineLimit ? .tooLong : .bytes(Array(content))
    }

    private mutating func refill() throws(FileFault) {
        // Lines that were returned are released only here, where the bytes have to be moved anyway.
        buffer.removeFirst(start)
        searched -= start
        start = 0
        let chunk = try source.read()
        isAtEnd = chunk.isEmpty
        buffer.append(contentsOf: chunk)
    }
}

/// A writer that collects lines and writes them to a file in large blocks.
struct LineWriter {
    private let sink: FileDescriptor

    /// The width of the terminal, or `nil` if lines may have any length.
    var columns: Int? { sink.columns }

    private var buffer: [UInt8] = []

    /// The error after which nothing more is written.
    private(set) var fault: FileFault?

    private static let bufferSize = 1 << 16

    init(_ sink: FileDescriptor) { self.sink = sink }

    mutating func write(_ line: String) {
        buffer.append(contentsOf: line.utf8)
        endLine()
    }

    mutating func write(_ value: JSONValue) {
        value.write(to: &buffer)
        endLine()
    }

    private mutating func endLine() {
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.bufferSize { flush() }
    }

    /// Writes the collected lines.
    mutating func flush() {
        guard !buffer.isEmpty else { return }
        defer { buffer.removeAll(keepingCapacity: true) }
        guard fault == nil else { return }
        do throws(FileFault) {
            try sink.write(buffer)
        } catch {
            fault = error
        }
    }
}
