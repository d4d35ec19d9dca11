import CNATS
import CollectionReplication
import Dispatch
import JournalSupport

/// A connection as logs use it: the messages that are sent, the requests that wait for an answer, and their deadlines.
///
/// The client library's threads call in through ``Door``, which holds the link weakly.
final class NATSLink: Sendable {
    /// Where an answer goes. Called once, without the lock, with a message that is good during the call.
    typealias Handler = @Sendable (NATSAnswer) -> Void

    /// Where the records of a consumer go.
    typealias RecordHandler = @Sendable (NATSMessage, NATSPlace) -> Void

    let options: NATSOptions
    /// Where the library is called to connect, to publish and to close: in order, one at a time.
    let queue = DispatchQueue(label: "NATSJournal", qos: .userInitiated)
    let state: Guarded<State>
    let inbox: String

    struct State {
        var phase = Phase.connecting
        /// Which attempt to be connected this is: what the door of an earlier one tells is no longer true.
        var generation = 0
        var outbox: [Outgoing] = []
        var isDraining = false
        var waiting: [UInt64: Waiting] = [:]
        /// Where the records go that consumers send: they come under the subject that they were published to.
        var routes: [String: RecordHandler] = [:]
        var nextToken: UInt64 = 1
        /// When those that wait are given up, oldest first; all wait as long as each other.
        var deadlines = DeadlineQueue()
        var hasTimer = false
        /// The largest message that the server takes, as it said when it was connected to.
        var maximumPayload = 1 << 20
    }

    /// Where the connection is: ends with `closed`, and otherwise goes back and forth.
    enum Phase { case connecting, connected, disconnected, closed }

    struct Waiting {
        var handler: Handler
        /// Whether more than one message may come.
        var isStream: Bool
        /// Whether it may have reached the server.
        var isSent: Bool
    }

    /// A message that is yet to be published.
    struct Outgoing {
        var subject: String
        var headers: [(String, String)]
        var body: [UInt8]
        /// The request or the address that answers go to.
        var token: UInt64
    }

    /// The connection of the library, touched on `queue` only.
    nonisolated(unsafe) var connection: OpaquePointer?
    /// The subscription of the inbox, touched on `queue` only.
    nonisolated(unsafe) var subscription: OpaquePointer?

    init(_ options: NATSOptions) throws(JournalSetupError) {
        _ = try LibraryOptions(options)
        self.options = options
        state = Guarded(State())
        inbox = "_INBOX.\(UInt64.random(in: 0 ... .max))\(UInt64.random(in: 0 ... .max))."
    }

    var maximumPayload: Int { state.withLock { $0.maximumPayload } }

    var isConnected: Bool { state.withLock { $0.phase == .connected } }

    // MARK: Asking

    /// Sends a message and hands over the one answer, or why there is none.
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

    /// Makes an address for any number of messages, which goes with ``forget(_:)``, or with the connection to the server.
    func openStream(_ handler: @escaping Handler) -> Result<UInt64, LogError> {
        state.withLock { state in
            if let fault = Self.fault(of: state.phase) { return .failure(fault) }
            return .success(state.add(Waiting(handler: handler, isStream: true, isSent: true)))
        }
    }

    /// Sends a message whose answers go to such an address.
    func send(_ subject: String, body: [UInt8], answersTo token: UInt64) {
        state.withLock { state in
            guard Self.fault(of: state.phase) == nil else { return }
            state.outbox.append(Outgoing(subject: subject, headers: [], body: body, token: token))
            schedule(&state)
        }
    }

    /// Ends an address; what still comes to it is dropped.
    func forget(_ token: UInt64) {
        _ = state.withLock { $0.waiting.removeValue(forKey: token) }
    }

    /// Sets the handler of the records of a consumer; with `nil` they are dropped.
    func route(_ consumer: String, to handler: RecordHandler?) {
        state.withLock { $0.routes[consumer] = handler }
    }

    private static func fault(of phase: Phase) -> LogError? {
        switch phase {
        // The first attempt is under way on the queue, and what is asked comes after it there.
        case .connecting, .connected: nil
        case .disconnected: LogError(.unavailable, "There is no connection to a NATS server.")
        case .closed: LogError(.unavailable, "The connection to NATS is closed.")
        }
    }

    // MARK: Giving up

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
            self?.giveUpLate()
        }
    }

    private func giveUpLate() {
        let late: [Handler] = state.withLock { state in
            state.hasTimer = false
            let late = state.takeLate(.now())
            setTimer(&state)
            return late
        }
        let text = "NATS did not answer within \(options.answerTimeout)."
        let error = LogError(.unanswered, text)
        for handler in late { handler(.failure(error)) }
    }

    // MARK: What the library tells

    func received(_ message: NATSMessage, token: UInt64) {
        let handler: Handler? = state.withLock { state in
            guard let waiting = state.waiting[token] else { return nil }
            if !waiting.isStream {
                state.waiting[token] = nil
                state.dropAnswered()
            }
            return waiting.handler
        }
        handler?(.message(message))
    }

    func received(_ message: NATSMessage, at place: NATSPlace) {
        let handler = state.withLock { $0.routes[place.consumer] }
        handler?(message, place)
    }

    func becameConnected(_ generation: Int, _ connection: OpaquePointer?) {
        let maximumPayload = Int(natsConnection_GetMaxPayload(connection))
        state.withLock { state in
            guard state.generation == generation, state.phase != .closed else { return }
            state.phase = .connected
            if maximumPayload > 0 { state.maximumPayload = maximumPayload }
        }
    }

    /// The connection to a server was cut: what was sent may or may not have been done.
    func becameDisconnected(_ generation: Int) {
        let lost: [Handler] = state.withLock { state in
            guard state.generation == generation, state.phase != .closed else { return [] }
            state.phase = .disconnected
            // In the order in which they were asked.
            let lost = state.waiting.filter { $0.value.isSent }.sorted { $0.key < $1.key }
            for (token, _) in lost { state.waiting[token] = nil }
            state.dropAnswered()
            return lost.map(\.value.handler)
        }
        let error = LogError(.unanswered, "The connection to NATS was cut before the answer.")
        for handler in lost { handler(.failure(error)) }
    }
}

/// What comes back for a request.
enum NATSAnswer {
    case message(NATSMessage)
    case failure(LogError)
}

extension NATSLink.State {
    mutating func add(_ waiting: NATSLink.Waiting) -> UInt64 {
        let token = nextToken
        nextToken += 1
        self.waiting[token] = waiting
        return token
    }

    /// Drops the deadlines in front that nobody waits for any more, so that there are no more than requests.
    mutating func dropAnswered() {
        while let token = deadlines.first?.token, waiting[token] == nil { deadlines.removeFirst() }
    }

    /// Takes the requests whose deadlines have passed.
    mutating func takeLate(_ now: DispatchTime) -> [NATSLink.Handler] {
        var late: [NATSLink.Handler] = []
        dropAnswered()
        while let (token, deadline) = deadlines.first, deadline <= now {
            if let waiting = waiting.removeValue(forKey: token) { late.append(waiting.handler) }
            deadlines.removeFirst()
            dropAnswered()
        }
        return late
    }
}
