import CollectionElements
import CollectionLayouts

// The batch fetcher of the view, and the data that it needs.

extension SimulatedCollectionView {
    /// The object that fetches more content before a reader reaches the end; `nil` by default,
    /// which costs nothing.
    ///
    /// A fetcher belongs to one view. Replacing a fetcher cancels its fetches.
    public var batchFetcher: BatchFetcher? {
        get {
            requireLane()
            return source.fetcher
        }
        set {
            requireLane()
            guard newValue !== source.fetcher else { return }
            require(newValue?.isNew != false, "A batch fetcher belongs to one collection view")
            let former = exchange(&source.fetcher, with: newValue)
            newValue?.view = self
            former?.end()
            setNeedsLayout()
        }
    }

    /// Returns when no fetch is in progress at either end, all fetched content is shown, and the
    /// view has checked whether to fetch more. Without a fetcher, or after closing, it returns in
    /// one of the next turns.
    ///
    /// ```swift
    /// try await controller.reloadData()
    /// await view.fetchingEnded()  // enough content is fetched
    /// ```
    ///
    /// Call it from any thread, but not from within a fetch, which would wait for itself.
    public func fetchingEnded() async {
        guard let lane = lane.attached else { return }
        await suspend { resume in
            lane.enqueue { [self] in
                source.fetchWaiters.append { resume(()) }
                setNeedsLayout()
            }
        }
    }

    /// Resumes the callers that wait for the end of fetching. Called after a pass has checked for
    /// more, or after the controller has closed.
    func resumeFetchWaiters() {
        guard !source.fetchWaiters.isEmpty, !isFetchUnderWay else { return }
        for resume in exchange(&source.fetchWaiters, with: []) { resume() }
    }

    private var isFetchUnderWay: Bool {
        guard let fetcher = source.fetcher, !source.isClosed else { return false }
        return source.isExpectingUpdates || fetcher.isLooking
            || ContentEnd.allCases.contains(where: fetcher.isFetching)
    }

    /// Records whether updates are in flight that are not shown yet. The controller calls it.
    public func updatesInFlightDidChange(_ areInFlight: Bool) {
        requireLane()
        source.isExpectingUpdates = areInFlight
        if !areInFlight, source.fetcher != nil { setNeedsLayout() }
    }

    /// Whether the view was filled and no update is in flight to it.
    var isSettled: Bool {
        let isWaiting = source.isExpectingUpdates
        return source.version > 0 && !isWaiting && !source.isClosed
    }

    /// The fingerprint of the current content.
    var contentFingerprint: FetchProgress.Fingerprint {
        FetchProgress.Fingerprint(
            numberOfItems: content.shape.numberOfItems,
            arrivals: source.arrivals,
            size: viewport.contentSize
        )
    }

    /// Returns the position and movement of the viewport for the decision to fetch at an end.
    func fetchConditions(at end: ContentEnd, screens: Double, velocity: Point) -> FetchConditions {
        let axis = shownLayout.scrollDirection
        let direction = reuse.prefetching.direction
        let heading: FetchConditions.Heading? =
            switch axis {
            case .vertical: direction.y.map { $0 == 1 ? .down : .up }
            case .horizontal: direction.x.map { $0 == 1 ? .right : .left }
            }
        return FetchConditions(
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
