/// One revision of an element's content: its model, the range of its size, and the progress of its
/// measurement.
///
/// An element is created with one content revision; each reconfiguration and each further
/// measurement adds one. Each ``ElementMap`` holds the content that was accepted with it, so an
/// older map keeps the older content.
///
/// Threading: any thread may read a content revision; the worker that prepares the content writes
/// it. Until the content is measured, skipped or failed, a later read may return a newer state.
public struct ElementContent: Sendable {
    /// The element that shows the content.
    public let element: CollectionElement

    /// The later revision; `nil` for the first content, which is stored in the element itself.
    let revision: ElementRevision?

    init(_ element: CollectionElement, _ revision: ElementRevision?) {
        self.element = element
        self.revision = revision
    }

    /// Creates a further content revision of an element, for a change set.
    ///
    /// - Parameters:
    ///   - provider: A closure that makes the node for the content if the element has none or needs
    ///     another.
    ///   - keptProvider: A closure that makes the node again after it was released; `nil` if nodes
    ///     are never released.
    ///   - keepsNode: Whether the element keeps the node that it has by then in any case.
    ///   - retried: The content that this one measures again, if that content may have failed to
    ///     get its node.
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

    /// The model from the data source, if it provides models.
    public var model: (any Sendable)? {
        if let revision { return revision.model }
        return element.firstModel
    }

    /// The range that the element's size must lie in.
    public var sizeRange: SizeRange { revision?.sizeRange ?? element.configuration.sizeRange }

    /// The progress of the preparation.
    public var state: ElementState { stateAndSize.state }

    /// The measured size, or an estimate if the element was skipped or failed; `nil` before that.
    /// The node that was measured may have been released since.
    public var size: Size? { stateAndSize.size }

    /// The size for the layout: measured or estimated.
    public var layoutSize: Size { size ?? estimate }

    /// The state and the size, read at the same moment.
    package var stateAndSize: (state: ElementState, size: Size?) {
        withProgress { ($0.elementState(sizeRange), $0.size(orEstimate: estimate)) }
    }

    /// The size, or the previous content's size while this one is not measured; `nil` if neither is
    /// known.
    package var knownSize: Size? { size ?? revision?.previousSize }

    /// The size of an element that is not measured: its previous size, or the minimum of the range.
    var estimate: Size { revision?.previousSize ?? sizeRange.estimate }
}

extension ElementContent: Hashable {
    /// Returns whether both contents are the same revision of the same element.
    public static func == (left: ElementContent, right: ElementContent) -> Bool {
        left.element === right.element && left.revision === right.revision
    }

    /// Hashes the identity of the content.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(element)
        hasher.combine(revision.map { ObjectIdentifier($0) })
    }
}

extension SizeRange {
    /// The size of an element that could not be measured: the minimum of the range, with 0 for each
    /// dimension that is not a finite number.
    package var estimate: Size {
        Size(
            width: minimum.width.isFinite ? max(0, minimum.width) : 0,
            height: minimum.height.isFinite ? max(0, minimum.height) : 0
        )
    }
}

// The data of a content revision that the preparation reads and writes: its progress, which is
// stored in the element or in the revision, and its provider and node, which the first content
// stores in the element.

extension ElementContent {
    func withProgress<Result>(_ body: (inout ContentProgress) -> Result) -> Result {
        guard let revision else { return element.body.withLock { body(&$0.progress) } }
        return revision.body.withLock { body(&$0.progress) }
    }

    /// The error, if the content failed.
    var failure: (any Error)? { withProgress { $0.error } }

    /// Whether the size remains an estimate, because the content failed or was skipped.
    package var hasFinalEstimate: Bool {
        switch state {
        case .failed, .skipped: true
        case .pending, .allocating, .measured: false
        }
    }

    /// Applies the last event of preparing: the content has a size, or never will.
    func finish(_ input: (inout ContentProgress) -> Void) {
        withProgress(input)
        // The values that the provider captured are released outside the lock, because deallocating
        // them may run user code.
        _ = takeProvider()
    }

    func fail(_ error: any Error) { finish { $0.failed(error) } }

    /// The action that an event makes necessary.
    package enum Action { case prepare, report, releaseNode, nothing }

    /// Records a failure, which is reported once.
    package func noteFailure() -> Action { withProgress { $0.failureFound() } }

    // MARK: Deferring

    /// Whether preparing has not started.
    package var isPending: Bool { withProgress { $0.isPending } }

    /// Whether the content is pending and is to be prepared soon.
    package var isRequested: Bool { withProgress { $0.isRequested } }

    /// Whether the content may be shown before it is prepared. Otherwise its node or model would be
    /// shown without having been measured.
    package var mayBeDeferred: Bool { revision?.mayBeDeferred ?? true }

    /// Records that the size is requested, although measuring was deferred. The first request
    /// causes the content to be prepared.
    package func noteRequest() -> Action { withProgress { $0.requested() } }

    // MARK: The node of a revision

    /// Whether the content's provider may make a node that replaces another.
    package var mayReplaceNode: Bool { revision?.mayReplaceNode ?? false }

    package var hasProvider: Bool {
        guard let revision else { return element.hasFirstProvider }
        if case .provided = revision.body.withLock({ $0.node }) { return true }
        return false
    }

    /// Whether the content was measured and its node has since been released.
    package var isReleased: Bool { withProgress { $0.isReleased } }

    /// The range in which its size was measured, possibly by a node that has since been released;
    /// `nil` if it was not measured.
    package var measuredRange: SizeRange? { withProgress { $0.measuredRange(sizeRange) } }

    /// The provider that makes its node again; `nil` if nodes are not released.
    package var keptProvider: NodeProvider? {
        guard element.elementEnvironment.releasesNodes else { return nil }
        return revision.map(\.keptProvider) ?? element.takeFirstProvider()
    }

    /// A provider that makes no node and throws the error of this content. It serves a content
    /// revision that measures this one again while this one is still being prepared, and is called
    /// only if this one fails.
    ///
    /// The element may keep this provider forever if it is never measured, so the provider does not
    /// retain the element.
    package var rethrowingProvider: NodeProvider {
        { [weak element, revision] in
            let failed = element.flatMap { ElementContent($0, revision).failure }
            throw failed ?? ElementError.removedBeforeAllocation
        }
    }

    /// Returns the provider and drops it: it runs once.
    func takeProvider() -> NodeProvider? {
        guard let revision else { return element.takeFirstProvider() }
        return revision.body.withLock { $0.node.providerTaken() }?.provider
    }

    /// Whether the existing node is kept without a check that it accepts the model: this content
    /// cannot replace the node, or the node already has the model.
    var keepsNode: Bool {
        guard let revision, mayReplaceNode else { return true }
        guard case .provided(_, let retried?) = revision.body.withLock({ $0.node }) else {
            return false
        }
        return retried.body.withLock { $0.progress.error == nil }
    }

    /// Whether measuring the content again may need another node: it is not the first content, and
    /// is not measured.
    package var mayLackItsNode: Bool {
        guard revision != nil, model != nil, !isReleased else { return false }
        // A deferred content revision keeps the existing node, which shows its model.
        if isPending, mayBeDeferred { return false }
        if case .measured = state { return false }
        return true
    }

    /// The node that waits until this content is shown.
    var replacement: NodeWithTraits? {
        guard case .made(let node, _)? = revision?.body.withLock({ $0.node }) else { return nil }
        return node
    }

    func setReplacement(_ node: NodeWithTraits, isEarly: Bool) {
        revision?.body.withLock { $0.node.made(node, isEarly: isEarly) }
    }

    func takeReplacement() -> (node: NodeWithTraits, isEarly: Bool)? {
        revision?.body.withLock { $0.node.shown() }
    }
}
