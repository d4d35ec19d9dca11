import Dispatch
import Glibc
import Testing

@testable import RedisJournal

/// What tells a connection to Redis that its socket is ready.
@Suite(.timeLimit(.minutes(1)))
struct SocketWatchTests {
    @Test func itTellsOfBytesUntilTheyAreReadOfRoomIfAskedAndOfAPeerThatIsGone() async throws {
        let pair = try SocketPair()
        let watched = try WatchedSocket(pair.mine)
        pair.send(1)
        #expect(await watched.next() == .reading)
        #expect(await watched.next() == .reading)
        #expect(await watched.read() == [1])
        // Asked for room, it tells of that: then nothing was left to tell of what was read.
        await watched.setWriting(true)
        while let readiness = await watched.next(), readiness != .writing {
            #expect(readiness == .reading)
        }
        await watched.setWriting(false)
        pair.send(2)
        // At most what was on its way when it was called off.
        while let readiness = await watched.next(), readiness != .reading {
            #expect(readiness == .writing)
        }
        #expect(await watched.read() == [2])
        pair.hangUp()
        while let readiness = await watched.next(), !readiness.contains(.reading) {}
        #expect(await watched.read() == [])
        await watched.end()
    }

    /// Connections come and go while their sockets are busy, and the system gives the numbers of files again immediately.
    @Test func nobodyIsToldOfTheSocketOfAnother() async throws {
        try await withThrowingTaskGroup { group in
            for lane in UInt8(0)..<4 {
                group.addTask {
                    for round in UInt8(0)..<100 {
                        let pair = try SocketPair()
                        let watched = try WatchedSocket(pair.mine)
                        pair.send(lane, round)
                        #expect(await watched.next() == .reading)
                        #expect(await watched.read() == [lane, round])
                        if round.isMultiple(of: 2) { pair.hangUp() }
                        await watched.setWriting(true)
                        await watched.end()
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func onceItHasEndedNothingHoldsIt() async throws {
        let pair = try SocketPair()
        var watched: WatchedSocket? = try WatchedSocket(pair.mine)
        let held = Held(watched?.watch)
        await watched?.end()
        watched = nil
        while held.watch != nil { try await Task.sleep(for: .milliseconds(1)) }
    }

    private struct Held {
        weak var watch: SocketWatch?
        init(_ watch: SocketWatch?) { self.watch = watch }
    }
}

/// Two sockets that are connected.
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

    /// The number stays taken.
    func hangUp() { shutdown(theirs, Int32(SHUT_RDWR)) }
}

/// A socket with its watch, and a queue of their own.
private final class WatchedSocket: Sendable {
    let watch: SocketWatch
    private let socket: Int32
    private let queue = DispatchQueue(label: "watched")
    /// Of what is told again and again only the newest.
    private let told: AsyncStream<SocketWatch.Readiness>

    init(_ socket: Int32) throws {
        self.socket = socket
        let (told, teller) = AsyncStream<SocketWatch.Readiness>.makeStream(
            bufferingPolicy: .bufferingNewest(1)
        )
        self.told = told
        watch = try #require(SocketWatch(socket, queue: queue) { _ = teller.yield($0) })
    }

    func next() async -> SocketWatch.Readiness? {
        for await readiness in told { return readiness }
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
