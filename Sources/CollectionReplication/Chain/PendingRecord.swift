import CollectionPublishing

/// A record that a leader has sealed, and that was not read back from the log yet.
package struct PendingRecord: Sendable {
    package let bytes: [UInt8]
    /// What it changes.
    package let update: PublishedUpdate
    /// The chain with it.
    package let chain: LogChain
    /// Which update of the source it is; nil where it is none.
    var number: Int?

    var sequence: UInt64 { chain.position.sequence }
    /// The same for each attempt to append it, and for nothing else.
    var id: String { chain.position.hash.description }
}
