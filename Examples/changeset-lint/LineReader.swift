/// Cuts a stream of bytes into lines, holding one line at a time.
struct LineReader {
    private let source: FileDescriptor
    /// What was read and not released yet: of a line that is too long only its end.
    private(set) var buffer: [UInt8] = []
    /// Where the next line begins.
    private var start = 0
    /// Up to where the next line has been searched for its end.
    private var searched = 0
    private var isAtEnd = false
    private(set) var lineNumber = 0
    /// How many bytes of the stream lie behind what was handed out.
    private(set) var bytesRead = 0

    /// The longest line that is taken in: a scenario of the largest size takes about half of it.
    static let lineLimit = 1 << 26

    /// A line without its end.
    enum Line: Equatable {
        case bytes([UInt8])
        case tooLong
    }

    init(_ source: FileDescriptor) { self.source = source }

    /// Whether the next line can be had without reading.
    mutating func hasLine() -> Bool {
        searched = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) ?? buffer.count
        return searched < buffer.count
    }

    /// The next line, or nil after the last.
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
        // What was handed out leaves when there is something to move anyway.
        buffer.removeFirst(start)
        searched -= start
        start = 0
        let chunk = try source.read()
        isAtEnd = chunk.isEmpty
        buffer.append(contentsOf: chunk)
    }
}
