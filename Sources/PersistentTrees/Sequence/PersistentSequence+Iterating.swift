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
}
