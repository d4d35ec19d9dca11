extension PersistentSequence {
    @inlinable
    package var isEmpty: Bool { count == 0 }

    /// The element at `position`, or nil if there is none.
    @inlinable
    package func element(at position: Int) -> Element? {
        indices.contains(position) ? self[position] : nil
    }

    /// The summary of the elements before `position`, as far as there are any.
    ///
    /// Complexity: O(log n), times the node capacity, without allocation.
    @inlinable
    package func summary(before position: Int) -> Summary {
        position > 0 ? place { count, _ in count > position }.before : .zero
    }

    /// A place that was searched for.
    @usableFromInline
    package struct Place {
        @usableFromInline package var index: Int
        /// The summary of what comes before.
        @usableFromInline package var before: Summary

        @inlinable
        init(index: Int, before: Summary) {
            self.index = index
            self.before = before
        }
    }

    /// The first element up to which, itself included, count and summary fulfil `condition`, or the end.
    ///
    /// - Parameter condition: once true, it stays true as more elements are included.
    /// - Complexity: O(log n), times the node capacity, without allocation.
    @inlinable
    package func place(where condition: (_ count: Int, _ summary: Summary) -> Bool) -> Place {
        var place = Place(index: 0, before: .zero)
        guard let root, condition(count, summary) else {
            return Place(index: count, before: summary)
        }
        defer { _fixLifetime(root) }
        var node = Unmanaged.passUnretained(root)
        for _ in 0..<height {
            node = node._withUnsafeGuaranteedRef { object in
                let inner = unsafeDowncast(object, to: Inner.self)
                var child = inner.payloads
                // The last child is entered in any case, also where sums do not add up exactly.
                let last = child + (inner.payloadCount - 1)
                while child < last {
                    let through = place.before.combined(with: child.pointee.summary)
                    if condition(place.index + child.pointee.count, through) { break }
                    place = Place(index: place.index + child.pointee.count, before: through)
                    child += 1
                }
                return Unmanaged.passUnretained(child.pointee.node)
            }
        }
        node._withUnsafeGuaranteedRef { object in
            let leaf = unsafeDowncast(object, to: Leaf.self)
            for offset in 0..<(leaf.payloadCount - 1) {
                let through = place.before.combined(with: Summary(of: leaf.payloads[offset]))
                if condition(place.index + 1, through) { break }
                place = Place(index: place.index + 1, before: through)
            }
        }
        return place
    }
}
