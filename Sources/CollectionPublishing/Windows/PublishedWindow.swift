/// A part of a list that a reader sees.
///
/// Windows consist of *rows*. Row 0 is the header of the first section; the items of that section
/// follow, then the header of the next section, and so on. Every section has a header row, even if
/// it shows nothing. In a list of one section, item 0 is therefore in row 1.
///
/// ```swift
/// let top = PublishedWindow.rows(0, count: 50)
/// // The row stays in the middle while rows above it are inserted and removed.
/// let reading = PublishedWindow.around(row: 1_200, at: replica.version, before: 50, after: 50)
/// ```
///
/// If the list ends within the window, the window has fewer rows until more are inserted.
public struct PublishedWindow: Hashable, Sendable {
    enum Anchor: Hashable, Sendable {
        /// A fixed row number: insertions before the row move other elements into it.
        case place(Int)
        /// The element that was in a row at a version. The window moves with it.
        case row(Int, PublishedVersion?)
    }

    let anchor: Anchor
    /// The number of rows before that of the `anchor`.
    let before: Int
    /// The total number of rows, including those before the `anchor`.
    let count: Int

    /// Returns a window of fixed row numbers, whatever elements they contain.
    ///
    /// - Parameters:
    ///   - first: The first row, from 0.
    ///   - count: The number of rows, at least 0 and at most ``HubConfiguration/windowRowLimit``.
    public static func rows(_ first: Int, count: Int) -> PublishedWindow {
        PublishedWindow(anchor: .place(first), before: 0, count: count)
    }

    /// Returns a window around the element that is now in a row. The window follows the element
    /// when it moves. If the element is removed, the window follows the element after it. If
    /// everything is replaced, or the hub has forgotten the version (``ResetReason/forgotten``),
    /// the window stays at the same row. In an empty list, the window begins at the first row.
    ///
    /// - Parameters:
    ///   - row: The row of the element, from 0; the last row if the list is shorter.
    ///   - version: The version that the row number refers to; `nil` for the hub's version when it
    ///     processes the call. A version that the hub has forgotten is treated like `nil`, unless
    ///     the reader received it last and the row was in its window.
    ///   - before: The number of rows before the element, at least 0.
    ///   - after: The number of rows after the element, at least 0. Together with `before` it is at
    ///     most ``HubConfiguration/windowRowLimit`` - 1.
    public static func around(
        row: Int,
        at version: PublishedVersion? = nil,
        before: Int,
        after: Int
    ) -> PublishedWindow {
        // A sum that is too large for an `Int` must still be recognised as too large.
        let (sum, overflows) = before.addingReportingOverflow(after)
        let count = after < 0 ? -1 : overflows || sum == .max ? .max : sum + 1
        return PublishedWindow(anchor: .row(row, version), before: before, count: count)
    }

    /// Returns the same window, with `version` for its row if it has none.
    func pinned(at version: PublishedVersion) -> PublishedWindow {
        guard case .row(let row, nil) = anchor else { return self }
        return PublishedWindow(anchor: .row(row, version), before: before, count: count)
    }

    /// Throws if the rows are negative, or more than the limit.
    func check(limit: Int) throws(HubError) {
        let row =
            switch anchor {
            case .place(let row), .row(let row, _): row
            }
        // Adding a row number must not overflow, whatever the limit is.
        guard row >= 0, before >= 0, count >= 0, count <= min(limit, 1 << 40) else {
            throw .invalidWindow(self, limit: limit)
        }
    }
}

extension PublishedWindow: CustomStringConvertible {
    /// The rows of the window, such as `50 rows from 100` or `8 rows, 3 of them before row 7`.
    public var description: String {
        switch anchor {
        case .place(let row): "\(count) rows from \(row)"
        case .row(let row, _):
            "\(count) rows, \(before) of them before row \(row)"
        }
    }
}

/// The position of a window in a list.
///
/// A replica of a window has the sections and items of consecutive rows, so only its first and last
/// section can lack items. Indexes and paths in the replica are relative to the window; this value
/// relates them to the whole list.
public struct WindowPlace: Hashable, Sendable {
    /// The number of sections in the list.
    public let totalSections: Int
    /// The number of items in the list, in all sections.
    public let totalItems: Int
    /// The index, in the list, of the window's first section.
    public let firstSection: Int
    /// The index, in that section, of the window's first item. It is also the number of the
    /// section's items before the window.
    public let firstItem: Int
    /// The number of items in the list before the window's first item, in all sections.
    public let itemsBefore: Int

    /// Creates a place, for example one that was decoded. Nothing is checked.
    public init(
        totalSections: Int,
        totalItems: Int,
        firstSection: Int,
        firstItem: Int,
        itemsBefore: Int
    ) {
        self.totalSections = totalSections
        self.totalItems = totalItems
        self.firstSection = firstSection
        self.firstItem = firstItem
        self.itemsBefore = itemsBefore
    }

    /// The row, in the list, of the header of the window's first section, even if the window begins
    /// after it.
    public var headerRow: Int { itemsBefore &- firstItem &+ firstSection }

    /// The five numbers of the place.
    var numbers: [Int] { [totalSections, totalItems, firstSection, firstItem, itemsBefore] }

    /// Returns a sentence that says why a window of `shape` cannot be at this place; `nil` if it
    /// can.
    func mismatch(_ shape: HierarchyShape) -> String? {
        let items = shape.itemCounts.reduce(0, +)
        // The checks subtract, because sums of untrusted numbers could overflow.
        guard numbers.allSatisfy({ (0...WireMessage.greatestInteger).contains($0) }),
            firstSection <= totalSections, shape.numberOfSections <= totalSections - firstSection,
            itemsBefore <= totalItems, items <= totalItems - itemsBefore,
            firstItem <= itemsBefore, firstItem == 0 || shape.numberOfSections > 0,
            firstSection > 0 || itemsBefore == firstItem
        else {
            return "a window of \(shape) must be within its list, but is at section"
                + " \(firstSection) of \(totalSections), at item \(firstItem) of it, and at item"
                + " \(itemsBefore) of \(totalItems)"
        }
        return nil
    }
}

/// A window in the rows of one version.
struct RowWindow: Hashable, Sendable {
    /// The row that the window is positioned by, or the number of rows if the list is shorter.
    var anchor: Int
    /// The number of rows before the `anchor`.
    let before: Int
    /// The total number of rows, including those before the `anchor`.
    let count: Int
    /// Whether the `anchor` moves with the element in its row.
    let follows: Bool

    /// Moves the window so that `row` is its first row, if it follows an element.
    mutating func begin(atRow row: Int) {
        if follows { anchor = row + before }
    }

    /// Returns the rows of the window that exist in a list of `numberOfRows` rows.
    func rows(of numberOfRows: Int) -> Range<Int> {
        // The row is within the list, so adding the maximum size of a window cannot overflow.
        let end = min(numberOfRows, anchor >= numberOfRows ? numberOfRows : anchor - before + count)
        let start = min(max(0, anchor - before), numberOfRows)
        return start..<max(start, end)
    }

    /// Returns the old rows and gaps in which a change would affect the window: those between its
    /// first and its last row, and everything at an end of the list that the window includes.
    func extent(of numberOfRows: Int) -> (first: Int, last: Int) {
        let rows = rows(of: numberOfRows)
        // Whatever is inserted first is in the window.
        if rows.isEmpty, count > 0 { return (.min, .max) }
        let endsEarly = anchor - before + count > rows.upperBound
        return (
            anchor < before ? .min : 2 * rows.lowerBound + 1,
            endsEarly ? .max : 2 * rows.upperBound - 1
        )
    }
}
