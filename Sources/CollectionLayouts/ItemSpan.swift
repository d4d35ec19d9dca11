/// A stretch of items that was replaced by another.
///
/// Between two spans of a section lies at least one item that stayed.
struct ItemSpan: Hashable, Sendable {
    /// In the index space before.
    var old: Range<Int>
    /// In the index space after.
    var new: Range<Int>

    /// The spans of items that went, and items that came, both ascending.
    static func spans(removed: [Int], inserted: [Int]) -> [ItemSpan] {
        var spans: [ItemSpan] = []
        var (removals, insertions) = (0, 0)
        while removals < removed.count || insertions < inserted.count {
            // How many items that stay come before what is next on either side.
            let kept = min(
                removals < removed.count ? removed[removals] - removals : .max,
                insertions < inserted.count ? inserted[insertions] - insertions : .max
            )
            let (oldStart, newStart) = (kept + removals, kept + insertions)
            while removals < removed.count, removed[removals] - removals == kept { removals += 1 }
            while insertions < inserted.count, inserted[insertions] - insertions == kept {
                insertions += 1
            }
            spans.append(
                ItemSpan(old: oldStart..<(kept + removals), new: newStart..<(kept + insertions))
            )
        }
        return spans
    }
}
