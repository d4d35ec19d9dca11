import CHiredis
import CollectionReplication
import Dispatch
import JournalSupport

/// One connection to a Redis server: the commands that are sent, and the handlers that wait for replies, which come in the
/// order of the commands.
final class RedisLink: @unchecked Sendable {
    // @unchecked: all but `state` and the constants is touched on `queue` only, which the library runs on too.

    /// Where a reply goes. Called once, on the queue, with a reply that is good during the call.
    typealias Handler = (RedisAnswer) -> Void

    let options: RedisOptions
    let queue = DispatchQueue(label: "RedisJournal", qos: .userInitiated)
    let state = Guarded(State())

    /// Where the connection is: ends with `closed`, and otherwise goes round.
    enum Phase {
        /// Commands wait until it is ready.
        case connecting
        case ready
        /// Commands are answered immediately: there is no connection until the next attempt.
        case disconnected
        case closed
    }

    struct State {
        var phase = Phase.connecting
        var outbox: [Outgoing] = []
        var isDraining = false
    }

    struct Outgoing {
        var command: RedisCommand
        var deadline: DispatchTime
        var handler: @Sendable (RedisAnswer) -> Void
    }

    // On the queue only.
    var context: UnsafeMutablePointer<redisAsyncContext>?
    /// Whether the connection was ever ready: else nothing that is lost with it was sent.
    var wasReady = false
    var generation = 0
    /// Of the connection's socket; there while `context` is.
    var watch: SocketWatch?
    /// Whether the library has something to write, which is done at the end of a turn.
    var wantsToWrite = false
    /// Whether writing is under way, so that what is then still to be written waits for the socket.
    var isWriting = false
    /// Of the replies that are awaited, in their order.
    var deadlines = DeadlineQueue()
    var hasTimer = false
    /// What the server calls the scripts.
    var scripts = [[UInt8]](repeating: [], count: RedisScript.allCases.count)
    var loadedCount = 0

    init(_ options: RedisOptions) {
        self.options = options
    }

    func connect() {
        queue.async { [weak self] in self?.connectNow() }
    }

    var isConnected: Bool { state.withLock { $0.phase == .ready } }

    // MARK: Asking

    /// Sends a command, whose reply may take longer by the time that the server waits.
    func send(
        _ command: RedisCommand,
        waiting wait: Duration = .zero,
        _ handler: @escaping @Sendable (RedisAnswer) -> Void
    ) {
        let deadline = DispatchTime.now() + (wait + options.answerTimeout).timeInterval
        let fault: String? = state.withLock { state in
            switch state.phase {
            case .closed: return "The connection to Redis is closed."
            case .disconnected: return "There is no connection to the Redis server."
            case .connecting, .ready: break
            }
            state.outbox.append(Outgoing(command: command, deadline: deadline, handler: handler))
            schedule(&state)
            return nil
        }
        if let fault { handler(.failure(LogError(.unavailable, fault))) }
    }

    private func schedule(_ state: inout State) {
        guard state.phase == .ready, !state.isDraining, !state.outbox.isEmpty else { return }
        state.isDraining = true
        queue.async { self.drain() }
    }

    private func drain() {
        while true {
            let outgoing: [Outgoing] = state.withLock { state in
                let outgoing = state.phase == .ready ? state.outbox : []
                if outgoing.isEmpty {
                    state.isDraining = false
                } else {
                    state.outbox = []
                }
                return outgoing
            }
            if outgoing.isEmpty { return }
            for each in outgoing { write(each.command, deadline: each.deadline, each.handler) }
            flush()
        }
    }

    // MARK: Coming and going

    func becameReady() {
        wasReady = true
        state.withLock { state in
            guard state.phase == .connecting else { return }
            state.phase = .ready
            schedule(&state)
        }
    }

    /// There is no connection any more; tries again later.
    func becameDisconnected(_ reason: String) {
        let unsent: [Outgoing]? = state.withLock { state in
            if state.phase == .closed { return nil }
            state.phase = .disconnected
            let unsent = state.outbox
            state.outbox = []
            return unsent
        }
        guard let unsent else { return }
        queue.asyncAfter(deadline: .now() + options.reconnectWait.timeInterval) { [weak self] in
            self?.connectNow()
        }
        let error = LogError(.unavailable, "There is no connection to the Redis server: \(reason)")
        for each in unsent { each.handler(.failure(error)) }
    }

    /// Answers all that waits, then closes.
    func close() {
        let unsent: [Outgoing] = state.withLock { state in
            state.phase = .closed
            let unsent = state.outbox
            state.outbox = []
            return unsent
        }
        let error = LogError(.unavailable, "The connection to Redis was closed before.")
        for each in unsent { each.handler(.failure(error)) }
        // Keeps the link until the library has released it. Commands that still wait for a reply are answered there.
        queue.async { self.drop() }
    }
}
