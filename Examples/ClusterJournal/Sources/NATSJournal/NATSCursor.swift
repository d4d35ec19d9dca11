import CollectionReplication
import Dispatch
import JournalSupport

/// One place from which a log is read: a consumer on the broker, which sends as many records ahead as it is asked for. So
/// memory is bounded, and a reader asks the broker once for many records.
final class NATSCursor: Sendable {
    private let reading: NATSReading
    private let state: Guarded<State>

    private var link: NATSLink { reading.link }
    private var stream: String { reading.stream }

    /// How long the broker keeps a request, and a consumer without requests.
    private static let pullSeconds = 20
    private static let idleSeconds = 60
    /// The number of times that a read looks for its place again before it fails.
    private static let seekLimit = 3

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

    /// Ends this place: a read that waits is answered, and the broker drops the consumer.
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

    private func drop(_ consumer: String) {
        link.route(consumer, to: nil)
        // The broker drops it by itself after a while; the answer says nothing of use.
        link.call("CONSUMER.DELETE.\(stream).\(consumer)", as: NATSOutcome.self) { _ in }
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
    private func answerIfPossible() -> Bool {
        let first = reading.first()
        guard let (read, batch) = state.withLock({ $0.takeAnswer(first: first) }) else {
            return false
        }
        read.answer(.success(batch))
        return true
    }

    /// Answers the read that waits with something else.
    private func answer(_ result: Result<LogBatch, LogError>, ending: Bool) {
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
    private func seek() {
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
            case .success(let stream):
                reading.began(at: stream.first)
                if read.position > stream.last + 1 {
                    // The broker has forgotten.
                    answer(.success(Self.nothing(read.position, stream)), ending: true)
                } else {
                    makeConsumer(max(read.position, stream.first), stream.last)
                }
            }
        }
    }

    private static func nothing(_ position: UInt64, _ state: NATSStream.State) -> LogBatch {
        LogBatch(start: position, records: [], first: state.first, last: state.last)
    }

    private func makeConsumer(_ start: UInt64, _ last: UInt64) {
        state.withLock {
            $0.next = start
            $0.last = last
        }
        let body = """
            {"stream_name":"\(stream)","config":{"deliver_policy":"by_start_sequence",\
            "opt_start_seq":\(start),"ack_policy":"none","replay_policy":"instant",\
            "mem_storage":true,"num_replicas":1,"inactive_threshold":\(Self.idleSeconds)000000000}}
            """
        link.call("CONSUMER.CREATE.\(stream)", body, as: NATSOutcome.self) { [self] result in
            switch result {
            case .failure(let error): answer(.failure(error), ending: true)
            case .success(let outcome):
                guard let name = outcome.name else {
                    let error = LogError(.unavailable, "NATS makes no consumer.")
                    return answer(.failure(outcome.error?.asLogError ?? error), ending: true)
                }
                let isEnded = state.withLock { state in
                    if state.phase == .ended { return true }
                    state.phase = .following(name)
                    return false
                }
                if isEnded { return drop(name) }
                link.route(name) { [weak self] message, place in
                    self?.received(message.bytes, place)
                }
                askForMore()
                setTimer()
            }
        }
    }

    // MARK: Records that the consumer sends

    /// Asks the consumer for records, unless it was asked already or enough wait to be read.
    private func askForMore() {
        let most = link.options.readAhead
        let consumer: String? = state.withLock { state in
            guard case .following(let name) = state.phase, state.pull == nil,
                state.records.count <= most / 2, state.byteCount <= Self.aheadByteCount
            else { return nil }
            // The token follows; until then nobody else asks.
            state.pull = Pull(token: 0, remaining: most)
            return name
        }
        guard let consumer else { return }
        let opened = link.openStream { [weak self] in self?.received($0) }
        switch opened {
        case .failure(let error): lost(error)
        case .success(let token):
            let isMine = state.withLock { state in
                guard state.pull?.token == 0 else { return false }
                state.pull?.token = token
                return true
            }
            guard isMine else { return link.forget(token) }
            // More than the largest message that the broker takes, so that each fits.
            let bytes = Self.aheadByteCount + link.maximumPayload
            let body = """
                {"batch":\(most),"max_bytes":\(bytes),"expires":\(Self.pullSeconds)000000000}
                """
            link.send(
                "\(link.options.interfacePrefix).CONSUMER.MSG.NEXT.\(stream).\(consumer)",
                body: Array(body.utf8),
                answersTo: token
            )
        }
    }

    private static let aheadByteCount = 1 << 20

    private func received(_ reply: NATSAnswer) {
        switch reply {
        case .failure(let error): lost(error)
        case .message(let message):
            guard let status = message.status else { return }
            ended(status, message.header("Description") ?? "")
        }
    }

    private func received(_ record: [UInt8], _ place: NATSPlace) {
        enum Step { case wait, answer, again }
        let (step, finished): (Step, UInt64?) = state.withLock { state in
            guard let pull = state.pull else { return (.wait, nil) }
            guard state.keep(record, place) else { return (.again, nil) }
            var finished: UInt64?
            if pull.remaining <= 1 {
                finished = pull.token
                state.pull = nil
            } else {
                state.pull?.remaining -= 1
            }
            guard let read = state.waiting else { return (.wait, finished) }
            return (state.isEnough(for: read, pending: place.pending) ? .answer : .wait, finished)
        }
        if let finished { link.forget(finished) }
        switch step {
        case .again: return seekAgain("record \(place.position) came out of order")
        case .answer: _ = answerIfPossible()
        case .wait: break
        }
        if finished != nil { askForMore() }
    }

    /// The broker ended what it was asked for, or there is no such consumer.
    private func ended(_ status: Int, _ description: String) {
        if status == 100 { return }
        let isOver = status == 408 || status == 404 || description.contains("MaxBytes")
        guard isOver else { return seekAgain("\(status) \(description)") }
        let (token, isAwaited) = state.withLock { state in
            let token = state.pull?.token
            state.pull = nil
            return (token, state.waiting != nil)
        }
        if let token { link.forget(token) }
        if answerIfPossible() || isAwaited { askForMore() }
    }

    /// The consumer is of no more use: a read that waits gets the records that are there, or the place is looked for again.
    private func seekAgain(_ reason: String) {
        let (pull, consumer, isTired) = state.withLock { state in
            let consumer: String? =
                if case .following(let name) = state.phase { name } else { nil }
            let pull = state.pull
            state.pull = nil
            if consumer != nil { state.phase = .broken }
            return (pull, consumer, state.seekCount >= Self.seekLimit)
        }
        if let pull { link.forget(pull.token) }
        guard let consumer else { return }
        drop(consumer)
        if answerIfPossible() { return }
        if isTired {
            let error = LogError(.unavailable, "NATS sends no records: \(reason).")
            answer(.failure(error), ending: true)
        } else {
            seek()
        }
    }

    /// The connection is gone, and the consumer soon too.
    private func lost(_ error: LogError) {
        let consumer: String? = state.withLock { state in
            state.pull = nil
            if case .following(let name) = state.phase {
                state.phase = .broken
                return name
            }
            return nil
        }
        if let consumer { link.route(consumer, to: nil) }
        if answerIfPossible() { return }
        answer(.failure(LogError(.unavailable, error.message)), ending: true)
    }

    // MARK: Waiting

    /// Sets the one timer of this place, unless it runs out early enough: then it is set again when it does.
    private func setTimer() {
        let due: DispatchTime? = state.withLock { state in
            guard let deadline = state.deadline, state.waiting != nil else { return nil }
            if let timer = state.timer, timer <= deadline { return nil }
            state.timer = deadline
            return deadline
        }
        guard let due else { return }
        DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: due) { [weak self] in
            self?.timerRanOut(due)
        }
    }

    private func timerRanOut(_ due: DispatchTime) {
        let number: Int? = state.withLock { state in
            if state.timer == due { state.timer = nil }
            guard let deadline = state.deadline, deadline <= .now(), state.waiting != nil else {
                return nil
            }
            return state.readNumber
        }
        guard let number else { return setTimer() }
        if answerIfPossible() { return }
        // A broker that went back to an earlier state, or that dropped the consumer, says nothing by itself.
        link.state(of: stream) { [self] result in waited(number, result) }
    }

    private func waited(_ number: Int, _ result: Result<NATSStream.State, LogError>) {
        let read: Read? = state.withLock { state in
            guard state.readNumber == number else { return nil }
            return state.waiting
        }
        guard let read else { return }
        switch result {
        case .failure(let error): answer(.failure(error), ending: true)
        case .success(let stream):
            reading.began(at: stream.first)
            if stream.last + 1 == read.position {
                answer(.success(Self.nothing(read.position, stream)), ending: false)
            } else if stream.last < read.position {
                answer(.success(Self.nothing(read.position, stream)), ending: true)
            } else {
                // There are records that were not sent, or are just being.
                state.withLock { $0.deadline = .now() + link.options.answerTimeout.timeInterval }
                seekAgain("some were not sent")
                setTimer()
            }
        }
    }
}
