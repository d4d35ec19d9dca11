import CollectionElements
import CollectionLayouts
import CollectionPipeline

// The view as the last stop of the pipeline: updates come in, and its turns take them up.

extension SimulatedCollectionView {
    // MARK: CollectionView

    /// What the layout says.
    public var elementSizeRange: SizeRange {
        requireLane("elementSizeRange")
        return shownLayout.elementSizeRange
    }

    /// The first item in the viewport.
    public var firstVisiblePath: ItemPath? {
        requireLane("firstVisiblePath")
        return display.shown.cells.first?.place.path
    }

    /// Takes in an update; a later turn applies it. The controller calls it.
    public func perform(_ update: ViewUpdate) {
        requireLane("perform(_:)")
        log.append(.received(update.submission))
        turns.received(update)
        scheduleTurn()
    }

    /// Drops the updates that wait, which the close has cancelled; what is shown stays. The controller calls it.
    public func controllerDidClose() {
        requireLane("controllerDidClose()")
        source.isClosed = true
        log.append(.closed(dropped: turns.dropAll()))
        supply.fetcher?.end()
        resumeFetchWaiters()
    }

    /// The map that the view shows; empty where a data source of views fills it.
    public var map: ElementMap {
        requireLane("map")
        return content.pipelineMap ?? .empty(generation: 0)
    }

    /// How many updates wait in the view's queue.
    public var numberOfWaitingUpdates: Int {
        requireLane("numberOfWaitingUpdates")
        return turns.count
    }

    // MARK: Being busy

    /// Whether updates wait because the view scrolls or animates.
    public var isBusy: Bool {
        requireLane("isBusy")
        return turns.isBusy
    }

    /// Begins to be busy; every call needs one of ``endBusy()``.
    public func beginBusy() {
        requireLane("beginBusy()")
        if turns.becameBusy() { log.append(.becameBusy) }
    }

    /// Ends being busy; what waited is taken up in the next turn.
    public func endBusy() {
        requireLane("endBusy()")
        require(turns.isBusy, "endBusy() must follow beginBusy()")
        guard turns.becameIdle() else { return }
        log.append(.becameIdle)
        scheduleTurn()
    }

    // MARK: Turns

    func scheduleTurn() {
        if turns.needsTurn() { enqueueTurn() }
    }

    private func enqueueTurn() {
        lane.attached?.enqueue { [weak self] in self?.turn() }
    }

    /// One turn lays out what is invalid, and takes up one update, as one pass of a run loop would.
    private func turn() {
        turns.turnBegan()
        layoutIfNeeded()
        switch turns.laidOut() {
        case .nothing: break
        case .postpone(let waiting): log.append(.postponed(waiting: waiting))
        case .deploy(let update): apply(update)
        }
        if turns.turnEnded(needsLayout: pass.isNeeded) { enqueueTurn() }
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
            // An animation lasts a turn.
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

    /// What a layout delegate made for the update; not what it made of other content, where things are elsewhere.
    private func usableLayout(of update: ViewUpdate) -> (any Sendable)? {
        let map = update.newMap
        guard let prepared = update.layout as? PreparedFlow, !prepared.map.isIdentical(to: map)
        else { return update.layout }
        let other = prepared.map
        report(
            ViewError(
                .layoutAttributes,
                "expected a layout of what is to be shown, generation \(map.generation) with"
                    + " \(map.shape), found one of generation \(other.generation) with \(other.shape);"
                    + " the layout lays out itself"
            )
        )
        return nil
    }
}
