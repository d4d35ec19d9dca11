import CollectionLayouts

/// What is prepared ahead: cells by path, and the items that were announced to who fetches data.
struct PrefetchState {
    private var prepared: [ItemPath: CollectionCell] = [:]
    /// The paths of prepared cells, the oldest first.
    private var order: [ItemPath] = []
    /// The items whose prepared cells are to be configured anew before they are shown.
    private var stale: Set<ItemPath> = []
    private(set) var announced: [ItemPath] = []
    /// The direction of the last scrolling.
    private(set) var direction = Point(x: 1, y: 1)
    var isEnabled = false

    /// How many cells are kept beside as many as are visible: about what a small scroll back brings
    /// into sight.
    static let spare = 8

    mutating func noteScroll(from old: Point, to new: Point) {
        if new.x != old.x { direction.x = new.x < old.x ? -1 : 1 }
        if new.y != old.y { direction.y = new.y < old.y ? -1 : 1 }
    }

    func isPrepared(_ path: ItemPath) -> Bool { prepared[path] != nil }

    var preparedPaths: [ItemPath] { prepared.keys.sorted() }

    mutating func prepare(_ cell: CollectionCell, at path: ItemPath) {
        prepared[path] = cell
        order.append(path)
    }

    /// Takes away the oldest cells, so that at most `limit` stay.
    mutating func removeOldest(beyond limit: Int) -> [CollectionCell] {
        let surplus = order.prefix(max(0, order.count - limit))
        order.removeFirst(surplus.count)
        stale.subtract(surplus)
        return surplus.compactMap { prepared.removeValue(forKey: $0) }
    }

    /// The cell that is prepared for an item, which now comes into sight, and whether it is to be
    /// configured anew.
    mutating func takePrepared(_ path: ItemPath) -> (cell: CollectionCell, isStale: Bool)? {
        guard let cell = prepared.removeValue(forKey: path) else { return nil }
        order.removeAll { $0 == path }
        return (cell, stale.remove(path) != nil)
    }

    /// An item was reconfigured; nobody sees it yet.
    mutating func noteReconfiguration(of path: ItemPath) {
        if prepared[path] != nil { stale.insert(path) }
    }

    /// Keeps a cell that goes out of sight for the same path, for a while: as many as are visible, and
    /// some.
    mutating func keeps(_ cell: CollectionCell, at path: ItemPath, visible: Int) -> Bool {
        guard isEnabled, prepared.count < visible + Self.spare else { return false }
        prepare(cell, at: path)
        return true
    }

    /// An item came into sight: what was announced for it is used.
    mutating func noteDisplay(of path: ItemPath) {
        guard let index = announced.firstIndex(of: path) else { return }
        announced.remove(at: index)
    }

    /// - Returns: what to announce and what to cancel, given what is likely now and what is shown.
    mutating func announce(
        _ likely: [ItemPath],
        shown: (ItemPath) -> Bool
    ) -> (new: [ItemPath], cancelled: [ItemPath]) {
        let old = Set(announced)
        let now = Set(likely)
        let cancelled = announced.filter { !now.contains($0) && !shown($0) }
        announced = likely
        return (likely.filter { !old.contains($0) }, cancelled)
    }

    /// Forgets everything.
    ///
    /// - Returns: the cells that were prepared.
    mutating func removeAll() -> [CollectionCell] {
        let cells = order.compactMap { prepared[$0] }
        (prepared, order, stale, announced) = ([:], [], [], [])
        return cells
    }

    /// Follows the items through an update.
    ///
    /// - Returns: the cells of those that are gone.
    mutating func rebase(_ newPath: (ItemPath) -> ItemPath?) -> [CollectionCell] {
        var kept: [ItemPath: CollectionCell] = [:]
        var keptOrder: [ItemPath] = []
        var gone: [CollectionCell] = []
        for path in order {
            guard let cell = prepared[path] else { continue }
            if let path = newPath(path) {
                kept[path] = cell
                keptOrder.append(path)
            } else {
                gone.append(cell)
            }
        }
        (prepared, order) = (kept, keptOrder)
        stale = Set(stale.compactMap(newPath))
        announced = announced.compactMap(newPath)
        return gone
    }
}
