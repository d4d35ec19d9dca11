import PersistentTrees

extension PersistentSequence {
    /// With other elements in place of those that were replaced.
    ///
    /// - Parameters:
    ///   - spans: ascending.
    ///   - fresh: makes the elements that came, given their new indexes.
    /// - Complexity: O(k log n) for k spans, and what is inserted.
    func replacing(
        _ spans: [ItemSpan],
        with fresh: (_ newItems: Range<Int>) -> PersistentSequence
    ) -> PersistentSequence {
        spans.reduce(self) { $0.replacing($1, with: fresh($1.new)) }
    }

    /// The same with elements that are made one by one.
    func replacing(
        _ spans: [ItemSpan],
        withEach fresh: (_ newItem: Int) -> Element
    ) -> PersistentSequence {
        spans.reduce(self) { elements, span in
            // Without a tree of its own for one.
            if span.old.count == 1, span.new.count == 1 {
                return elements.replacing(at: span.new.lowerBound, with: fresh(span.new.lowerBound))
            }
            var builder = Builder()
            for item in span.new { builder.append(fresh(item)) }
            return elements.replacing(span, with: builder.tree())
        }
    }

    /// With `inserted` in place of one span. What comes before is in the new index space already.
    private func replacing(
        _ span: ItemSpan,
        with inserted: PersistentSequence
    ) -> PersistentSequence {
        let start = span.new.lowerBound
        // One for one, only the nodes above it are others; cutting and joining makes some on each side.
        if span.old.count == 1, inserted.count == 1, let element = inserted.element(at: 0) {
            return replacing(at: start, with: element)
        }
        return replacing(start..<(start + span.old.count), with: inserted)
    }
}
