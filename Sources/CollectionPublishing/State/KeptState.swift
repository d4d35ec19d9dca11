/// A state with its digest, which is kept through every update: a hub has one, and a replica.
package struct KeptState: Sendable {
    package private(set) var state = PublishedState()
    /// The digest.
    package var value: StateDigest { digest.value }
    private(set) var digest = PublishedDigest(of: PublishedState())

    package init() {}

    /// Complexity: O(n).
    package init(_ state: PublishedState) {
        self.state = state
        digest = PublishedDigest(of: state)
    }

    /// Does what a change set says that starts from the shape that is there, with contents that fit it.
    ///
    /// Complexity: O(k log n).
    package mutating func go(by changeSet: ValidatedChangeSet, _ contents: PublishedContents) {
        let old = state
        state = old.applying(changeSet, contents)
        digest = digest.updated(by: changeSet, from: old, to: state)
    }
}
