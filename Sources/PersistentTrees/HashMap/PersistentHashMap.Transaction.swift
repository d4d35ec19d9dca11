extension PersistentHashMap {
    /// Edits on the way from one version to the next.
    ///
    /// It cannot be copied, and committing consumes it: with it goes the only right to write the
    /// nodes that it made.
    @usableFromInline
    package struct Transaction: ~Copyable {
        @usableFromInline var root: Node?
        @usableFromInline let owner: UInt64

        /// How many keys there are by now.
        @usableFromInline package internal(set) var count: Int

        /// How many nodes were made so far, copies or new; for tests of complexity.
        @usableFromInline package internal(set) var madeNodes = 0

        @inlinable
        init(_ map: PersistentHashMap) {
            root = map.root
            count = map.count
            owner = makeOwner()
        }

        /// The next version.
        ///
        /// Complexity: O(1).
        @inlinable
        package consuming func commit() -> PersistentHashMap {
            PersistentHashMap(root: root, count: count)
        }

        /// The value of `key`, or nil if there is none.
        @inlinable
        package subscript(key: Key) -> Value? {
            guard let root else { return nil }
            return PersistentHashMap.value(
                forKey: key,
                hash: PersistentHashMap.hash(of: key),
                below: root
            )
        }

        /// Gives `key` a value, and returns the one that it had.
        ///
        /// Complexity: O(log n) expected.
        @inlinable @discardableResult
        package mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
            let top = root ?? makeNode(capacity: 4)
            let hash = PersistentHashMap.hash(of: key)
            let (node, old) = update(value, key, hash, in: top, level: 0)
            root = node
            if old == nil { count += 1 }
            return old
        }

        /// Removes `key`, and returns the value that it had.
        ///
        /// Complexity: O(log n) expected; no node is copied where there is no such key.
        @inlinable @discardableResult
        package mutating func removeValue(forKey key: Key) -> Value? {
            guard let top = root else { return nil }
            let hash = PersistentHashMap.hash(of: key)
            guard let old = PersistentHashMap.value(forKey: key, hash: hash, below: top) else {
                return nil
            }
            let node = remove(key, hash, in: top, level: 0)
            count -= 1
            root = count == 0 ? nil : node
            return old
        }
    }
}

// MARK: - Nodes

extension PersistentHashMap.Transaction {
    @usableFromInline typealias Node = PersistentHashMap.Node

    @inlinable
    mutating func makeNode(capacity: Int) -> Node {
        madeNodes += 1
        return Node.make(capacity: capacity, owner: owner)
    }

    /// The node itself if it is this transaction's and has room, otherwise a copy.
    @inlinable
    mutating func own(_ node: Node, room: Int) -> Node {
        let header = node.info
        let needed = header.count + room
        if header.owner == owner {
            if needed <= header.capacity { return node }
            madeNodes += 1
            // It has grown before, so it may well grow again.
            return node.copy(capacity: needed * 2, owner: owner)
        }
        madeNodes += 1
        return node.copy(capacity: needed, owner: owner)
    }

    /// The node with the key in it, and the value that it had.
    @inlinable
    mutating func update(
        _ value: Value,
        _ key: Key,
        _ hash: UInt64,
        in node: Node,
        level: Int
    ) -> (Node, Value?) {
        guard level < Node.levels else { return updateEqualHash(value, key, in: node) }
        let branch = Node.branch(of: hash, level: level)
        let index = node.index(of: branch)
        guard node.info.branches & branch != 0 else {
            let node = own(node, room: 1)
            node.insert(.entry(key, value), at: index, branch: branch)
            return (node, nil)
        }
        let node = own(node, room: 0)
        switch node.slots[index] {
        case .entry(let found, let old) where found == key:
            node.slots[index] = .entry(found, value)
            return (node, old)
        case .entry(let found, let other):
            // Both go a level down, as far as their hashes agree.
            let child = makeNode(capacity: 2)
            let otherHash = PersistentHashMap.hash(of: found)
            let (first, _) = update(other, found, otherHash, in: child, level: level + 1)
            let (both, _) = update(value, key, hash, in: first, level: level + 1)
            node.slots[index] = .child(both)
            return (node, nil)
        case .child(let child):
            let child = unsafeDowncast(child, to: Node.self)
            let (next, old) = update(value, key, hash, in: child, level: level + 1)
            if next !== child { node.slots[index] = .child(next) }
            return (node, old)
        }
    }

    @inlinable
    mutating func updateEqualHash(_ value: Value, _ key: Key, in node: Node) -> (Node, Value?) {
        if let index = node.indexOfEntry(key) {
            let node = own(node, room: 0)
            let old = node.entry(at: index).value
            node.slots[index] = .entry(key, value)
            return (node, old)
        }
        let node = own(node, room: 1)
        node.insert(.entry(key, value), at: node.slotCount, branch: 0)
        return (node, nil)
    }

    /// The node without the key, which must be in it or below it.
    @inlinable
    mutating func remove(_ key: Key, _ hash: UInt64, in node: Node, level: Int) -> Node {
        let node = own(node, room: 0)
        guard level < Node.levels else {
            if let index = node.indexOfEntry(key) { node.remove(at: index, branch: 0) }
            return node
        }
        let branch = Node.branch(of: hash, level: level)
        let index = node.index(of: branch)
        guard case .child(let child) = node.slots[index] else {
            node.remove(at: index, branch: branch)
            return node
        }
        let next = remove(key, hash, in: unsafeDowncast(child, to: Node.self), level: level + 1)
        if next.slotCount == 1, case .entry = next.slots[0] {
            // What is alone needs no node of its own.
            node.slots[index] = next.slots[0]
        } else {
            node.slots[index] = .child(next)
        }
        return node
    }
}
