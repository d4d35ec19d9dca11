/// The outline of a sectioned collection: how many items each section has.
///
/// A shape holds what a data source answered, unchecked; ``ShapeLimits`` judges it. Every query that
/// takes an index returns nil or false for one that does not exist.
public struct HierarchyShape: Hashable, Sendable {
    /// The number of items of every section, by section index.
    public let itemCounts: [Int]

    /// The sum of the counts, or nil where one of them is negative or so large that summing needs
    /// more care. Kept, so that nobody who meets the shape again has to visit every section.
    let plainTotal: Int?

    /// Makes a shape from the number of items of every section.
    ///
    /// Complexity: O(sections), a pass that sums.
    public init(_ itemCounts: [Int]) {
        self.itemCounts = itemCounts
        plainTotal = Self.plainTotal(of: itemCounts)
    }

    private static func plainTotal(of counts: [Int]) -> Int? {
        // Without a way out of the loop, which is what lets the compiler vectorise it. The union of
        // all bits is no less than the largest count, and negative if one of them is.
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

    /// How many sections there are.
    public var numberOfSections: Int { itemCounts.count }

    /// How many items `section` has, or nil if there is no such section.
    public func numberOfItems(inSection section: Int) -> Int? {
        itemCounts.indices.contains(section) ? itemCounts[section] : nil
    }

    /// Whether there is an item at `path`.
    public func contains(_ path: ItemPath) -> Bool {
        guard let count = numberOfItems(inSection: path.section) else { return false }
        return path.item >= 0 && path.item < count
    }

    /// How many items there are in all, or nil where an `Int` cannot hold the number.
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
}

extension HierarchyShape {
    // The total follows from the counts, and two shapes often share one array, which the standard
    // library compares at once.

    /// Whether both have the same counts.
    public static func == (left: HierarchyShape, right: HierarchyShape) -> Bool {
        left.itemCounts == right.itemCounts
    }

    /// Feeds the counts.
    public func hash(into hasher: inout Hasher) { hasher.combine(itemCounts) }
}

extension HierarchyShape: ExpressibleByArrayLiteral {
    /// Makes a shape from the listed item counts.
    public init(arrayLiteral itemCounts: Int...) { self.init(itemCounts) }
}

extension HierarchyShape {
    /// The number of sections and items, such as `2 sections with 5 items`.
    package var totals: String {
        let items = numberOfItems.map { counted($0, "item") } ?? "too many items"
        return "\(counted(numberOfSections, "section")) with \(items)"
    }
}

/// A number and what it counts, such as `1 item` or `2 items`.
package func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}

extension HierarchyShape: CustomStringConvertible {
    /// The counts as UIKit prints them, such as `{ 2 sections with item counts: [3, 0] }`; long
    /// shapes are cut after sixteen sections.
    public var description: String {
        let shown = itemCounts.prefix(16).map(String.init).joined(separator: ", ")
        let rest = numberOfSections > 16 ? ", … \(numberOfSections - 16) more" : ""
        return "{ \(counted(numberOfSections, "section")) with item counts: [\(shown)\(rest)] }"
    }
}
