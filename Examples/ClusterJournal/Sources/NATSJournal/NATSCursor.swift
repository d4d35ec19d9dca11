import CollectionReplication
import Dispatch
import JournalSupport

/// A reading position in a log, backed by a consumer on the broker. The consumer sends a bounded
/// number of records ahead, so one request fetches many records in bounded memory.
final class NATSCursor: Sendable {
    private let reading: NATSLogReader
    private let state: LockedValue<State>

    private var link: NATSLink { reading.link }
    private var stream: String { reading.stream }

    /// The time for which the broker keeps a pull request, and a consumer without requests.
    private static let pullSeconds = 20
    private static let idleSeconds = 60
    /// The number of times that a read recreates its consumer before it fails.
    private static let seekLimit = 3

    init(_ reading: NATSLogReader, claimedAt position: UInt64) {
        self.reading = reading
        state = LockedValue(State(next: position))
    }

    // MARK: Claiming

    /// Claims this cursor for a read from `position` if the cursor is free and at that position.
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

    /// Claims this cursor in order to end it, if it is idle and at or before `position`.
    func claimIfIdle(upTo position: UInt64 = .max) -> Bool {
        state.withLock { state in
            guard state.isIdle, state.next <= position else { return false }
            state.isClaimed = true
            return true
        }
    }

    /// Ends this cursor: fails its waiting read and deletes the consumer.
    func end() {
        let (waiting, consumer, pull) = state.withLock { state in
            let found = (state.waiting.take(), state.loseConsumer(), state.pull.take())
            state.phase = .ended
            state.isClaimed = true
            state.records = []
            return found
        }
        if let pull { link.forget(pull.token) }
        if let consumer { drop(consumer) }
        waiting?.answer(.failure(LogError(.unavailable, "The reader ended.")))
    }

    private func drop(_ consumer: String) {
        link.route(consumer, to: nil)
        // The broker also deletes idle consumers itself, so the answer does not matter.
        link.call("CONSUMER.DELETE.\(stream).\(consumer)", as: NATSOutcome.self) { _ in }
    }

    // MARK: Reading

    func begin(_ read: Read) {
        let deadline = DispatchTime.now() + read.wait.timeInterval
        let isNew = state.withLock { state in
            state.waiting = read
            state.readNumber += 1
            state.seekCount = 0
            state.deadline = deadline
            return state.phase == .idle
        }
        if isNew { return seek() }
        if answerIfPossible() { return requestMore() }
        if state.withLock({ $0.phase == .broken }) { return seek() }
        requestMore()
        setTimer()
    }

    /// Completes the waiting read with the records received so far; returns whether it could.
    private func answerIfPossible() -> Bool {
        let first = reading.first()
        guard let (read, batch) = state.withLock({ $0.takeAnswer(first: first) }) else {
            return false
        }
        read.answer(.success(batch))
        return true
    }

    /// Completes the waiting read with a given result.
    private func answer(_ result: Result<LogBatch, LogError>, ending: Bool) {
        let read = state.withLock { $0.finish() }
        if ending {
            reading.remove(self)
            end()
        }
        read?.answer(result)
    }

    // MARK: Creating the consumer

    /// Queries the bounds of the log and creates a consumer.
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
            guard let stream = result.value(orFail: { answer($0, ending: true) }) else { return }
            reading.firstPosition.note(stream.first)
            if read.position > stream.last + 1 {
                // The position is beyond the end, for example after a rollback.
                answer(.success(Self.nothing(read.position, stream)), ending: true)
            } else {
                makeConsumer(max(read.position, stream.first), stream.last)
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
            guard let outcome = result.value(orFail: { answer($0, ending: true) }) else { return }
            guard let name = outcome.name else {
                let error = LogError(.unavailable, "NATS did not create a consumer.")
                return answer(.failure(outcome.error?.asLogError ?? error), ending: true)
            }
            let isEnded = state.withLock { state in
                if state.phase == .ended { return true }
                state.phase = .following(name)
                return false
            }
            if isEnded { return drop(name) }
            link.route(name) { [weak self] message, delivery in
                self?.received(message.bytes, delivery)
            }
            requestMore()
            setTimer()
        }
    }

    // MARK: Receiving records

    /// Requests records unless a request is pending or enough records are buffered.
    private func requestMore() {
        let most = link.options.readAhead
        let consumer: String? = state.withLock { state in
            guard case .following(let name) = state.phase, state.pull == nil,
                state.records.count <= most / 2, state.byteCount <= Self.aheadByteCount
            else { return nil }
            // The token 0 blocks other requests until the real token is set.
            state.pull = Pull(token: 0, remaining: most)
            return name
        }
        guard let consumer else { return }
        let opened = link.openStream { [weak self] in self?.received($0) }
        switch opened {
        case .failure(let error): connectionWasLost(error)
        case .success(let token):
            let isMine = state.withLock { state in
                guard state.pull?.token == 0 else { return false }
                state.pull?.token = token
                return true
            }
            guard isMine else { return link.forget(token) }
            // The limit exceeds the broker's largest message, so that every message fits.
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
        case .failure(let error): connectionWasLost(error)
        case .success(let message):
            guard let status = message.status else { return }
            pullEnded(status, message.header("Description") ?? "")
        }
    }

    private func received(_ record: [UInt8], _ delivery: NATSDelivery) {
        enum Step { case wait, answer, again }
        let (step, finished): (Step, UInt64?) = state.withLock { state in
            guard let pull = state.pull else { return (.wait, nil) }
            guard state.append(record, delivery) else { return (.again, nil) }
            state.pull?.remaining -= 1
            let finished = pull.remaining <= 1 ? state.pull.take()?.token : nil
            guard let read = state.waiting else { return (.wait, finished) }
            return (
                state.isEnough(for: read, pending: delivery.pending) ? .answer : .wait, finished
            )
        }
        if let finished { link.forget(finished) }
        switch step {
        case .again: return seekAgain("record \(delivery.position) arrived out of order")
        case .answer: _ = answerIfPossible()
        case .wait: break
        }
        if finished != nil { requestMore() }
    }

    /// Handles the end of a pull request or a missing consumer.
    private func pullEnded(_ status: Int, _ description: String) {
        if status == 100 { return }
        let isOver = status == 408 || status == 404 || description.contains("MaxBytes")
        guard isOver else { return seekAgain("\(status) \(description)") }
        let (token, isAwaited) = state.withLock { ($0.pull.take()?.token, $0.waiting != nil) }
        if let token { link.forget(token) }
        if answerIfPossible() || isAwaited { requestMore() }
    }

    /// Discards the consumer, and completes the waiting read or creates another consumer.
    private func seekAgain(_ reason: String) {
        let (pull, consumer, isAtSeekLimit) = state.withLock { state in
            (state.pull.take(), state.loseConsumer(), state.seekCount >= Self.seekLimit)
        }
        if let pull { link.forget(pull.token) }
        guard let consumer else { return }
        drop(consumer)
        if answerIfPossible() { return }
        if isAtSeekLimit {
            let error = LogError(.unavailable, "NATS sent no records: \(reason).")
            answer(.failure(error), ending: true)
        } else {
            seek()
        }
    }

    /// Handles the loss of the connection, and with it of the consumer.
    private func connectionWasLost(_ error: LogError) {
        let consumer = state.withLock { state in
            state.pull = nil
            return state.loseConsumer()
        }
        if let consumer { link.route(consumer, to: nil) }
        if answerIfPossible() { return }
        answer(.failure(LogError(.unavailable, error.message)), ending: true)
    }

    // MARK: Waiting

    /// Sets the cursor's timer, unless an earlier one is pending, which then sets it again.
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
        // A broker that was rolled back or that dropped the consumer sends no notification.
        link.state(of: stream) { [self] result in finishWait(number, result) }
    }

    private func finishWait(_ number: Int, _ result: Result<NATSStream.State, LogError>) {
        let read = state.withLock { $0.readNumber == number ? $0.waiting : nil }
        guard let read, let stream = result.value(orFail: { answer($0, ending: true) }) else {
            return
        }
        reading.firstPosition.note(stream.first)
        if stream.last < read.position {
            let isRolledBack = stream.last + 1 < read.position
            answer(.success(Self.nothing(read.position, stream)), ending: isRolledBack)
        } else {
            // Records exist that were not sent or are being sent now.
            state.withLock { $0.deadline = .now() + link.options.answerTimeout.timeInterval }
            seekAgain("some records were not sent")
            setTimer()
        }
    }
}

extension NATSCursor {
    /// A waiting read.
    struct Read: Sendable {
        var position: UInt64
        var limit: LogReadLimit
        var wait: Duration
        var answer: LogAnswer<LogBatch>
    }

    /// The state of a cursor: the prefetched records, the pull request and the waiting read.
    struct State {
        var phase = Phase.idle
        /// Whether a read has claimed this cursor; other reads then use another one.
        var isClaimed = true
        var waiting: Read?
        /// The number of reads so far; tells callbacks of earlier reads from the current one's.
        var readNumber = 0
        /// The number of times that the waiting read created a consumer.
        var seekCount = 0
        var records = ArraySlice<[UInt8]>()
        var byteCount = 0
        /// The position of the first of `records`, or of the next record if there are none.
        var next: UInt64
        /// The newest known position.
        var last: UInt64 = 0
        /// Whether the consumer has sent a record. Only its first record may skip positions.
        var hasBegun = false
        var pull: Pull?
        /// The time at which the pending timer fires; `nil` if none is set.
        var timer: DispatchTime?
        var deadline: DispatchTime?
    }

    enum Phase: Hashable {
        /// No consumer exists yet.
        case idle
        /// The cursor is querying the stream or creating a consumer.
        case seeking
        /// The consumer with this name sends requested records.
        case following(String)
        /// The consumer is lost or sent an unexpected record; earlier records remain valid.
        case broken
        /// The cursor has ended.
        case ended
    }

    /// A pull request to the consumer.
    struct Pull {
        var token: UInt64
        var remaining: Int
    }
}

extension NATSCursor.State {
    /// The position after the last of `records`.
    var expected: UInt64 { next + UInt64(records.count) }

    var isIdle: Bool { !isClaimed && phase != .seeking }

    /// Appends a received record; returns `false` if it does not follow the previous one.
    mutating func append(_ record: [UInt8], _ delivery: NATSDelivery) -> Bool {
        if delivery.position != expected {
            guard !hasBegun, records.isEmpty, delivery.position > next else { return false }
            // The log was trimmed while the consumer was created.
            next = delivery.position
        }
        hasBegun = true
        records.append(record)
        byteCount += record.count
        last = delivery.position + delivery.pending
        return true
    }

    /// Removes and returns the waiting read and its batch; `nil` without a read or records.
    mutating func takeAnswer(first: UInt64) -> (NATSCursor.Read, LogBatch)? {
        guard let read = waiting, !records.isEmpty else { return nil }
        var count = 0
        var bytes = 0
        for record in records {
            if count > 0, count >= read.limit.records || bytes + record.count > read.limit.bytes {
                break
            }
            count += 1
            bytes += record.count
        }
        let taken = Array(records.prefix(count))
        records = records.dropFirst(count)
        // An empty slice would keep its array's storage.
        if records.isEmpty { records = [] }
        byteCount -= bytes
        let batch = LogBatch(
            start: next,
            records: taken,
            first: min(first, next),
            last: max(last, expected - 1)
        )
        next += UInt64(count)
        finish()
        return (read, batch)
    }

    /// Marks the waiting read as completed, and returns it.
    @discardableResult
    mutating func finish() -> NATSCursor.Read? {
        deadline = nil
        isClaimed = false
        return waiting.take()
    }

    /// Marks the consumer, if there is one, as lost, and returns its name.
    mutating func loseConsumer() -> String? {
        guard case .following(let name) = phase else { return nil }
        phase = .broken
        return name
    }

    /// Whether a read can complete without waiting for further records.
    func isEnough(for read: NATSCursor.Read, pending: UInt64) -> Bool {
        pending == 0 || pull == nil || records.count >= read.limit.records
            || byteCount >= read.limit.bytes
    }
}
