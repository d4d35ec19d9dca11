import CNATS
import CollectionReplication
import Dispatch
import Glibc
import JournalSupport

// Connecting, publishing and closing, all on the link's queue; and the door through which the library calls back.

extension NATSLink {
    /// Holds the link for the library, weakly, so that a dropped connection closes.
    ///
    /// One reference of it belongs to the connection of the library, until that says that it is closed, and one to the
    /// subscription, until that says that its last message was delivered.
    final class Door: Sendable {
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

        static func at(_ closure: UnsafeMutableRawPointer?) -> Door? {
            closure.map { Unmanaged<Door>.fromOpaque($0).takeUnretainedValue() }
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
        let door = Door(self, generation: generation)
        let closure = Unmanaged.passRetained(door).toOpaque()
        natsOptions_SetDisconnectedCB(library.pointer, natsLinkDisconnected, closure)
        natsOptions_SetReconnectedCB(library.pointer, natsLinkConnected, closure)
        natsOptions_SetClosedCB(library.pointer, natsLinkClosed, closure)
        natsOptions_SetRetryOnFailedConnect(library.pointer, true, natsLinkConnected, closure)
        var made: OpaquePointer?
        let status = natsConnection_Connect(&made, library.pointer)
        guard status == NATS_OK || status == NATS_NOT_YET_CONNECTED, let made else {
            // Such as a password that is wrong, which an operator may set right.
            Unmanaged<Door>.fromOpaque(closure).release()
            becameDisconnected(generation)
            connectLater()
            return
        }
        connection = made
        subscribe(door)
        if status == NATS_OK {
            becameConnected(generation, made)
        } else {
            becameDisconnected(generation)
        }
    }

    private func subscribe(_ door: Door) {
        let closure = Unmanaged.passRetained(door).toOpaque()
        var made: OpaquePointer?
        let subject = inbox + ">"
        let status = natsConnection_Subscribe(&made, connection, subject, natsLinkReceived, closure)
        guard status == NATS_OK, let made else {
            Unmanaged<Door>.fromOpaque(closure).release()
            return
        }
        natsSubscription_SetOnCompleteCB(made, natsLinkCompleted, closure)
        // What may come is bounded by what was asked for; dropping some of it would only be asked for once more.
        natsSubscription_SetPendingLimits(made, -1, -1)
        subscription = made
    }

    private func connectLater() {
        queue.asyncAfter(deadline: .now() + options.reconnectWait.timeInterval) { [weak self] in
            self?.connectNow()
        }
    }

    /// The library gave the connection up by itself, as after two rejected log-ins: begins anew.
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
        natsSubscription_Destroy(subscription)
        natsConnection_Destroy(connection)
        subscription = nil
        connection = nil
    }

    /// Answers all that waits, then closes.
    func close() {
        let rest: [Waiting] = state.withLock { state in
            guard state.phase != .closed else { return [] }
            state.phase = .closed
            let rest = state.waiting.sorted { $0.key < $1.key }.map(\.value)
            state.waiting = [:]
            state.routes = [:]
            state.outbox = []
            state.deadlines = DeadlineQueue()
            return rest
        }
        // Requests that were not sent are answered as such.
        let text = "The connection to NATS was closed before the answer."
        for waiting in rest {
            let code: LogError.Code = waiting.isSent ? .unanswered : .unavailable
            waiting.handler(.failure(LogError(code, text)))
        }
        // Keeps the link until the library has let go.
        queue.async { self.destroy() }
    }

    // MARK: Publishing

    func drain() {
        while true {
            let (messages, isConnected) = state.withLock { state in
                let messages = state.outbox
                let isConnected = state.phase == .connected
                state.outbox = []
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
            // Writes what the library has gathered, unless more is there to be gathered. The answer to the ping with which it
            // does so takes as long as any other; if the server is stuck, this waits no longer for it.
            let isLast = state.withLock { $0.outbox.isEmpty && $0.phase == .connected }
            if isLast, !options.sendsAsSoonAsPossible {
                natsConnection_FlushTimeout(connection, 5)
            }
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
                LogError(.rejected, "\(outgoing.body.count) bytes are more than NATS takes.")
            // These are found out before a byte of it is written.
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

// What the library calls, on its threads.

private func natsLinkReceived(
    _: OpaquePointer?,
    _: OpaquePointer?,
    message: OpaquePointer?,
    closure: UnsafeMutableRawPointer?
) {
    guard let message else { return }
    defer { natsMsg_Destroy(message) }
    guard let door = NATSLink.Door.at(closure), let link = door.link,
        let subject = natsMsg_GetSubject(message)
    else { return }
    if strncmp(subject, door.inbox, door.inboxLength) != 0 {
        // A record, under the subject that it was published to.
        let message = NATSMessage(pointer: message)
        if let place = message.place { link.received(message, at: place) }
        return
    }
    let digits = String(cString: subject + door.inboxLength)
    guard let token = UInt64(digits, radix: 16) else { return }
    link.received(NATSMessage(pointer: message), token: token)
}

private func natsLinkConnected(connection: OpaquePointer?, closure: UnsafeMutableRawPointer?) {
    guard let door = NATSLink.Door.at(closure) else { return }
    door.link?.becameConnected(door.generation, connection)
}

private func natsLinkDisconnected(_: OpaquePointer?, closure: UnsafeMutableRawPointer?) {
    guard let door = NATSLink.Door.at(closure) else { return }
    door.link?.becameDisconnected(door.generation)
}

private func natsLinkClosed(_: OpaquePointer?, closure: UnsafeMutableRawPointer?) {
    guard let closure else { return }
    // The last call of the connection.
    let door = Unmanaged<NATSLink.Door>.fromOpaque(closure).takeRetainedValue()
    door.link?.wasClosed(door.generation)
}

private func natsLinkCompleted(closure: UnsafeMutableRawPointer?) {
    // The last call of the subscription.
    if let closure { Unmanaged<NATSLink.Door>.fromOpaque(closure).release() }
}
