import CollectionChanges

/// A member's position in a chain of records: the last record that it applied, and the version that
/// the record led to.
///
/// Each record contains the hash of the record before it, so two members at the same position have
/// applied the same records from the start of the history.
public struct ChainPosition: Hashable, Sendable {
    /// The history that the chain belongs to.
    public var handle: HistoryID

    /// The epoch of the record's leadership, from 1; 0 before the first.
    public var epoch: UInt64

    /// The writer of the record: a number that each leadership chooses at random.
    public var writer: UInt64

    /// The sequence number of the record, from 1, without gaps across all epochs; 0 before the
    /// first.
    public var sequence: UInt64

    /// The number of the version that the record led to.
    public var version: Int

    /// The hash of the record.
    public var hash: StateDigest

    /// Creates a position; nothing is checked.
    public init(
        handle: HistoryID,
        epoch: UInt64,
        writer: UInt64,
        sequence: UInt64,
        version: Int,
        hash: StateDigest
    ) {
        self.handle = handle
        self.epoch = epoch
        self.writer = writer
        self.sequence = sequence
        self.version = version
        self.hash = hash
    }
}

/// A record's position in the chain and its place in the log.
struct PlacedRecord: Hashable, Sendable {
    var place: UInt64
    var position: ChainPosition
}

extension ChainPosition {
    func write(to writer: inout ByteWriter) {
        writer.fixed(handle.rawValue)
        writer.fixed(epoch)
        writer.fixed(self.writer)
        writer.fixed(sequence)
        writer.index(version)
        writer.digest(hash)
    }

    init(from reader: inout ByteReader) throws(BinaryDecodingError) {
        handle = HistoryID(rawValue: try reader.fixed(UInt64.self))
        epoch = try reader.fixed(UInt64.self)
        writer = try reader.fixed(UInt64.self)
        sequence = try reader.fixed(UInt64.self)
        version = try reader.index()
        hash = try reader.digest()
    }
}
