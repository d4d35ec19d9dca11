import CHiredis
import Dispatch
import Foundation

/// Over hiredis by itself: plain `XADD` with the entry's name, and `XREAD` that waits.
final class RedisLibrarySide: BenchSide, DeliverySide {
    private let port: UInt16
    private let stream: String
    private let context: UnsafeMutablePointer<redisContext>

    init(port: UInt16, _ collection: String) throws {
        self.port = port
        stream = "straight_\(collection)"
        context = try Self.connect(port)
    }

    deinit { redisFree(context) }

    private static func connect(_ port: UInt16) throws -> UnsafeMutablePointer<redisContext> {
        guard let context = redisConnect("127.0.0.1", Int32(port)), context.pointee.err == 0 else {
            throw BenchFailure("no connection to Redis")
        }
        return context
    }

    private static func send(
        _ words: [[UInt8]],
        over context: UnsafeMutablePointer<redisContext>
    ) {
        let bytes = Array(words.joined()) + [0]
        bytes.withUnsafeBytes { buffer in
            var start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            var pointers: [UnsafePointer<CChar>?] = []
            for word in words {
                pointers.append(start)
                start = start.map { $0 + word.count }
            }
            var lengths = words.map(\.count)
            redisAppendCommandArgv(context, Int32(words.count), &pointers, &lengths)
        }
    }

    private static func reply<Value>(
        over context: UnsafeMutablePointer<redisContext>,
        _ read: (redisReply) throws -> Value
    ) throws -> Value {
        var found: UnsafeMutableRawPointer?
        guard redisGetReply(context, &found) == REDIS_OK, let found else {
            throw BenchFailure("no reply of Redis")
        }
        defer { freeReplyObject(found) }
        let reply = found.assumingMemoryBound(to: redisReply.self).pointee
        if reply.type == REDIS_REPLY_ERROR { throw BenchFailure(String(cString: reply.str)) }
        return try read(reply)
    }

    private func add(_ position: Int, _ record: [UInt8]) {
        let words = [
            "XADD", stream, "\(position + 1)-0", "id", "h.1.\(position)", "record",
        ]
        Self.send(words.map { Array($0.utf8) } + [record], over: context)
    }

    func roundTrips(count: Int, size: Int) throws -> [Double] {
        let record = [UInt8](repeating: 7, count: size)
        return try (0..<count).map { position in
            try seconds {
                add(position, record)
                try Self.reply(over: context) { _ in }
            }
        }
    }

    func deliveries(count: Int, size: Int) throws -> [Double] {
        let record = [UInt8](repeating: 7, count: size)
        let came = DispatchSemaphore(value: 0)
        let tally = Tally()
        let (port, stream) = (port, stream)
        Thread.detachNewThread {
            do {
                try Self.follow(port, stream, count) { came.signal() }
            } catch { tally.fail("\(error)") }
        }
        let times = try (0..<count).map { position in
            try seconds {
                add(position, record)
                try Self.reply(over: context) { _ in }
                if came.wait(timeout: .now() + 10) == .timedOut {
                    throw BenchFailure(tally.failure ?? "nothing was delivered")
                }
            }
        }
        return times
    }

    func appendAll(count: Int, size: Int, readers: Int) throws -> Double {
        let record = [UInt8](repeating: 7, count: size)
        let done = DispatchGroup()
        let tally = Tally()
        for _ in 0..<readers {
            let (port, stream) = (port, stream)
            done.enter()
            Thread.detachNewThread {
                do {
                    try Self.follow(port, stream, count)
                } catch { tally.fail("\(error)") }
                done.leave()
            }
        }
        let time = try seconds {
            var answered = 0
            for position in 0..<count {
                add(position, record)
                // A quarter of the window at once, so that writing and reading are few calls.
                if position + 1 - answered >= window {
                    for _ in 0..<(window / 4) { try Self.reply(over: context) { _ in } }
                    answered += window / 4
                }
            }
            while answered < count {
                try Self.reply(over: context) { _ in }
                answered += 1
            }
        }
        done.wait()
        if let failure = tally.failure { throw BenchFailure(failure) }
        return time
    }

    private static func follow(
        _ port: UInt16,
        _ stream: String,
        _ count: Int,
        _ body: () -> Void = {}
    ) throws {
        let context = try connect(port)
        defer { redisFree(context) }
        var next = 0
        while next < count {
            let words = [
                "XREAD", "COUNT", "256", "BLOCK", "5000", "STREAMS", stream, "\(next)-0",
            ]
            send(words.map { Array($0.utf8) }, over: context)
            let found = try reply(over: context) { reply in
                guard reply.type == REDIS_REPLY_ARRAY, reply.elements == 1,
                    let entries = reply.element[0]?.pointee.element[1]
                else { return 0 }
                return Int(entries.pointee.elements)
            }
            next += found
            for _ in 0..<found { body() }
        }
    }
}
