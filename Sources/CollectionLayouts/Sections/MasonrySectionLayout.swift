/// A section layout with columns of equal width, which adds each item to the shortest column so
/// far; of equally short columns, it uses the leading one.
///
/// Only the extent of an item along the scroll direction is used; across it, an item is as wide as
/// its column. If content scrolls horizontally, the columns are rows.
///
/// Shape: values in the unit of ``Size``; negative and infinite ones count as 0 and are reported. A
/// number of columns that is not positive counts as 1 and is reported too.
///
/// Threading: a value, usable on any thread.
///
/// Complexity: O(n log c) to prepare n items in c columns; a query by rectangle costs its result
/// plus O(log n) for each column.
///
/// Source: the waterfall layouts of the web, such as that of Pinterest.
public struct MasonrySectionLayout: SectionLayout, Hashable {
    /// The number of columns.
    public var columnCount: Int

    /// The extent along the scroll direction of items for which no other size is defined.
    public var itemExtent = 50.0

    /// The exact space between an item and the next one in its column.
    public var lineSpacing = 10.0

    /// The exact space between columns.
    public var interitemSpacing = 10.0

    /// The space around the columns.
    public var insets = EdgeInsets.zero

    /// The reference of the insets across the scroll direction.
    public var insetReference = SectionInsetReference.fromContentInset

    /// The extent of the header along the scroll direction; 0 for no header.
    public var headerExtent = 0.0

    /// The extent of the footer along the scroll direction; 0 for no footer.
    public var footerExtent = 0.0

    /// Creates a layout with the given number of columns.
    public init(columnCount: Int) { self.columnCount = columnCount }

    /// Reads every size once and fills the columns.
    public func prepare(_ input: SectionInput) -> any SectionArrangement {
        arrangement(of: extents(of: 0..<input.itemCount, input), input)
    }

    /// Reads the sizes of inserted and changed items, and fills the columns with these and the
    /// known sizes.
    ///
    /// Complexity: O(n log c), since each item's column depends on all before it.
    public func update(
        _ arrangement: any SectionArrangement,
        replacing spans: [ItemSpan],
        _ input: SectionInput
    ) -> any SectionArrangement {
        guard let former = arrangement as? MasonrySectionArrangement, input.contains(spans) else {
            return prepare(input)
        }
        var extents = former.columns.places.map(\.extent)
        for span in spans {
            let start = span.new.lowerBound
            guard start + span.old.count <= extents.count else { return prepare(input) }
            extents.replaceSubrange(
                start..<(start + span.old.count),
                with: self.extents(of: span.new, input)
            )
        }
        guard extents.count == input.itemCount else { return prepare(input) }
        return self.arrangement(of: extents, input)
    }

    private func extents(of items: Range<Int>, _ input: SectionInput) -> [Double] {
        let ownExtent = input.usable(itemExtent, as: .itemSize)
        return items.map { input.size(ofItem: $0)?.along(input.scrollDirection) ?? ownExtent }
    }

    private func arrangement(of extents: [Double], _ input: SectionInput)
        -> MasonrySectionArrangement
    {
        let direction = input.scrollDirection
        let frame = SectionFrame(
            input,
            insets: insets,
            reference: insetReference,
            headerExtent: headerExtent,
            footerExtent: footerExtent
        )
        let between = input.metrics.interitemSpacing ?? interitemSpacing
        let spacing = input.usable(between, as: .spacing)
        let count = input.errors.usable(
            columnCount,
            as: .columnCount,
            section: input.section,
            least: 1
        )
        let available = input.acrossExtent - frame.insets.across(direction)
        let gaps = spacing * Double(count - 1)
        let columns = MasonryColumns(
            extents,
            columnCount: min(count, max(1, input.itemCount)),
            spacing: input.usable(input.metrics.lineSpacing ?? lineSpacing, as: .spacing)
        )
        return MasonrySectionArrangement(
            frame: frame,
            columns: columns,
            columnExtent: max(0, available - gaps) / Double(count),
            columnSpacing: spacing
        )
    }
}

/// The columns of a section, with its insets, header and footer.
struct MasonrySectionArrangement: SectionArrangement {
    let frame: SectionFrame
    let columns: MasonryColumns
    let columnExtent: Double
    let columnSpacing: Double

    var extent: Double { frame.extent(aroundContent: columns.extent) }
    var headerFrame: Rect? { frame.header }
    var footerFrame: Rect? { frame.footer(belowContent: columns.extent) }
    var itemCount: Int { columns.places.count }

    func frame(ofItem item: Int) -> Rect? {
        guard columns.places.indices.contains(item) else { return nil }
        let place = columns.places[item]
        return AxisRect(
            along: frame.contentStart + place.along,
            across: across(ofColumn: place.column),
            alongExtent: place.extent,
            acrossExtent: columnExtent
        ).rect(frame.direction)
    }

    private func across(ofColumn column: Int) -> Double {
        frame.insets.acrossLeading(frame.direction)
            + Double(column) * (columnExtent + columnSpacing)
    }

    func items(in rect: Rect) -> [Int] { search(rect).items }

    func search(_ rect: Rect) -> (items: [Int], visits: Int) {
        let queried = AxisRect(rect, frame.direction)
        var visits = 0
        var found: [Int] = []
        guard
            let along = ClosedRange.searched(queried.along, queried.alongEnd, within: extent),
            let acrossRange = ClosedRange.searched(
                queried.across,
                queried.acrossEnd,
                within: frame.acrossExtent
            )
        else { return (found, visits) }
        let first = partitioningIndex(columns.columns.indices, &visits) {
            across(ofColumn: $0) + columnExtent >= acrossRange.lowerBound
        }
        for column in first..<columns.columns.count {
            visits += 1
            guard across(ofColumn: column) <= acrossRange.upperBound else { break }
            let items = columns.columns[column]
            let start = partitioningIndex(items.indices, &visits) {
                columns.places[items[$0]].end + frame.contentStart >= along.lowerBound
            }
            for item in items[start...] {
                visits += 1
                let start = columns.places[item].along + frame.contentStart
                guard start <= along.upperBound else { break }
                if let frame = frame(ofItem: item), frame.intersects(rect) { found.append(item) }
            }
        }
        return (found.sorted(), visits)
    }
}

/// Returns the first index for which `isBehind` returns `true`, if it does so for all later indexes
/// too; `visits` counts the steps.
private func partitioningIndex(
    _ range: Range<Int>,
    _ visits: inout Int,
    _ isBehind: (Int) -> Bool
) -> Int {
    range.lowerBound
        + partitionPoint(range.count) { offset in
            visits += 1
            return isBehind(range.lowerBound + offset)
        }
}

/// The column of each item, and its place in that column.
struct MasonryColumns: Hashable, Sendable {
    struct ItemFrame: Hashable, Sendable {
        var column: Int
        var along: Double
        var extent: Double

        var end: Double { along + extent }
    }

    /// The places by item number.
    private(set) var places: [ItemFrame] = []

    /// The items of each column, in order.
    private(set) var columns: [[Int]]

    /// The end of the longest column; 0 without items.
    private(set) var extent = 0.0

    /// - Parameter columnCount: At least 1; columns beyond the number of items stay empty.
    init(_ extents: [Double], columnCount: Int, spacing: Double) {
        columns = Array(repeating: [], count: columnCount)
        places.reserveCapacity(extents.count)
        var heap = ShortestColumns(count: columnCount)
        for (item, extent) in extents.enumerated() {
            let column = heap.shortest
            let place = ItemFrame(column: column, along: heap.length, extent: extent)
            places.append(place)
            columns[column].append(item)
            self.extent = max(self.extent, place.end)
            heap.setLength(place.end + spacing)
        }
    }
}

/// A heap of columns with the shortest one on top; of equal columns, the leading one.
private struct ShortestColumns {
    private var entries: [(length: Double, column: Int)]

    init(count: Int) { entries = (0..<count).map { (0, $0) } }

    var shortest: Int { entries[0].column }
    var length: Double { entries[0].length }

    /// Sets the new length of the column on top.
    mutating func setLength(_ length: Double) {
        entries[0].length = length
        var parent = 0
        while true {
            var least = parent
            for child in (2 * parent + 1)..<(2 * parent + 3) where child < entries.count {
                if entries[child] < entries[least] { least = child }
            }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
