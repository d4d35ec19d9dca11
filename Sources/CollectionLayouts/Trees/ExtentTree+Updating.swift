extension ExtentTree {
    /// With other elements in place of those that were replaced.
    ///
    /// - Parameters:
    ///   - spans: ascending.
    ///   - fresh: makes the elements that came, given their new indexes.
    /// - Complexity: O(k log n) for k spans, and what is inserted.
    func replacing(
        _ spans: [ItemSpan],
        with fresh: (_ newItems: Range<Int>) -> ExtentTree
    ) -> ExtentTree {
        var elements = self
        for span in spans {
            // What comes before is in the new index space already.
            let start = span.new.lowerBound
            elements = elements.replacing(
                start..<(start + span.old.count),
                with: fresh(span.new)
            )
        }
        return elements
    }
}
