import CollectionChanges

/// What the register `head` says: the newest snapshot, and where the log goes on from it.
struct LogHead: Hashable, Sendable {
    /// A snapshot as it lies beside the log.
    struct Snapshot: Hashable, Sendable {
        var name: String
        var chunks: Int
        var bytes: Int
        /// Where in the chain it is.
        var position: ChainPosition
        /// The position in the log behind which the records come that follow on it.
        var logPosition: UInt64
    }

    var snapshot: Snapshot
    /// The one before, of which everything is still there.
    var previous: Snapshot?
    /// The latest epoch of which somebody is about to lead: who has an earlier one does not set the head any more.
    var epoch: UInt64 = 0
    /// Whose that epoch is.
    var writer: UInt64 = 0

    /// The latest epoch that is known by it.
    var latestEpoch: UInt64 { max(epoch, snapshot.position.epoch) }

    func encoded(key: StableHashKey) -> [UInt8] {
        RecordForm.head.encode(key: key) { writer in
            snapshot.write(to: &writer)
            writer.byte(previous == nil ? 0 : 1)
            previous?.write(to: &writer)
            writer.unsigned(epoch)
            writer.fixed(self.writer)
        }.bytes
    }
}

extension LogHead {
    init(decoding bytes: [UInt8], key: StableHashKey) throws(BinaryDecodingError) {
        self = try RecordForm.head.decode(bytes, key: key) {
            (reader) throws(BinaryDecodingError) -> LogHead in
            let snapshot = try Snapshot(from: &reader)
            let previous = try reader.byte() == 0 ? nil : try Snapshot(from: &reader)
            return LogHead(
                snapshot: snapshot,
                previous: previous,
                epoch: try reader.unsigned(),
                writer: try reader.fixed(UInt64.self)
            )
        }.value
    }
}

extension LogHead.Snapshot {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.text(name)
        writer.index(chunks)
        writer.index(bytes)
        position.write(to: &writer)
        writer.unsigned(logPosition)
    }

    fileprivate init(from reader: inout ByteReader) throws(BinaryDecodingError) {
        name = try reader.text()
        chunks = try reader.index()
        bytes = try reader.index()
        position = try ChainPosition(from: &reader)
        let start = reader.offset
        logPosition = try reader.unsigned()
        if logPosition > LogBatch.greatestPosition {
            throw BinaryDecodingError(
                .unknownValue,
                at: start,
                "a position in a log must be at most \(LogBatch.greatestPosition), but is"
                    + " \(logPosition)"
            )
        }
    }
}
