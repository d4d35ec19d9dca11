import CollectionReplication
import Dispatch
import JournalSupport

extension NATSCursor {
    /// A read that waits.
    struct Read: Sendable {
        var position: UInt64
        var limit: LogReadLimit
        var wait: Duration
        var answer: LogAnswer<LogBatch>
    }

    /// The state of one place in the log: the records sent ahead, the request for more, and the read that waits.
    struct State {
        var phase = Phase.fresh
        /// Whether a read has this place now; another one from the same position takes another place.
        var isClaimed = true
        var waiting: Read?
        /// Counts reads, so that what was begun for one does not end a later one.
        var readNumber = 0
        /// How often the read that waits had to look for its place.
        var seekCount = 0
        var records = ArraySlice<[UInt8]>()
        var byteCount = 0
        /// The position of the first of `records`, or of the next that comes.
        var next: UInt64
        /// The newest position that was heard of.
        var last: UInt64 = 0
        /// Whether a record came from this consumer: only its first may be later than what was asked for.
        var hasBegun = false
        var pull: Pull?
        /// When the timer runs out that is set, if one is.
        var timer: DispatchTime?
        var deadline: DispatchTime?
    }

    enum Phase: Hashable {
        /// There is no consumer yet.
        case fresh
        /// The stream is asked for its state, or for a consumer.
        case seeking
        /// The consumer of this name sends what it is asked for.
        case following(String)
        /// The consumer is gone, or what it sent does not fit; what came before is still good.
        case broken
        /// Nothing comes any more.
        case ended
    }

    /// What the consumer was asked to send.
    struct Pull {
        var token: UInt64
        var remaining: Int
    }
}

extension NATSCursor.State {
    /// The position after the last of `records`.
    var expected: UInt64 { next + UInt64(records.count) }

    var isIdle: Bool { !isClaimed && phase != .seeking }

    /// Keeps a record that was sent; returns `false` if it does not follow the records before.
    mutating func keep(_ record: [UInt8], _ place: NATSPlace) -> Bool {
        if place.position != expected {
            guard !hasBegun, records.isEmpty, place.position > next else { return false }
            // Trimmed while the consumer was made.
            next = place.position
        }
        hasBegun = true
        records.append(record)
        byteCount += record.count
        last = place.position + place.pending
        return true
    }

    /// Takes what the read that waits is given, if it waits and there is something.
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
        // What a slice of an array no longer shows is kept with it.
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

    /// The read that waited is answered.
    mutating func finish() {
        waiting = nil
        deadline = nil
        isClaimed = false
    }

    /// Whether a read has enough to be answered, without what is still on its way.
    func isEnough(for read: NATSCursor.Read, pending: UInt64) -> Bool {
        pending == 0 || pull == nil || records.count >= read.limit.records
            || byteCount >= read.limit.bytes
    }
}
