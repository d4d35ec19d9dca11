import CHiredis
import CollectionReplication
import Dispatch
import JournalSupport

// Everything that touches the client library, on the link's queue: it connects, reads and writes without blocking, and
// calls back from inside these calls.

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
            return becameDisconnected("no thread or no file to watch its socket with")
        }
        self.watch = watch
        context = made
        // Given back when the library frees the connection.
        made.pointee.ev.data = Unmanaged.passRetained(self).toOpaque()
        // It is watched for reading as long as it is there.
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
        giveUpConnecting(generation)
    }

    static func at(_ closure: UnsafeMutableRawPointer?) -> RedisLink {
        // Set once for each connection, before the library calls anything with it.
        Unmanaged<RedisLink>.fromOpaque(closure!).takeUnretainedValue()
    }

    /// A server that takes no connection, or that takes one and says nothing.
    private func giveUpConnecting(_ attempt: Int) {
        queue.asyncAfter(deadline: .now() + options.answerTimeout.timeInterval) { [weak self] in
            guard let self, generation == attempt, !wasReady else { return }
            drop()
        }
    }

    /// Logs in, and gives the server the scripts. The connection is ready when the server has them.
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
                guard checkPrepared(answer), case .reply(let reply) = answer, let name = reply.bytes
                else { return }
                scripts[script.rawValue] = name
                loadedCount += 1
                if loadedCount == RedisScript.allCases.count { becameReady() }
            }
        }
    }

    private var deadline: DispatchTime { .now() + options.answerTimeout.timeInterval }

    @discardableResult
    private func checkPrepared(_ answer: RedisAnswer) -> Bool {
        guard case .reply(let reply) = answer else { return false }
        guard reply.error != nil else { return true }
        // A password or a script that the server does not take. Not from inside the library's call.
        queue.async { self.drop() }
        return false
    }

    // MARK: Writing

    /// Holds the handler of a reply while the library may call.
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
            // The library did not keep the handler, and is closing.
            Unmanaged<Waiter>.fromOpaque(waiter).release()
            handler(.failure(LogError(.unavailable, "The connection to Redis is going.")))
        }
    }

    fileprivate func replied(_ reply: UnsafeMutablePointer<redisReply>?, _ handler: Handler) {
        deadlines.removeFirst()
        if let reply {
            handler(.reply(RedisReply(pointer: reply)))
        } else if wasReady {
            let text = "The connection to Redis was cut before the reply."
            handler(.failure(LogError(.unanswered, text)))
        } else {
            handler(.failure(LogError(.unavailable, "There was no connection to Redis.")))
        }
    }

    /// Writes what the library has gathered.
    func flush() {
        guard let context, wantsToWrite, watch?.isWatchingWriting != true else { return }
        isWriting = true
        PipeSignal.withheld {
            redisAsyncHandleWrite(context)
            // Where it was found closed, the library has freed it.
            return self.context == nil
        }
        isWriting = false
    }

    private func hasSomethingToWrite() {
        wantsToWrite = true
        // While it connects, and when the socket takes no more.
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
        // Where it was found closed, the library has freed it.
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
                // Replies come in order: if one is late, all behind it are, and the connection is of no more use.
                drop()
            } else {
                setTimer()
            }
        }
    }

    /// Frees the connection; the library answers all that waits with nothing.
    func drop() {
        guard let context else { return }
        redisAsyncFree(context)
    }

    private func wasFreed() {
        let reason = context?.pointee.errstr.map { String(cString: $0) } ?? "it was cut"
        context = nil
        wantsToWrite = false
        deadlines = DeadlineQueue()
        // The library closes the socket after this.
        watch?.end()
        watch = nil
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
