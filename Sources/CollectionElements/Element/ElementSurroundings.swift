/// What all elements of one controller have in common: the traits, how a thread waits for another that uses an
/// element's node, and whose they are.
@usableFromInline
package final class ElementSurroundings: Sendable {
    package let traits: TraitSource
    package let makeSignal: @Sendable () -> any PipelineSignal
    /// Whether nodes that nobody needs any more are released, so that their providers are kept.
    package let releasesNodes: Bool
    private let owners = Lock(Owners())

    private struct Owners {
        weak var owner: (any ElementOwner)?
        weak var controller: AnyObject?
    }

    /// Who keeps the maps; nil for elements of nobody, and when it is gone.
    package var owner: (any ElementOwner)? {
        get { owners.withLock { $0.owner } }
        set { owners.withLock { $0.owner = newValue } }
    }

    /// What the application calls the owner; nil when that is gone.
    package var controller: AnyObject? {
        get { owners.withLock { $0.controller } }
        set { owners.withLock { $0.controller = newValue } }
    }

    package init(
        _ traits: Traits,
        releasesNodes: Bool = false,
        makeSignal: @escaping @Sendable () -> any PipelineSignal = { SemaphoreSignal() }
    ) {
        self.traits = TraitSource(traits)
        self.makeSignal = makeSignal
        self.releasesNodes = releasesNodes
    }
}
