import Logging
import NIOCore
import Synchronization

/// A limit on the bytes that were written to connections and that the kernel has not accepted.
///
/// Beyond it, the connections that have made no progress for the longest time are closed, so that
/// readers that stopped do not keep others from being served. A page reconnects and resumes.
final class UnsentBytes: Sendable {
    let limit: Int
    private let log: FaultLog
    private let state = Mutex(State())

    private struct State {
        var total = 0
        var connections: [ObjectIdentifier: Connection] = [:]
    }

    private struct Connection {
        let channel: any Channel
        var bytes: Int
        var lastProgress: NIODeadline
    }

    init(limit: Int, logger: Logger) {
        self.limit = limit
        log = FaultLog(logger)
    }

    /// The bytes of all connections, except those that are being closed.
    var total: Int { state.withLock { $0.total } }

    /// Counts bytes that were written to a connection, or the negative number of bytes that the
    /// kernel has accepted.
    func add(_ bytes: Int, of channel: any Channel, at now: NIODeadline) {
        if bytes == 0 { return }
        let closing = state.withLock { state in
            let id = ObjectIdentifier(channel)
            let old = state.connections[id]
            // A connection that is being closed is no longer counted.
            let count = max(0, (old?.bytes ?? 0) + bytes)
            let since = bytes > 0 ? old?.lastProgress ?? now : now
            state.connections[id] =
                count > 0 ? Connection(channel: channel, bytes: count, lastProgress: since) : nil
            state.total += count - (old?.bytes ?? 0)
            var closing: [any Channel] = []
            while state.total > limit,
                let (id, last) = state.connections.min(by: {
                    $0.value.lastProgress < $1.value.lastProgress
                })
            {
                state.connections[id] = nil
                state.total -= last.bytes
                closing.append(last.channel)
            }
            return closing
        }
        for channel in closing {
            channel.pipeline.fireUserInboundEventTriggered(ConnectionDeadlines.Abort())
            log.log(.warning, "a reader that stopped was disconnected: \(limit) bytes are unsent")
        }
    }
}

/// A limit on the parts of large answers that are rendered at one time. Others wait in order.
///
/// Without it, a few fast readers of a large list would occupy all of Swift's threads until their
/// answers end, and edits of other lists would wait. An answer needs a turn for each part of about
/// 64 KB, and has none while its reader accepts no bytes. A connection waits for one turn at a time,
/// so the number of connections bounds the queue.
final class RenderingLimit: Sendable {
    private let state: Mutex<(free: Int, waiting: CircularBuffer<CheckedContinuation<Void, Never>>)>

    init(_ limit: Int) { state = Mutex((limit, [])) }

    /// Renders a part when it has a turn.
    func turn<Value>(_ render: () async throws -> Value) async rethrows -> Value {
        // Other tasks run first, even if there is only one thread.
        await Task.yield()
        await withCheckedContinuation { continuation in
            let begins = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if begins { continuation.resume() }
        }
        defer {
            let next = state.withLock { state in
                if state.waiting.isEmpty { state.free += 1 }
                return state.waiting.popFirst()
            }
            next?.resume()
        }
        return try await render()
    }
}
