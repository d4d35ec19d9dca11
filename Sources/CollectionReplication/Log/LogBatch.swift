/// How much is read at once.
public struct LogReadLimit: Hashable, Sendable {
    /// How many records; at least one is given.
    public var records: Int

    /// How many bytes, after which no further record is given.
    public var bytes: Int

    /// Makes a limit.
    public init(records: Int, bytes: Int) {
        self.records = records
        self.bytes = bytes
    }
}

/// Some neighbours in a log, and where it begins and ends.
public struct LogBatch: Hashable, Sendable {
    /// The position of the first of ``records``, where there is one.
    public var start: UInt64

    /// The records at `start`, `start + 1`, and so on.
    public var records: [[UInt8]]

    /// The position of the oldest record that is still there; where there is none, the one after ``last``.
    public var first: UInt64

    /// The position of the newest record; 0 where there never was one.
    public var last: UInt64

    /// What no log reaches: so far from the greatest number that none is found by counting on.
    static let greatestPosition: UInt64 = 1 << 62

    /// Whether these can be positions: a record has one from 1 on.
    var isPossible: Bool {
        max(start, first, last) <= Self.greatestPosition && (start > 0 || records.isEmpty)
    }

    /// Makes a batch.
    public init(start: UInt64, records: [[UInt8]], first: UInt64, last: UInt64) {
        self.start = start
        self.records = records
        self.first = first
        self.last = last
    }
}
