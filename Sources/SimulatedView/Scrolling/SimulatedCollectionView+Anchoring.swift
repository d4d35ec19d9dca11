import CollectionChanges
import CollectionLayouts

// Where the content offset belongs after a change: `OffsetRule` says what counts, the layout where that is now.

extension SimulatedCollectionView {
    /// What is to stay where it is, as the layout has it now.
    ///
    /// - Parameters:
    ///   - mayBeBeginning: whether the beginning holds the place if it is visible.
    ///   - fate: what happens to an element; `nil` if it is gone afterwards.
    func currentAnchor(
        mayBeBeginning: Bool = true,
        fate: (LayoutPlace) -> ScrollAnchor.Fate? = { _ in .stays }
    ) -> ScrollAnchor? {
        if mayBeBeginning, viewport.isAtStart { return .beginning }
        return anchor(among: attributesAroundViewport(), fate: fate)
    }

    func anchor(
        among candidates: some Sequence<LayoutAttributes>,
        fate: (LayoutPlace) -> ScrollAnchor.Fate? = { _ in .stays }
    ) -> ScrollAnchor? {
        guard !viewport.bounds.isEmpty else { return nil }
        return ScrollAnchor(
            candidates,
            ScrollAnchor.Reference(bounds: anchoringBounds, isRightToLeft: isRightToLeft),
            visible: viewport.bounds.inset(by: viewport.inset),
            fate: fate
        )
    }

    /// What the distances of anchors are measured from. Pages begin where the insets end, and would no longer be
    /// aligned if the insets changed.
    private var anchoringBounds: Rect {
        shownLayout is PagerLayout ? viewport.bounds.inset(by: viewport.inset) : viewport.bounds
    }

    /// Everything in the viewport and around it, as the layout had it before anything was invalidated. The content
    /// may have been scrolled since the last pass, so that other elements are shown.
    ///
    /// Within a pass or an update it is what is shown already: what comes into sight may turn out to want another
    /// size, for which nothing that was visible is to move.
    private func attributesAroundViewport() -> [LayoutAttributes] {
        guard pass.hasPlaces, !pass.isLocked else {
            return display.shown.all.compactMap { known in
                // What was applied may be of the round before.
                display.window.rect == nil ? known.attributes : display.window[known.place]
            }
        }
        let pages = AttributeWindow.pages(around: viewport.bounds, of: viewport.bounds.size)
        // What is asked of a layout that is not prepared for these bounds is not kept.
        guard pass.isPrepared else { return usableAttributes(in: pages) }
        if !display.window.covers(viewport.bounds) { queryWindow() }
        return display.window.attributes.filter { $0.frame.intersects(pages) }
    }

    /// Notes what is to stay where it is until the end of the next pass, or of this one; before the layout
    /// changes.
    func noteAnchor() {
        guard offsetRule.isAnchorWanted, !pass.isUpdating else { return }
        offsetRule.take(.invalidation(currentAnchor()))
    }

    /// The offset of a round, once the layout is prepared.
    func settledOffset() -> Point {
        let anchor = offsetRule.settled()
        // A pinned header follows the offset; the offset must not follow the header in turn.
        if let place = anchor?.place, place.category != .cell, offsetRule.hasKept {
            return viewport.legal(viewport.offset)
        }
        let kept = kept(by: anchor)
        if let anchor, let kept {
            // The offset of the round before may have been brought within the ends.
            shiftMotion(
                keeping: anchor,
                from: offsetRule.kept(at: kept) ?? viewport.offset,
                to: kept
            )
        }
        return viewport.legal(kept ?? viewport.offset)
    }

    /// The offset that the view proposes after an update, and then what layout and delegate make of it.
    ///
    /// - Parameter anchor: what stays in place, by its place after the update.
    func offset(after changes: ValidatedChangeSet, keeping anchor: ScrollAnchor?) -> Point {
        let kept = kept(by: anchor)
        if let anchor, let kept { shiftMotion(keeping: anchor, from: viewport.offset, to: kept) }
        // Not before the layout was asked, which may change what is legal.
        let proposed = viewport.legal(kept ?? viewport.offset)
        return hasEdits(changes) ? askTarget(proposed) : proposed
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
        // What is only rounded differently does not move.
        func settled(_ new: Double, _ old: Double) -> Double { abs(new - old) < 1e-9 ? old : new }
        return kept.map { Point(x: settled($0.x, origin.x), y: settled($0.y, origin.y)) }
    }

    /// The content lies elsewhere where its cells do, and where it begins at the right, which it grows away from. That
    /// the offset is brought within its ends is no reason for a motion to end elsewhere.
    private func shiftMotion(keeping anchor: ScrollAnchor, from old: Point, to new: Point) {
        if anchor != .beginning {
            shiftMotion(from: old, to: new)
        } else if isRightToLeft {
            shiftMotion(from: old, to: Point(x: new.x, y: old.y))
        }
    }

    /// What moves by itself goes on as far from `new` as it was from `old`, where the content was.
    func shiftMotion(from old: Point, to new: Point) {
        scrolling.motion?.shift(by: Point(x: new.x - old.x, y: new.y - old.y))
    }

    /// Asks layout and delegate where to scroll instead of to `proposed`.
    func askTarget(_ proposed: Point) -> Point {
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
