/// The outline of a sectioned collection: how many items each section has.
///
/// A shape holds what a data source answered, unchecked; ``ShapeLimits`` judges it. Every query that
/// takes an index answers nil or false for one that does not exist.
public struct HierarchyShape: Hashable, Sendable {
    /// The number of items of every section, by section index.
    public let itemCounts: [Int]

    /// Makes a shape from the number of items of every section.
    public init(_ itemCounts: [Int]) { self.itemCounts = itemCounts }

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
    /// Complexity: O(sections).
    public var totalItemCount: Int? {
        var total = 0
        for count in itemCounts {
            let (sum, overflows) = total.addingReportingOverflow(count)
            if overflows { return nil }
            total = sum
        }
        return total
    }
}

extension HierarchyShape: ExpressibleByArrayLiteral {
    /// Makes a shape from the listed item counts.
    public init(arrayLiteral itemCounts: Int...) { self.init(itemCounts) }
}

extension HierarchyShape: CustomStringConvertible {
    /// The counts as UIKit prints them, such as `{ 2 sections with item counts: [3, 0] }`; long
    /// shapes are cut after sixteen sections.
    public var description: String {
        let shown = itemCounts.prefix(16).map(String.init).joined(separator: ", ")
        let rest = numberOfSections > 16 ? ", … \(numberOfSections - 16) more" : ""
        let noun = numberOfSections == 1 ? "section" : "sections"
        return "{ \(numberOfSections) \(noun) with item counts: [\(shown)\(rest)] }"
    }
}
