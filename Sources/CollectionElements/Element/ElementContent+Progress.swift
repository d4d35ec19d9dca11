// What preparing reads and writes of a content.

extension ElementContent {
    /// Whether its provider may make a node that takes the place of another.
    package var mayReplaceNode: Bool { revision?.mayReplaceNode ?? false }

    /// The size of an element that is not measured: what it was before, or the least that the range
    /// allows.
    var estimate: Size { revision?.previousSize ?? sizeRange.estimate }

    /// Whether nothing was prepared yet.
    var isPending: Bool { withProgress { $0.phase == .pending } }

    /// Why it failed, if it did.
    var failure: (any Error)? { withProgress { $0.rare?.error } }

    /// Which traits the node had when measuring began; nil before.
    var traitsGeneration: UInt32? {
        withProgress { $0.hasBegunMeasuring ? $0.traitsGeneration : nil }
    }

    func beginMeasuring(withTraits generation: UInt32) {
        withProgress { progress in
            progress.traitsGeneration = generation
            progress.hasBegunMeasuring = true
        }
    }

    /// Turns from pending to allocating; answers whether it did.
    func begin() -> Bool {
        withProgress { progress in
            guard progress.phase == .pending else { return false }
            progress.phase = .allocating
            return true
        }
    }

    package var hasProvider: Bool {
        guard let revision else { return element.hasFirstProvider }
        return revision.body.withLock { $0.provider != nil }
    }

    /// Gives the provider away: it runs once.
    func takeProvider() -> NodeProvider? {
        guard let revision else { return element.takeFirstProvider() }
        return revision.body.withLock { body in
            defer { (body.provider, body.retried) = (nil, nil) }
            return body.provider
        }
    }

    /// Whether the node that is there has the model of this content, or has never been asked about it.
    var keepsNode: Bool {
        guard let revision, revision.mayReplaceNode else { return true }
        guard let retried = revision.body.withLock({ $0.retried }) else { return false }
        return retried.body.withLock { $0.progress.phase != .failed }
    }

    /// Whether measuring it anew may take another node: it came after the first, and is not measured.
    package var mayLackItsNode: Bool {
        guard revision != nil, model != nil else { return false }
        switch state {
        case .measured: return false
        case .pending, .allocating, .skipped, .failed: return true
        }
    }

    func finish(_ phase: ContentProgress.Phase, size: Size) {
        withProgress { progress in
            progress.phase = phase
            progress.size = size
        }
        // What the provider captured is released outside the lock, in case its end runs user code.
        _ = takeProvider()
    }

    /// Measured for the first time; `range` becomes that of the content.
    func finish(measuredIn range: SizeRange, size: Size) {
        if range != sizeRange { withProgress { $0.ensureRare().measuredRange = range } }
        finish(.measured, size: size)
    }

    func fail(_ error: any Error) {
        withProgress { $0.ensureRare().error = error }
        finish(.failed, size: estimate)
    }

    // MARK: Replacement

    var replacement: NodeWithTraits? { withProgress { $0.rare?.replacement } }

    func setReplacement(_ replacement: NodeWithTraits) {
        withProgress { $0.ensureRare().replacement = replacement }
    }

    func takeReplacement() -> NodeWithTraits? {
        withProgress { progress in
            defer { progress.rare?.replacement = nil }
            return progress.rare?.replacement
        }
    }

    // MARK: Further sizes

    /// What a layout asked for before, where it is remembered.
    func furtherSize(in range: SizeRange) -> Size? {
        withProgress { $0.rare?.furtherSizes.first { $0.range == range }?.size }
    }

    /// Remembers the newest few: a layout tries a handful of ranges at most.
    func addFurtherSize(_ size: Size, in range: SizeRange) {
        withProgress { progress in
            let rare = progress.ensureRare()
            if rare.furtherSizes.count >= 4 { rare.furtherSizes.removeFirst() }
            rare.furtherSizes.append((range, size))
        }
    }

    func withProgress<Result>(_ body: (inout ContentProgress) -> Result) -> Result {
        guard let revision else { return element.body.withLock { body(&$0.progress) } }
        return revision.body.withLock { body(&$0.progress) }
    }
}
