// Whether a tree is one, read from its nodes.

@testable import CollectionElements

extension PersistentSequence {
    /// What is wrong with the tree, or nil.
    func brokenInvariant() -> String? {
        guard let root else {
            return count == 0 && height == 0 ? nil : "no root with \(count) elements"
        }
        var counted = 0
        if let fault = Self.check(
            root,
            height: height,
            capacity: nodeCapacity,
            isRoot: true,
            &counted
        ) {
            return fault
        }
        return counted == count && count > 0 ? nil : "counts \(count), but has \(counted)"
    }

    private static func check(
        _ node: AnyObject,
        height: Int,
        capacity: NodeCapacity,
        isRoot: Bool,
        _ counted: inout Int
    ) -> String? {
        if height == 0 {
            guard let leaf = node as? Leaf else { return "no leaf at height 0" }
            counted += leaf.payloadCount
            return fillFault(
                leaf.payloadCount,
                isRoot ? 1 : capacity.leaf / 2,
                capacity.leaf
            )
        }
        guard let inner = node as? Inner else { return "no inner node at height \(height)" }
        if let fault = fillFault(
            inner.payloadCount,
            isRoot ? 2 : capacity.inner / 2,
            capacity.inner
        ) {
            return fault
        }
        for index in 0..<inner.payloadCount {
            let child = inner.payloads[index]
            var below = 0
            if let fault = check(
                child.node,
                height: height - 1,
                capacity: capacity,
                isRoot: false,
                &below
            ) {
                return fault
            }
            guard below == child.count else {
                return "a child counts \(child.count), but has \(below)"
            }
            counted += below
        }
        return nil
    }

    private static func fillFault(_ count: Int, _ minimum: Int, _ maximum: Int) -> String? {
        (minimum...maximum).contains(count)
            ? nil : "a node holds \(count), not \(minimum) to \(maximum)"
    }

    /// How many elements each leaf holds.
    func leafCounts() -> [Int] {
        func visit(_ node: AnyObject, _ height: Int) -> [Int] {
            if height == 0 { return [unsafeDowncast(node, to: Leaf.self).payloadCount] }
            let inner = unsafeDowncast(node, to: Inner.self)
            return (0..<inner.payloadCount).flatMap {
                visit(inner.payloads[$0].node, height - 1)
            }
        }
        return root.map { visit($0, height) } ?? []
    }

    /// Every node of this version.
    func nodeIdentities() -> Set<ObjectIdentifier> {
        var nodes: Set<ObjectIdentifier> = []
        func visit(_ node: AnyObject, _ height: Int) {
            nodes.insert(ObjectIdentifier(node))
            guard height > 0 else { return }
            let inner = unsafeDowncast(node, to: Inner.self)
            for index in 0..<inner.payloadCount {
                visit(inner.payloads[index].node, height - 1)
            }
        }
        if let root { visit(root, height) }
        return nodes
    }
}

extension ElementMap {
    /// What is wrong with the trees of this map, or nil.
    func brokenInvariant() -> String? {
        if let fault = storage.entries.brokenInvariant() { return "sections: \(fault)" }
        for (section, entry) in storage.entries.enumerated() {
            if let fault = entry.slots.brokenInvariant() { return "\(section): \(fault)" }
        }
        let counts = storage.entries.map { $0.slots.count }
        return counts == shape.itemCounts ? nil : "counts \(counts), not \(shape.itemCounts)"
    }
}
