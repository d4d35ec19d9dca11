import CollectionChanges
import CollectionElements
import CollectionLayouts
import CollectionPipeline

// The view as the last stage of the pipeline: it receives updates, and applies them in its turns.

extension SimulatedCollectionView {
    // MARK: CollectionView

    /// The size range for measuring elements, which the layout provides.
    public var elementSizeRange: SizeRange {
        requireLane()
        return shownLayout.elementSizeRange
    }

    /// The path of the first item in the viewport.
    public var firstVisiblePath: ItemPath? {
        requireLane()
        return display.shown.cells.first?.place.path
    }

    /// Enqueues an update, which a later turn applies. The controller calls it.
    public func perform(_ update: ViewUpdate) {
        requireLane()
        log.append(.received(update.submission))
        turns.received(update)
        scheduleTurn()
    }

    /// Drops the waiting updates, which closing the controller has cancelled; the visible content
    /// stays. The controller calls it.
    public func controllerDidClose() {
        requireLane()
        source.isClosed = true
        log.append(.closed(dropped: turns.dropAll()))
        source.fetcher?.end()
        resumeFetchWaiters()
    }

    /// The element map that the view shows; empty if a data source of views fills the view.
    public var map: ElementMap {
        requireLane()
        return content.pipelineMap ?? .empty(generation: 0)
    }

    /// The number of updates in the view's queue.
    public var numberOfWaitingUpdates: Int {
        requireLane()
        return turns.count
    }

    // MARK: Busy state

    /// Whether updates wait because the view is marked as scrolling or animating.
    public var isBusy: Bool {
        requireLane()
        return turns.isBusy
    }

    /// Marks the view as busy. Balance every call with ``endBusy()``.
    public func beginBusy() {
        requireLane()
        if !turns.isBusy { log.append(.becameBusy) }
        turns.busyBegan()
    }

    /// Ends one ``beginBusy()``. When the last one has ended, the next turn applies waiting
    /// updates.
    public func endBusy() {
        requireLane()
        require(turns.isBusy, "endBusy() must follow beginBusy()")
        turns.busyEnded()
        if turns.isBusy { return }
        log.append(.becameIdle)
        scheduleTurn()
    }

    // MARK: Turns

    func scheduleTurn() {
        if turns.needsTurn() { lane.attached?.enqueue { [weak self] in self?.turn() } }
    }

    /// Lays out what is invalid and applies one update, as one pass of a run loop would.
    private func turn() {
        turns.turnBegan()
        layoutIfNeeded()
        switch turns.laidOut() {
        case .nothing: break
        case .postpone(let waiting): log.append(.postponed(waiting: waiting))
        case .deploy(let update): apply(update)
        }
        turns.turnEnded()
        // Something may have become invalid that the turn no longer laid out.
        if pass.isNeeded || turns.canDeploy { scheduleTurn() }
    }

    private func apply(_ update: ViewUpdate) {
        let isDeployed = update.deploy { update in
            do throws(ViewRefusal) {
                try show(update)
            } catch {
                turns.rejected(error)
                throw error
            }
        }
        switch turns.deployed(isDeployed) {
        case .rejected(let refusal): log.append(.refused(update.submission, refusal))
        case .dropped: log.append(.dropped(update.submission))
        case .shown:
            layoutIfNeeded()
            guard update.isAnimated else { return finish(update) }
            // An animation lasts one turn.
            later { [self] in finish(update) }
        }
    }

    private func finish(_ update: ViewUpdate) {
        endAnimation()
        log.append(.finished(update.submission))
        update.finish()
    }

    private func show(_ update: ViewUpdate) throws(ViewRefusal) {
        let changes = update.changeSet
        let content = MapContent(map: update.newMap, preparedLayout: usableLayout(of: update))
        if changes.isReloadData {
            log.append(.reloaded(update.submission))
            return reload(content)
        }
        guard self.content.pipelineMap != nil else {
            throw ViewRefusal(.wrongBase, "The view is filled by a data source of views")
        }
        try UpdateCheck.check(update, shown: map)
        log.append(
            .applied(
                update.submission,
                removals: changes.itemRemovals.count + changes.sectionRemovals.count,
                insertions: changes.itemInsertions.count + changes.sectionInsertions.count,
                reconfigured: changes.reconfigurations.count
            )
        )
        let remeasured = update.remeasured.map { LayoutPlace($0) }
        show(changes, content, remeasured: remeasured, isAnimated: update.isAnimated)
    }

    /// Returns the layout delegate's result for the update; reports a result for other content, and
    /// returns `nil` instead.
    private func usableLayout(of update: ViewUpdate) -> (any Sendable)? {
        let map = update.newMap
        guard let prepared = update.layout as? PreparedFlow, !prepared.map.isIdentical(to: map)
        else { return update.layout }
        let other = prepared.map
        report(
            .layoutAttributes,
            "expected a prepared layout of generation \(map.generation) with"
                + " \(map.shape), found one of generation \(other.generation) with \(other.shape);"
                + " the layout computes everything itself"
        )
        return nil
    }
}

// Applying a validated update. The order of calls is that of UICollectionView.

extension SimulatedCollectionView {
    /// Replaces all content.
    func reload(_ content: any ViewContent) {
        selection.touch.cancel()
        selection.items.removeAll()
        selection.pendingNodeChecks.isEverything = true
        display.transitions = []
        display.animated = nil
        for index in 0..<display.leaving.count {
            exchange(&display.leaving[index], with: []).forEach(endDisplaying)
        }
        for known in display.shown.all {
            known.settled()
            hide(known.place)
        }
        reuse.prefetching.removeAll().forEach { recycle($0, .cell) }
        // Not earlier: a delegate that was notified of the views above may have caused a new anchor
        // to be noted.
        offsetRule.reloaded()
        source.content = content
        source.arrivals += 1
        // The positions of the previous content are of no use.
        pass.invalidated(isForBounds: false)
        let context = type(of: shownLayout).invalidationContextClass.init()
        context.invalidatesEverything = true
        context.invalidatesDataSourceCounts = true
        shownLayout.invalidateLayout(with: context)
    }

    /// Applies a change set that leads from the current content to `content`.
    ///
    /// - Parameter remeasured: The elements whose size changed without an edit, in the new index
    ///   space.
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
        if changes.insertsItems { source.arrivals += 1 }
        notifyRanges(of: changes, remeasured)
        layOut(applying: changes, remeasured)
        rebase(through: changes)
        let deleted = isAnimated ? placesToDelete() : []
        var gone = display.shown.rekey { deleted.contains($0) ? nil : survivors.newPlace(of: $0) }
        // If the update ended the touch, the items that the touch was about to deselect look
        // selected again.
        if selection.touch.path == nil { restoreSelection() }
        refill(changes)
        if !viewport.bounds.isEmpty { queryWindow() }
        if !viewport.bounds.isEmpty { moveOffset(to: offset(after: changes, keeping: anchor)) }
        // The new offset may have invalidated the layout.
        prepareLayout()
        let needed = neededAttributes()
        if isAnimated {
            gone += takePlacesToInsert(needed)
            gone.sort { $0.place < $1.place }
        }
        // The anchor also holds while views return their preferred sizes in the following pass.
        offsetRule.take(.update(viewport.bounds.isEmpty ? anchor : currentAnchor()))
        let shift = viewport.shift(since: oldOffset)
        end(gone, needed, survivors, shift, isAnimated: isAnimated)
        if hasEdits(changes) {
            ask(.finalizeCollectionViewUpdates) { $0.finalizeCollectionViewUpdates() }
        }
        pass.updateEnded()
        setNeedsLayout()
    }

    /// Returns the element that keeps its position on the screen, with its new place.
    private func anchor(through survivors: SurvivingPlaces) -> ScrollAnchor? {
        // Content that is fetched for the head is inserted above the visible content.
        let isFetching = source.fetcher?.isContentArriving(.head) ?? false
        func holds(_ noted: ScrollAnchor) -> Bool {
            guard let place = noted.place else { return !isFetching }
            return viewport.bounds.isEmpty || survivors.effect(on: place) == .stays
        }
        let noted = offsetRule.anchor.flatMap { holds($0) ? $0 : nil }
        let anchor = noted ?? currentAnchor(mayBeBeginning: !isFetching, effect: survivors.effect)
        return anchor?.moved(survivors.newAnchorPlace)
    }

    /// Removes the views that an update deleted, immediately or after its animation, and sets
    /// `transitions`.
    private func end(
        _ gone: [ShownView],
        _ needed: [LayoutAttributes],
        _ survivors: SurvivingPlaces,
        _ shift: Point,
        isAnimated: Bool
    ) {
        let changes = survivors.changes
        func goesAtOnce(_ view: ShownView) -> Bool {
            !isAnimated || changes.isUnanimated(old: view.place)
        }
        display.animated = isAnimated ? changes : nil
        if isAnimated {
            let leaving = gone.filter { !goesAtOnce($0) }
            display.transitions = transitions(of: leaving, needed, survivors, shift: shift)
            display.leaving.append(leaving)
        }
        gone.filter(goesAtOnce).forEach(endDisplaying)
    }

    /// Ends an animation and releases the views that disappeared in it.
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
            // The log stores only the first edits, so that large updates do not fill it.
            let call = ViewEvent.LayoutCall.prepareForCollectionViewUpdates(
                first: Array(items.prefix(16)),
                count: items.count
            )
            ask(call) { $0.prepare(forCollectionViewUpdates: items) }
        }
        // A prepared layout may differ from the previous one even if nothing was edited.
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
        selection.pendingNodeChecks.isEverything = true
        reuse.prefetching.rebase { changes.survivingPath(of: $0) }
            .forEach { recycle($0, .cell) }
    }

    /// Makes each view show the newest revision of its element.
    private func refill(_ changes: ValidatedChangeSet) {
        let reconfigured = changes.reconfigurations
        for known in display.shown.all {
            let place = known.place
            let isReconfigured =
                place.category == .cell
                && reconfigured.sortedPosition(of: place.path) { $0.newPath } != nil
            refill(known.view, at: place, isReconfigured: isReconfigured)
        }
        for change in reconfigured { reuse.prefetching.markStale(change.newPath) }
    }

    /// Makes a view show the newest revision of its element.
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
