/// Reads an HTTP/1.1 response of server-sent events as it comes: head, chunks, gzip and events.
package struct EventReader {
    /// A server-sent event.
    package struct Event: Equatable, Sendable {
        /// Its `id`, or that of one before it; empty where there was none.
        package var id = ""
        /// Its type; empty for a message.
        package var type = ""
        /// Its lines of data.
        package var data = ""
    }

    /// What came is no such response.
    package struct Fault: Error, CustomStringConvertible {
        /// What is wrong.
        package let description: String

        /// Makes one of a sentence.
        package init(description: String) { self.description = description }
    }

    /// The status of the response, once its head has come.
    package private(set) var status: Int?
    /// The fields of the head, with names in lower case.
    package private(set) var fields: [String: String] = [:]
    /// Whether the last chunk has come.
    package private(set) var hasEnded = false
    /// How many bytes of the body have come, as they travel.
    package private(set) var bodyBytes = 0
    /// How many they are as text.
    package private(set) var textBytes = 0

    private var raw: [UInt8] = []
    private var inflate: InflateStream?
    private var line: [UInt8] = []
    private var event = Event()
    private var hasData = false

    /// A response that has not begun.
    package init() {}

    /// The events that some more bytes complete.
    package mutating func read(_ bytes: some Sequence<UInt8>) throws -> [Event] {
        raw += bytes
        if status == nil {
            guard try readHead() else { return [] }
        }
        var body: [UInt8] = []
        while let chunk = try nextChunk() { body += chunk }
        bodyBytes += body.count
        let text = try inflate?.read(body) ?? body
        textBytes += text.count
        return text.compactMap { take($0) }
    }

    /// The head, where it has come whole.
    private mutating func readHead() throws -> Bool {
        let end = Array("\r\n\r\n".utf8)
        guard let index = raw.indices.first(where: { raw[$0...].starts(with: end) }) else {
            return false
        }
        let lines = String(decoding: raw[..<index], as: UTF8.self).split(separator: "\r\n")
        raw.removeFirst(index + end.count)
        let words = lines[0].split(separator: " ")
        guard words.count > 1, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw Fault(description: "no HTTP: \(lines[0])")
        }
        self.status = status
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw Fault(description: "no field: \(line)") }
            let value = parts[1].drop { $0 == " " }
            fields[parts[0].lowercased()] = String(value)
        }
        if fields["content-encoding"] == "gzip" { inflate = InflateStream() }
        return true
    }

    /// What a chunk has, where it has come whole.
    private mutating func nextChunk() throws -> [UInt8]? {
        guard fields["transfer-encoding"] == "chunked" else {
            defer { raw = [] }
            return raw.isEmpty ? nil : raw
        }
        let newline = UInt8(ascii: "\n")
        guard !hasEnded, let end = raw.firstIndex(of: newline) else { return nil }
        let digits = String(decoding: raw[..<(end - 1)], as: UTF8.self)
        guard let count = Int(digits, radix: 16) else {
            throw Fault(description: "no chunk: \(digits)")
        }
        let start = end + 1
        guard raw.count >= start + count + 2 else { return nil }
        let chunk = Array(raw[start..<(start + count)])
        raw.removeFirst(start + count + 2)
        if count == 0 { hasEnded = true }
        return count == 0 ? nil : chunk
    }

    /// One byte of text; the event that it ends.
    private mutating func take(_ byte: UInt8) -> Event? {
        guard byte == UInt8(ascii: "\n") else {
            line.append(byte)
            return nil
        }
        defer { line = [] }
        guard !line.isEmpty else {
            defer {
                event = Event(id: event.id)
                hasData = false
            }
            return hasData ? event : nil
        }
        let text = String(decoding: line, as: UTF8.self)
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
        switch parts[0] {
        case "id": event.id = String(value)
        case "event": event.type = String(value)
        case "data":
            event.data += (hasData ? "\n" : "") + value
            hasData = true
        default: break
        }
        return nil
    }
}
