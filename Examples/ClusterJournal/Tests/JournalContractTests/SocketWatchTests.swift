import Dispatch
import Glibc
import Testing

@testable import RedisJournal

/// The readiness reports that a connection to Redis relies on.
@Suite(.timeLimit(.minutes(1)))
struct SocketWatchTests {
    @Test func watchReportsReadabilityWritabilityAndDisconnection() async throws {
        let pair = try SocketPair()
        let watched = try WatchedSocket(pair.mine)
        pair.send(1)
        #expect(await watched.next() == .reading)
        #expect(await watched.next() == .reading)
        #expect(await watched.read() == [1])
        // A report of writability alone shows that no stale report of readability remains.
        await watched.setWriting(true)
        while let readiness = await watched.next(), readiness != .writing {
            #expect(readiness == .reading)
        }
        await watched.setWriting(false)
        pair.send(2)
        // At most one report of writability was already under way.
        while let readiness = await watched.next(), readiness != .reading {
            #expect(readiness == .writing)
        }
        #expect(await watched.read() == [2])
        pair.disconnect()
        while let readiness = await watched.next(), !readiness.contains(.reading) {}
        #expect(await watched.read() == [])
        await watched.end()
    }

    /// Connections open and close, and the system reuses descriptors immediately.
    @Test func watchesNeverReportAnotherSocketsEvents() async throws {
        try await withThrowingTaskGroup { group in
            for lane in UInt8(0)..<4 {
                group.addTask {
                    for round in UInt8(0)..<100 {
                        let pair = try SocketPair()
                        let watched = try WatchedSocket(pair.mine)
                        pair.send(lane, round)
                        #expect(await watched.next() == .reading)
                        #expect(await watched.read() == [lane, round])
                        if round.isMultiple(of: 2) { pair.disconnect() }
                        await watched.setWriting(true)
                        await watched.end()
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func endedWatchesAreReleased() async throws {
        let pair = try SocketPair()
        var watched: WatchedSocket? = try WatchedSocket(pair.mine)
        let held = WeakWatch(watched?.watch)
        await watched?.end()
        watched = nil
        while held.watch != nil { try await Task.sleep(for: .milliseconds(1)) }
    }

    private struct WeakWatch {
        weak var watch: SocketWatch?
        init(_ watch: SocketWatch?) { self.watch = watch }
    }
}

/// A pair of connected sockets.
private final class SocketPair: Sendable {
    let mine: Int32
    private let theirs: Int32

    init() throws {
        var files: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &files) == 0)
        (mine, theirs) = (files[0], files[1])
    }

    deinit {
        close(mine)
        close(theirs)
    }

    func send(_ bytes: UInt8...) {
        #expect(write(theirs, bytes, bytes.count) == bytes.count)
    }

    /// Shuts the connection down; the descriptor stays in use.
    func disconnect() { shutdown(theirs, Int32(SHUT_RDWR)) }
}

/// A socket with its watch and its queue.
private final class WatchedSocket: Sendable {
    let watch: SocketWatch
    private let socket: Int32
    private let queue = DispatchQueue(label: "watched")
    /// Keeps only the newest of repeated reports.
    private let events: AsyncStream<SocketWatch.Readiness>

    init(_ socket: Int32) throws {
        self.socket = socket
        let (events, continuation) = AsyncStream<SocketWatch.Readiness>.makeStream(
            bufferingPolicy: .bufferingNewest(1)
        )
        self.events = events
        watch = try #require(SocketWatch(socket, queue: queue) { _ = continuation.yield($0) })
    }

    func next() async -> SocketWatch.Readiness? {
        for await readiness in events { return readiness }
        return nil
    }

    func read() async -> [UInt8] {
        await onQueue {
            var bytes = [UInt8](repeating: 0, count: 16)
            let count = Glibc.read(self.socket, &bytes, bytes.count)
            return Array(bytes.prefix(max(0, count)))
        }
    }

    func setWriting(_ wanted: Bool) async {
        await onQueue { self.watch.isWatchingWriting = wanted }
    }

    func end() async { await onQueue { self.watch.end() } }

    private func onQueue<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result
    {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
