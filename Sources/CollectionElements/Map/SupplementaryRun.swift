import PersistentTrees

/// The supplementary elements of one kind in one section, by number.
package struct SupplementaryRun: Sendable {
    package typealias Contents = PersistentSequence<ElementContent, NoSummary<ElementContent>>

    package let kind: SupplementaryKind
    package var contents: Contents

    /// None yet; most sections have one of a kind, so the nodes are small.
    package init(kind: SupplementaryKind) {
        let contents = Contents(nodeCapacity: NodeCapacity(leaf: 4, inner: 16))
        self.init(kind: kind, contents: contents)
    }

    package init(kind: SupplementaryKind, contents: Contents) {
        self.kind = kind
        self.contents = contents
    }
}
