import CollectionChanges

/// Where in a chain of records a member is: which record it took in last, and what that led to.
///
/// Each record has the hash of the one before it, so that two members at one position have gone the same way from the
/// beginning on.
public struct ChainPosition: Hashable, Sendable {
    /// Which history.
    public var handle: HistoryHandle

    /// Which leadership the record is of, from 1; 0 before the first.
    public var epoch: UInt64

    /// Who led, by a number that each leadership chooses at random.
    public var writer: UInt64

    /// Which record it is, from 1, without holes over all epochs; 0 before the first.
    public var sequence: UInt64

    /// The number of the version that it led to.
    public var version: Int

    /// The hash of the record.
    public var hash: StateDigest

    /// Makes a position; nothing is checked.
    public init(
        handle: HistoryHandle,
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

/// A record, and where it is in the log.
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
        handle = HistoryHandle(rawValue: try reader.fixed(UInt64.self))
        epoch = try reader.fixed(UInt64.self)
        writer = try reader.fixed(UInt64.self)
        sequence = try reader.fixed(UInt64.self)
        version = try reader.index()
        hash = try reader.digest()
    }
}
