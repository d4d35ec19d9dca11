import CollectionChanges
import CollectionLayouts

// Where the content offset belongs after a change: `OffsetRule` says what counts, the layout where that is now.

extension SimulatedCollectionView {
    /// What is to stay where it is, as of what is shown now.
    func currentAnchor(where isCandidate: (LayoutPlace) -> Bool = { _ in true }) -> ScrollAnchor? {
        if viewport.isAtStart { return .beginning }
        var cells: [LayoutAttributes] = []
        for known in display.shown.cells where isCandidate(known.place) {
            // What was applied may be of the round before.
            let attributes =
                display.window.rect == nil ? known.attributes : display.window[known.place]
            if let attributes { cells.append(attributes) }
        }
        return ScrollAnchor(
            cells,
            in: viewport.bounds,
            visible: viewport.bounds.inset(by: viewport.inset),
            isRightToLeft: isRightToLeft
        )
    }

    /// Notes what is to stay where it is until the end of the next pass, or of this one; before the layout
    /// changes.
    func noteAnchor() {
        if offsetRule.isAnchorWanted { offsetRule.take(.invalidation(currentAnchor())) }
    }

    /// The offset of a round, once the layout is prepared.
    func settledOffset() -> Point {
        let anchor = offsetRule.settled()
        let kept = kept(by: anchor) { attributes(for: .cell($0))?.frame }
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
    func offset(after changes: ValidatedChangeSet, keeping anchor: ScrollAnchor?) -> Point {
        let kept = kept(by: anchor) { oldPath in
            changes.newPath(for: oldPath).flatMap { attributes(for: .cell($0))?.frame }
        }
        if let anchor, let kept { shiftMotion(keeping: anchor, from: viewport.offset, to: kept) }
        // Not before the layout was asked, which may change what is legal.
        let proposed = viewport.legal(kept ?? viewport.offset)
        return hasEdits(changes) ? askTarget(proposed) : proposed
    }

    private func kept(by anchor: ScrollAnchor?, _ frame: (ItemPath) -> Rect?) -> Point? {
        anchor?.offset(start: viewport.start, width: viewport.bounds.size.width, frame)
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
