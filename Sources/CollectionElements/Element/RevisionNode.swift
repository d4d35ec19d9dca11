/// The node of a later revision, where it has one of its own.
///
/// A value: it is told what happened and returns what is to be done. The revision's lock guards it.
///
/// | state | what there is | goes on when |
/// |---|---|---|
/// | `provided` | a provider that may run | it is taken, to run or because it never will: `spent` |
/// | `spent` | nothing | a node was made that is not the element's yet: `made` |
/// | `made` | a node that waits until the revision is shown | that happens: `spent` |
enum RevisionNode {
    /// With the revision of the same model that this one measures again, if it does, and that may have
    /// failed or fail: only then does this one bring another node.
    case provided(NodeProvider, retrying: ElementRevision?)
    case spent
    /// Early where it is the element's node already, since that was asked for ahead of the revision.
    case made(NodeWithTraits, isEarly: Bool)

    /// Somebody takes the provider, which runs once, and with it what is released then.
    mutating func providerTaken() -> (provider: NodeProvider, retried: ElementRevision?)? {
        guard case .provided(let provider, let retried) = self else { return nil }
        self = .spent
        return (provider, retried)
    }

    /// The node was made with the provider that was taken.
    mutating func made(_ node: NodeWithTraits, isEarly: Bool) {
        // Whoever makes it has taken the provider, and there is one only.
        guard case .spent = self else { return }
        self = .made(node, isEarly: isEarly)
    }

    /// The revision is shown, and with it the node, if there is one.
    mutating func shown() -> (node: NodeWithTraits, isEarly: Bool)? {
        guard case .made(let node, let isEarly) = self else { return nil }
        self = .spent
        return (node, isEarly)
    }
}
