extension ExtentTree {
    /// Walks the elements from an index on, descending from the root once a leaf.
    struct Cursor {
        private let tree: ExtentTree
        private var leaf: Elements = []
        private var offset = 0
        private var leafEnd: Int

        init(_ tree: ExtentTree, from index: Int) {
            self.tree = tree
            leafEnd = Swift.max(0, index)
        }

        @inline(__always)
        mutating func next() -> Element? {
            if offset == leaf.count, !enterNextLeaf() { return nil }
            defer { offset += 1 }
            return leaf[offset]
        }

        private mutating func enterNextLeaf() -> Bool {
            guard let next = tree.leaf(with: leafEnd) else { return false }
            (leaf, offset) = (next.elements, next.offset)
            leafEnd += leaf.count - offset
            return true
        }
    }

    /// Begins at `index`; beyond the end there is nothing.
    func cursor(from index: Int = 0) -> Cursor { Cursor(self, from: index) }
}
