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
            let inserted = fresh(span.new)
            // One for one, only the nodes above it are others; cutting and joining makes some on each side.
            if span.old.count == 1, inserted.count == 1, let element = inserted.element(at: 0) {
                elements = elements.replacing(at: start, with: element)
            } else {
                elements = elements.replacing(start..<(start + span.old.count), with: inserted)
            }
        }
        return elements
    }

    /// The same with elements that are made one by one.
    func replacing(
        _ spans: [ItemSpan],
        withEach fresh: (_ newItem: Int) -> Element
    ) -> ExtentTree {
        var elements = self
        for span in spans {
            let start = span.new.lowerBound
            if span.old.count == 1, span.new.count == 1 {
                elements = elements.replacing(at: start, with: fresh(start))
                continue
            }
            var builder = Builder()
            for item in span.new { builder.append(fresh(item)) }
            elements = elements.replacing(start..<(start + span.old.count), with: builder.tree())
        }
        return elements
    }
}
