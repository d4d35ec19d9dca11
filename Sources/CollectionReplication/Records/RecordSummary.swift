import CollectionChanges

/// What a record says of itself, for who watches a log from outside.
package struct RecordSummary: Hashable, Sendable {
    /// Where it leads.
    package let position: ChainPosition
    /// The number of the version that it starts from.
    package let from: Int
    /// The hash of the record before it.
    package let previous: StateDigest
    /// The digest of the state that it leads to.
    package let digest: StateDigest
    /// Whether it opens an epoch.
    package let isOpening: Bool

    /// Nil where the bytes are no record that somebody with the key wrote.
    package init?(of bytes: [UInt8], key: StableHashKey) {
        guard let record = try? LogRecord(decoding: bytes, key: key) else { return nil }
        position = record.position
        from = record.from
        previous = record.previous
        digest = record.digest
        isOpening = record.body == .opening
    }
}
