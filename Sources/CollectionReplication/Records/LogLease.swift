import CollectionChanges

/// What the register `lease` says: who leads, or is about to. Setting it again, whatever it says, renews it.
struct LogLease: Hashable, Sendable {
    var writer: UInt64
    var epoch: UInt64
    /// How often it was renewed, so that each setting has other bytes.
    var renewal: UInt64 = 0

    func encoded(key: StableHashKey) -> [UInt8] {
        RecordForm.lease.encode(key: key) { writer in
            writer.fixed(self.writer)
            writer.fixed(epoch)
            writer.fixed(renewal)
        }.bytes
    }
}

extension LogLease {
    init(decoding bytes: [UInt8], key: StableHashKey) throws(BinaryDecodingError) {
        self = try RecordForm.lease.decode(bytes, key: key) {
            (reader) throws(BinaryDecodingError) -> LogLease in
            LogLease(
                writer: try reader.fixed(UInt64.self),
                epoch: try reader.fixed(UInt64.self),
                renewal: try reader.fixed(UInt64.self)
            )
        }.value
    }
}
