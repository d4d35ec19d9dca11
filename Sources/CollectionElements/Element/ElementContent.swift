/// One revision of what an element shows: its model, the sizes it may take, and how far measuring has
/// come.
///
/// An element comes with one content; reconfiguring and measuring again give it further ones. Each
/// ``ElementMap`` holds the content that was accepted with it, so an older map keeps the older one.
///
/// Threading: readable from anywhere; written by the worker that prepares it. What is read of one
/// content may be newer at the next reading, until it is measured, skipped or failed.
public struct ElementContent: Sendable {
    /// What shows it.
    public let element: CollectionElement

    /// Nil for what the element came with, which is kept in the element itself.
    let revision: ElementRevision?

    init(_ element: CollectionElement, _ revision: ElementRevision?) {
        self.element = element
        self.revision = revision
    }

    /// A further content of an element, for a change set to bring.
    ///
    /// - Parameters:
    ///   - provider: makes the node for it, where the element has none or another is wanted.
    ///   - keptProvider: makes the node again where that is released; nil where it never is.
    ///   - keepsNode: whether a node that the element has by then stays in any case.
    ///   - retried: the content that it measures again, where that may have failed to get its node.
    package init(
        revising element: CollectionElement,
        model: (any Sendable)?,
        sizeRange: SizeRange,
        provider: NodeProvider?,
        keptProvider: NodeProvider? = nil,
        keepsNode: Bool = false,
        previousSize: Size? = nil,
        retried: ElementContent? = nil
    ) {
        let revision = ElementRevision(
            model: model,
            sizeRange: sizeRange,
            provider: provider,
            keptProvider: keptProvider,
            keepsNode: keepsNode,
            previousSize: previousSize,
            retried: retried?.revision
        )
        self.init(element, revision)
    }

    /// What the data source gave to be shown, where it gives models.
    public var model: (any Sendable)? {
        if let revision { return revision.model }
        return element.firstModel
    }

    /// The sizes that the element was asked to choose from.
    public var sizeRange: SizeRange { revision?.sizeRange ?? element.terms.sizeRange }

    /// How far preparing has come.
    public var state: ElementState { stateAndSize.state }

    /// The size: measured, also by a node that was released since, or estimated where the element was skipped or
    /// failed; nil before.
    public var size: Size? { stateAndSize.size }

    /// The size to lay out with: measured or estimated.
    public var layoutSize: Size { size ?? estimate }

    /// The state and the size, read together.
    package var stateAndSize: (state: ElementState, size: Size?) {
        withProgress { ($0.elementState(sizeRange), $0.size(orEstimate: estimate)) }
    }

    /// The size, or that of the content before while it is not measured; nil where nothing is known.
    package var knownSize: Size? { size ?? revision?.previousSize }

    /// The size of an element that is not measured: what it was before, or the least that the range
    /// allows.
    var estimate: Size { revision?.previousSize ?? sizeRange.estimate }
}

extension ElementContent: Hashable {
    /// Whether both are the same revision of the same element.
    public static func == (left: ElementContent, right: ElementContent) -> Bool {
        left.element === right.element && left.revision === right.revision
    }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(element)
        hasher.combine(revision.map { ObjectIdentifier($0) })
    }
}

extension SizeRange {
    /// The size of an element that could not be measured: the least that the range allows, as far
    /// as that is a number.
    package var estimate: Size {
        Size(
            width: minimum.width.isFinite ? max(0, minimum.width) : 0,
            height: minimum.height.isFinite ? max(0, minimum.height) : 0
        )
    }
}
