import CollectionChanges

/// One record of a replicated log: a step of a chain.
package struct LogRecord: Hashable, Sendable {
    enum Body: Hashable, Sendable {
        /// An epoch begins: the list is as it was, under a later version.
        case opening
        /// What has changed, as ``ContentsForm`` writes it.
        case update([UInt8])
    }

    /// Where it leads, but for the hash, which is that of its own bytes.
    package internal(set) var position: ChainPosition
    /// The number of the version that it starts from.
    package internal(set) var from: Int
    /// The hash of the record before it.
    package internal(set) var previous: StateDigest
    /// The digest of the state that it leads to.
    package internal(set) var digest: StateDigest
    var body: Body

    /// Whether it opens an epoch.
    package var isOpening: Bool { body == .opening }

    /// The record in bytes, which also sets its hash.
    mutating func seal(key: StableHashKey) -> [UInt8] {
        let (bytes, hash) = RecordForm.record.encode(key: key, reserving: 160 + bodyCount) {
            writer in
            writer.fixed(position.handle.rawValue)
            writer.fixed(position.epoch)
            writer.fixed(position.writer)
            writer.fixed(position.sequence)
            writer.index(from)
            writer.index(position.version)
            writer.digest(previous)
            writer.digest(digest)
            switch body {
            case .opening: writer.byte(1)
            case .update(let bytes):
                writer.byte(2)
                writer.raw(bytes)
            }
        }
        position.hash = hash
        return bytes
    }

    private var bodyCount: Int {
        if case .update(let bytes) = body { bytes.count } else { 0 }
    }
}

extension LogRecord {
    /// Reads a record that somebody with the key wrote and that nothing was done to since.
    package init(decoding bytes: [UInt8], key: StableHashKey) throws(BinaryDecodingError) {
        let (record, hash) = try RecordForm.record.decode(bytes, key: key) {
            (reader) throws(BinaryDecodingError) -> LogRecord in
            try LogRecord(from: &reader)
        }
        self = record
        position.hash = hash
    }

    private init(from reader: inout ByteReader) throws(BinaryDecodingError) {
        let handle = HistoryHandle(rawValue: try reader.fixed(UInt64.self))
        let epoch = try reader.fixed(UInt64.self)
        let writer = try reader.fixed(UInt64.self)
        let sequence = try reader.fixed(UInt64.self)
        from = try reader.index()
        position = ChainPosition(
            handle: handle,
            epoch: epoch,
            writer: writer,
            sequence: sequence,
            version: try reader.index(),
            hash: StateDigest(low: 0, high: 0)
        )
        previous = try reader.digest()
        digest = try reader.digest()
        let start = reader.offset
        switch try reader.byte() {
        case 1: body = .opening
        case 2: body = .update(try reader.raw(reader.remaining))
        case let kind:
            throw BinaryDecodingError(
                .unknownValue,
                at: start,
                "a record cannot be of kind \(kind)"
            )
        }
    }
}
