import CollectionReplication
import Dispatch
import JournalSupport

/// The places of a log that it is read from. Who reads on where the last read ended gets what was sent ahead meanwhile;
/// who reads from elsewhere costs a consumer on the broker, unless it only looks at one record.
final class NATSReading: Sendable {
    let link: NATSLink
    let names: NATSNames
    private let cursors = Guarded<[NATSCursor]>([])
    /// Where the log begins, as it was said last.
    private let beginning = Guarded(Beginning())

    private struct Beginning {
        var first: UInt64 = 0
        var askedAt: DispatchTime?
    }

    /// Two members of one process, or one that starts anew while the old place is still there.
    private static let cursorLimit = 2

    init(_ link: NATSLink, _ names: NATSNames) {
        self.link = link
        self.names = names
    }

    func read(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        _ answer: @escaping @Sendable (Result<LogBatch, LogError>) -> Void
    ) {
        if limit.records <= 1, wait <= .zero {
            return look(at: max(1, position)) { [self] result in
                if let result { return answer(result) }
                follow(from: position, limit: limit, wait: wait, answer)
            }
        }
        follow(from: position, limit: limit, wait: wait, answer)
    }

    /// Reads one record by its number; tells nil where it is not there, and another may be given in its place.
    private func look(
        at position: UInt64,
        _ answer: @escaping @Sendable (Result<LogBatch, LogError>?) -> Void
    ) {
        let (link, stream) = (link, names.logStream)
        link.call("STREAM.INFO.\(stream)", as: NATSStream.self) { result in
            let info: NATSStream
            switch result {
            case .failure(let error): return answer(.failure(error))
            case .success(let found): info = found
            }
            if let error = info.error { return answer(.failure(error.asLogError)) }
            guard let state = info.state, state.messages > 0, position >= state.first,
                position <= state.last, info.config?.allowsDirect == true
            else { return answer(nil) }
            link.message(at: position, in: stream) { record in
                answer(
                    record.map {
                        let (first, last) = (state.first, state.last)
                        return .success(
                            LogBatch(start: position, records: [$0], first: first, last: last)
                        )
                    }
                )
            }
        }
    }

    private func follow(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        _ answer: @escaping @Sendable (Result<LogBatch, LogError>) -> Void
    ) {
        let read = NATSCursor.Read(
            position: max(1, position),
            limit: limit,
            wait: wait,
            answer: answer
        )
        let (cursor, dropped) = cursors.withLock { cursors -> (NATSCursor, [NATSCursor]) in
            if let index = cursors.firstIndex(where: { $0.claim(read.position) }) {
                let cursor = cursors.remove(at: index)
                cursors.append(cursor)
                return (cursor, [])
            }
            let cursor = NATSCursor(self, claimedAt: read.position)
            cursors.append(cursor)
            // The oldest of those that nobody waits at.
            var dropped: [NATSCursor] = []
            while cursors.count > Self.cursorLimit,
                let index = cursors.firstIndex(where: { $0 !== cursor && $0.endIfIdle() })
            {
                dropped.append(cursors.remove(at: index))
            }
            return (cursor, dropped)
        }
        for cursor in dropped { cursor.end() }
        cursor.begin(read)
    }

    /// After a purge: what was sent ahead of it is no longer there.
    func forget(through position: UInt64) {
        let ended = cursors.withLock { cursors in
            let ended = cursors.filter { $0.endIfIdle(upTo: position) }
            cursors.removeAll { cursor in ended.contains { $0 === cursor } }
            return ended
        }
        for cursor in ended { cursor.end() }
        beginning.withLock { $0.first = max($0.first, position + 1) }
    }

    func remove(_ cursor: NATSCursor) {
        cursors.withLock { $0.removeAll { $0 === cursor } }
    }

    func close() {
        let rest = cursors.withLock { cursors in
            let rest = cursors
            cursors = []
            return rest
        }
        for cursor in rest { cursor.end() }
    }

    // MARK: Where the log begins

    func began(at first: UInt64) {
        beginning.withLock {
            $0.first = first
            $0.askedAt = .now()
        }
    }

    /// Where the log begins, a second ago at most; asks once more beside, not before, where that is longer ago.
    func first() -> UInt64 {
        let (first, isOld) = beginning.withLock { beginning in
            let now = DispatchTime.now()
            let isOld = beginning.askedAt.map { $0 + .seconds(1) < now } ?? true
            if isOld { beginning.askedAt = now }
            return (beginning.first, isOld)
        }
        if isOld {
            link.state(of: names.logStream) { [weak self] result in
                if case .success(let (state, _)) = result { self?.began(at: state.first) }
            }
        }
        return first
    }
}
