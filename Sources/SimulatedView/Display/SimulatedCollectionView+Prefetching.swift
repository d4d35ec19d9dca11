import CollectionLayouts

// What is done ahead of scrolling happens in idle ticks that the program gives, so that it is the same in
// every run.

extension SimulatedCollectionView {
    /// Whether idle ticks prepare cells, and cells that went out of sight wait a while for their item to come
    /// back; false by default.
    public var isPrefetchingEnabled: Bool {
        get {
            requireLane("isPrefetchingEnabled")
            return supply.prefetching.isEnabled
        }
        set {
            requireLane("isPrefetchingEnabled")
            supply.prefetching.isEnabled = newValue
            if !newValue { supply.prefetching.removeAll().forEach { recycle($0, .cell) } }
        }
    }

    /// The items whose cells are prepared and not in sight, ascending.
    public var preparedItems: [ItemPath] {
        requireLane("preparedItems")
        return supply.prefetching.preparedPaths
    }

    /// A moment without other work: announces to the ``prefetchDataSource`` the items within a viewport ahead
    /// of the last scrolling, and where prefetching is enabled prepares the cells of the nearest of
    /// them.
    ///
    /// - Parameter count: how many cells at most.
    public func idleTick(preparing count: Int = 1) {
        requireLane("idleTick(preparing:)")
        guard !pass.isLocked else { return }
        layoutIfNeeded()
        guard !viewport.bounds.isEmpty else { return }
        announce(attributesAhead().map(\.indexPath))
        guard supply.prefetching.isEnabled else { return }
        // Asked again, since whoever was told may have changed everything.
        layoutIfNeeded()
        var left = max(0, count)
        for attributes in attributesAhead()
        where left > 0 && !supply.prefetching.isPrepared(attributes.indexPath) {
            left -= 1
            do throws(ViewError) {
                guard let cell = try makeView(for: attributes.place) as? CollectionViewCell else {
                    continue
                }
                settle(cell, attributes)
                prepare(cell, at: attributes.indexPath)
            } catch {
                report(error)
            }
        }
        returnLeftOvers()
    }

    /// Keeps a cell for its item: as many as are visible, and some.
    func prepare(_ cell: CollectionViewCell, at path: ItemPath) {
        let limit = display.shown.all.count + 8
        if let given = supply.prefetching.prepare(cell, at: path, limit: limit) {
            recycle(given, .cell)
        }
    }

    /// The cells of the next viewport, the nearest first.
    private func attributesAhead() -> [LayoutAttributes] {
        let bounds = viewport.bounds
        let isVertical = viewport.contentSize.height > bounds.size.height
        let (x, y) = supply.prefetching.direction
        let ahead =
            isVertical
            ? bounds.offsetBy(dy: (y ?? 1) * bounds.size.height)
            : bounds.offsetBy(dx: (x ?? (isRightToLeft ? -1 : 1)) * bounds.size.width)
        let answer = asking { $0.layoutAttributesForElements(in: ahead) }
        log.append(.layout(.layoutAttributesForElements(ahead, count: answer.count)))
        func distance(_ frame: Rect) -> Double {
            isVertical
                ? abs(frame.center.y - viewport.bounds.center.y)
                : abs(frame.center.x - viewport.bounds.center.x)
        }
        return answer.filter {
            $0.representedElementCategory == .cell && display.shown[$0.place] == nil
                && content.contains($0.place)
                && $0.frame.intersects(ahead)
        }
        .sorted { (distance($0.frame), $0.indexPath) < (distance($1.frame), $1.indexPath) }
    }

    private func announce(_ likely: [ItemPath]) {
        guard let prefetchDataSource = audience.prefetchDataSource else { return }
        let (new, cancelled) = supply.prefetching.announce(likely)
        if !cancelled.isEmpty {
            log.append(.dataSource(.cancelPrefetching(cancelled)))
            prefetchDataSource.collectionView(self, cancelPrefetchingForItemsAt: cancelled)
        }
        guard !new.isEmpty else { return }
        log.append(.dataSource(.prefetch(new)))
        prefetchDataSource.collectionView(self, prefetchItemsAt: new)
    }
}
