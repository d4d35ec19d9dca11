/// The outline of a sectioned collection: the number of items in each section.
///
/// A shape holds the counts that a data source returned, unchecked; ``ShapeLimits`` checks them.
/// Every query that takes an index returns `nil` or `false` if the index does not exist.
public struct HierarchyShape: Hashable, Sendable {
    /// The number of items in each section, by section index.
    public let itemCounts: [Int]

    /// The sum of the counts, or `nil` if a count is negative or so large that the sum may
    /// overflow. It is stored so that later readers of the shape need not visit every section.
    let plainTotal: Int?

    /// Creates a shape from the number of items in each section.
    ///
    /// Complexity: O(sections), for one pass that adds up the counts.
    public init(_ itemCounts: [Int]) {
        self.itemCounts = itemCounts
        plainTotal = Self.plainTotal(of: itemCounts)
    }

    private static func plainTotal(of counts: [Int]) -> Int? {
        // The loop has no early exit, so that the compiler can vectorise it. The union of all bits
        // is at least as large as the largest count, and negative if a count is.
        var sum = 0
        var union = 0
        for count in counts {
            sum &+= count
            union |= count
        }
        let mayOverflow = union.multipliedReportingOverflow(by: counts.count).overflow
        return union < 0 || mayOverflow ? nil : sum
    }

    /// The shape of a collection with no sections.
    public static let empty = HierarchyShape([])

    /// The number of sections.
    public var numberOfSections: Int { itemCounts.count }

    /// Returns the number of items in `section`, or `nil` if there is no such section.
    public func numberOfItems(inSection section: Int) -> Int? {
        itemCounts.indices.contains(section) ? itemCounts[section] : nil
    }

    /// Returns whether there is an item at `path`.
    public func contains(_ path: ItemPath) -> Bool {
        guard let count = numberOfItems(inSection: path.section) else { return false }
        return path.item >= 0 && path.item < count
    }

    /// The number of items in all sections, or `nil` if the number exceeds `Int.max`.
    ///
    /// Complexity: O(1), unless a count is negative or beyond any collection that fits in memory.
    public var numberOfItems: Int? {
        if let plainTotal { return plainTotal }
        var total = 0
        for count in itemCounts {
            let (sum, overflows) = total.addingReportingOverflow(count)
            if overflows { return nil }
            total = sum
        }
        return total
    }

    // The total follows from the counts. Two shapes often share one array, which the standard
    // library compares immediately.

    /// Returns whether both shapes have the same counts.
    public static func == (left: HierarchyShape, right: HierarchyShape) -> Bool {
        left.itemCounts == right.itemCounts
    }

    /// Hashes the counts.
    public func hash(into hasher: inout Hasher) { hasher.combine(itemCounts) }
}

extension HierarchyShape: ExpressibleByArrayLiteral {
    /// Creates a shape from the listed item counts.
    public init(arrayLiteral itemCounts: Int...) { self.init(itemCounts) }
}

extension HierarchyShape {
    /// The number of sections and items, such as `2 sections with 5 items`.
    package var totals: String {
        let items = numberOfItems.map { counted($0, "item") } ?? "too many items"
        return "\(counted(numberOfSections, "section")) with \(items)"
    }
}

/// Returns a number with its noun, such as `1 item` or `2 items`.
package func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}

extension HierarchyShape: CustomStringConvertible {
    /// The counts as UIKit prints them, such as `{ 2 sections with item counts: [3, 0] }`. Long
    /// shapes are cut after sixteen sections.
    public var description: String {
        let shown = itemCounts.prefix(16).map(String.init).joined(separator: ", ")
        let rest = numberOfSections > 16 ? ", … \(numberOfSections - 16) more" : ""
        return "{ \(counted(numberOfSections, "section")) with item counts: [\(shown)\(rest)] }"
    }
}

/// The maximum size of a collection; larger shapes are rejected.
///
/// A hostile or broken data source can return any number. The limits are checked with sums that
/// cannot overflow, before any content is requested.
public struct ShapeLimits: Hashable, Sendable {
    /// The maximum number of sections.
    public var sections: Int

    /// The maximum number of items in all sections.
    public var items: Int

    /// Creates limits. The defaults, 2²⁴ each, keep the pipeline's own bookkeeping under a few
    /// gigabytes.
    public init(sections: Int = 1 << 24, items: Int = 1 << 24) {
        self.sections = sections
        self.items = items
    }

    /// Throws an error if `shape` has too many sections or items, or a negative count.
    ///
    /// Complexity: O(1) for a shape that passes and has realistic counts, otherwise O(sections).
    public func check(_ shape: HierarchyShape) throws(HierarchyUpdateError) {
        guard shape.numberOfSections <= sections else {
            throw HierarchyUpdateError(
                .tooManySections,
                "The number of sections must be at most \(sections), but the data source has"
                    + " \(shape.numberOfSections)",
                newShape: shape,
                hint: "Raise the limits, or offer fewer at a time"
            )
        }
        // A shape whose total passes has no fault in any section. The path below runs only for
        // faults, so it need not be fast.
        if let total = shape.plainTotal, total <= items { return }
        var total = 0
        for (section, count) in shape.itemCounts.enumerated() {
            guard count >= 0 else {
                throw HierarchyUpdateError(
                    .negativeItemCount,
                    "The number of items in section \(section) must not be negative, but the data"
                        + " source returned \(count)",
                    section: section,
                    newShape: shape,
                    hint: "A count is at least 0; return 0 if there is nothing",
                    summary: "section \(section): the data source returned \(count) items"
                )
            }
            let (sum, overflows) = total.addingReportingOverflow(count)
            guard !overflows, sum <= items else {
                throw HierarchyUpdateError(
                    .tooManyItems,
                    "The number of items in all sections must be at most \(items), but the sections"
                        + " up to \(section) already have \(overflows ? "more than \(Int.max)" : "\(sum)")",
                    section: section,
                    newShape: shape,
                    hint: "Raise the limits, or offer fewer at a time",
                    summary: "\(items) items are the limit, but the sections up to \(section) have"
                        + " \(overflows ? "more than \(Int.max)" : "\(sum)")"
                )
            }
            total = sum
        }
    }
}
