import CollectionElements
import CollectionPipeline

/// A member's connection to a ``MemoryBroker``.
///
/// Requests go out on one lane and answers come on another, each in order where nothing delays them; what several members
/// ask for meets at the broker in any order. What is lost is answered as `unanswered` later, or never.
///
/// Threading: usable from anywhere; answers come on a lane of the environment, never within the call.
///
/// Retains: the broker; what is to be answered until it is, or is lost.
public final class MemoryLog: Sendable {
    /// What may be cut off.
    public struct Directions: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int

        /// Makes directions from their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// From the member to the broker: what is asked for is never done.
        public static let requests = Directions(rawValue: 1)
        /// From the broker to the member: what is asked for is done, and nobody says so.
        public static let answers = Directions(rawValue: 2)
        /// Both.
        public static let both: Directions = [.requests, .answers]
    }

    let broker: MemoryBroker
    let requests: any Lane
    let answers: any Lane
    /// Where requests leave, and where answers come.
    package var lanes: (requests: any Lane, answers: any Lane) { (requests, answers) }

    private let state = Lock(State())

    private struct State {
        var isClosed = false
        var cut: Directions = []
        /// How often it was cut: whoever mends it later looks whether it still is that time.
        var cuts = 0
        /// Appends that have not reached the broker, in their order.
        var line = FIFO<Departure>()
    }

    private struct Departure {
        /// When it is there, if those before it are.
        let time: Duration
        let arrive: @Sendable () -> Void
    }

    /// Where the answer of a call goes.
    typealias Reply<Value> = @Sendable (Result<Value, LogError>) -> Void

    init(_ broker: MemoryBroker, label: String) {
        self.broker = broker
        requests = broker.environment.makeLane(label: "\(label) requests")
        answers = broker.environment.makeLane(label: "\(label) answers")
    }

    // MARK: What happens to it

    /// Cuts it off, in addition to what is cut off already, until ``mend()``: what comes from now on is lost.
    public func cutOff(_ directions: Directions) {
        state.withLock { state in
            state.cut.formUnion(directions)
            state.cuts += 1
        }
    }

    /// Lets everything through again.
    public func mend() { state.withLock { $0.cut = [] } }

    /// Ends it, as when the process of its member dies: nothing is answered any more, and what was asked for by then may
    /// still reach the broker.
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
    ///   - isAppend: whether it reaches the broker behind the one before of this kind.
    ///   - answer: what the member wants to be told.
    ///   - perform: done at the broker, each time that the request reaches it.
    func send<Value: Sendable>(
        isAppend: Bool = false,
        _ answer: @escaping Reply<Value>,
        perform: @escaping @Sendable (@escaping Reply<Value>) -> Void
    ) {
        if isClosed { return }
        let isAnswered = Lock(false)
        let deliver: Reply<Value> = { [self] result in
            let isFirst = isAnswered.withLock { isAnswered in
                defer { isAnswered = true }
                return !isAnswered
            }
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
            // Many are under way at once, so that one that is late does not make all behind it later still.
            let time = broker.environment.now + (delay ?? .zero)
            return lineUp(Departure(time: time, arrive: arrive))
        }
        if let delay { later(delay, on: requests, arrive) } else { arrive() }
    }

    /// Lets an append arrive behind those before it; on the lane of requests.
    private func lineUp(_ departure: Departure) {
        let isFirst = state.withLock { state in
            state.line.append(departure)
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

    // MARK: Answers

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

    /// The member is told that no answer came, or is left to find that out.
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

// What a member asks for; each call is one request.

extension MemoryLog: ReplicatedLog {
    // MARK: The log

    /// Makes the log where it is not there.
    public func create(_ answer: @escaping @Sendable (Result<Void, LogError>) -> Void) {
        send(answer) { [broker] in $0(broker.create()) }
    }

    /// Appends a record where the newest is at a position.
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

    /// Reads records from a position on, and waits for some where there are none.
    public func read(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        _ answer: @escaping @Sendable (Result<LogBatch, LogError>) -> Void
    ) {
        send(answer) { [self] reply in
            guard position > 0 else {
                return reply(.failure(LogError(.rejected, "there is no position 0 to read from")))
            }
            broker.read(from: position, limit: limit, wait: wait, for: self, reply)
        }
    }

    /// Removes all records up to and including that at a position.
    public func purge(
        through position: UInt64,
        _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
    ) {
        send(answer) { [broker] in $0(broker.perform { $0.purge(through: position) }) }
    }

    // MARK: Snapshots

    /// Keeps a part of a snapshot.
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

    /// Reads a part of a snapshot.
    public func chunk(
        at index: Int,
        of snapshot: String,
        _ answer: @escaping @Sendable (Result<[UInt8]?, LogError>) -> Void
    ) {
        send(answer) { [broker] in $0(broker.perform { $0.chunk(at: index, of: snapshot) }) }
    }

    /// Removes all snapshots but some.
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

    /// Sets a register where it is at a revision.
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
