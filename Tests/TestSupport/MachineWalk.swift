import PersistentTrees

/// A state machine together with the state of its driver and environment; inputs are applied one at
/// a time.
package protocol MachineRun {
    associatedtype Input: CaseIterable & Sendable

    /// Applies an input and performs the machine's actions. An input that is impossible in the
    /// current state does nothing.
    ///
    /// - Returns: whether the input was possible.
    mutating func take(_ input: Input) -> Bool

    /// The first broken promise, or `nil`.
    var fault: String? { get }
}

/// Tries every sequence of at most `length` inputs. Runs are values, without lanes or threads.
///
/// - Returns: the first sequence that breaks a promise, with the promise, and the number of
/// sequences.
package func walk<Run: MachineRun>(_ run: Run, length: Int) -> (fault: String?, count: Int) {
    var count = 0
    func walk(_ run: Run, _ inputs: [Run.Input]) -> String? {
        if let fault = run.fault { return "\(inputs): \(fault)" }
        guard inputs.count < length else { return nil }
        for input in Run.Input.allCases {
            var run = run
            guard run.take(input) else { continue }
            count += 1
            if let fault = walk(run, inputs + [input]) { return fault }
        }
        return nil
    }
    let fault = walk(run, [])
    return (fault, count)
}

// Checks of a tree's invariants, from its nodes.

extension PersistentSequence {
    /// Returns the first broken invariant of the tree, or `nil`.
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
            return "a node with \(counted) elements has the count \(node.count)"
        }
        return node.children.lazy.compactMap { fault($0, isRoot: false) }.first
    }

    /// All nodes of this version, parents before children.
    package var nodes: [NodeShape] {
        func nodes(_ node: NodeShape) -> [NodeShape] { [node] + node.children.flatMap(nodes) }
        return shape.map(nodes) ?? []
    }

    package func leafCounts() -> [Int] {
        nodes.filter { $0.height == 0 }.map(\.payloadCount)
    }

    /// Returns the identities of the nodes; versions that share a node share its identity.
    package func nodeIdentities() -> Set<ObjectIdentifier> { Set(nodes.map(\.identity)) }
}
