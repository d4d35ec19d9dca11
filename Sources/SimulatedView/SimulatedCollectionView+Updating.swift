import CollectionChanges
import CollectionLayouts
import CollectionPipeline

// An update that is known to be right takes the place of what was shown; the order of calls is that
// of UICollectionView.

extension SimulatedCollectionView {
    /// How views came, went and moved in the last animated update: those that went by old place, then the
    /// others by new place, those that moved out of sight last.
    public var transitions: [ViewTransition] {
        requireLane("transitions")
        return lastTransitions
    }

    /// Replaces everything.
    func reload(_ content: any ViewContent) {
        let wasAtStart = isAtStart
        touches.cancel()
        chosen.removeAll()
        lastTransitions = []
        isAnimatingPass = false
        for index in 0..<leaving.count {
            let group = leaving[index]
            leaving[index] = []
            group.forEach(endDisplaying)
        }
        for place in shown.keys.sorted() { hide(place) }
        // Behind the others, some of which it would keep for their old items.
        prefetching.removeAll().forEach { recycle($0, .cell) }
        shownContent = content
        let context = type(of: shownLayout).invalidationContextClass.init()
        context.invalidatesEverything = true
        context.invalidatesDataSourceCounts = true
        shownLayout.invalidate(with: context)
        // Where the beginning is may depend on the content: from right to left it is the far end.
        pendingAnchor = wasAtStart ? .beginning : nil
    }

    /// Applies a change set that leads from what is shown to `content`.
    ///
    /// - Parameter remeasured: elements whose size changed without an edit, in the new space.
    func show(
        _ changes: ValidatedChangeSet,
        _ content: any ViewContent,
        remeasured: [LayoutPlace],
        isAnimated: Bool
    ) {
        let survivors = SurvivingPlaces(changes, old: shownContent, new: content)
        let anchor = currentAnchor { survivors.newPlace(of: $0) != nil }
        lastTransitions = []
        shownContent = content
        isUpdating = true
        layOut(applying: changes, remeasured)
        rebase(through: changes)
        let gone = rekey(survivors)
        // A touch on what is gone is over.
        if touches.path == nil { restoreSelection() }
        refill(changes)
        loadWindow()
        let offset = offsetAfterUpdate(keeping: anchor, changes)
        moveOffset(to: offset)
        if isAnimated {
            animate(gone)
            leaving.append(gone)
            isAnimatingPass = true
        } else {
            gone.forEach(endDisplaying)
        }
        if hasEdits(changes) { ask(.finalizeUpdates) { $0.finalizeUpdates() } }
        isUpdating = false
        setNeedsLayout()
    }

    /// Has a view that an animated update moves out of sight stay until the animation ends.
    func moveOut(_ known: ShownView, to place: LayoutPlace) {
        lastTransitions.append(
            ViewTransition(
                oldPlace: known.attributes.place,
                newPlace: place,
                start: known.attributes,
                end: attributes(for: place) ?? known.attributes.faded
            )
        )
        leaving[leaving.count - 1].append(
            LeavingView(place: place, view: known.view, isAnnounced: known.isAnnounced)
        )
    }

    /// An animation has ended: what it took away is gone.
    func endAnimation() { leaving.popFirst()?.forEach(endDisplaying) }

    private func hasEdits(_ changes: ValidatedChangeSet) -> Bool {
        !changes.edits.isEmpty || !changes.reconfigurations.isEmpty
            || !changes.supplementaryReloads.isEmpty
    }

    // MARK: Layout

    private func layOut(applying changes: ValidatedChangeSet, _ remeasured: [LayoutPlace]) {
        if hasEdits(changes) {
            let context = type(of: shownLayout).invalidationContextClass.init()
            context.invalidatesDataSourceCounts = true
            shownLayout.invalidate(with: context)
            ask(.prepareApplying) { $0.prepare(applying: changes) }
            isPrepared = true
            noteAnsweredContentSize()
            let items = LayoutUpdateItem.items(of: changes)
            ask(.prepareForUpdates(items)) { $0.prepare(forUpdates: items) }
        }
        guard !remeasured.isEmpty else { return }
        let context = type(of: shownLayout).invalidationContextClass.init()
        for place in remeasured {
            switch place.category {
            case .cell: context.invalidateItems(at: [place.path])
            case .supplementary(let kind):
                context.invalidateSupplementaryElements(ofKind: kind, at: [place.path])
            case .decoration: break
            }
        }
        shownLayout.invalidate(with: context)
        prepareLayout()
    }

    private func loadWindow() {
        guard !currentBounds.isEmpty else { return }
        window.invalidate()
        queryWindow()
    }

    /// The offset that the view proposes, and then what layout and delegate make of it.
    private func offsetAfterUpdate(
        keeping anchor: ScrollAnchor?,
        _ changes: ValidatedChangeSet
    ) -> Point {
        let width = currentBounds.size.width
        let kept = anchor?.offset(start: contentStart, width: width) { oldPath in
            changes.newPath(for: oldPath).flatMap { attributes(for: .cell($0))?.frame }
        }
        let proposed = legalOffset(kept ?? currentBounds.origin)
        guard hasEdits(changes) else { return proposed }
        let target = askTarget(proposed)
        // The viewport has moved since it was asked about; what it shows there is asked in the pass.
        return target
    }

    /// Asks layout and delegate where to scroll instead of to `proposed`.
    func askTarget(_ proposed: Point) -> Point {
        let answer = asking { $0.targetContentOffset(forProposed: proposed) }
        log.append(.layout(.targetContentOffset(proposed: proposed, answer)))
        let wanted =
            delegate?.collectionView(self, targetContentOffsetForProposed: answer) ?? answer
        guard wanted.x.isFinite, wanted.y.isFinite else { return proposed }
        let isOther = abs(wanted.x - proposed.x) >= 1e-4 || abs(wanted.y - proposed.y) >= 1e-4
        return isOther ? legalOffset(wanted) : proposed
    }

    // MARK: Views

    private func rebase(through changes: ValidatedChangeSet) {
        touches.rebase { changes.survivingPath(of: $0) }
        chosen.rebase { changes.survivingPath(of: $0) }
        prefetching.rebase { changes.survivingPath(of: $0) }
            .forEach { recycle($0, .cell) }
    }

    /// Gives the views that stay their new places, and takes the others out.
    private func rekey(_ survivors: SurvivingPlaces) -> [LeavingView] {
        var kept: [LayoutPlace: ShownView] = [:]
        var gone: [LeavingView] = []
        for (place, view) in shown {
            if let newPlace = survivors.newPlace(of: place) {
                kept[newPlace] = view
            } else {
                gone.append(
                    LeavingView(place: place, view: view.view, isAnnounced: view.isAnnounced)
                )
            }
        }
        shown = kept
        return gone.sorted { $0.place < $1.place }
    }

    /// What shows an element shows its newest revision.
    private func refill(_ changes: ValidatedChangeSet) {
        let reconfigured = Set(changes.reconfigurations.map(\.newPath))
        for path in reconfigured { prefetching.noteReconfiguration(of: path) }
        for place in shown.keys.sorted() {
            let isReconfigured = place.category == .cell && reconfigured.contains(place.path)
            guard let view = shown[place]?.view,
                shownContent.refill(view, at: place, isReconfigured: isReconfigured, in: self)
            else { continue }
            shown[place]?.needsPreferred = true
        }
    }

    /// Asks the layout where views go to and come from: those that go, then the others.
    private func animate(_ gone: [LeavingView]) {
        // The new content offset may have invalidated it.
        prepareLayout()
        var made: [ViewTransition] = []
        for leaving in gone {
            guard leaving.isAnnounced, let start = leaving.view.attributes else { continue }
            let place = leaving.place
            let end = asking { $0.finalAttributes(forDisappearing: place) }
            log.append(.layout(.finalAttributes(place, found: end != nil)))
            made.append(
                ViewTransition(
                    oldPlace: place,
                    newPlace: nil,
                    start: start,
                    end: end ?? start.faded
                )
            )
        }
        for end in neededAttributes() {
            if let known = shown[end.place] {
                guard known.attributes != end else { continue }
                made.append(
                    ViewTransition(
                        oldPlace: known.attributes.place,
                        newPlace: end.place,
                        start: known.attributes,
                        end: end
                    )
                )
                continue
            }
            let start = asking { $0.initialAttributes(forAppearing: end.place) }
            log.append(.layout(.initialAttributes(end.place, found: start != nil)))
            made.append(
                ViewTransition(
                    oldPlace: nil,
                    newPlace: end.place,
                    start: start ?? end.faded,
                    end: end
                )
            )
        }
        lastTransitions = made
    }
}

/// A view that an update takes away.
struct LeavingView {
    let place: LayoutPlace
    let view: CollectionReusableView
    let isAnnounced: Bool
}

extension LayoutAttributes {
    /// The same place, invisible.
    fileprivate var faded: LayoutAttributes {
        var attributes = self
        attributes.alpha = 0
        return attributes
    }
}
