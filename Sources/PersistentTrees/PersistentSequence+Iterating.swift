extension PersistentSequence: Sequence {
    /// Walks the elements from a position on; it descends from the root once a leaf.
    @usableFromInline
    // The pointer leads into a leaf of the version that the iterator holds; nobody writes to it.
    package struct Iterator: IteratorProtocol, @unchecked Sendable {
        @usableFromInline let sequence: PersistentSequence
        /// The position behind the current leaf.
        @usableFromInline var leafEnd: Int
        @usableFromInline var nextElement: UnsafeMutablePointer<Element>?
        @usableFromInline var remainingInLeaf = 0

        @inlinable
        init(_ sequence: PersistentSequence, from position: Int) {
            self.sequence = sequence
            leafEnd = Swift.max(0, position)
        }

        @inlinable
        package mutating func next() -> Element? {
            if remainingInLeaf == 0, !enterNextLeaf() { return nil }
            guard let element = nextElement else { return nil }
            nextElement = element + 1
            remainingInLeaf -= 1
            return withExtendedLifetime(sequence) { element.pointee }
        }

        @inlinable
        mutating func enterNextLeaf() -> Bool {
            guard let root = sequence.root, leafEnd < sequence.count else { return false }
            let place = leafPlace(of: leafEnd, in: root, height: sequence.height)
            nextElement = place.elements + place.offset
            remainingInLeaf = place.count - place.offset
            leafEnd += remainingInLeaf
            return true
        }
    }

    @inlinable
    package func makeIterator() -> Iterator { Iterator(self, from: 0) }

    /// Begins at `position`; beyond the end there is nothing.
    @inlinable
    package func makeIterator(from position: Int) -> Iterator { Iterator(self, from: position) }

    @inlinable
    package var underestimatedCount: Int { count }

    /// The summary of the elements in `range`.
    ///
    /// Complexity: O(log n), times the node capacity.
    @inlinable
    package func summary(of range: Range<Int>) -> Summary {
        guard range.lowerBound >= 0, range.upperBound <= count else {
            fatalError("no elements at positions \(range) of \(count)")
        }
        guard let root, !range.isEmpty else { return .zero }
        return Self.summary(of: range, in: root, height: height)
    }

    /// The first position at whose end `isReached` holds of the summary of all elements up to there,
    /// itself included, and the summary of those before it; `count` and the summary of all where it
    /// never does. Once it holds it must go on to hold.
    ///
    /// Complexity: O(log n), times the node capacity, without allocation.
    @inlinable
    package func firstPosition(
        where isReached: (Summary) -> Bool
    ) -> (position: Int, before: Summary) {
        guard let root, isReached(summary) else { return (count, summary) }
        defer { _fixLifetime(root) }
        var before = Summary.zero
        var position = 0
        var node = Unmanaged.passUnretained(root)
        for _ in 0..<height {
            node = node._withUnsafeGuaranteedRef { object in
                let inner = unsafeDowncast(object, to: Inner.self)
                var index = 0
                // The last child is what remains, whatever the predicate makes of rounding.
                while index < inner.payloadCount - 1 {
                    let through = before.combined(with: inner.payloads[index].summary)
                    if isReached(through) { break }
                    before = through
                    position += inner.payloads[index].count
                    index += 1
                }
                return Unmanaged.passUnretained(inner.payloads[index].node)
            }
        }
        return node._withUnsafeGuaranteedRef { object in
            let leaf = unsafeDowncast(object, to: Leaf.self)
            for index in 0..<leaf.payloadCount {
                let through = before.combined(with: Summary(of: leaf.payloads[index]))
                if isReached(through) { break }
                before = through
                position += 1
            }
            return (position, before)
        }
    }

    @inlinable
    static func summary(of range: Range<Int>, in node: AnyObject, height: Int) -> Summary {
        var summary = Summary.zero
        if height == 0 {
            let leaf = unsafeDowncast(node, to: Leaf.self)
            for index in range {
                summary = summary.combined(with: Summary(of: leaf.payloads[index]))
            }
            return summary
        }
        let inner = unsafeDowncast(node, to: Inner.self)
        var start = 0
        for index in 0..<inner.payloadCount where start < range.upperBound {
            let child = inner.payloads[index]
            let part = range.clamped(to: start..<(start + child.count))
            if part.count == child.count {
                summary = summary.combined(with: child.summary)
            } else if !part.isEmpty {
                let inside = (part.lowerBound - start)..<(part.upperBound - start)
                summary = summary.combined(
                    with: Self.summary(of: inside, in: child.node, height: height - 1)
                )
            }
            start += child.count
        }
        return summary
    }
}
