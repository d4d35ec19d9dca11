import CHiredis
import CollectionReplication
import Dispatch
import JournalSupport

/// One connection to a Redis server. Replies arrive in the order of the commands.
final class RedisLink: @unchecked Sendable {
    // @unchecked: apart from `state` and constants, everything is accessed only on `queue`.

    /// Receives a reply. Called once, on the queue; the reply is valid only during the call.
    typealias Handler = (RedisAnswer) -> Void

    let options: RedisOptions
    let queue = DispatchQueue(label: "RedisJournal", qos: .userInitiated)
    let state = LockedValue(State())

    /// The connection's state. `closed` is final; the other states repeat.
    enum Phase {
        /// Commands wait until the connection is ready.
        case connecting
        case ready
        /// Commands fail immediately until the next attempt to connect.
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

    // These variables are accessed only on the queue.
    var context: UnsafeMutablePointer<redisAsyncContext>?
    /// Whether the current connection has been ready. Otherwise, no command was sent over it.
    var wasReady = false
    var generation = 0
    /// The watch of the connection's socket; exists as long as `context`.
    var watch: SocketWatch?
    /// Whether the client library has data to write. The link writes it after each batch.
    var wantsToWrite = false
    /// Whether a write is in progress. Data left over then waits for the socket.
    var isWriting = false
    /// The deadlines of pending replies, in order.
    var deadlines = DeadlineQueue()
    var hasTimer = false
    var scripts = [[UInt8]](repeating: [], count: RedisScript.allCases.count)
    var loadedCount = 0

    init(_ options: RedisOptions) {
        self.options = options
    }

    func connect() {
        queue.async { [weak self] in self?.connectNow() }
    }

    var isConnected: Bool { state.withLock { $0.phase == .ready } }

    // MARK: Sending commands

    /// Sends a command. Its deadline is extended by the time for which the server waits.
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
                let outgoing = state.phase == .ready ? exchange(&state.outbox, with: []) : []
                if outgoing.isEmpty { state.isDraining = false }
                return outgoing
            }
            if outgoing.isEmpty { return }
            for each in outgoing { write(each.command, deadline: each.deadline, each.handler) }
            flush()
        }
    }

    // MARK: Connection state

    func becameReady() {
        wasReady = true
        state.withLock { state in
            guard state.phase == .connecting else { return }
            state.phase = .ready
            schedule(&state)
        }
    }

    /// Records the loss of the connection and schedules a new attempt.
    func becameDisconnected(_ reason: String) {
        let unsent: [Outgoing]? = state.withLock { state in
            if state.phase == .closed { return nil }
            state.phase = .disconnected
            return exchange(&state.outbox, with: [])
        }
        guard let unsent else { return }
        queue.asyncAfter(deadline: .now() + options.reconnectWait.timeInterval) { [weak self] in
            self?.connectNow()
        }
        let error = LogError(.unavailable, "There is no connection to the Redis server: \(reason).")
        for each in unsent { each.handler(.failure(error)) }
    }

    /// Fails all queued commands, then closes the connection.
    func close() {
        let unsent: [Outgoing] = state.withLock { state in
            state.phase = .closed
            return exchange(&state.outbox, with: [])
        }
        let error = LogError(.unavailable, "The connection to Redis closed before sending.")
        for each in unsent { each.handler(.failure(error)) }
        // The closure retains the link until the library has released it.
        queue.async { self.drop() }
    }
}

// All calls into the client library run on the link's queue. They connect, read and write without
// blocking, and the library calls back from inside them.

extension RedisLink {
    func connectNow() {
        let isWanted = state.withLock { state in
            if state.phase == .closed { return false }
            state.phase = .connecting
            return true
        }
        guard isWanted, context == nil else { return }
        wasReady = false
        loadedCount = 0
        generation += 1
        guard let made = redisAsyncConnect(options.host, Int32(options.port)) else {
            return becameDisconnected("no memory")
        }
        if made.pointee.err != 0 {
            let reason = made.pointee.errstr.map { String(cString: $0) } ?? ""
            redisAsyncFree(made)
            return becameDisconnected(reason)
        }
        let watch = SocketWatch(made.pointee.c.fd, queue: queue) { [weak self] in
            self?.socketIsReady($0)
        }
        guard let watch else {
            redisAsyncFree(made)
            return becameDisconnected("no thread or descriptor to watch the socket")
        }
        self.watch = watch
        context = made
        // Balanced when the library frees the connection.
        made.pointee.ev.data = Unmanaged.passRetained(self).toOpaque()
        // The watch always monitors readability.
        made.pointee.ev.addRead = { _ in }
        made.pointee.ev.delRead = { _ in }
        made.pointee.ev.addWrite = { RedisLink.at($0).hasSomethingToWrite() }
        made.pointee.ev.delWrite = { RedisLink.at($0).wantsToWrite = false }
        made.pointee.ev.cleanup = { closure in
            guard let closure else { return }
            Unmanaged<RedisLink>.fromOpaque(closure).takeRetainedValue().wasFreed()
        }
        redisAsyncSetConnectCallback(made) { context, status in
            guard let data = context?.pointee.ev.data else { return }
            if status == REDIS_OK { RedisLink.at(data).prepare() }
        }
        limitConnectTime(generation)
    }

    static func at(_ closure: UnsafeMutableRawPointer?) -> RedisLink {
        // Set once for each connection, before the library uses it.
        Unmanaged<RedisLink>.fromOpaque(closure!).takeUnretainedValue()
    }

    /// Drops a connection that is not ready within the answer timeout.
    private func limitConnectTime(_ attempt: Int) {
        queue.asyncAfter(deadline: .now() + options.answerTimeout.timeInterval) { [weak self] in
            guard let self, generation == attempt, !wasReady else { return }
            drop()
        }
    }

    /// Authenticates and loads the scripts; then the connection is ready.
    private func prepare() {
        if let password = options.password {
            let user = options.user.map { [$0] } ?? []
            let command = RedisCommand(["AUTH"] + user + [password])
            write(command, deadline: deadline) { [self] in checkPrepared($0) }
        }
        if options.database != 0 {
            let command = RedisCommand(["SELECT", String(options.database)])
            write(command, deadline: deadline) { [self] in checkPrepared($0) }
        }
        for script in RedisScript.allCases {
            let command = RedisCommand(["SCRIPT", "LOAD", script.text])
            write(command, deadline: deadline) { [self] answer in
                guard checkPrepared(answer), let name = try? answer.get().bytes else { return }
                scripts[script.rawValue] = name
                loadedCount += 1
                if loadedCount == RedisScript.allCases.count { becameReady() }
            }
        }
    }

    private var deadline: DispatchTime { .now() + options.answerTimeout.timeInterval }

    @discardableResult
    private func checkPrepared(_ answer: RedisAnswer) -> Bool {
        guard case .success(let reply) = answer else { return false }
        guard reply.error != nil else { return true }
        // Freeing the connection is not allowed inside a library callback.
        queue.async { self.drop() }
        return false
    }

    // MARK: Writing

    /// Retains a reply handler while the library may call it.
    final class Waiter {
        let link: RedisLink
        let handler: Handler

        init(_ link: RedisLink, _ handler: @escaping Handler) {
            self.link = link
            self.handler = handler
        }
    }

    func write(_ command: RedisCommand, deadline: DispatchTime, _ handler: @escaping Handler) {
        guard let context else {
            let text = "There is no connection to the Redis server."
            return handler(.failure(LogError(.unavailable, text)))
        }
        var command = command
        if let script = command.script { command.words[1] = scripts[script.rawValue] }
        let waiter = Unmanaged.passRetained(Waiter(self, handler)).toOpaque()
        let status = command.withArguments { pointers, lengths in
            let count = Int32(pointers.count)
            return redisAsyncCommandArgv(
                context,
                redisLinkReplied,
                waiter,
                count,
                &pointers,
                &lengths
            )
        }
        if status == REDIS_OK {
            deadlines.append(0, at: deadline)
            setTimer()
        } else {
            // The library did not keep the handler and is closing the connection.
            Unmanaged<Waiter>.fromOpaque(waiter).release()
            handler(.failure(LogError(.unavailable, "The connection to Redis is closing.")))
        }
    }

    fileprivate func replied(_ reply: UnsafeMutablePointer<redisReply>?, _ handler: Handler) {
        deadlines.removeFirst()
        if let reply {
            handler(.success(RedisReply(pointer: reply)))
        } else if wasReady {
            let text = "The connection to Redis was cut before the reply."
            handler(.failure(LogError(.unanswered, text)))
        } else {
            handler(.failure(LogError(.unavailable, "There was no connection to Redis.")))
        }
    }

    /// Writes the data that the library has buffered.
    func flush() {
        guard let context, wantsToWrite, watch?.isWatchingWriting != true else { return }
        isWriting = true
        PipeSignal.suppressed {
            redisAsyncHandleWrite(context)
            // If the connection was closed, the library has freed it.
            return self.context == nil
        }
        isWriting = false
    }

    private func hasSomethingToWrite() {
        wantsToWrite = true
        // Watches for writability while connecting and when the socket buffer is full.
        if isWriting || (context?.pointee.c.flags ?? 0) & REDIS_CONNECTED == 0 {
            watch?.isWatchingWriting = true
        }
    }

    private func socketIsReady(_ readiness: SocketWatch.Readiness) {
        if readiness.contains(.writing) {
            watch?.isWatchingWriting = false
            wantsToWrite = true
            flush()
        }
        // If the connection was closed, the library has freed it.
        if readiness.contains(.reading), let context {
            redisAsyncHandleRead(context)
            flush()
        }
    }

    // MARK: Ending

    private func setTimer() {
        guard !hasTimer, let first = deadlines.first else { return }
        hasTimer = true
        queue.asyncAfter(deadline: first.deadline) { [weak self] in
            guard let self else { return }
            hasTimer = false
            if let first = deadlines.first, first.deadline <= .now() {
                // Replies arrive in order: if one is late, all later ones are late, too.
                drop()
            } else {
                setTimer()
            }
        }
    }

    /// Frees the connection. The library calls every pending handler without a reply.
    func drop() {
        guard let context else { return }
        redisAsyncFree(context)
    }

    private func wasFreed() {
        let reason = context?.pointee.errstr.map { String(cString: $0) } ?? "it was cut"
        context = nil
        wantsToWrite = false
        deadlines = DeadlineQueue()
        // The library closes the socket after this callback.
        watch.take()?.end()
        becameDisconnected(reason)
    }
}

private func redisLinkReplied(
    _: UnsafeMutablePointer<redisAsyncContext>?,
    reply: UnsafeMutableRawPointer?,
    closure: UnsafeMutableRawPointer?
) {
    guard let closure else { return }
    let waiter = Unmanaged<RedisLink.Waiter>.fromOpaque(closure).takeRetainedValue()
    waiter.link.replied(reply?.assumingMemoryBound(to: redisReply.self), waiter.handler)
}
