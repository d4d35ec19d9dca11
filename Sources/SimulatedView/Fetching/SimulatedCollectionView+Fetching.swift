import CollectionElements
import CollectionLayouts

// What a batch fetcher needs of its view.

extension SimulatedCollectionView {
    /// Who has more content fetched before a reader runs out of it; none at first, and then nothing of it costs
    /// anything.
    ///
    /// A fetcher belongs to one view. What one that is replaced was fetching is called off.
    public var batchFetcher: BatchFetcher? {
        get {
            requireLane("batchFetcher")
            return supply.fetcher
        }
        set {
            requireLane("batchFetcher")
            guard newValue !== supply.fetcher else { return }
            require(newValue?.isNew != false, "A batch fetcher belongs to one collection view")
            let former = supply.fetcher
            supply.fetcher = newValue
            newValue?.view = self
            former?.end()
            setNeedsLayout()
        }
    }

    /// Returns when no fetch is under way at either end, what fetches have submitted is shown, and the view has looked
    /// whether more is to be fetched; without a fetcher, or after the close, in one of the next turns.
    ///
    /// ```swift
    /// try await controller.reloadData()
    /// await view.fetchingEnded()  // as much is there as the fetcher wants
    /// ```
    ///
    /// From any thread; not from within a fetch, which would wait for itself.
    public func fetchingEnded() async {
        guard let lane = lane.attached else { return }
        await suspend { resume in
            lane.enqueue { [self] in
                supply.fetchWaiters.append { resume(()) }
                setNeedsLayout()
            }
        }
    }

    /// Lets those go on who wait for the end of fetching, after a pass has looked for more or the view was closed.
    func resumeFetchWaiters() {
        guard !supply.fetchWaiters.isEmpty, !isFetchUnderWay else { return }
        let waiters = supply.fetchWaiters
        supply.fetchWaiters = []
        for resume in waiters { resume() }
    }

    private var isFetchUnderWay: Bool {
        guard let fetcher = supply.fetcher, !source.isClosed else { return false }
        return source.isExpectingUpdates || ContentEnd.allCases.contains(where: fetcher.isFetching)
    }

    /// Whether anything is on its way that is not shown yet. The controller calls it.
    public func updatesInFlightDidChange(_ areInFlight: Bool) {
        requireLane("updatesInFlightDidChange(_:)")
        source.isExpectingUpdates = areInFlight
        if !areInFlight, supply.fetcher != nil { setNeedsLayout() }
    }

    /// Whether what the view shows is what there is: it was filled, and nothing is on its way to it.
    var isSettled: Bool {
        let isWaiting = source.isExpectingUpdates
        return source.version > 0 && !isWaiting && !source.isClosed
    }

    /// What content is known by.
    var fetchMark: FetchProgress.Mark {
        FetchProgress.Mark(
            numberOfItems: content.shape.numberOfItems,
            arrivals: source.arrivals,
            size: viewport.contentSize
        )
    }

    /// Where the viewport is, as far as fetching at an end goes.
    func fetchSituation(at end: ContentEnd, screens: Double, velocity: Point) -> FetchSituation {
        let axis = shownLayout.scrollDirection
        let direction = supply.prefetching.direction
        let heading: FetchSituation.Heading? =
            switch axis {
            case .vertical: direction.y.map { $0 == 1 ? .down : .up }
            case .horizontal: direction.x.map { $0 == 1 ? .right : .left }
            }
        return FetchSituation(
            end: end,
            axis: axis,
            heading: heading,
            size: viewport.bounds.size,
            contentSize: viewport.contentSize,
            offset: velocity == .zero ? viewport.offset : restingOffset,
            velocity: velocity,
            screens: screens,
            isVisible: display.ranges?.isContainerVisible ?? true,
            isRightToLeft: viewport.insets.isRightToLeft
        )
    }
}
