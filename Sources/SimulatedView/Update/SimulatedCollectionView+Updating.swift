import CollectionChanges
import CollectionLayouts
import CollectionPipeline

// An update that is known to be right takes the place of what was shown; the order of calls is that
// of UICollectionView.

extension SimulatedCollectionView {
    /// Replaces everything.
    func reload(_ content: any ViewContent) {
        selection.touch.cancel()
        selection.items.removeAll()
        selection.untold.isEverything = true
        display.transitions = []
        display.animated = nil
        for index in 0..<display.leaving.count {
            let group = display.leaving[index]
            display.leaving[index] = []
            group.forEach(endDisplaying)
        }
        for known in display.shown.all {
            known.settled()
            hide(known.place)
        }
        supply.prefetching.removeAll().forEach { recycle($0, .cell) }
        // Not before: whoever was told what is gone may have had another anchor noted.
        offsetRule.reloaded()
        source.content = content
        source.arrivals += 1
        // Where the layout has the content before is of no use.
        pass.invalidated(isForBounds: false)
        let context = type(of: shownLayout).invalidationContextClass.init()
        context.invalidatesEverything = true
        context.invalidatesDataSourceCounts = true
        shownLayout.invalidateLayout(with: context)
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
        let survivors = SurvivingPlaces(changes, old: self.content, new: content)
        let anchor = anchor(through: survivors)
        display.transitions = []
        let oldOffset = viewport.offset
        pass.updateBegan()
        source.content = content
        if changes.bringsItems { source.arrivals += 1 }
        tellRanges(of: changes, remeasured)
        layOut(applying: changes, remeasured)
        rebase(through: changes)
        let deleted = isAnimated ? placesToDelete() : []
        var gone = display.shown.rekey { deleted.contains($0) ? nil : survivors.newPlace(of: $0) }
        // A touch on what is gone is over, and with it what it was about to deselect.
        if selection.touch.path == nil { restoreSelection() }
        refill(changes)
        if !viewport.bounds.isEmpty { queryWindow() }
        if !viewport.bounds.isEmpty { moveOffset(to: offset(after: changes, keeping: anchor)) }
        // The new offset may have invalidated it.
        prepareLayout()
        let needed = neededAttributes()
        if isAnimated {
            gone += takePlacesToInsert(needed)
            gone.sort { $0.place < $1.place }
        }
        // What views turn out to want in the pass that follows moves nothing either.
        offsetRule.take(.update(viewport.bounds.isEmpty ? anchor : currentAnchor()))
        let shift = viewport.shift(since: oldOffset)
        end(gone, needed, survivors, shift, isAnimated: isAnimated)
        if hasEdits(changes) {
            ask(.finalizeCollectionViewUpdates) { $0.finalizeCollectionViewUpdates() }
        }
        pass.updateEnded()
        setNeedsLayout()
    }

    /// What an update is to leave in place, by its place afterwards.
    private func anchor(through survivors: SurvivingPlaces) -> ScrollAnchor? {
        // What is fetched for the head is inserted above what the reader reads.
        let isFetching = supply.fetcher?.isBringing(.head) ?? false
        func holds(_ noted: ScrollAnchor) -> Bool {
            guard let place = noted.place else { return !isFetching }
            return viewport.bounds.isEmpty || survivors.fate(of: place) == .stays
        }
        let noted = offsetRule.anchor.flatMap { holds($0) ? $0 : nil }
        let anchor = noted ?? currentAnchor(mayBeBeginning: !isFetching, fate: survivors.fate)
        return anchor?.moved(survivors.newAnchorPlace)
    }

    /// Has views go that an update took away, at once or until its animation ends, and notes its transitions.
    private func end(
        _ gone: [ShownView],
        _ needed: [LayoutAttributes],
        _ survivors: SurvivingPlaces,
        _ shift: Point,
        isAnimated: Bool
    ) {
        let changes = survivors.changes
        func goesAtOnce(_ view: ShownView) -> Bool {
            !isAnimated || changes.isAtOnce(old: view.place)
        }
        display.animated = isAnimated ? changes : nil
        if isAnimated {
            let leaving = gone.filter { !goesAtOnce($0) }
            display.transitions = transitions(of: leaving, needed, survivors, shift: shift)
            display.leaving.append(leaving)
        }
        gone.filter(goesAtOnce).forEach(endDisplaying)
    }

    /// An animation has ended: what it took away is gone.
    func endAnimation() { display.leaving.popFirst()?.forEach(endDisplaying) }

    func hasEdits(_ changes: ValidatedChangeSet) -> Bool {
        !changes.edits.isEmpty || !changes.reconfigurations.isEmpty
            || !changes.supplementaryReloads.isEmpty
    }

    // MARK: Layout

    private func layOut(applying changes: ValidatedChangeSet, _ remeasured: [LayoutPlace]) {
        if hasEdits(changes) {
            let context = type(of: shownLayout).invalidationContextClass.init()
            context.invalidatesDataSourceCounts = true
            shownLayout.invalidateLayout(with: context)
            pass.preparing()
            ask(.prepareApplying) { $0.prepare(applying: changes) }
            noteAnsweredContentSize()
            let items = LayoutUpdateItem.items(of: changes)
            // A log is bounded in what it keeps of large updates too.
            let call = ViewEvent.LayoutCall.prepareForCollectionViewUpdates(
                first: Array(items.prefix(16)),
                count: items.count
            )
            ask(call) { $0.prepare(forCollectionViewUpdates: items) }
        }
        // What was laid out beforehand may be other than before also where nothing was edited.
        let isPrepared = content.preparedLayout is PreparedFlow && !hasEdits(changes)
        guard !remeasured.isEmpty || isPrepared else { return }
        let context = type(of: shownLayout).invalidationContextClass.init()
        for place in remeasured {
            switch place.category {
            case .cell: context.invalidateItems(at: [place.path])
            case .supplementary(let kind):
                context.invalidateSupplementaryElements(ofKind: kind, at: [place.path])
            case .decoration: break
            }
        }
        shownLayout.invalidateLayout(with: context)
        prepareLayout()
    }

    // MARK: Views

    private func rebase(through changes: ValidatedChangeSet) {
        selection.touch.rebase { changes.survivingPath(of: $0) }
        selection.items.rebase { changes.survivingPath(of: $0) }
        selection.untold.isEverything = true
        supply.prefetching.rebase { changes.survivingPath(of: $0) }
            .forEach { recycle($0, .cell) }
    }

    /// What shows an element shows its newest revision.
    private func refill(_ changes: ValidatedChangeSet) {
        let reconfigured = Set(changes.reconfigurations.map(\.newPath))
        for known in display.shown.all {
            let place = known.place
            let isReconfigured = place.category == .cell && reconfigured.contains(place.path)
            refill(known.view, at: place, isReconfigured: isReconfigured)
        }
        for path in reconfigured { supply.prefetching.markStale(path) }
    }

    /// Has a view show its element's newest revision.
    func refill(
        _ view: CollectionReusableView,
        at place: LayoutPlace,
        isReconfigured: Bool
    ) {
        do throws(ViewError) {
            if try content.refill(view, at: place, isReconfigured: isReconfigured, in: self) {
                log.append(.refilled(place))
            }
        } catch {
            report(error)
        }
    }
}
