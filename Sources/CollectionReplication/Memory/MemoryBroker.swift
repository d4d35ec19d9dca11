import CollectionElements
import CollectionPipeline

/// A broker with one log, in memory, for tests of replication on Dispatch or in a simulation.
///
/// Each member has its own connection, a ``MemoryLog``. The methods of this type perform the
/// actions of operators and the faults of brokers; ``BrokerFaults`` lets faults happen
/// automatically.
///
/// ```swift
/// let broker = MemoryBroker(environment: DispatchEnvironment())
/// let log = broker.makeLog(label: "first")
/// log.create { _ in
///     log.append([1, 2, 3], id: "one", after: 0) { print($0) }    // success(1)
/// }
/// ```
///
/// Threading: usable on any thread. Responses arrive on the lanes of the connections.
///
/// Complexity: O(1) for each call, plus the bytes that it sends or returns, and one step for each
/// waiting read.
public final class MemoryBroker: Sendable {
    /// The limits of the broker.
    public let configuration: MemoryBrokerConfiguration

    let environment: any PipelineEnvironment
    let faults: BrokerFaults?
    /// The lane on which the broker restarts by itself.
    let lane: any Lane
    let state = Lock(State())

    /// All mutable state. The lock protects it from members on several threads.
    struct State {
        /// The data of the log; `nil` before the log is created and after it is deleted.
        var contents: BrokerContents?
        var isDown = false
        /// The number of stops. A scheduled restart compares it, and does nothing if the broker was
        /// stopped again.
        var stops = 0
        /// The waiting reads, in order of arrival.
        var waiting: [WaitingRead] = []
        var reads = 0
        var connections: [Connection] = []
        /// Older contents, for rollbacks.
        var copies: [BrokerContents] = []
        /// Some records, for a third party to append again.
        var seen: [[UInt8]] = []
    }

    struct Connection {
        weak var log: MemoryLog?
    }

    /// A read that has not found a record yet.
    struct WaitingRead {
        let number: Int
        let connection: ObjectIdentifier
        let position: UInt64
        let limit: LogReadLimit
        let reply: @Sendable (Result<LogBatch, LogError>) -> Void
    }

    /// Creates a broker without a log.
    ///
    /// - Parameters:
    ///   - environment: The environment that provides lanes and timers.
    ///   - configuration: The limits of the broker.
    ///   - faults: The faults that happen automatically; `nil` for none.
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

    /// Creates a connection; each member needs its own.
    ///
    /// - Parameter label: The prefix of the names of its lanes.
    public func makeLog(label: String) -> MemoryLog {
        let log = MemoryLog(self, label: label)
        state.withLock { state in
            state.connections.removeAll { $0.log == nil }
            state.connections.append(Connection(log: log))
        }
        return log
    }

    // MARK: Requests of members

    /// Performs an operation on the log, and completes the waiting reads that it makes possible.
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

    /// Ends the wait of a read with an empty batch.
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

    /// Drops the waiting reads of a connection without a response.
    func forgetReads(of log: MemoryLog) {
        let connection = ObjectIdentifier(log)
        state.withLock { $0.waiting.removeAll { $0.connection == connection } }
    }

    /// Changes the state, and completes the waiting reads that it makes possible.
    @discardableResult
    func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, answers) = state.withLock { state in (body(&state), state.takeAnswers()) }
        for (read, answer) in answers { read.reply(answer) }
        return value
    }
}

extension MemoryBroker.State {
    /// Returns the response to a read; `nil` if the read must wait.
    fileprivate func answer(to read: MemoryBroker.WaitingRead) -> Result<LogBatch, LogError>? {
        if isDown { return .failure(.isDown) }
        guard let contents else { return .failure(.isMissing) }
        return contents.read(from: read.position, limit: read.limit).map { .success($0) }
    }

    /// Removes the reads that can be completed, and returns them with their responses.
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
    static let isMissing = LogError(.missing, "the log was never created, or was deleted")
}

// MARK: - Operators and faults

extension MemoryBroker {
    /// A copy of the broker's data, for ``restore(_:)``; `nil` if there is no log.
    public var contents: BrokerContents? { state.withLock { $0.contents } }

    /// Replaces the broker's data, for example with an older copy.
    ///
    /// - Parameter contents: The new data. `nil` deletes the log: requests fail with
    ///   ``LogError/Code/missing`` until a member creates the log again.
    public func restore(_ contents: BrokerContents?) { change { $0.contents = contents } }

    /// Makes the broker unavailable until ``start()`` is called. Waiting reads fail immediately.
    public func stop() {
        change { state in
            state.isDown = true
            state.stops += 1
        }
    }

    /// Makes the broker available again, with the data that it has.
    public func start() { change { $0.isDown = false } }

    /// Removes all records up to and including the one at `position`, as an operator does to free
    /// space.
    public func purge(through position: UInt64) { change { $0.contents?.purge(through: position) } }

    /// Appends any bytes as a record that no member sent.
    public func appendFromStranger(_ record: [UInt8]) {
        change { $0.contents?.add(record, configuration) }
    }

    /// Loses a chunk of a snapshot.
    ///
    /// - Parameter number: A number that selects one of the existing chunks; at least 0.
    public func loseChunk(_ number: Int) { change { $0.contents?.loseChunk(max(0, number)) } }

    /// Forgets earlier appends, so that a repeated attempt is treated like a first one.
    public func forgetAppends() { change { $0.contents?.forgetAppends() } }

    /// Ends all faults: the broker becomes available, every connection works again, and no more
    /// faults happen automatically. Lost data stays lost.
    public func endFaults() {
        faults?.end()
        start()
        let connections = state.withLock { $0.connections }
        for connection in connections { connection.log?.reconnect() }
    }
}

/// The limits of a ``MemoryBroker``.
public struct MemoryBrokerConfiguration: Hashable, Sendable {
    /// The maximum size of a record or a chunk of a snapshot, in bytes; larger ones are rejected. 1
    /// MiB by default, as in NATS.
    public var recordByteLimit = 1 << 20

    /// The maximum number of bytes of all records. Beyond it, the broker removes the oldest records
    /// by itself. 256 MiB by default, because the records are in memory.
    public var logByteLimit = 1 << 28

    /// The number of appends that the broker remembers, so that it can respond to a repeated
    /// attempt in the same way as to the first. With 0, the broker does not detect duplicates.
    /// 1,024 by default, more than a member has in flight.
    public var rememberedAppends = 1024

    /// Creates a configuration with the default values.
    public init() {}
}
