/// The data that all elements of one controller share: the traits, the signals with which a thread
/// waits for another that uses an element's node, and the owner.
@usableFromInline
package final class ElementEnvironment: Sendable {
    package let traits: TraitSource
    package let makeSignal: @Sendable () -> any PipelineSignal
    /// Whether nodes that are no longer needed are released, so that their providers are kept.
    package let releasesNodes: Bool
    private let owners = Lock(Owners())

    private struct Owners {
        weak var owner: (any ElementOwner)?
        weak var controller: AnyObject?
    }

    /// The object that keeps the maps; `nil` for elements without an owner, and when the owner is
    /// gone.
    package var owner: (any ElementOwner)? {
        get { owners.withLock { $0.owner } }
        set { owners.withLock { $0.owner = newValue } }
    }

    /// The object that the application knows as the owner, such as its controller; `nil` when that
    /// is gone.
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

/// The properties that elements of one insertion share, stored once for all of them.
@usableFromInline
// This class and its one subclass have only constant properties.
package class ElementConfiguration: @unchecked Sendable {
    /// The kind of supplementary elements; `nil` for items.
    package let kind: SupplementaryKind?
    /// The size range of the elements' first content.
    package let sizeRange: SizeRange
    package let elementEnvironment: ElementEnvironment

    package init(
        kind: SupplementaryKind? = nil,
        sizeRange: SizeRange,
        elementEnvironment: ElementEnvironment
    ) {
        self.kind = kind
        self.sizeRange = sizeRange
        self.elementEnvironment = elementEnvironment
    }
}

/// The configuration of elements whose nodes are made from their models by one function.
@usableFromInline
package final class ModelElementConfiguration<Model: Sendable>: ElementConfiguration,
    @unchecked Sendable  // the property that it adds is constant
{
    let makeNode: @Sendable (Model) throws -> any CollectionNode

    package init(
        sizeRange: SizeRange,
        elementEnvironment: ElementEnvironment,
        makeNode: @escaping @Sendable (Model) throws -> any CollectionNode
    ) {
        self.makeNode = makeNode
        super.init(sizeRange: sizeRange, elementEnvironment: elementEnvironment)
    }

    /// Returns the same configuration with another size range.
    package func with(sizeRange: SizeRange) -> ModelElementConfiguration {
        ModelElementConfiguration(
            sizeRange: sizeRange,
            elementEnvironment: elementEnvironment,
            makeNode: makeNode
        )
    }
}
