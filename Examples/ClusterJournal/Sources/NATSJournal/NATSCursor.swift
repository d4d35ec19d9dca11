import CollectionReplication
import Dispatch
import JournalSupport

/// One place of a log that is read on from: a consumer on the broker, which sends some records ahead, as many as it is
/// asked for. So memory is bounded, and who reads on asks the broker once for many records.
final class NATSCursor: Sendable {
    let reading: NATSReading
    let state: Guarded<State>

    var link: NATSLink { reading.link }
    var stream: String { reading.names.logStream }

    /// How long the broker keeps a request, and then a consumer that nobody asks.
    static let pullSeconds = 20
    private static let idleSeconds = 60
    /// How often one read looks for its place anew, before it is answered with what is wrong.
    static let seekLimit = 3

    init(_ reading: NATSReading, claimedAt position: UInt64) {
        self.reading = reading
        state = Guarded(State(next: position))
    }

    // MARK: Choosing a place

    /// Takes this place for a read from a position, if it is free and there.
    func claim(_ position: UInt64) -> Bool {
        state.withLock { state in
            guard state.isIdle, state.next == position else { return false }
            switch state.phase {
            case .following: break
            case .broken where !state.records.isEmpty: break
            default: return false
            }
            state.isClaimed = true
            return true
        }
    }

    /// Ends this place if nobody waits at it, and it is not behind a position.
    func endIfIdle(upTo position: UInt64 = .max) -> Bool {
        state.withLock { state in
            guard state.isIdle, state.next <= position else { return false }
            state.isClaimed = true
            return true
        }
    }

    /// Ends this place: who waits is answered, and the broker drops the consumer.
    func end() {
        let (waiting, consumer, pull) = state.withLock { state in
            let consumer: String? =
                if case .following(let name) = state.phase { name } else { nil }
            let found = (state.waiting, consumer, state.pull)
            state.phase = .ended
            state.isClaimed = true
            state.waiting = nil
            state.records = []
            state.pull = nil
            return found
        }
        if let pull { link.forget(pull.token) }
        if let consumer { drop(consumer) }
        waiting?.answer(.failure(LogError(.unavailable, "Reading was ended.")))
    }

    func drop(_ consumer: String) {
        link.route(consumer, to: nil)
        // The broker drops it by itself after a while; the answer says nothing of use.
        link.request("\(link.options.interfacePrefix).CONSUMER.DELETE.\(stream).\(consumer)") { _ in
        }
    }

    // MARK: Reading

    func begin(_ read: Read) {
        let deadline = DispatchTime.now() + read.wait.timeInterval
        let isFresh = state.withLock { state in
            state.waiting = read
            state.readNumber += 1
            state.seekCount = 0
            state.deadline = deadline
            return state.phase == .fresh
        }
        if isFresh { return seek() }
        if answerIfPossible() { return askForMore() }
        if state.withLock({ $0.phase == .broken }) { return seek() }
        askForMore()
        setTimer()
    }

    /// Answers the read that waits with what there is.
    func answerIfPossible() -> Bool {
        let first = reading.first()
        guard let (read, batch) = state.withLock({ $0.takeAnswer(first: first) }) else {
            return false
        }
        read.answer(.success(batch))
        return true
    }

    /// Answers the read that waits with something else.
    func answer(_ result: Result<LogBatch, LogError>, ending: Bool) {
        let read = state.withLock { state in
            let read = state.waiting
            state.finish()
            return read
        }
        if ending {
            reading.remove(self)
            end()
        }
        read?.answer(result)
    }

    // MARK: Finding the place

    /// Looks where the log begins and ends, and asks for a consumer.
    func seek() {
        let read: Read? = state.withLock { state in
            guard state.phase != .ended, let read = state.waiting else { return nil }
            state.phase = .seeking
            state.seekCount += 1
            state.records = []
            state.byteCount = 0
            state.hasBegun = false
            return read
        }
        guard let read else { return }
        link.state(of: stream) { [self] result in
            switch result {
            case .failure(let error): answer(.failure(error), ending: true)
            case .success(let (stream, _)):
                reading.began(at: stream.first)
                if read.position > stream.last + 1 {
                    // The broker has forgotten.
                    answer(
                        .success(Self.nothing(read.position, stream)),
                        ending: true
                    )
                } else {
                    makeConsumer(max(read.position, stream.first), stream.last)
                }
            }
        }
    }

    static func nothing(_ position: UInt64, _ state: NATSStream.State) -> LogBatch {
        LogBatch(start: position, records: [], first: state.first, last: state.last)
    }

    private func makeConsumer(_ start: UInt64, _ last: UInt64) {
        state.withLock {
            $0.next = start
            $0.last = last
        }
        let configuration: [String: Any] = [
            "deliver_policy": "by_start_sequence", "opt_start_seq": start, "ack_policy": "none",
            "replay_policy": "instant", "mem_storage": true, "num_replicas": 1,
            "inactive_threshold": Self.idleSeconds * 1_000_000_000,
        ]
        let body: [String: Any] = ["stream_name": stream, "config": configuration]
        link.call("CONSUMER.CREATE.\(stream)", body, as: NATSOutcome.self) { [self] result in
            switch result {
            case .failure(let error): answer(.failure(error), ending: true)
            case .success(let outcome):
                guard let name = outcome.name else {
                    let error = outcome.error?.asLogError
                    return answer(
                        .failure(error ?? LogError(.unavailable, "NATS makes no consumer.")),
                        ending: true
                    )
                }
                let isEnded = state.withLock { state in
                    if state.phase == .ended { return true }
                    state.phase = .following(name)
                    return false
                }
                if isEnded { return drop(name) }
                link.route(name, to: { [weak self] in self?.received($0) })
                askForMore()
                setTimer()
            }
        }
    }
}
