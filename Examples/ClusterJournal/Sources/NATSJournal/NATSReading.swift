import CollectionReplication
import Dispatch
import JournalSupport

/// The places from which a log is read. A read that goes on where the last one ended gets what was sent ahead meanwhile. A
/// read from elsewhere costs a consumer on the broker, unless it is of one record only.
final class NATSReading: Sendable {
    let link: NATSLink
    /// The stream of records.
    let stream: String
    private let cursors = Guarded<[NATSCursor]>([])
    /// Where the log began when the broker was asked last.
    private let beginning = Guarded(Beginning())

    private struct Beginning {
        var first: UInt64 = 0
        var askedAt: DispatchTime?
    }

    /// Two members of one process, or one that starts anew while the old place is still there.
    private static let cursorLimit = 2

    init(_ link: NATSLink, _ stream: String) { (self.link, self.stream) = (link, stream) }

    func read(
        from position: UInt64,
        limit: LogReadLimit,
        wait: Duration,
        _ answer: @escaping LogAnswer<LogBatch>
    ) {
        let position = max(1, position)
        let read = NATSCursor.Read(position: position, limit: limit, wait: wait, answer: answer)
        guard limit.records <= 1, wait <= .zero else { return follow(read) }
        look(at: position) { [self] result in
            if let result { answer(result) } else { follow(read) }
        }
    }

    /// Reads one record by its number; answers `nil` if it is not there, and another may be given in its place.
    private func look(
        at position: UInt64,
        _ answer: @escaping @Sendable (Result<LogBatch, LogError>?) -> Void
    ) {
        link.stream(stream) { [link, stream] result in
            let info: NATSStream
            switch result {
            case .failure(let error): return answer(.failure(error))
            case .success(let found): info = found
            }
            guard info.allowsDirect, let state = info.state, state.messages > 0,
                position >= state.first, position <= state.last
            else { return answer(nil) }
            link.direct(stream, "{\"seq\":\(position)}") { message in
                guard case .success(let message?) = message else { return answer(nil) }
                let (first, last, records) = (state.first, state.last, [message.bytes])
                let batch = LogBatch(start: position, records: records, first: first, last: last)
                answer(.success(batch))
            }
        }
    }

    private func follow(_ read: NATSCursor.Read) {
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

    /// Returns where the log began a second ago at most. If the answer is older, it also asks for a newer one, without
    /// waiting for it.
    func first() -> UInt64 {
        let (first, isOld) = beginning.withLock { beginning in
            let now = DispatchTime.now()
            let isOld = beginning.askedAt.map { $0 + .seconds(1) < now } ?? true
            if isOld { beginning.askedAt = now }
            return (beginning.first, isOld)
        }
        if isOld {
            link.state(of: stream) { [weak self] result in
                if case .success(let state) = result { self?.began(at: state.first) }
            }
        }
        return first
    }
}
