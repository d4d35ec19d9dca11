extension ExtentTree {
    /// Makes a tree of elements that come one by one, without ever holding them all in one array.
    struct Builder {
        /// Leaves are left with a little room, so that the first edits do not split them.
        private static var filling: Int { leafCapacity - leafCapacity / 8 }

        private var leaves: ContiguousArray<Node> = []
        private var leaf = Elements()

        @inline(__always)
        mutating func append(_ element: Element) {
            if leaf.count == Self.filling { closeLeaf() }
            if leaf.isEmpty { leaf.reserveCapacity(Self.filling) }
            leaf.append(element)
        }

        private mutating func closeLeaf() {
            leaves.append(Node(elements: leaf))
            leaf = Elements()
        }

        /// The tree of what was appended.
        consuming func tree() -> ExtentTree {
            // Only the last leaf may be too empty; joining sees to that.
            let last = leaf.isEmpty ? nil : Node(elements: leaf)
            return Self.tree(leaves).appending(ExtentTree(root: last))
        }

        private static func tree(_ leaves: ContiguousArray<Node>) -> ExtentTree {
            guard !leaves.isEmpty else { return ExtentTree() }
            var level = leaves
            while level.count > 1 {
                let count = level.count
                // Evenly filled, so that none is too empty.
                let filling =
                    count <= innerCapacity ? innerCapacity : innerCapacity - innerCapacity / 8
                let parts = (count + filling - 1) / filling
                level = ContiguousArray(
                    (0..<parts).map { part in
                        let range = (count * part / parts)..<(count * (part + 1) / parts)
                        return Node(children: ContiguousArray(level[range]))
                    }
                )
            }
            return ExtentTree(root: level[0])
        }
    }
}
