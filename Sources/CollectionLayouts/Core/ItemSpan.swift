/// A stretch of a section's items that was replaced by another, either of which may be empty.
///
/// Between two spans of a section lies at least one item that stayed.
public struct ItemSpan: Hashable, Sendable {
    /// The items that went, by their index before.
    public var old: Range<Int>

    /// The items that came, by their index after.
    public var new: Range<Int>

    /// Makes a span; nothing is checked.
    public init(old: Range<Int>, new: Range<Int>) {
        self.old = old
        self.new = new
    }

    /// The spans of items that are other than they were, each at its place.
    ///
    /// - Parameter items: ascending.
    static func spans(changed items: [Int]) -> [ItemSpan] {
        spans(removed: items, inserted: items)
    }

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
