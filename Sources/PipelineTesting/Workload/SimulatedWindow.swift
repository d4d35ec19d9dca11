import CollectionElements
import CollectionPublishing

/// A window that a reader of a ``SimulatedHub`` asked for, and what it must see of what was shown.
struct SimulatedWindow {
    let window: PublishedWindow
    private let row: Int
    private let before: Int
    private let count: Int
    private let follows: Bool
    /// Whether it is known by now what it follows: at the version where its row is meant.
    private var isFound = false
    /// The item that it follows; nil where that is a header, or gone.
    private var followed: CollectionElement?

    /// - Parameter version: when its row is meant; nil for when the hub takes it up.
    init(_ random: inout SeededGenerator, at version: PublishedVersion?) {
        row = random.isTrue(oneIn: 20) ? .max - random.next(below: 2) : random.next(below: 10)
        before = random.next(below: 4)
        let after = random.next(below: 6)
        follows = random.isTrue(oneIn: 2)
        count = follows ? before + 1 + after : after
        window =
            follows
            ? .around(row: row, at: version, before: before, after: after)
            : .rows(row, count: count)
    }

    /// It is known what was shown where its row is meant.
    mutating func find(in shown: SimulatedHub.Shown?) {
        guard !isFound, let shown else { return }
        isFound = true
        let rows = shown.rows
        followed = rows.isEmpty ? nil : rows[min(row, rows.count - 1)].element
    }

    /// What it follows may be somewhere else, and nobody knows where.
    mutating func lose() {
        isFound = true
        followed = nil
    }

    /// Where the rows must be that it has; nil where nobody can tell.
    func place(in shown: SimulatedHub.Shown) -> (WindowPlace, shape: HierarchyShape)? {
        if !follows { return shown.place(of: row, count) }
        guard let followed,
            let now = shown.rows.firstIndex(where: { $0.element === followed })
        else { return nil }
        return shown.place(of: now - before, count)
    }
}

extension SimulatedHub.Shown {
    /// A row, and the item in it; nil for a header.
    struct Row {
        let section: Int
        let element: CollectionElement?
    }

    var rows: [Row] {
        sections.enumerated().flatMap { index, items in
            [Row(section: index, element: nil)]
                + items.map { Row(section: index, element: $0.element) }
        }
    }

    /// Where some rows are, as far as there are such, and how many items are in each of their sections.
    fileprivate func place(of first: Int, _ count: Int) -> (WindowPlace, shape: HierarchyShape) {
        let rows = rows
        let start = min(max(0, first), rows.count)
        let end = first >= rows.count ? start : max(start, min(first + count, rows.count))
        let part = rows[start..<end]
        let (headersBefore, itemsBefore) = (
            rows[..<start].count { $0.element == nil }, rows[..<start].count { $0.element != nil }
        )
        let beginsInside = part.first?.element != nil
        let firstSection = headersBefore - (beginsInside ? 1 : 0)
        var counts: [Int] = []
        for row in part {
            if row.element == nil || counts.isEmpty { counts.append(0) }
            if row.element != nil { counts[counts.count - 1] += 1 }
        }
        let itemsOfEarlier = sections[..<firstSection].reduce(0) { $0 + $1.count }
        let place = WindowPlace(
            totalSections: sections.count,
            totalItems: rows.count - sections.count,
            firstSection: firstSection,
            firstItem: beginsInside ? itemsBefore - itemsOfEarlier : 0,
            itemsBefore: itemsBefore
        )
        return (place, HierarchyShape(counts))
    }
}
