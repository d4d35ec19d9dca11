import CollectionPublishing
import Foundation

/// A runner of an endless race.
struct Runner: Identifiable, Equatable {
    let id: Int
    var metres = 0
}

let race = LiveList(rows: Runner.self, sections: String.self) { runner in
    "<p>Runner \(runner.id) has run \(runner.metres) m</p>"
} header: { title in
    "<h2>\(title)</h2>"
}

let page = """
    <!doctype html><meta charset="utf-8"><title>hello-live</title>
    <script type="module" src="/live-list.js"></script>
    <live-list src="/race"></live-list>
    """

/// Writes bytes to a connection, and returns whether it is still open. A web framework does this
/// without blocking a thread.
func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
    write(connection, bytes, bytes.count) == bytes.count
}

func head(_ fields: [(name: String, value: String)]) -> [UInt8] {
    let lines = fields.map { "\($0.name): \($0.value)\r\n" }.joined()
    return Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\(lines)\r\n".utf8)
}

/// Reads one request and sends the response.
func respond(to connection: Int32) async throws {
    defer { close(connection) }
    var request = [UInt8](repeating: 0, count: 1 << 14)
    let count = read(connection, &request, request.count)
    let words = String(decoding: request.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    switch words.count > 1 ? String(words[1].dropFirst()) : "" {
    case "": _ = send(head([("Content-Type", "text/html")]) + page.utf8, to: connection)
    case "race":
        guard send(head(EventStream.headers), to: connection) else { return }
        for try await chunk in try race.events() where !send(chunk, to: connection) { return }
    case let name:
        guard let script = BrowserScript.named(name) else {
            _ = send(
                Array("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n".utf8),
                to: connection
            )
            return
        }
        _ = send(head([("Content-Type", script.contentType)]) + script.bytes, to: connection)
    }
}

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("hello-live: \(message)\n".utf8))
    exit(2)
}

let arguments = CommandLine.arguments.dropFirst()
if arguments == ["--help"] {
    print(
        "usage: hello-live [PORT]\nServes a live list on this machine only, on port 8080 by default."
    )
    exit(0)
}
guard arguments.count < 2, let port = UInt16(arguments.first ?? "8080") else {
    fail("expected a port from 0 to 65535, but found \(arguments.joined(separator: " "))")
}
signal(SIGPIPE, SIG_IGN)
let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
var isReused: Int32 = 1
setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
var address = sockaddr_in()
(address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
let isBound = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
}
guard isBound, listen(listener, 64) == 0 else { fail("port \(port) is in use") }
// `print` would buffer this if the output is a pipe.
FileHandle.standardOutput.write(Data("http://127.0.0.1:\(port)/\n".utf8))
Thread.detachNewThread {
    while true {
        let connection = accept(listener, nil, nil)
        Task { try await respond(to: connection) }
    }
}

var runners = (1...9).map { Runner(id: $0) }
while true {
    for index in runners.indices { runners[index].metres += .random(in: 0...9) }
    runners.sort { $0.metres > $1.metres }
    try await race.apply(
        SectionedRows([("Ahead", runners.prefix(3)), ("Behind", runners.dropFirst(3))])
    )
    try await Task.sleep(for: .milliseconds(500))
}
