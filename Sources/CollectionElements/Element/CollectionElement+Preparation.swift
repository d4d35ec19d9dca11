// Step 3: what a worker does with an element.

extension CollectionElement {
    /// What came of preparing a content.
    package enum Preparation: Sendable {
        case measured
        case alreadyPrepared
        case skipped
        case failed(any Error)
    }

    /// Makes the node if there is none, and measures `content`; on a worker.
    ///
    /// A content is prepared once. An element whose removal was accepted, and any element once
    /// `isCancelled` says so, is skipped.
    package func prepare(
        _ content: ElementContent,
        isCancelled: () -> Bool = { false }
    ) -> Preparation {
        whileClaimed {
            guard content.withProgress({ $0.begun() }) else { return outcome(of: content) }
            if isCancelled() || isRemoved { return skip(content) }
            do {
                let found = try node(for: content)
                // The provider may have taken long.
                if isCancelled() || isRemoved {
                    return skip(content)
                }
                _ = try measureFirst(found, content, in: content.sizeRange)
                return .measured
            } catch {
                content.fail(error)
                return .failed(error)
            }
        }
    }

    /// Makes the node that `content` needs, if it needs one, and measures nothing; on a worker.
    package func allocate(_ content: ElementContent) -> Preparation {
        whileClaimed {
            guard content.withProgress({ $0.isPending }), !isRemoved else {
                return outcome(of: content)
            }
            do {
                _ = try node(for: content)
                return .alreadyPrepared
            } catch {
                content.fail(error)
                return .failed(error)
            }
        }
    }

    /// The size of `content` within a range that a layout chose, making the node first if need be; on
    /// a worker. Asked again with one of the last few ranges it answers from memory.
    ///
    /// The first range that is asked for becomes that of the content; others change nothing that a
    /// map shows. An element whose removal was accepted is not measured any more.
    package func measure(
        _ content: ElementContent,
        in range: SizeRange,
        isCancelled: () -> Bool = { false }
    ) throws -> Size {
        try whileClaimed {
            switch content.stateAndSize {
            case (.measured(range), let size?): return size
            case (.failed(let error), _): throw error
            case (.skipped, let size?): return size
            default: break
            }
            if let size = content.withProgress({ $0.furtherSize(in: range) }) { return size }
            if isRemoved { return content.layoutSize }
            guard content.withProgress({ $0.begun() }) else {
                let size = try measure(node(for: content), content, in: range)
                content.withProgress { $0.measuredFurther(size, in: range) }
                return size
            }
            do {
                let found = try node(for: content)
                // The provider may have taken long.
                if isCancelled() || isRemoved {
                    _ = skip(content)
                    return content.layoutSize
                }
                return try measureFirst(found, content, in: range)
            } catch {
                content.fail(error)
                throw error
            }
        }
    }

    private func outcome(of content: ElementContent) -> Preparation {
        if let error = content.failure { return .failed(error) }
        return .alreadyPrepared
    }

    private func skip(_ content: ElementContent) -> Preparation {
        content.finish { $0.skipped() }
        return .skipped
    }

    /// Measures a content that was not measured before: `range` becomes its own.
    private func measureFirst(
        _ found: FoundNode,
        _ content: ElementContent,
        in range: SizeRange
    ) throws -> Size {
        let size = try measure(found, content, in: range)
        content.finish { $0.measured(size, in: range == content.sizeRange ? nil : range) }
        return size
    }

    /// Asks the node; what is no size is an error.
    private func measure(
        _ found: FoundNode,
        _ content: ElementContent,
        in range: SizeRange
    ) throws -> Size {
        // While the element is claimed, the node that was found stays the newest. It may have been told other
        // traits since, where asking it about a model took long.
        let traits = body.withLock { $0.node.newest?.traitsGeneration ?? 0 }
        content.withProgress { $0.measuringBegan(withTraits: traits) }
        // What was made for this content shows it already, and need not be looked into.
        let size =
            found.isNew
            ? try found.node.measure(in: range)
            : try CollectionElements.measure(found.node, showing: content.model, in: range)
        let clamped = range.clamp(size)
        // A range may be no range either; what is no number loses every comparison of the clamping.
        guard size.isValid, clamped.isValid,
            !range.maximum.width.isNaN, !range.maximum.height.isNaN
        else {
            throw MeasurementError(size: size, sizeRange: range)
        }
        return clamped
    }

    private struct FoundNode {
        let node: any CollectionNode
        /// Whether it was made for the content just now.
        let isNew: Bool
    }

    /// The node that will show `content`: the element's newest where there is one that accepts it,
    /// otherwise one that its provider makes.
    private func node(for content: ElementContent) throws -> FoundNode {
        if let own = content.replacement {
            // It was asked for ahead of its turn; contents before this one may have brought others.
            changeNode { $0.replacementPrepared(own) }
            return FoundNode(node: own.node, isNew: false)
        }
        let keepsNode = content.keepsNode
        let provider = content.takeProvider()
        guard let newest = body.withLock({ $0.node.newest?.node }) else {
            guard let provider = provider ?? content.keptProvider else {
                throw ElementError.removedBeforeAllocation
            }
            let node = try provider()
            introduce(node) { $0.made($1) }
            return FoundNode(node: node, isNew: true)
        }
        guard let provider, !keepsNode else { return FoundNode(node: newest, isNew: false) }
        if let model = content.model, CollectionElements.node(newest, accepts: model) {
            return FoundNode(node: newest, isNew: false)
        }
        let node = try provider()
        let told = introduce(node) { $0.replacementPrepared($1) }
        content.setReplacement(told, isEarly: false)
        return FoundNode(node: node, isNew: true)
    }
}
