/// Collects lines on their way to a sink.
struct LineWriter {
    private let sink: FileDescriptor

    /// How wide the sink is; nil where lines may be of any length.
    var columns: Int? { sink.columns }

    private var buffer: [UInt8] = []

    /// Why nothing is written any more.
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

    /// Hands over what was collected.
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
