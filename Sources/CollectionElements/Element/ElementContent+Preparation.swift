// What preparing reads and writes of a content: of its progress, which is kept in the element or in the
// revision, and of its provider and node, which the element's first content has elsewhere.

extension ElementContent {
    func withProgress<Result>(_ body: (inout ContentProgress) -> Result) -> Result {
        guard let revision else { return element.body.withLock { body(&$0.progress) } }
        return revision.body.withLock { body(&$0.progress) }
    }

    /// Why it failed, if it did.
    var failure: (any Error)? { withProgress { $0.error } }

    /// Whether it goes by an estimate for good.
    package var isGivenUp: Bool {
        switch state {
        case .failed, .skipped: true
        case .pending, .allocating, .measured: false
        }
    }

    /// What follows on nothing else: it has a size, or never will.
    func finish(_ input: (inout ContentProgress) -> Void) {
        withProgress(input)
        // What the provider captured is released outside the lock, in case its end runs user code.
        _ = takeProvider()
    }

    func fail(_ error: any Error) { finish { $0.failed(error) } }

    /// Notes that somebody is told that it failed.
    ///
    /// - Returns: whether that is the first time.
    package func noteFailureTold() -> Bool { withProgress { $0.failureTold() } }

    // MARK: Putting off

    /// Whether preparing it has not begun.
    package var isPending: Bool { withProgress { $0.isPending } }

    /// Whether it is pending, and to be prepared soon.
    package var isAsked: Bool { withProgress { $0.isAsked } }

    /// Whether it may be shown before it is prepared; otherwise its node or model would be one that nobody has
    /// measured.
    package var mayBePutOff: Bool { revision?.mayBePutOff ?? true }

    /// Notes that somebody wants its size, which was put off.
    ///
    /// - Returns: whether that is the first time, and it is to be prepared.
    package func noteAsked() -> Bool { withProgress { $0.askedFor() } }

    // MARK: The node of a revision

    /// Whether its provider may make a node that takes the place of another.
    package var mayReplaceNode: Bool { revision?.mayReplaceNode ?? false }

    package var hasProvider: Bool {
        guard let revision else { return element.hasFirstProvider }
        if case .provided = revision.body.withLock({ $0.node }) { return true }
        return false
    }

    /// Whether it was measured, and its node released since.
    package var isReleased: Bool { withProgress { $0.isReleased } }

    /// In which range its size was measured, also by a node that was released since; nil where it was not.
    package var measuredRange: SizeRange? { withProgress { $0.measuredRange(sizeRange) } }

    /// What makes its node again; nil where nodes are not released.
    package var keptProvider: NodeProvider? {
        guard element.surroundings.releasesNodes else { return nil }
        return revision.map(\.keptProvider) ?? element.takeFirstProvider()
    }

    /// Makes no node, and throws what this content failed with: for what is measured again while this is being
    /// prepared, and is asked only if that comes to nothing.
    ///
    /// The element may keep it for good, where nobody ever measures; so it does not keep the element.
    package var rethrowingProvider: NodeProvider {
        { [weak element, revision] in
            let failed = element.flatMap { ElementContent($0, revision).failure }
            throw failed ?? ElementError.removedBeforeAllocation
        }
    }

    /// Gives the provider away: it runs once.
    func takeProvider() -> NodeProvider? {
        guard let revision else { return element.takeFirstProvider() }
        return revision.body.withLock { $0.node.providerTaken() }?.provider
    }

    /// Whether the node that is there has the model of this content, or has never been asked about it.
    var keepsNode: Bool {
        guard let revision, mayReplaceNode else { return true }
        guard case .provided(_, let retried?) = revision.body.withLock({ $0.node }) else {
            return false
        }
        return retried.body.withLock { $0.progress.error == nil }
    }

    /// Whether measuring it again may take another node: it came after the first, and is not measured.
    package var mayLackItsNode: Bool {
        guard revision != nil, model != nil, !isReleased else { return false }
        // What was put off keeps the node that there is, which shows its model.
        if isPending, mayBePutOff { return false }
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
