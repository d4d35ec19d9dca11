import CollectionLayouts

/// What is prepared ahead: cells by path, and the items that were announced to who fetches data.
struct PrefetchState {
    /// A cell that waits for its item to become visible.
    struct Prepared {
        let cell: CollectionViewCell
        /// Whether its item was reconfigured since.
        var isStale = false
    }

    private var prepared: [ItemPath: Prepared] = [:]
    /// The paths of prepared cells, the oldest first.
    private var order: [ItemPath] = []
    private var announced: [ItemPath] = []
    /// The direction of the last scrolling along each axis, 1 or -1; nil before the first.
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

    mutating func markStale(_ path: ItemPath) { prepared[path]?.isStale = true }

    /// Keeps a cell for its path, for a while.
    ///
    /// - Parameter limit: how many are kept, at least 1.
    /// - Returns: the cell that is given up for it: the oldest, or what waited for the same path.
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

    /// The cell that is prepared for an item, which now becomes visible.
    mutating func takePrepared(_ path: ItemPath) -> Prepared? {
        guard let found = prepared.removeValue(forKey: path) else { return nil }
        order.removeAll { $0 == path }
        return found
    }

    /// An item became visible: whoever fetched its data was right.
    mutating func noteShown(_ path: ItemPath) {
        announced.removeAll { $0 == path }
    }

    /// - Returns: what to announce and what to cancel, given what is likely now.
    mutating func announce(_ likely: [ItemPath]) -> (new: [ItemPath], cancelled: [ItemPath]) {
        let old = Set(announced)
        let now = Set(likely)
        let cancelled = announced.filter { !now.contains($0) }
        announced = likely
        return (likely.filter { !old.contains($0) }, cancelled)
    }

    /// Forgets everything.
    ///
    /// - Returns: the cells that were prepared.
    mutating func removeAll() -> [CollectionViewCell] {
        let cells = order.compactMap { prepared[$0]?.cell }
        (prepared, order, announced) = ([:], [], [])
        return cells
    }

    /// Follows the items through an update.
    ///
    /// - Returns: the cells of those that are gone.
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
