/// How large a collection may get before its shape is rejected.
///
/// A hostile or broken data source can answer any number; the limits are checked with sums that
/// cannot overflow, before any content is asked for.
public struct ShapeLimits: Hashable, Sendable {
    /// The most sections that are accepted.
    public var sections: Int

    /// The most items, over all sections, that are accepted.
    public var items: Int

    /// Makes limits. The defaults, 2²⁴ each, keep the pipeline's own bookkeeping under a few
    /// gigabytes.
    public init(sections: Int = 1 << 24, items: Int = 1 << 24) {
        self.sections = sections
        self.items = items
    }

    /// Throws where `shape` has too many sections or items, or a negative count.
    ///
    /// Complexity: O(1) for a shape that passes and is not absurd, else O(sections).
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
        // What passes by its total has no fault in any section. Nothing else needs to be fast.
        if let total = shape.plainTotal, total <= items { return }
        var total = 0
        for (section, count) in shape.itemCounts.enumerated() {
            guard count >= 0 else {
                throw HierarchyUpdateError(
                    .negativeItemCount,
                    "The number of items in section \(section) must not be negative, but the data"
                        + " source answered \(count)",
                    section: section,
                    newShape: shape,
                    hint: "A count is at least 0; answer 0 where there is nothing",
                    summary: "section \(section): the data source answered \(count) items"
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
