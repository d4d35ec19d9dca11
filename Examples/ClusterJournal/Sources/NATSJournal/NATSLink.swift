import CNATS
import CollectionReplication
import Dispatch
import Glibc
import JournalSupport

/// The connection as logs use it: outgoing messages, pending requests and their deadlines.
///
/// The client library's threads call in through ``CallbackTarget``, which holds the link weakly.
final class NATSLink: Sendable {
    /// Receives an answer; called once, without the lock. The message is valid during the call.
    typealias Handler = @Sendable (NATSAnswer) -> Void

    typealias RecordHandler = @Sendable (NATSMessage, NATSDelivery) -> Void

    let options: NATSOptions
    /// The serial queue on which the library is called to connect, publish and close.
    let queue = DispatchQueue(label: "NATSJournal", qos: .userInitiated)
    let state: LockedValue<State>
    let inbox: String

    struct State {
        var phase = Phase.connecting
        /// The number of the current connection attempt. Callbacks of earlier attempts are ignored.
        var generation = 0
        var outbox: [Outgoing] = []
        var isDraining = false
        var waiting: [UInt64: Waiting] = [:]
        /// The record handlers by consumer. Records arrive under their own subjects.
        var routes: [String: RecordHandler] = [:]
        var nextToken: UInt64 = 1
        /// The deadlines of pending requests, oldest first. All requests have the same time limit.
        var deadlines = DeadlineQueue()
        var hasTimer = false
        /// The largest message that the server accepts, as announced on connecting.
        var maximumPayload = 1 << 20
    }

    /// The connection's state. `closed` is final; the other states repeat.
    enum Phase { case connecting, connected, disconnected, closed }

    struct Waiting {
        var handler: Handler
        /// Whether the handler receives more than one message.
        var isStream: Bool
        /// Whether the request may have reached the server.
        var isSent: Bool
    }

    /// A message waiting to be published.
    struct Outgoing {
        var subject: String
        var headers: [(String, String)]
        var body: [UInt8]
        /// The token of the request or stream that receives the answers.
        var token: UInt64
    }

    /// The library's connection; accessed only on `queue`.
    nonisolated(unsafe) var connection: OpaquePointer?
    /// The subscription of the inbox; accessed only on `queue`.
    nonisolated(unsafe) var subscription: OpaquePointer?

    init(_ options: NATSOptions) throws(JournalSetupError) {
        _ = try LibraryOptions(options)
        self.options = options
        state = LockedValue(State())
        inbox = "_INBOX.\(UInt64.random(in: 0 ... .max))\(UInt64.random(in: 0 ... .max))."
    }

    var maximumPayload: Int { state.withLock { $0.maximumPayload } }

    var isConnected: Bool { state.withLock { $0.phase == .connected } }

    // MARK: Requests

    /// Sends a message and passes the single answer or an error to the handler.
    func request(
        _ subject: String,
        headers: [(String, String)] = [],
        body: [UInt8] = [],
        _ handler: @escaping Handler
    ) {
        let refused: LogError? = state.withLock { state in
            if let fault = Self.fault(of: state.phase) { return fault }
            let token = state.add(Waiting(handler: handler, isStream: false, isSent: false))
            state.deadlines.append(token, at: .now() + options.answerTimeout.timeInterval)
            state.outbox.append(
                Outgoing(subject: subject, headers: headers, body: body, token: token)
            )
            schedule(&state)
            return nil
        }
        if let refused { handler(.failure(refused)) }
    }

    /// Opens a reply address, which lasts until ``forget(_:)`` or the loss of the connection.
    func openStream(_ handler: @escaping Handler) -> Result<UInt64, LogError> {
        state.withLock { state in
            if let fault = Self.fault(of: state.phase) { return .failure(fault) }
            return .success(state.add(Waiting(handler: handler, isStream: true, isSent: true)))
        }
    }

    /// Sends a message whose answers go to an opened reply address.
    func send(_ subject: String, body: [UInt8], answersTo token: UInt64) {
        state.withLock { state in
            guard Self.fault(of: state.phase) == nil else { return }
            state.outbox.append(Outgoing(subject: subject, headers: [], body: body, token: token))
            schedule(&state)
        }
    }

    /// Closes a reply address or request; later messages for it are dropped.
    func forget(_ token: UInt64) {
        _ = state.withLock { $0.waiting.removeValue(forKey: token) }
    }

    /// Sets the record handler of a consumer; `nil` drops its records.
    func route(_ consumer: String, to handler: RecordHandler?) {
        state.withLock { $0.routes[consumer] = handler }
    }

    private static func fault(of phase: Phase) -> LogError? {
        switch phase {
        // The first attempt is already on the queue, before anything that is sent now.
        case .connecting, .connected: nil
        case .disconnected: LogError(.unavailable, "There is no connection to a NATS server.")
        case .closed: LogError(.unavailable, "The connection to NATS is closed.")
        }
    }

    // MARK: Deadlines

    private func schedule(_ state: inout State) {
        if !state.isDraining {
            state.isDraining = true
            queue.async { self.drain() }
        }
        setTimer(&state)
    }

    private func setTimer(_ state: inout State) {
        guard !state.hasTimer, let next = state.deadlines.first else { return }
        state.hasTimer = true
        let queue = DispatchQueue.global(qos: .userInitiated)
        queue.asyncAfter(deadline: next.deadline) { [weak self] in
            self?.failOverdueRequests()
        }
    }

    private func failOverdueRequests() {
        let late: [Handler] = state.withLock { state in
            state.hasTimer = false
            let late = state.removeOverdue(.now())
            setTimer(&state)
            return late
        }
        let text = "NATS did not answer within \(options.answerTimeout)."
        let error = LogError(.unanswered, text)
        for handler in late { handler(.failure(error)) }
    }

    // MARK: Library callbacks

    func received(_ message: NATSMessage, token: UInt64) {
        let handler: Handler? = state.withLock { state in
            guard let waiting = state.waiting[token] else { return nil }
            if !waiting.isStream {
                state.waiting[token] = nil
                state.dropAnsweredDeadlines()
            }
            return waiting.handler
        }
        handler?(.success(message))
    }

    func received(_ message: NATSMessage, at delivery: NATSDelivery) {
        let handler = state.withLock { $0.routes[delivery.consumer] }
        handler?(message, delivery)
    }

    func becameConnected(_ generation: Int, _ connection: OpaquePointer?) {
        let maximumPayload = Int(natsConnection_GetMaxPayload(connection))
        state.withLock { state in
            guard state.generation == generation, state.phase != .closed else { return }
            state.phase = .connected
            if maximumPayload > 0 { state.maximumPayload = maximumPayload }
        }
    }

    /// Fails the requests that were sent; the server may or may not have executed them.
    func becameDisconnected(_ generation: Int) {
        let lost: [Handler] = state.withLock { state in
            guard state.generation == generation, state.phase != .closed else { return [] }
            state.phase = .disconnected
            // In request order.
            let lost = state.waiting.filter { $0.value.isSent }.sorted { $0.key < $1.key }
            for (token, _) in lost { state.waiting[token] = nil }
            state.dropAnsweredDeadlines()
            return lost.map(\.value.handler)
        }
        let error = LogError(.unanswered, "The connection to NATS was cut before the answer.")
        for handler in lost { handler(.failure(error)) }
    }
}

/// The result of a request.
typealias NATSAnswer = Result<NATSMessage, LogError>

extension NATSLink.State {
    mutating func add(_ waiting: NATSLink.Waiting) -> UInt64 {
        let token = nextToken
        nextToken += 1
        self.waiting[token] = waiting
        return token
    }

    /// Drops leading deadlines of completed requests, to bound the queue by the number of requests.
    mutating func dropAnsweredDeadlines() {
        while let token = deadlines.first?.token, waiting[token] == nil { deadlines.removeFirst() }
    }

    mutating func removeOverdue(_ now: DispatchTime) -> [NATSLink.Handler] {
        var late: [NATSLink.Handler] = []
        dropAnsweredDeadlines()
        while let (token, deadline) = deadlines.first, deadline <= now {
            if let waiting = waiting.removeValue(forKey: token) { late.append(waiting.handler) }
            deadlines.removeFirst()
            dropAnsweredDeadlines()
        }
        return late
    }
}

// Connecting, publishing and closing, on the link's queue, and the target of library callbacks.

extension NATSLink {
    /// The target of library callbacks. Its weak reference lets a released connection close.
    ///
    /// The library's connection owns one reference until its closed callback, and the subscription
    /// owns another until its completion callback.
    final class CallbackTarget: Sendable {
        weak let link: NATSLink?
        let generation: Int
        let inbox: String
        let inboxLength: Int

        init(_ link: NATSLink, generation: Int) {
            self.link = link
            self.generation = generation
            inbox = link.inbox
            inboxLength = link.inbox.utf8.count
        }

        static func at(_ closure: UnsafeMutableRawPointer?) -> CallbackTarget? {
            closure.map { Unmanaged<CallbackTarget>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    func connect() {
        queue.async { [weak self] in self?.connectNow() }
    }

    private func connectNow() {
        let generation: Int? = state.withLock { state in
            if state.phase == .closed { return nil }
            state.generation += 1
            state.phase = .connecting
            return state.generation
        }
        guard let generation, let library = try? LibraryOptions(options) else { return }
        let target = CallbackTarget(self, generation: generation)
        let closure = Unmanaged.passRetained(target).toOpaque()
        natsOptions_SetDisconnectedCB(library.pointer, natsLinkDisconnected, closure)
        natsOptions_SetReconnectedCB(library.pointer, natsLinkConnected, closure)
        natsOptions_SetClosedCB(library.pointer, natsLinkClosed, closure)
        natsOptions_SetRetryOnFailedConnect(library.pointer, true, natsLinkConnected, closure)
        var made: OpaquePointer?
        let status = natsConnection_Connect(&made, library.pointer)
        guard status == NATS_OK || status == NATS_NOT_YET_CONNECTED, let made else {
            // For example because of a wrong password, which an operator may correct.
            Unmanaged<CallbackTarget>.fromOpaque(closure).release()
            becameDisconnected(generation)
            connectLater()
            return
        }
        connection = made
        subscribe(target)
        if status == NATS_OK {
            becameConnected(generation, made)
        } else {
            becameDisconnected(generation)
        }
    }

    private func subscribe(_ target: CallbackTarget) {
        let closure = Unmanaged.passRetained(target).toOpaque()
        var made: OpaquePointer?
        let subject = inbox + ">"
        let status = natsConnection_Subscribe(&made, connection, subject, natsLinkReceived, closure)
        guard status == NATS_OK, let made else {
            Unmanaged<CallbackTarget>.fromOpaque(closure).release()
            return
        }
        natsSubscription_SetOnCompleteCB(made, natsLinkCompleted, closure)
        // Requests already bound the incoming messages.
        natsSubscription_SetPendingLimits(made, -1, -1)
        subscription = made
    }

    private func connectLater() {
        queue.asyncAfter(deadline: .now() + options.reconnectWait.timeInterval) { [weak self] in
            self?.connectNow()
        }
    }

    /// Reconnects if the library closes the connection itself, as after two rejected logins.
    func wasClosed(_ generation: Int) {
        becameDisconnected(generation)
        queue.async { [weak self] in
            guard let self else { return }
            let isMine = state.withLock { $0.generation == generation && $0.phase != .closed }
            guard isMine else { return }
            destroy()
            connectLater()
        }
    }

    private func destroy() {
        natsSubscription_Destroy(subscription.take())
        natsConnection_Destroy(connection.take())
    }

    /// Fails all pending requests, then closes the connection.
    func close() {
        let rest: [Waiting] = state.withLock { state in
            guard state.phase != .closed else { return [] }
            state.phase = .closed
            state.routes = [:]
            state.outbox = []
            state.deadlines = DeadlineQueue()
            return exchange(&state.waiting, with: [:]).sorted { $0.key < $1.key }.map(\.value)
        }
        let text = "The connection to NATS was closed before the answer."
        for waiting in rest {
            let code: LogError.Code = waiting.isSent ? .unanswered : .unavailable
            waiting.handler(.failure(LogError(code, text)))
        }
        // The closure retains the link until the library has released it.
        queue.async { self.destroy() }
    }

    // MARK: Publishing

    func drain() {
        while true {
            let (messages, isConnected) = state.withLock { state in
                let messages = exchange(&state.outbox, with: [])
                let isConnected = state.phase == .connected
                if isConnected {
                    for message in messages { state.waiting[message.token]?.isSent = true }
                }
                if messages.isEmpty { state.isDraining = false }
                return (messages, isConnected)
            }
            if messages.isEmpty { return }
            for message in messages {
                if isConnected {
                    publish(message)
                } else {
                    fail(message, NATS_CONNECTION_DISCONNECTED)
                }
            }
            // Flushes the library's buffer unless more messages are waiting. The flush waits for a
            // pong like any answer; the short timeout limits this wait if the server is stuck.
            let isLast = state.withLock { $0.outbox.isEmpty && $0.phase == .connected }
            if isLast { natsConnection_FlushTimeout(connection, 5) }
        }
    }

    private func publish(_ outgoing: Outgoing) {
        var message: OpaquePointer?
        let (subject, reply) = (outgoing.subject, inbox + String(outgoing.token, radix: 16))
        var status = outgoing.body.withUnsafeBytes { bytes in
            let count = Int32(clamping: bytes.count)
            return natsMsg_Create(&message, subject, reply, bytes.baseAddress, count)
        }
        for (name, value) in outgoing.headers where status == NATS_OK {
            status = natsMsgHeader_Set(message, name, value)
        }
        if status == NATS_OK { status = natsConnection_PublishMsg(connection, message) }
        natsMsg_Destroy(message)
        if status != NATS_OK { fail(outgoing, status) }
    }

    private func fail(_ outgoing: Outgoing, _ status: natsStatus) {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: outgoing.token) }
        let text = String(cString: natsStatus_GetText(status))
        let error =
            switch status {
            case NATS_MAX_PAYLOAD:
                LogError(.rejected, "\(outgoing.body.count) bytes are too large for NATS.")
            // The library detects these errors before it writes any byte.
            case NATS_CONNECTION_CLOSED, NATS_CONNECTION_DISCONNECTED, NATS_INSUFFICIENT_BUFFER,
                NATS_DRAINING, NATS_INVALID_ARG, NATS_NO_MEMORY, NATS_INVALID_SUBJECT,
                NATS_NO_SERVER_SUPPORT:
                LogError(.unavailable, "The message could not be sent to NATS: \(text).")
            default:
                LogError(.unanswered, "Sending to NATS failed: \(text).")
            }
        waiting?.handler(.failure(error))
    }
}

// Callbacks of the library, on its threads.

private func natsLinkReceived(
    _: OpaquePointer?,
    _: OpaquePointer?,
    message: OpaquePointer?,
    closure: UnsafeMutableRawPointer?
) {
    guard let message else { return }
    defer { natsMsg_Destroy(message) }
    guard let target = NATSLink.CallbackTarget.at(closure), let link = target.link,
        let subject = natsMsg_GetSubject(message)
    else { return }
    if strncmp(subject, target.inbox, target.inboxLength) != 0 {
        // A record, under the subject that it was published to.
        let message = NATSMessage(pointer: message)
        if let delivery = message.delivery { link.received(message, at: delivery) }
        return
    }
    let digits = String(cString: subject + target.inboxLength)
    guard let token = UInt64(digits, radix: 16) else { return }
    link.received(NATSMessage(pointer: message), token: token)
}

private func natsLinkConnected(connection: OpaquePointer?, closure: UnsafeMutableRawPointer?) {
    guard let target = NATSLink.CallbackTarget.at(closure) else { return }
    target.link?.becameConnected(target.generation, connection)
}

private func natsLinkDisconnected(_: OpaquePointer?, closure: UnsafeMutableRawPointer?) {
    guard let target = NATSLink.CallbackTarget.at(closure) else { return }
    target.link?.becameDisconnected(target.generation)
}

private func natsLinkClosed(_: OpaquePointer?, closure: UnsafeMutableRawPointer?) {
    guard let closure else { return }
    // The connection's last callback.
    let target = Unmanaged<NATSLink.CallbackTarget>.fromOpaque(closure).takeRetainedValue()
    target.link?.wasClosed(target.generation)
}

private func natsLinkCompleted(closure: UnsafeMutableRawPointer?) {
    // The subscription's last callback.
    if let closure { Unmanaged<NATSLink.CallbackTarget>.fromOpaque(closure).release() }
}
