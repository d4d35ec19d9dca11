extension PersistentSequence {
    /// Begins a next version; this one stays as it is.
    ///
    /// Complexity: O(1).
    @inlinable
    package func transaction() -> Transaction { Transaction(self) }

    /// Edits on the way from one version to the next.
    ///
    /// It cannot be copied, and committing consumes it: with it goes the only right to write the
    /// nodes that it made.
    @usableFromInline
    package struct Transaction: ~Copyable {
        @usableFromInline var root: AnyObject?
        @usableFromInline let owner: UInt64
        @usableFromInline let nodeCapacity: NodeCapacity

        /// How many inner nodes lie above every leaf.
        @usableFromInline package internal(set) var height: Int
        /// How many elements there are by now.
        @usableFromInline package internal(set) var count: Int

        /// How many nodes were made so far, copies or new; for tests of complexity.
        @usableFromInline package internal(set) var madeNodes = 0
        /// How many nodes were visited to be changed so far; for tests of complexity.
        @usableFromInline package internal(set) var visitedNodes = 0

        @inlinable
        init(_ sequence: PersistentSequence) {
            root = sequence.root
            height = sequence.height
            count = sequence.count
            nodeCapacity = sequence.nodeCapacity
            owner = makeOwner()
        }

        /// The next version.
        ///
        /// Complexity: O(1), namely one visit of the root.
        @inlinable
        package consuming func commit() -> PersistentSequence {
            PersistentSequence(
                root: root,
                height: height,
                nodeCapacity: nodeCapacity,
                count: count,
                summary: root.map { summary(of: $0, height: height) } ?? .zero
            )
        }

        /// The element at `position`.
        @inlinable
        package subscript(position: Int) -> Element {
            guard let root, (0..<count).contains(position) else {
                fatalError("no element at position \(position) of \(count)")
            }
            defer { _fixLifetime(root) }
            let place = leafPlace(of: position, in: root, height: height)
            return place.elements[place.offset]
        }
    }
}

extension PersistentSequence.Transaction {
    /// Puts an element before the one at `position`, or behind all at `count`.
    ///
    /// Complexity: O(log n).
    @inlinable
    package mutating func insert(_ element: Element, at position: Int) {
        guard position >= 0, position <= count else {
            fatalError("cannot insert at position \(position) of \(count)")
        }
        count += 1
        guard var node = root else {
            let leaf = makeNode(of: Element.self)
            leaf.insert(element, at: 0)
            root = leaf
            return
        }
        if let sibling = insert(element, at: position, into: &node, height: height) {
            let top = makeNode(of: PersistentSequence.Child.self)
            top.insert(PersistentSequence.child(of: node, height: height), at: 0)
            top.insert(sibling, at: 1)
            node = top
            height += 1
        }
        root = node
    }

    /// Puts elements in, the first at `position`.
    ///
    /// Complexity: O(m log n) for m elements, and O(m) if they are at least as many as there were.
    @inlinable
    package mutating func insert(contentsOf elements: [Element], at position: Int) {
        guard elements.count > 1, elements.count >= count else {
            for (offset, element) in elements.enumerated() {
                insert(element, at: position + offset)
            }
            return
        }
        guard position >= 0, position <= count else {
            fatalError("cannot insert at position \(position) of \(count)")
        }
        rebuild(replacing: position..<position, with: elements)
    }

    /// Takes the element at `position` out.
    ///
    /// Complexity: O(log n).
    @inlinable @discardableResult
    package mutating func remove(at position: Int) -> Element {
        guard var node = root, position >= 0, position < count else {
            fatalError("cannot remove at position \(position) of \(count)")
        }
        let element = remove(at: position, from: &node, height: height)
        count -= 1
        while height > 0, onlyChild(of: node) != nil {
            node = onlyChild(of: node) ?? node
            height -= 1
        }
        root = count == 0 ? nil : node
        return element
    }

    /// Takes the elements in `range` out.
    ///
    /// Complexity: O(m log n) for m elements, and O(m) if they are at least half of all.
    @inlinable
    package mutating func removeSubrange(_ range: Range<Int>) {
        guard range.lowerBound >= 0, range.upperBound <= count else {
            fatalError("cannot remove positions \(range) of \(count)")
        }
        if range.count > 1, range.count >= count - range.count {
            rebuild(replacing: range, with: [])
        } else {
            for position in range.reversed() { remove(at: position) }
        }
    }

    /// Puts an element in the place of the one at `position`, which it returns.
    ///
    /// Complexity: O(log n).
    @inlinable @discardableResult
    package mutating func replace(at position: Int, with element: Element) -> Element {
        guard var node = root, position >= 0, position < count else {
            fatalError("cannot replace at position \(position) of \(count)")
        }
        defer { root = node }
        return replace(at: position, with: element, in: &node, height: height)
    }

    /// Builds everything again, for edits as large as what they leave.
    @inlinable
    mutating func rebuild(replacing range: Range<Int>, with replacement: [Element]) {
        let old = PersistentSequence(
            root: root,
            height: height,
            nodeCapacity: nodeCapacity,
            count: count,
            summary: .zero
        )
        var elements = old.prefix(range.lowerBound) + replacement
        var rest = old.makeIterator(from: range.upperBound)
        while let element = rest.next() { elements.append(element) }
        // Nodes of another owner: as good as shared ones.
        let new = PersistentSequence(elements, nodeCapacity: nodeCapacity)
        (root, height, count) = (new.root, new.height, new.count)
    }
}
