// The two kinds of elements, by where their node comes from. The class of an element is where its
// first model is kept, at its own size.

/// An element with a provider of its own.
package final class ProvidedElement: CollectionElement, @unchecked Sendable {
    // Its model is constant, its provider behind a lock.
    private let model: (any Sendable)?
    private let provider: Lock<NodeProvider?>

    package init(model: (any Sendable)?, provider: NodeProvider?, terms: ElementTerms) {
        self.model = model
        self.provider = Lock(provider)
        super.init(terms)
    }

    override var firstModel: (any Sendable)? { model }

    override var hasFirstProvider: Bool { provider.withLock { $0 != nil } }

    override func takeFirstProvider() -> NodeProvider? {
        provider.withLock { provider in
            defer { if !surroundings.releasesNodes { provider = nil } }
            return provider
        }
    }
}

/// An element of many whose nodes are made by one function.
@usableFromInline
// What it adds is constant.
package final class ModelElement<Model: Sendable>: CollectionElement, @unchecked Sendable {
    @usableFromInline let model: Model

    // Inlinable, like what calls it, so that a million of them are made by code for their type.
    @inlinable
    package init(_ model: Model, terms: ModelTerms<Model>) {
        self.model = model
        super.init(terms)
    }

    override var firstModel: (any Sendable)? { model }

    override var hasFirstProvider: Bool {
        surroundings.releasesNodes || body.withLock { !$0.isProviderTaken }
    }

    override func takeFirstProvider() -> NodeProvider? {
        let isFirst = body.withLock { body in
            defer { body.isProviderTaken = true }
            return !body.isProviderTaken
        }
        guard isFirst || surroundings.releasesNodes else { return nil }
        let makeNode = unsafeDowncast(terms, to: ModelTerms<Model>.self).makeNode
        return { [model] in try makeNode(model) }
    }
}
