import CollectionPipeline

// One line an event: tests compare them, so their wording is part of the product.

extension ViewEvent: CustomStringConvertible {
    /// The event in a line.
    public var description: String {
        switch self {
        case .received(let id): "received \(id)"
        case .postponed(let waiting): "postponed, \(waiting) waiting"
        case .applied(let id, let removals, let insertions, let reconfigured):
            "applied\(words(id)): -\(removals) +\(insertions) ~\(reconfigured)"
        case .reloaded(let id): "reloaded\(words(id))"
        case .refused(let id, let refusal): "refused \(id): \(refusal.code.rawValue)"
        case .dropped(let id): "dropped \(id)"
        case .finished(let id): "finished\(words(id))"
        case .closed(let dropped): "closed, \(dropped) dropped"
        case .becameBusy: "busy"
        case .becameIdle: "idle"
        case .layout(let call): "layout \(call)"
        case .invalidated(let what): "invalidated\(what)"
        case .contentSize(let size): "contentSize \(text(size))"
        case .scrolled(let offset): "scrolled \(text(offset))"
        case .scrolling(let call): "\(call)"
        case .prepareForReuse(let place): "prepareForReuse \(place)"
        case .apply(let place): "apply \(place)"
        case .refilled(let place): "refilled \(place)"
        case .preferred(let place, let size): "preferred \(place) \(text(size))"
        case .willDisplay(let place): "willDisplay \(place)"
        case .didEndDisplaying(let place): "didEndDisplaying \(place)"
        case .rangeMode(let mode): "ranges \(mode)"
        case .interfaceState(let place, let state, let former):
            "state \(place): \(former) > \(state)"
        case .visibleRect(let place, let rect):
            "visible \(place): \(rect.map(text) ?? "nothing")"
        case .fetchBegan(let end): "fetch \(end)"
        case .fetchEnded(let end, let ending): "fetch \(end): \(ending)"
        case .dataSource(let call): "dataSource \(call)"
        case .selection(let call): "\(call)"
        case .error(let error): "error \(error.code.rawValue)"
        }
    }

    private func words(_ id: SubmissionID?) -> String { id.map { " \($0)" } ?? "" }
}

extension ViewEvent.LayoutCall: CustomStringConvertible {
    /// The call in a line.
    public var description: String {
        switch self {
        case .prepare: "prepare"
        case .prepareApplying: "prepare(applying:)"
        case .collectionViewContentSize(let size): "collectionViewContentSize \(text(size))"
        case .layoutAttributesForElements(let rect, let count):
            "attributes in \(text(rect)): \(count)"
        case .layoutAttributes(let place, let found):
            "attributes for \(place)\(found ? "" : ": none")"
        case .shouldInvalidateLayoutForBounds(let bounds, let answer):
            "shouldInvalidateLayout bounds \(text(bounds)): \(answer)"
        case .invalidationContextForBounds(let bounds): "context for bounds \(text(bounds))"
        case .shouldInvalidateLayoutForPreferred(let place, let size, let answer):
            "shouldInvalidateLayout preferred \(place) \(text(size)): \(answer)"
        case .invalidationContextForPreferred(let place): "context for preferred \(place)"
        case .prepareForCollectionViewUpdates(let first, let count):
            "prepare(forCollectionViewUpdates:) " + first.map(\.description).joined(separator: ", ")
                + (count > first.count ? " and \(count - first.count) more" : "")
        case .targetContentOffset(let proposed, let answer):
            "targetContentOffset \(text(proposed)): \(text(answer))"
        case .flingTarget(let proposed, let velocity, let answer):
            "targetContentOffset \(text(proposed)) velocity \(text(velocity)): \(text(answer))"
        case .initialLayoutAttributes(let place, let found):
            "initialLayoutAttributes \(place)\(found ? "" : ": none")"
        case .finalLayoutAttributes(let place, let found):
            "finalLayoutAttributes \(place)\(found ? "" : ": none")"
        case .indexPathsToDelete(let category, let paths):
            "indexPathsToDelete \(category)\(list(paths))"
        case .indexPathsToInsert(let category, let paths):
            "indexPathsToInsert \(category)\(list(paths))"
        case .finalizeCollectionViewUpdates: "finalizeCollectionViewUpdates"
        case .prepareForAnimatedBoundsChange(let old):
            "prepare(forAnimatedBoundsChange:) \(text(old))"
        case .finalizeAnimatedBoundsChange: "finalizeAnimatedBoundsChange"
        case .prepareForTransitionTo: "prepareForTransition(to:)"
        case .prepareForTransitionFrom: "prepareForTransition(from:)"
        case .finalizeLayoutTransition: "finalizeLayoutTransition"
        }
    }

    private func list(_ paths: [ItemPath]) -> String {
        paths.isEmpty ? "" : ": " + paths.map(\.description).joined(separator: ", ")
    }
}

extension ViewEvent.Invalidation: CustomStringConvertible {
    /// What is wrong, each with a space before it.
    public var description: String {
        var words = ""
        if invalidatesEverything { words += " everything" }
        if invalidatesDataSourceCounts { words += " counts" }
        if listedCount > 0 { words += " \(listedCount)" }
        if words.isEmpty { words = " all" }
        if contentSizeAdjustment != .zero { words += " size \(text(contentSizeAdjustment))" }
        if contentOffsetAdjustment != .zero { words += " offset \(text(contentOffsetAdjustment))" }
        return words
    }
}

extension ViewEvent.DataSourceCall: CustomStringConvertible {
    /// The question in a line.
    public var description: String {
        switch self {
        case .numberOfSections(let count): "numberOfSections: \(count)"
        case .numberOfItems(let section, let count): "numberOfItems \(section): \(count)"
        case .view(let place): "view \(place)"
        case .context(let section): "context \(section)"
        case .prefetch(let paths): "prefetch \(list(paths))"
        case .cancelPrefetching(let paths): "cancelPrefetching \(list(paths))"
        }
    }

    private func list(_ paths: [ItemPath]) -> String {
        paths.map(\.description).joined(separator: ", ")
    }
}

extension ViewEvent.SelectionCall: CustomStringConvertible {
    /// The call in a line.
    public var description: String {
        switch self {
        case .shouldHighlight(let path, let answer): "shouldHighlight \(path): \(answer)"
        case .didHighlight(let path): "didHighlight \(path)"
        case .didUnhighlight(let path): "didUnhighlight \(path)"
        case .shouldSelect(let path, let answer): "shouldSelect \(path): \(answer)"
        case .didSelect(let path): "didSelect \(path)"
        case .shouldDeselect(let path, let answer): "shouldDeselect \(path): \(answer)"
        case .didDeselect(let path): "didDeselect \(path)"
        case .nodeHighlight(let path, let isSo): "node \(path): \(isSo ? "" : "not ")highlighted"
        case .nodeSelection(let path, let isSo): "node \(path): \(isSo ? "" : "not ")selected"
        }
    }
}

extension ViewEvent.ScrollingCall: CustomStringConvertible {
    /// The call in a line.
    public var description: String {
        switch self {
        case .willBeginDragging: "willBeginDragging"
        case .willEndDragging(let velocity, let proposed, let answer):
            "willEndDragging velocity \(text(velocity)) \(text(proposed)): \(text(answer))"
        case .didEndDragging(let willDecelerate): "didEndDragging willDecelerate: \(willDecelerate)"
        case .willBeginDecelerating: "willBeginDecelerating"
        case .didEndDecelerating: "didEndDecelerating"
        case .didEndScrollingAnimation: "didEndScrollingAnimation"
        case .node(let place, let event): "node \(place): \(event)"
        }
    }
}

// Whole numbers without a fraction, since most are whole.

private func text(_ value: Double) -> String {
    let text = value == 0 ? "0" : "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

private func text(_ point: Point) -> String { "(\(text(point.x)), \(text(point.y)))" }

private func text(_ size: Size) -> String { "\(text(size.width)) × \(text(size.height))" }

private func text(_ rect: Rect) -> String { "\(text(rect.origin)) \(text(rect.size))" }
