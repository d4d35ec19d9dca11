import CollectionChanges
import CollectionLayouts

// The content offset after a change: `OffsetRule` chooses the source, and the layout has the new
// frame of the anchor.

extension SimulatedCollectionView {
    /// Returns the element that should keep its position, according to the current layout.
    ///
    /// - Parameters:
    ///   - mayBeBeginning: Whether the beginning of the content is the anchor if it is visible.
    ///   - effect: A closure that returns the effect of the change on an element; `nil` if the
    ///     element is gone afterwards.
    func currentAnchor(
        mayBeBeginning: Bool = true,
        effect: (LayoutPlace) -> ScrollAnchor.UpdateEffect? = { _ in .stays }
    ) -> ScrollAnchor? {
        if mayBeBeginning, viewport.isAtStart { return .beginning }
        return anchor(among: attributesAroundViewport(), effect: effect)
    }

    func anchor(
        among candidates: some Sequence<LayoutAttributes>,
        effect: (LayoutPlace) -> ScrollAnchor.UpdateEffect? = { _ in .stays }
    ) -> ScrollAnchor? {
        guard !viewport.bounds.isEmpty else { return nil }
        return ScrollAnchor(
            candidates,
            ScrollAnchor.Reference(bounds: anchoringBounds, isRightToLeft: isRightToLeft),
            visible: viewport.bounds.inset(by: viewport.inset),
            effect: effect
        )
    }

    /// The rectangle from which the distances of anchors are measured. Pages begin at the insets,
    /// and would no longer be aligned if the insets changed.
    private var anchoringBounds: Rect {
        shownLayout is PagerLayout ? viewport.bounds.inset(by: viewport.inset) : viewport.bounds
    }

    /// Returns the attributes in and around the viewport, before anything was invalidated. The
    /// content may have been scrolled since the last pass, so that other elements are visible now.
    ///
    /// Within a pass or an update, it returns only the elements that are shown already: an element
    /// that becomes visible may prefer another size, and must not move the elements that are
    /// already visible.
    private func attributesAroundViewport() -> [LayoutAttributes] {
        guard pass.hasPlaces, !pass.isLocked else {
            return display.shown.all.compactMap { known in
                // The applied attributes may be those of the previous round.
                display.window.rect == nil ? known.attributes : display.window[known.place]
            }
        }
        let pages = AttributeWindow.pages(around: viewport.bounds, of: viewport.bounds.size)
        // A layout that is not prepared for these bounds is queried without storing the result.
        guard pass.isPrepared else { return usableAttributes(in: pages) }
        if !display.window.covers(viewport.bounds) { queryWindow() }
        return display.window.attributes.filter { $0.frame.intersects(pages) }
    }

    /// Records the anchor until the end of the next or current pass. Called before the layout
    /// changes.
    func noteAnchor() {
        guard offsetRule.isAnchorWanted, !pass.isUpdating else { return }
        offsetRule.take(.invalidation(currentAnchor()))
    }

    /// Returns the offset of a round, after the layout is prepared.
    func settledOffset() -> Point {
        let anchor = offsetRule.settled()
        // A pinned header follows the offset, so the offset must not follow the header.
        if let place = anchor?.place, place.category != .cell, offsetRule.hasKept {
            return viewport.legal(viewport.offset)
        }
        let kept = kept(by: anchor)
        if let anchor, let kept {
            // The offset of the previous round may have been limited to the ends of the content.
            shiftMotion(
                keeping: anchor,
                from: offsetRule.kept(at: kept) ?? viewport.offset,
                to: kept
            )
        }
        return viewport.legal(kept ?? viewport.offset)
    }

    /// Returns the offset after an update: the view proposes one, which the layout and the delegate
    /// can change.
    ///
    /// - Parameter anchor: The element that keeps its position, with its place after the update.
    func offset(after changes: ValidatedChangeSet, keeping anchor: ScrollAnchor?) -> Point {
        let kept = kept(by: anchor)
        if let anchor, let kept { shiftMotion(keeping: anchor, from: viewport.offset, to: kept) }
        // The offset is limited only here, because querying the layout above may change the limits.
        let proposed = viewport.legal(kept ?? viewport.offset)
        return hasEdits(changes) ? adjustedTarget(proposed) : proposed
    }

    private func kept(by anchor: ScrollAnchor?) -> Point? {
        let (bounds, origin) = (anchoringBounds, viewport.offset)
        let reference = Rect(
            origin: Point(x: bounds.minX - origin.x, y: bounds.minY - origin.y),
            size: bounds.size
        )
        let kept = anchor?.offset(start: viewport.start, in: reference) {
            attributes(for: $0)?.frame
        }
        // A difference in rounding alone does not move the content.
        func settled(_ new: Double, _ old: Double) -> Double { abs(new - old) < 1e-9 ? old : new }
        return kept.map { Point(x: settled($0.x, origin.x), y: settled($0.y, origin.y)) }
    }

    /// Moves the motion in progress along with the content: by the distance that the anchor moved
    /// or, if the beginning is the anchor, by the growth of content from right to left. Limiting
    /// the offset to the ends does not change the target of a motion.
    private func shiftMotion(keeping anchor: ScrollAnchor, from old: Point, to new: Point) {
        if anchor != .beginning {
            shiftMotion(from: old, to: new)
        } else if isRightToLeft {
            shiftMotion(from: old, to: Point(x: new.x, y: old.y))
        }
    }

    /// Moves the motion in progress by the distance from `old` to `new`.
    func shiftMotion(from old: Point, to new: Point) {
        scrolling.motion?.shift(by: Point(x: new.x - old.x, y: new.y - old.y))
    }

    /// Returns the offset that the layout and the delegate choose instead of `proposed`.
    func adjustedTarget(_ proposed: Point) -> Point {
        let answer = asking { $0.targetContentOffset(forProposedContentOffset: proposed) }
        log.append(.layout(.targetContentOffset(proposed: proposed, answer)))
        let wanted =
            delegate?.collectionView(self, targetContentOffsetForProposedContentOffset: answer)
            ?? answer
        guard wanted.x.isFinite, wanted.y.isFinite else { return proposed }
        let isOther = abs(wanted.x - proposed.x) >= 1e-4 || abs(wanted.y - proposed.y) >= 1e-4
        return isOther ? viewport.legal(wanted) : proposed
    }
}

/// The element that keeps its position on the screen while the layout changes.
///
/// | the first of these that exists | if there are several |
/// |---|---|
/// | the beginning of the content, if it is visible | |
/// | a visible cell that stays and whose beginning is visible, then one that is partly visible | the first by path |
/// | a visible cell that is reloaded, in the same order | the first by path |
/// | a visible supplementary view that stays or whose section is reloaded, in the same order | the first by place |
/// | an element that stays outside the viewport, at most in the pages that the viewport touches | the nearest |
/// | a visible cell that the update moves, itself or with its section | the first by path |
enum ScrollAnchor: Hashable {
    /// The beginning of the content, which stays visible.
    case beginning
    /// An element, with the distance of its leading corner from that of the reference rectangle.
    case element(LayoutPlace, distance: Point, isRightToLeft: Bool)

    /// The effect of an update on an element that exists before and after it.
    enum UpdateEffect { case stays, isReloaded, moves }

    /// The rectangle from which distances are measured: the viewport, with or without its insets.
    struct Reference {
        let bounds: Rect
        let isRightToLeft: Bool

        fileprivate func distance(to frame: Rect) -> Point {
            let x = isRightToLeft ? frame.maxX - bounds.maxX : frame.minX - bounds.minX
            return Point(x: x, y: frame.minY - bounds.minY)
        }
    }

    /// The place of the element; `nil` for the beginning.
    var place: LayoutPlace? {
        if case .element(let place, _, _) = self { place } else { nil }
    }

    /// Chooses the element that keeps its position; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - candidates: The attributes of elements in and around the viewport.
    ///   - reference: The rectangle from which the distance is measured.
    ///   - visible: The viewport without the insets.
    ///   - effect: A closure that returns the effect of the change on an element; `nil` if the
    ///     element is gone afterwards.
    init?(
        _ candidates: some Sequence<LayoutAttributes>,
        _ reference: Reference,
        visible: Rect,
        effect: (LayoutPlace) -> UpdateEffect?
    ) {
        var best: (order: (Int, Double), attributes: LayoutAttributes)?
        for attributes in candidates where !attributes.isHidden {
            let isRightToLeft = reference.isRightToLeft
            guard let effect = effect(attributes.place),
                let order = Self.order(attributes, effect, visible, isRightToLeft)
            else { continue }
            let isBetter =
                best.map { best in
                    order == best.order
                        ? attributes.place < best.attributes.place : order < best.order
                } ?? true
            if isBetter { best = (order, attributes) }
        }
        guard let found = best?.attributes else { return nil }
        self = .element(
            found.place,
            distance: reference.distance(to: found.frame),
            isRightToLeft: reference.isRightToLeft
        )
    }

    /// Returns the rank of an element, lower is better, and then its distance; `nil` if the element
    /// cannot be the anchor.
    private static func order(
        _ attributes: LayoutAttributes,
        _ effect: UpdateEffect,
        _ visible: Rect,
        _ isRightToLeft: Bool
    ) -> (Int, Double)? {
        let frame = attributes.frame
        if case .decoration = attributes.representedElementCategory { return nil }
        guard frame.intersects(visible) else {
            return effect == .stays ? (6, visible.distance(to: frame)) : nil
        }
        let isLeading = isRightToLeft ? frame.maxX <= visible.maxX : frame.minX >= visible.minX
        let part = isLeading && frame.minY >= visible.minY ? 0 : 1
        if attributes.representedElementCategory != .cell {
            return effect == .moves ? nil : (4 + part, 0)
        }
        return switch effect {
        case .stays: (part, 0)
        case .isReloaded: (2 + part, 0)
        case .moves: (7 + part, 0)
        }
    }

    /// Returns the anchor with its place after an update; `nil` if the element is gone.
    func moved(_ newPlace: (LayoutPlace) -> LayoutPlace?) -> ScrollAnchor? {
        guard case .element(let place, let distance, let isRightToLeft) = self else { return self }
        return newPlace(place).map {
            .element($0, distance: distance, isRightToLeft: isRightToLeft)
        }
    }

    /// Returns the content offset at which the anchor keeps its position; `nil` if the element has
    /// no frame.
    ///
    /// - Parameters:
    ///   - start: The offset at the beginning of the content.
    ///   - reference: The rectangle from which distances are measured, relative to the content
    ///     offset.
    ///   - frame: A closure that returns the current frame of an element.
    func offset(start: Point, in reference: Rect, _ frame: (LayoutPlace) -> Rect?) -> Point? {
        switch self {
        case .beginning: start
        case .element(let place, let distance, let isRightToLeft):
            frame(place).map { frame in
                let new = Reference(bounds: reference, isRightToLeft: isRightToLeft)
                    .distance(to: frame)
                return Point(x: new.x - distance.x, y: new.y - distance.y)
            }
        }
    }
}

extension Rect {
    /// Returns the distance between two rectangles along both axes; 0 if they touch.
    fileprivate func distance(to other: Rect) -> Double {
        let x = max(0, other.minX - maxX, minX - other.maxX)
        let y = max(0, other.minY - maxY, minY - other.maxY)
        return x + y
    }
}
