import CollectionChanges

/// The value of the `head` register: the newest snapshot, and the log position from which the log
/// continues it.
struct LogHead: Hashable, Sendable {
    /// A snapshot that is stored next to the log.
    struct Snapshot: Hashable, Sendable {
        var name: String
        var chunks: Int
        var bytes: Int
        /// The position of the snapshot in the chain.
        var position: ChainPosition
        /// The log position after which the records that follow the snapshot begin.
        var logPosition: UInt64
    }

    var snapshot: Snapshot
    /// The previous snapshot, which is still complete.
    var previous: Snapshot?
    /// The latest epoch that a member is about to open. A member with an earlier epoch no longer
    /// sets the head.
    var epoch: UInt64 = 0
    /// The writer of that epoch.
    var writer: UInt64 = 0

    /// The latest epoch that the head mentions.
    var latestEpoch: UInt64 { max(epoch, snapshot.position.epoch) }

    func encoded(key: StableHashKey) -> [UInt8] {
        RecordFrame.head.encode(key: key) { writer in
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
        self = try RecordFrame.head.decode(bytes, key: key) {
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
                "expected a log position of at most \(LogBatch.greatestPosition), found"
                    + " \(logPosition)"
            )
        }
    }
}

/// The value of the `lease` register: the writer that leads or is about to lead. Setting the
/// register to any value renews the lease.
struct LogLease: Hashable, Sendable {
    var writer: UInt64
    var epoch: UInt64
    /// The number of renewals, which makes the bytes of each value different.
    var renewal: UInt64 = 0

    func encoded(key: StableHashKey) -> [UInt8] {
        RecordFrame.lease.encode(key: key) { writer in
            writer.fixed(self.writer)
            writer.fixed(epoch)
            writer.fixed(renewal)
        }.bytes
    }
}

extension LogLease {
    init(decoding bytes: [UInt8], key: StableHashKey) throws(BinaryDecodingError) {
        self = try RecordFrame.lease.decode(bytes, key: key) {
            (reader) throws(BinaryDecodingError) -> LogLease in
            LogLease(
                writer: try reader.fixed(UInt64.self),
                epoch: try reader.fixed(UInt64.self),
                renewal: try reader.fixed(UInt64.self)
            )
        }.value
    }
}
