// Whether a tree is one, read from its nodes.

import PersistentTrees

extension PersistentSequence {
    /// What is wrong with the tree, or nil.
    package func brokenInvariant() -> String? {
        guard let shape else {
            return count == 0 && height == 0 ? nil : "no root with \(count) elements"
        }
        guard shape.height == height else { return "a root of height \(shape.height)" }
        return count > 0 ? fault(shape, isRoot: true) : "a root without elements"
    }

    private func fault(_ node: NodeShape, isRoot: Bool) -> String? {
        let isLeaf = node.height == 0
        let maximum = isLeaf ? nodeCapacity.leaf : nodeCapacity.inner
        let minimum = isRoot ? (isLeaf ? 1 : 2) : maximum / 2
        guard (minimum...maximum).contains(node.payloadCount) else {
            return "a node holds \(node.payloadCount), not \(minimum) to \(maximum)"
        }
        let counted = isLeaf ? node.payloadCount : node.children.reduce(0) { $0 + $1.count }
        guard node.count == counted else {
            return "a node that has \(counted) is said to have \(node.count)"
        }
        return node.children.lazy.compactMap { fault($0, isRoot: false) }.first
    }

    /// Every node of this version, those above others first.
    package var nodes: [NodeShape] {
        func nodes(_ node: NodeShape) -> [NodeShape] { [node] + node.children.flatMap(nodes) }
        return shape.map(nodes) ?? []
    }

    /// How many elements each leaf holds.
    package func leafCounts() -> [Int] {
        nodes.filter { $0.height == 0 }.map(\.payloadCount)
    }

    /// What is another node in no two versions that share it.
    package func nodeIdentities() -> Set<ObjectIdentifier> { Set(nodes.map(\.identity)) }
}
