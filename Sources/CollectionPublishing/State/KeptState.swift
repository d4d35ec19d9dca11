/// A state with its digest, which is kept through every update: a hub has one, and a replica.
struct KeptState: Sendable {
    private(set) var state = PublishedState()
    private(set) var digest = PublishedDigest(of: PublishedState())

    init() {}

    /// Complexity: O(n).
    init(_ state: PublishedState) {
        self.state = state
        digest = PublishedDigest(of: state)
    }

    /// Does what a change set says that starts from the shape that is there, with contents that fit it.
    ///
    /// Complexity: O(k log n).
    mutating func go(by changeSet: ValidatedChangeSet, _ contents: PublishedContents) {
        let old = state
        state = old.applying(changeSet, contents)
        digest = digest.updated(by: changeSet, from: old, to: state)
    }
}
