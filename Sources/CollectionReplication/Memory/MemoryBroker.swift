import CollectionElements
import CollectionPipeline

/// A broker of one log, in memory: for tests of what is replicated, on Dispatch or in a simulation.
///
/// Each member has a connection of its own, a ``MemoryLog``. What operators do, and what goes wrong with brokers, are calls
/// of this type; or ``BrokerFaults`` lets them happen by themselves.
///
/// ```swift
/// let broker = MemoryBroker(environment: DispatchEnvironment())
/// let log = broker.makeLog(label: "first")
/// log.create { _ in
///     log.append([1, 2, 3], id: "one", after: 0) { print($0) }    // success(1)
/// }
/// ```
///
/// Threading: usable from anywhere. Answers come on lanes of the connections.
///
/// Complexity: a call is O(1) beside the bytes that it takes and gives, and one step through each read that waits.
public final class MemoryBroker: Sendable {
    /// What it takes and keeps.
    public let configuration: MemoryBrokerConfiguration

    let environment: any PipelineEnvironment
    let faults: BrokerFaults?
    /// Where it starts again by itself.
    let lane: any Lane
    let state = Lock(State())

    /// Everything that changes; the lock is for members on several threads.
    struct State {
        /// Nil until the log is made, and when it is deleted.
        var contents: BrokerContents?
        var isDown = false
        /// How often it was stopped: whoever starts it again later looks whether it still is that time.
        var stops = 0
        /// In the order in which they came.
        var waiting: [WaitingRead] = []
        var reads = 0
        var connections: [Connection] = []
        /// Older contents, for faults to go back to.
        var copies: [BrokerContents] = []
        /// Some records, for strangers to append once more.
        var seen: [[UInt8]] = []
    }

    struct Connection {
        weak var log: MemoryLog?
    }

    /// A read that has found nothing yet.
    struct WaitingRead {
        let number: Int
        let connection: ObjectIdentifier
        let position: UInt64
        let limit: LogReadLimit
        let reply: @Sendable (Result<LogBatch, LogError>) -> Void
    }

    /// Makes a broker on which there is no log yet.
    ///
    /// - Parameters:
    ///   - environment: lanes and timers.
    ///   - configuration: what it takes and keeps.
    ///   - faults: what goes wrong by itself; nil for nothing.
    public init(
        environment: any PipelineEnvironment,
        configuration: MemoryBrokerConfiguration = MemoryBrokerConfiguration(),
        faults: BrokerFaults? = nil
    ) {
        self.environment = environment
        self.configuration = configuration
        self.faults = faults
        lane = environment.makeLane(label: "broker")
    }

    /// Makes a connection, one for each member.
    ///
    /// - Parameter label: what its lanes are named after.
    public func makeLog(label: String) -> MemoryLog {
        let log = MemoryLog(self, label: label)
        state.withLock { state in
            state.connections.removeAll { $0.log == nil }
            state.connections.append(Connection(log: log))
        }
        return log
    }

    // MARK: What members ask for

    /// Does something with the log, and tells those whose reads can be answered by then.
    func perform<Value: Sendable>(
        _ body: (inout BrokerContents) throws(LogError) -> Value
    ) -> Result<Value, LogError> {
        change { state in
            if state.isDown { return .failure(.isDown) }
            guard state.contents != nil else { return .failure(.isMissing) }
            do throws(LogError) {
                return .success(try body(&state.contents!))
            } catch {
                return .failure(error)
            }
        }
    }

    func create() -> Result<Void, LogError> {
        state.withLock { state in
            if state.isDown { return .failure(.isDown) }
            if state.contents == nil { state.contents = BrokerContents() }
            return .success(())
        }
    }

    func read(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        for log: MemoryLog,
        _ reply: @escaping @Sendable (Result<LogBatch, LogError>) -> Void
    ) {
        let connection = ObjectIdentifier(log)
        let (answer, number) = state.withLock { state -> (Result<LogBatch, LogError>?, Int) in
            state.reads += 1
            let read = WaitingRead(
                number: state.reads,
                connection: connection,
                position: position,
                limit: limit,
                reply: reply
            )
            let answer = state.answer(to: read)
            if answer == nil { state.waiting.append(read) }
            return (answer, read.number)
        }
        if let answer { return reply(answer) }
        environment.schedule(after: wait, on: log.requests) { [weak self] in
            self?.endRead(number)
        }
    }

    /// Answers a read that has waited for long enough with nothing.
    private func endRead(_ number: Int) {
        let read = state.withLock { state -> (WaitingRead, LogBatch)? in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }),
                let contents = state.contents
            else { return nil }
            let read = state.waiting.remove(at: index)
            return (read, contents.emptyBatch(at: read.position))
        }
        if let (read, batch) = read { read.reply(.success(batch)) }
    }

    /// Answers no read of a connection any more.
    func forgetReads(of log: MemoryLog) {
        let connection = ObjectIdentifier(log)
        state.withLock { $0.waiting.removeAll { $0.connection == connection } }
    }

    /// Changes something, and answers what can be answered by then.
    @discardableResult
    func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, answers) = state.withLock { state in (body(&state), state.takeAnswers()) }
        for (read, answer) in answers { read.reply(answer) }
        return value
    }
}

extension MemoryBroker.State {
    /// What a read is answered with now; nil where it has to wait.
    fileprivate func answer(to read: MemoryBroker.WaitingRead) -> Result<LogBatch, LogError>? {
        if isDown { return .failure(.isDown) }
        guard let contents else { return .failure(.isMissing) }
        return contents.read(from: read.position, limit: read.limit).map { .success($0) }
    }

    /// Takes out the reads that can be answered, with their answers.
    fileprivate mutating func takeAnswers()
        -> [(MemoryBroker.WaitingRead, Result<LogBatch, LogError>)]
    {
        if waiting.isEmpty { return [] }
        var answers: [(MemoryBroker.WaitingRead, Result<LogBatch, LogError>)] = []
        waiting = waiting.filter { read in
            guard let answer = answer(to: read) else { return true }
            answers.append((read, answer))
            return false
        }
        return answers
    }
}

extension LogError {
    static let isDown = LogError(.unavailable, "the broker is stopped")
    static let isMissing = LogError(.missing, "there is no log: it was never made, or is deleted")
}

// What operators do to brokers, and what happens to them.

extension MemoryBroker {
    /// What it keeps; nil where there is no log. To be put back by ``restore(_:)``.
    public var contents: BrokerContents? { state.withLock { $0.contents } }

    /// Puts another state in place of what it keeps, such as an older copy of it.
    ///
    /// - Parameter contents: what it keeps from now on; nil deletes the log, and whoever asks for something is told so
    ///   until a member makes it anew.
    public func restore(_ contents: BrokerContents?) { change { $0.contents = contents } }

    /// Answers that it cannot be reached, until it is started again; reads that wait are told at once.
    public func stop() {
        change { state in
            state.isDown = true
            state.stops += 1
        }
    }

    /// Goes on with what it kept.
    public func start() { change { $0.isDown = false } }

    /// Removes all records up to and including one, as an operator does who needs the room.
    public func purge(through position: UInt64) { change { $0.contents?.purge(through: position) } }

    /// Appends something that no member has asked for, whatever it is.
    public func appendFromStranger(_ record: [UInt8]) {
        change { $0.contents?.add(record, configuration) }
    }

    /// Loses a part of a snapshot.
    ///
    /// - Parameter number: which one of all that there are; any number, from 0.
    public func loseChunk(_ number: Int) { change { $0.contents?.loseChunk(max(0, number)) } }

    /// Does not know any more which appends it has seen, so that a second attempt is as a first one.
    public func forgetAppends() { change { $0.contents?.forgetAppends() } }

    /// Ends all faults: it runs, everybody reaches it, and nothing goes wrong by itself any more. What it has lost stays
    /// lost.
    public func heal() {
        faults?.end()
        start()
        let connections = state.withLock { $0.connections }
        for connection in connections { connection.log?.mend() }
    }
}

/// What a ``MemoryBroker`` takes and keeps.
public struct MemoryBrokerConfiguration: Hashable, Sendable {
    /// How many bytes a record or a part of a snapshot may have; larger ones are rejected. 1 MB by default, as with NATS.
    public var recordByteLimit = 1 << 20

    /// How many bytes of records are kept, behind which the oldest are removed unasked. 256 MB by default: it is memory.
    public var logByteLimit = 1 << 28

    /// Of how many appends it is remembered that they were made, so that a second attempt is answered as the first was. With
    /// none it is a broker that knows no duplicates. 1,024 by default, more than a member has under way.
    public var rememberedAppends = 1024

    /// Makes the configuration with its defaults.
    public init() {}
}
