import CollectionPipeline

/// The digest of a snapshot, which ten edits each are taken into.
final class KeptDigest {
    private let pair: SnapshotPair
    let digest: StateDigest
    /// The last one that edits were made to.
    private(set) var edited: CollectionSnapshot<Int, Int>
    private(set) var editedDigest: StateDigest

    init(_ outline: LoadedCollection.Outline) throws {
        pair = try SnapshotPair(outline)
        edited = pair.old
        digest = StateDigest(of: pair.old)
        editedDigest = digest
    }

    /// How long it takes to take in what five deletes and five inserts change, with all hashing.
    func nanosecondsOfTenEdits() throws -> Double {
        edited = try pair.edited()
        let update = try edited.changes(from: pair.old)
        return try Stopwatch.threadNanoseconds {
            editedDigest = try digest.updated(by: update, from: pair.old, to: edited)
        }
    }
}
