import CollectionReplication
import JournalSupport

// What a consumer sends, and what it is asked for.

extension NATSCursor {
    /// Asks the consumer for records, unless it was asked already or enough wait to be read.
    func askForMore() {
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

    func received(_ reply: NATSAnswer) {
        switch reply {
        case .failure(let error): lost(error)
        case .message(let message):
            if let place = message.place {
                received(message.bytes, place)
            } else if let status = message.status {
                ended(status, message.header("Description") ?? "")
            }
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

    /// The consumer is of no more use: who waits gets what there is, or the place is looked for once more.
    func seekAgain(_ reason: String) {
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
            answer(
                .failure(LogError(.unavailable, "NATS sends no records: \(reason).")),
                ending: true
            )
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
}
