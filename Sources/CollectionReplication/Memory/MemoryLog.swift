import CollectionElements
import CollectionPipeline

/// A member's connection to a ``MemoryBroker``.
///
/// Requests are sent on one lane and responses arrive on another, both in order unless a fault
/// delays one. Requests of several members reach the broker in any order. A lost request or
/// response fails later as `unanswered`, or never completes.
///
/// Threading: usable on any thread. Responses arrive on a lane of the environment, never within the
/// call.
///
/// Retains: the broker; and each completion until it is called or its response is lost.
public final class MemoryLog: Sendable {
    /// The directions of a connection that can be cut off.
    public struct Directions: OptionSet, Hashable, Sendable {
        /// The bits of the directions.
        public let rawValue: Int

        /// Creates directions from their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// From the member to the broker: requests are not carried out.
        public static let requests = Directions(rawValue: 1)
        /// From the broker to the member: requests are carried out, but their responses are lost.
        public static let answers = Directions(rawValue: 2)
        /// Both directions.
        public static let both: Directions = [.requests, .answers]
    }

    let broker: MemoryBroker
    let requests: any Lane
    let answers: any Lane
    /// The lane on which requests are sent, and the lane on which responses arrive.
    package var lanes: (requests: any Lane, answers: any Lane) { (requests, answers) }

    private let state = Lock(State())

    private struct State {
        var isClosed = false
        var cut: Directions = []
        /// The number of cuts. A scheduled repair compares it, and does nothing if the connection
        /// was cut again.
        var cuts = 0
        /// The appends that have not reached the broker, in order.
        var line = FIFO<PendingAppend>()
    }

    private struct PendingAppend {
        /// The earliest time of arrival; the append also waits for those before it.
        let time: Duration
        let arrive: @Sendable () -> Void
    }

    /// A completion that receives the response to a request.
    typealias Reply<Value> = @Sendable (Result<Value, LogError>) -> Void

    init(_ broker: MemoryBroker, label: String) {
        self.broker = broker
        requests = broker.environment.makeLane(label: "\(label) requests")
        answers = broker.environment.makeLane(label: "\(label) answers")
    }

    // MARK: Connection

    /// Cuts off a direction, in addition to those that are cut off already, until ``reconnect()``
    /// is called. Later requests or responses in this direction are lost.
    public func cutOff(_ directions: Directions) {
        state.withLock { state in
            state.cut.formUnion(directions)
            state.cuts += 1
        }
    }

    /// Restores both directions.
    public func reconnect() { state.withLock { $0.cut = [] } }

    /// Closes the connection, as if the member's process had ended. The member receives no more
    /// responses, but requests that were sent may still reach the broker.
    public func close() {
        state.withLock { $0.isClosed = true }
        broker.forgetReads(of: self)
    }

    private func isCut(_ direction: Directions) -> Bool {
        state.withLock { $0.cut.contains(direction) }
    }

    private var isClosed: Bool { state.withLock { $0.isClosed } }

    private func cutOffForAWhile(_ faults: BrokerFaults) {
        cutOff([.requests, .answers, .both][faults.number(below: 3)])
        let cuts = state.withLock { $0.cuts }
        broker.environment.schedule(after: faults.delay(), on: requests) { [weak self] in
            self?.state.withLock { if $0.cuts == cuts { $0.cut = [] } }
        }
    }

    // MARK: Requests

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - isAppend: Whether the request is an append; appends reach the broker in order.
    ///   - answer: A closure that receives the result.
    ///   - perform: Carries out the request at the broker; called each time that the request
    ///     arrives.
    func send<Value: Sendable>(
        isAppend: Bool = false,
        _ answer: @escaping Reply<Value>,
        perform: @escaping @Sendable (@escaping Reply<Value>) -> Void
    ) {
        if isClosed { return }
        let isAnswered = Lock(false)
        let deliver: Reply<Value> = { [self] result in
            let isFirst = isAnswered.withLock { !exchange(&$0, with: true) }
            if isFirst, !isClosed { answer(result) }
        }
        requests.enqueue { [self] in
            guard let faults = broker.faults else {
                if isCut(.requests) { return }
                return perform { self.reply($0, deliver) }
            }
            depart(isAppend, faults, deliver, perform)
        }
    }

    private func depart<Value: Sendable>(
        _ isAppend: Bool,
        _ faults: BrokerFaults,
        _ deliver: @escaping Reply<Value>,
        _ perform: @escaping @Sendable (@escaping Reply<Value>) -> Void
    ) {
        if faults.happens(.memberIsCutOff) { cutOffForAWhile(faults) }
        if isCut(.requests) || faults.happens(.requestIsLost) { return lose(faults, deliver) }
        let delay = faults.happens(.requestIsDelayed) ? faults.delay() : nil
        let arrive: @Sendable () -> Void = { [self] in
            broker.disturb()
            let comesTwice = faults.happens(.requestComesTwice)
            let ignoresFirst = comesTwice && faults.number(below: 2) == 0
            perform { if !ignoresFirst { self.reply($0, deliver) } }
            guard comesTwice else { return }
            later(faults.number(below: 2) == 0 ? faults.delay() : .zero, on: requests) { [self] in
                perform { self.reply($0, deliver) }
            }
        }
        if isAppend {
            // Delays of several appends overlap, so that a late one does not add its delay to all
            // after it.
            let time = broker.environment.now + (delay ?? .zero)
            return lineUp(PendingAppend(time: time, arrive: arrive))
        }
        if let delay { later(delay, on: requests, arrive) } else { arrive() }
    }

    /// Queues an append after the earlier ones; called on the lane of requests.
    private func lineUp(_ append: PendingAppend) {
        let isFirst = state.withLock { state in
            state.line.append(append)
            return state.line.count == 1
        }
        if isFirst { advanceLine() }
    }

    private func advanceLine() {
        while let next = state.withLock({ $0.line.first }) {
            let delay = next.time - broker.environment.now
            if delay > .zero { return later(delay, on: requests) { [self] in advanceLine() } }
            next.arrive()
            _ = state.withLock { $0.line.popFirst() }
        }
    }

    // MARK: Responses

    private func reply<Value: Sendable>(
        _ result: Result<Value, LogError>,
        _ deliver: @escaping Reply<Value>
    ) {
        if isCut(.answers) {
            if let faults = broker.faults { lose(faults, deliver) }
            return
        }
        guard let faults = broker.faults else { return answers.enqueue { deliver(result) } }
        if faults.happens(.answerIsLost) { return lose(faults, deliver) }
        let isDelayed = faults.happens(.answerIsDelayed)
        later(isDelayed ? faults.delay() : .zero, on: answers) { deliver(result) }
    }

    /// Lets a request fail after a delay, or leaves it without a response.
    private func lose<Value: Sendable>(_ faults: BrokerFaults, _ deliver: @escaping Reply<Value>) {
        guard faults.number(below: 2) == 0 else { return }
        later(faults.delay(), on: answers) {
            deliver(.failure(LogError(.unanswered, "the connection was lost")))
        }
    }

    private func later(
        _ delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        if delay == .zero { return lane.enqueue(work) }
        broker.environment.schedule(after: delay, on: lane, work)
    }
}

// MARK: - ReplicatedLog

extension MemoryLog: ReplicatedLog {
    // MARK: Log

    /// Creates the log if it does not exist.
    public func create(_ answer: @escaping @Sendable (Result<Void, LogError>) -> Void) {
        send(answer) { [broker] in $0(broker.create()) }
    }

    /// Appends a record if the newest record is at `position`.
    public func append(
        _ record: [UInt8],
        id: String,
        after position: UInt64,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    ) {
        send(isAppend: true, answer) { [broker] reply in
            let isIgnored = broker.faults?.happens(.expectationIsIgnored) ?? false
            let result = broker.perform { contents throws(LogError) in
                try contents.append(
                    record,
                    id: id,
                    after: isIgnored ? contents.last : position,
                    broker.configuration
                )
            }
            if case .success = result { broker.keepForFaults(record) }
            reply(result)
        }
    }

    /// Reads records, starting at a position, and waits if there are none yet.
    public func read(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        _ answer: @escaping @Sendable (Result<LogBatch, LogError>) -> Void
    ) {
        send(answer) { [self] reply in
            guard position > 0 else {
                return reply(.failure(LogError(.rejected, "expected a position above 0")))
            }
            broker.read(from: position, limit: limit, wait: wait, for: self, reply)
        }
    }

    /// Removes all records up to and including the one at `position`.
    public func purge(
        through position: UInt64,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        send(answer) { [broker] in $0(broker.perform { $0.purge(through: position) }) }
    }

    // MARK: Snapshots

    /// Stores a chunk of a snapshot.
    public func put(
        _ chunk: [UInt8],
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        send(answer) { [broker] reply in
            reply(
                broker.perform { contents throws(LogError) in
                    try contents.put(chunk, at: index, of: snapshot, broker.configuration)
                }
            )
        }
    }

    /// Reads a chunk of a snapshot.
    public func chunk(
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<[UInt8]?, LogError>) -> Void
    ) {
        send(answer) { [broker] in $0(broker.perform { $0.chunk(at: index, of: snapshot) }) }
    }

    /// Removes the snapshots with names that sort before `name`.
    public func removeSnapshots(
        before name: String,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        send(answer) { [broker] in $0(broker.perform { $0.removeSnapshots(before: name) }) }
    }

    // MARK: Registers

    /// Reads a register.
    public func read(
        _ register: LogRegister,
        _ answer: @escaping @Sendable (Result<LogRegisterValue?, LogError>) -> Void
    ) {
        send(answer) { [broker] in $0(broker.perform { $0.read(register) }) }
    }

    /// Sets a register if it has the expected revision.
    public func set(
        _ bytes: [UInt8],
        in register: LogRegister,
        expecting revision: UInt64?,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    ) {
        send(answer) { [broker] reply in
            let isIgnored = broker.faults?.happens(.expectationIsIgnored) ?? false
            reply(
                broker.perform { contents throws(LogError) in
                    let found = contents.read(register)?.revision
                    return try contents.set(
                        bytes,
                        in: register,
                        expecting: isIgnored ? found : revision
                    )
                }
            )
        }
    }
}
