/// A persistent map from keys to values: its versions share the nodes that they have in common.
///
/// The map is a hash trie. A node has up to 32 branches and a slot for each branch in use. Each
/// level uses five bits of the hash. A version is a value that never changes. Edits happen in a
/// ``Transaction``, which copies each node that it touches once and shares the rest. The map has no
/// order and no iteration.
///
/// The hashes are those of the standard library, which seeds them in each process. Keys with equal
/// hashes are compared one by one.
///
/// Threading: a version may be read from any thread. When the last version that holds a node is
/// dropped, the node is freed immediately; the recursion is at most 14 levels deep.
///
/// Complexity: O(1) to copy a version; O(1) expected to read a value, O(log n) for an edit.
///
/// Source: Bagwell, "Ideal Hash Trees" (2001); the transients and path copies of Clojure's maps;
/// one canonical form for each content, as in Steindorfer and Vinju, "Optimizing Hash-Array Mapped
/// Tries" (2015).
@usableFromInline
// `@unchecked` because the compiler cannot see that the nodes are sendable: they are never written
// after they are published.
package struct PersistentHashMap<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
    @usableFromInline typealias Node = PersistentHashNode<Key, Value>

    @usableFromInline let root: Node?

    /// The number of keys.
    @usableFromInline package let count: Int

    @inlinable
    init(root: Node?, count: Int) {
        self.root = root
        self.count = count
    }

    /// Creates an empty map.
    @inlinable
    package init() { self.init(root: nil, count: 0) }

    @inlinable
    package var isEmpty: Bool { root == nil }

    /// Returns the hash of a key, for callers that look it up in several maps.
    @inlinable
    package static func hash(of key: Key) -> UInt64 { UInt64(truncatingIfNeeded: key.hashValue) }

    /// The value of `key`, or `nil` if the map does not contain it.
    @inlinable
    package subscript(key: Key) -> Value? {
        root == nil ? nil : value(forKey: key, hash: Self.hash(of: key))
    }

    /// Returns the value of a key whose hash is known, or `nil` if the map does not contain the
    /// key.
    @inlinable
    package func value(forKey key: Key, hash: UInt64) -> Value? {
        guard let root else { return nil }
        return Self.value(forKey: key, hash: hash, below: root)
    }

    @inlinable
    static func value(forKey key: Key, hash: UInt64, below root: Node) -> Value? {
        defer { _fixLifetime(root) }
        var node = root
        for level in 0..<Node.levels {
            let branch = Node.branch(of: hash, level: level)
            guard node.info.branches & branch != 0 else { return nil }
            switch node.slots[node.index(of: branch)] {
            case .entry(let found, let value): return found == key ? value : nil
            case .child(let child): node = unsafeDowncast(child, to: Node.self)
            }
        }
        return node.indexOfEntry(key).map { node.entry(at: $0).value }
    }

    /// Begins the next version; this version does not change.
    ///
    /// Complexity: O(1).
    @inlinable
    package func transaction() -> Transaction { Transaction(self) }

    /// The number of entries, and whether every node except the root contains more than one entry,
    /// in itself or below; used by tests. Complexity: O(n).
    package var census: (entries: Int, isCanonical: Bool) {
        func census(_ node: Node, isRoot: Bool) -> (entries: Int, isCanonical: Bool) {
            var result = (entries: 0, isCanonical: true)
            for index in 0..<node.slotCount {
                switch node.slots[index] {
                case .entry: result.entries += 1
                case .child(let child):
                    let below = census(unsafeDowncast(child, to: Node.self), isRoot: false)
                    result.entries += below.entries
                    result.isCanonical = result.isCanonical && below.isCanonical
                }
            }
            if !isRoot, result.entries < 2 { result.isCanonical = false }
            return result
        }
        return root.map { census($0, isRoot: true) } ?? (0, true)
    }
}

extension PersistentHashNode {
    @inlinable
    func entry(at index: Int) -> (key: Key, value: Value) {
        guard case .entry(let key, let value) = slots[index] else {
            fatalError("a child where an entry is expected")
        }
        return (key, value)
    }
}

extension PersistentHashNode where Key: Equatable {
    /// Returns the index of a key in a node of equal hashes.
    @inlinable
    func indexOfEntry(_ key: Key) -> Int? { (0..<slotCount).first { entry(at: $0).key == key } }
}

extension PersistentHashMap {
    /// A series of edits that makes the next version.
    ///
    /// It cannot be copied, and committing consumes it: only the transaction may write the nodes
    /// that it made.
    @usableFromInline
    package struct Transaction: ~Copyable {
        @usableFromInline var root: Node?
        @usableFromInline let owner: UInt64

        /// The current number of keys.
        @usableFromInline package internal(set) var count: Int

        /// The number of nodes created so far, copied or new; used by complexity tests.
        @usableFromInline package internal(set) var madeNodes = 0

        @inlinable
        init(_ map: PersistentHashMap) {
            root = map.root
            count = map.count
            owner = NodeOwner().number
        }

        /// Returns the next version.
        ///
        /// Complexity: O(1).
        @inlinable
        package consuming func commit() -> PersistentHashMap {
            PersistentHashMap(root: root, count: count)
        }

        /// The value of `key`, or `nil` if the map does not contain it.
        @inlinable
        package subscript(key: Key) -> Value? {
            guard let root else { return nil }
            return PersistentHashMap.value(
                forKey: key,
                hash: PersistentHashMap.hash(of: key),
                below: root
            )
        }

        /// Sets the value of `key` and returns its old value.
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

        /// Removes `key` and returns its value.
        ///
        /// Complexity: O(log n) expected; no node is copied if the map does not contain the key.
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

    /// Returns the node itself if this transaction owns it and it has room; otherwise returns a
    /// copy.
    @inlinable
    mutating func own(_ node: Node, room: Int) -> Node {
        let header = node.info
        let needed = header.count + room
        if header.owner == owner {
            if needed <= header.capacity { return node }
            madeNodes += 1
            // The node has grown before, so it will probably grow again.
            return node.copy(capacity: needed * 2, owner: owner)
        }
        madeNodes += 1
        return node.copy(capacity: needed, owner: owner)
    }

    /// Returns a node that contains the key, and the key's old value.
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
            // Both entries move down as many levels as their hashes agree on.
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

    /// Returns the node without the key, which must be in the node or below it.
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
            // A single entry needs no node of its own.
            node.slots[index] = next.slots[0]
        } else {
            node.slots[index] = .child(next)
        }
        return node
    }
}
