import CollectionLayouts

// Prefetching. The view prepares cells only in idle ticks that the program triggers, so that every
// run is the same.

extension SimulatedCollectionView {
    /// Whether idle ticks prepare cells, and cells that are no longer visible are kept for a while
    /// in case their items become visible again; `false` by default.
    public var isPrefetchingEnabled: Bool {
        get {
            requireLane()
            return reuse.prefetching.isEnabled
        }
        set {
            requireLane()
            reuse.prefetching.isEnabled = newValue
            if !newValue { reuse.prefetching.removeAll().forEach { recycle($0, .cell) } }
        }
    }

    /// The items with prepared cells that are not visible, ascending.
    public var preparedItems: [ItemPath] {
        requireLane()
        return reuse.prefetching.preparedPaths
    }

    /// Uses an idle moment to prefetch: announces the items within one viewport ahead, in the
    /// direction of the last scrolling, to the ``prefetchDataSource``. If prefetching is enabled,
    /// it also prepares the cells of the nearest of them.
    ///
    /// - Parameter count: The maximum number of cells to prepare.
    public func idleTick(preparing count: Int = 1) {
        requireLane()
        guard !pass.isLocked else { return }
        layoutIfNeeded()
        guard !viewport.bounds.isEmpty else { return }
        announce(attributesAhead().map(\.indexPath))
        guard reuse.prefetching.isEnabled else { return }
        // The data source may have changed anything when it was notified, so the layout is queried
        // again.
        layoutIfNeeded()
        var left = max(0, count)
        for attributes in attributesAhead()
        where left > 0 && !reuse.prefetching.isPrepared(attributes.indexPath) {
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
        recycleUnreturnedViews()
    }

    /// Keeps a cell for its item. The view keeps eight cells more than it has visible views.
    func prepare(_ cell: CollectionViewCell, at path: ItemPath) {
        let limit = display.shown.all.count + 8
        if let given = reuse.prefetching.prepare(cell, at: path, limit: limit) {
            recycle(given, .cell)
        }
    }

    /// Returns the attributes of cells in the next viewport, the nearest first.
    private func attributesAhead() -> [LayoutAttributes] {
        let bounds = viewport.bounds
        let isVertical = viewport.contentSize.height > bounds.size.height
        let (x, y) = reuse.prefetching.direction
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
        guard let prefetchDataSource = delegates.prefetchDataSource else { return }
        let (new, cancelled) = reuse.prefetching.announce(likely)
        if !cancelled.isEmpty {
            log.append(.dataSource(.cancelPrefetching(cancelled)))
            prefetchDataSource.collectionView(self, cancelPrefetchingForItemsAt: cancelled)
        }
        guard !new.isEmpty else { return }
        log.append(.dataSource(.prefetch(new)))
        prefetchDataSource.collectionView(self, prefetchItemsAt: new)
    }
}

/// The results of prefetching: prepared cells by path, and the items that were announced to the
/// prefetching data source.
struct PrefetchState {
    /// A cell that waits for its item to become visible.
    struct Prepared {
        let cell: CollectionViewCell
        /// Whether its item was reconfigured after the cell was prepared.
        var isStale = false
    }

    private var prepared: [ItemPath: Prepared] = [:]
    /// The paths of prepared cells, the oldest first.
    private var order: [ItemPath] = []
    private var announced: [ItemPath] = []
    /// The direction of the last scrolling along each axis, 1 or -1; `nil` before the first.
    private(set) var direction: (x: Double?, y: Double?)
    var isEnabled = false

    mutating func noteScroll(from old: Point, to new: Point) {
        func sign(_ old: Double, _ new: Double) -> Double? {
            old < new ? 1 : old > new ? -1 : nil
        }
        direction.x = sign(old.x, new.x) ?? direction.x
        direction.y = sign(old.y, new.y) ?? direction.y
    }

    func isPrepared(_ path: ItemPath) -> Bool { prepared[path] != nil }

    var preparedPaths: [ItemPath] { prepared.keys.sorted() }

    mutating func markStale(_ path: ItemPath) {
        if !prepared.isEmpty { prepared[path]?.isStale = true }
    }

    /// Keeps a cell for its path.
    ///
    /// - Parameter limit: The maximum number of prepared cells, at least 1.
    /// - Returns: The cell that is dropped: the oldest, or the former one for the same path.
    mutating func prepare(
        _ cell: CollectionViewCell,
        at path: ItemPath,
        limit: Int
    ) -> CollectionViewCell? {
        if let former = prepared.updateValue(Prepared(cell: cell), forKey: path) {
            return former.cell
        }
        order.append(path)
        guard order.count > limit else { return nil }
        return prepared.removeValue(forKey: order.removeFirst())?.cell
    }

    /// Removes and returns the prepared cell of an item that becomes visible.
    mutating func takePrepared(_ path: ItemPath) -> Prepared? {
        guard let found = prepared.removeValue(forKey: path) else { return nil }
        order.removeAll { $0 == path }
        return found
    }

    /// Records that an item became visible, so that its announcement is not revoked later.
    mutating func noteShown(_ path: ItemPath) {
        announced.removeAll { $0 == path }
    }

    /// - Returns: The items to announce and those to revoke, given the items that are likely to be
    ///   needed now.
    mutating func announce(_ likely: [ItemPath]) -> (new: [ItemPath], cancelled: [ItemPath]) {
        let old = Set(announced)
        let now = Set(likely)
        let cancelled = announced.filter { !now.contains($0) }
        announced = likely
        return (likely.filter { !old.contains($0) }, cancelled)
    }

    /// Removes everything.
    ///
    /// - Returns: The prepared cells.
    mutating func removeAll() -> [CollectionViewCell] {
        let cells = order.compactMap { prepared[$0]?.cell }
        (prepared, order, announced) = ([:], [], [])
        return cells
    }

    /// Maps the paths through an update.
    ///
    /// - Returns: The cells of items that no longer exist.
    mutating func rebase(_ newPath: (ItemPath) -> ItemPath?) -> [CollectionViewCell] {
        var kept: [ItemPath: Prepared] = [:]
        var keptOrder: [ItemPath] = []
        var gone: [CollectionViewCell] = []
        for path in order {
            guard let found = prepared[path] else { continue }
            if let path = newPath(path) {
                kept[path] = found
                keptOrder.append(path)
            } else {
                gone.append(found.cell)
            }
        }
        (prepared, order) = (kept, keptOrder)
        announced = announced.compactMap(newPath)
        return gone
    }
}
