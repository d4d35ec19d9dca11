@testable import CollectionChanges

/// The obviously correct model of `StretchRope`: its items one by one.
struct StretchModel {
    private(set) var items: [ItemStretch]
    /// The section at the start that is the one around.
    let home: Int

    init(_ stretches: [ItemStretch], home: Int) {
        items = stretches.flatMap(Self.items)
        self.home = home
    }

    /// The items of a stretch, each as one.
    static func items(of stretch: ItemStretch) -> [ItemStretch] {
        (0..<stretch.count).map { offset in
            var item = stretch
            item.count = 1
            if stretch.oldSection >= 0 { item.oldItem += offset }
            return item
        }
    }

    mutating func remove(at item: Int) -> ItemStretch { items.remove(at: item) }

    /// Inserts items one by one, which are at ascending places afterwards.
    mutating func insert(_ arrivals: [ItemStretch], at places: [Int]) {
        for (arrival, place) in zip(arrivals, places) { items.insert(arrival, at: place) }
        for place in places where isBack(place) { items[place].history.arrival = 0 }
    }

    mutating func reconfigure(at place: Int, _ code: UInt32) {
        if items[place].oldSection >= 0, items[place].history.state != .replaced {
            items[place].history.state = .reconfigured
            items[place].history.update = code
        } else {
            items[place].history.arrival = code
        }
    }

    /// Whether an item is still the same, at home, and directly beside one that it was beside at the start and that
    /// never moved.
    private func isBack(_ place: Int) -> Bool {
        let item = items[place]
        guard home >= 0, item.oldSection == home, item.history.state != .replaced else {
            return false
        }
        return [-1, 1].contains { distance in
            guard items.indices.contains(place + distance) else { return false }
            let other = items[place + distance]
            return other.oldSection == home && other.oldItem == item.oldItem + distance
                && other.history.arrival == 0 && other.history.state == item.history.state
                && other.history.update == item.history.update
        }
    }
}
