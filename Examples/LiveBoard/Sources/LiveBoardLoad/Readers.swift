import CEpoll
import CollectionPublishing
import Dispatch
import Foundation
import Glibc
import LiveBoardClient
import Synchronization

/// All connections, read by one thread that does as little as can be: what is measured is the server, on the same
/// machine.
final class Readers: Sendable {
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private let command: LoadCommand
    private let arrivals: Arrivals
    private let isStopped = Mutex(false)

    init(_ command: LoadCommand, _ arrivals: Arrivals) {
        self.command = command
        self.arrivals = arrivals
    }

    /// Connects all, and reads from then on.
    func start() async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread { [self] in
                do {
                    let poll = epoll_create1(0)
                    var readers: [Reader] = []
                    for number in 0..<command.clients {
                        let reader = try connect(hasReplica: number < command.replicas)
                        var event = epoll_event()
                        event.events = liveboard_epoll_in
                        event.data.u32 = UInt32(readers.count)
                        readers.append(reader)
                        guard epoll_ctl(poll, EPOLL_CTL_ADD, reader.socket, &event) == 0 else {
                            throw Fault(description: "epoll: \(errno)")
                        }
                        // So that no answers pile up meanwhile.
                        if number % 64 == 63 { read(poll, &readers, for: 0) }
                    }
                    continuation.resume()
                    while !isStopped.withLock({ $0 }) { read(poll, &readers, for: 100) }
                    for reader in readers { close(reader.socket) }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    func stop() { isStopped.withLock { $0 = true } }

    private func connect(hasReplica: Bool) throws -> Reader {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(command.port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, size)
            }
        }
        guard socket >= 0, result == 0 else {
            throw Fault(description: "no connection to port \(command.port): error \(errno)")
        }
        let encoding = command.gzip ? "accept-encoding: gzip\r\n" : ""
        let request = Array(
            """
            GET /lists/\(command.list)/updates\(command.query) HTTP/1.1\r
            host: 127.0.0.1:\(command.port)\r
            \(encoding)\r\n
            """.utf8
        )
        guard send(socket, request, request.count, 0) == request.count else {
            throw Fault(description: "a request was not sent: error \(errno)")
        }
        return Reader(socket: socket, replica: hasReplica ? ReaderReplica() : nil)
    }

    private func read(_ poll: Int32, _ readers: inout [Reader], for milliseconds: Int32) {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 256) { events in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64 << 10) { space in
                let count = epoll_wait(poll, events.baseAddress, 256, milliseconds)
                for event in events.prefix(Int(max(0, count))) {
                    let index = Int(event.data.u32)
                    let length = recv(
                        readers[index].socket,
                        space.baseAddress,
                        space.count,
                        Int32(MSG_DONTWAIT)
                    )
                    guard length > 0 else {
                        if length < 0, errno == EAGAIN { continue }
                        arrivals.fault("a connection ended")
                        epoll_ctl(poll, EPOLL_CTL_DEL, readers[index].socket, nil)
                        continue
                    }
                    let bytes = UnsafeBufferPointer(rebasing: space[..<length])
                    arrivals.received(length)
                    readers[index].take(bytes, arrivals, isText: !command.gzip)
                }
            }
        }
    }
}

/// One connection: looks for versions alone, or has a replica that checks everything.
private struct Reader {
    let socket: Int32
    let replica: ReaderReplica?
    private var version: Int?
    /// How much of the mark has come; all of it while a version is being read.
    private var matched = 0
    private var isNumber = false
    private var number = 0

    private static let mark: StaticString = "\nid: "

    init(socket: Int32, replica: ReaderReplica?) {
        self.socket = socket
        self.replica = replica
    }

    mutating func take(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ arrivals: Arrivals,
        isText: Bool
    ) {
        if let replica { return replica.take(bytes, arrivals) }
        // What is compressed for many is one write of the server, and one read here.
        guard isText else { return arrivals.cameCompressed() }
        let mark = UnsafeBufferPointer(
            start: Self.mark.utf8Start,
            count: Self.mark.utf8CodeUnitCount
        )
        for byte in bytes {
            if matched == mark.count {
                if byte == UInt8(ascii: ".") {
                    isNumber = true
                } else if byte == UInt8(ascii: "\n") {
                    if let version { arrivals.came(from: version, to: number) }
                    version = number
                    (matched, isNumber, number) = (1, false, 0)
                } else if isNumber {
                    number = number * 10 + Int(byte &- UInt8(ascii: "0"))
                }
            } else if byte == mark[matched] {
                matched += 1
            } else {
                matched = byte == mark[0] ? 1 : 0
            }
        }
    }
}

/// Finds what is missing, doubled or wrong.
private final class ReaderReplica {
    private var reader = EventReader()
    private var replica = CollectionReplica()

    func take(_ bytes: UnsafeBufferPointer<UInt8>, _ arrivals: Arrivals) {
        do {
            for event in try reader.read(bytes) where event.type.isEmpty {
                let data = Data(event.data.utf8)
                let wire = try JSONDecoder().decode(WireMessage.self, from: data)
                let old = replica.version?.number
                try replica.apply(wire)
                if let old, let new = replica.version?.number { arrivals.came(from: old, to: new) }
            }
        } catch {
            arrivals.fault("\(error)")
        }
    }
}
