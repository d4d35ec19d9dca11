/// A map from keys to values whose versions share what is equal in them.
///
/// It is a hash trie: a node has a slot for each of 32 branches that is in use, and each level takes
/// five bits of the hash. A version is a value that never changes. Edits happen in a ``Transaction``,
/// which copies each node that it touches once and shares the rest. It has no order and no iteration.
///
/// Hashes are the standard library's, seeded by process. Keys of equal hashes are told apart by
/// comparing one after the other.
///
/// Threading: a version may be read from anywhere. Dropping the last version that holds some nodes
/// frees them on the spot; it recurses no deeper than 14 levels.
///
/// Complexity: O(1) to copy a version; O(1) expected for a value, O(log n) for an edit.
///
/// Source: Bagwell, "Ideal Hash Trees" (2001); the transients and path copies of Clojure's maps; one
/// form for each content, as in Steindorfer and Vinju, "Optimizing Hash-Array Mapped Tries" (2015).
@usableFromInline
// The nodes are not known to the compiler as sendable: no one writes them once they are published.
package struct PersistentHashMap<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
    @usableFromInline typealias Node = PersistentHashNode<Key, Value>

    @usableFromInline let root: Node?

    /// How many keys there are.
    @usableFromInline package let count: Int

    @inlinable
    init(root: Node?, count: Int) {
        self.root = root
        self.count = count
    }

    /// No keys.
    @inlinable
    package init() { self.init(root: nil, count: 0) }

    @inlinable
    package var isEmpty: Bool { root == nil }

    /// The hash of a key, for who looks it up in several places.
    @inlinable
    package static func hash(of key: Key) -> UInt64 { UInt64(truncatingIfNeeded: key.hashValue) }

    /// The value of `key`, or nil if there is none.
    @inlinable
    package subscript(key: Key) -> Value? {
        root == nil ? nil : value(forKey: key, hash: Self.hash(of: key))
    }

    /// The value of a key whose hash is known, or nil if there is none.
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

    /// Begins a next version; this one stays as it is.
    ///
    /// Complexity: O(1).
    @inlinable
    package func transaction() -> Transaction { Transaction(self) }

    /// How many nodes there are, and whether every node but the root has more than one entry in it or
    /// below it; for tests. Complexity: O(n).
    package var census: (nodes: Int, entries: Int, isCanonical: Bool) {
        func census(_ node: Node, isRoot: Bool) -> (nodes: Int, entries: Int, isCanonical: Bool) {
            var result = (nodes: 1, entries: 0, isCanonical: true)
            for index in 0..<node.slotCount {
                switch node.slots[index] {
                case .entry: result.entries += 1
                case .child(let child):
                    let below = census(unsafeDowncast(child, to: Node.self), isRoot: false)
                    result.nodes += below.nodes
                    result.entries += below.entries
                    result.isCanonical = result.isCanonical && below.isCanonical
                }
            }
            if !isRoot, result.entries < 2 { result.isCanonical = false }
            return result
        }
        return root.map { census($0, isRoot: true) } ?? (0, 0, true)
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
    /// Where a key is in a node of equal hashes.
    @inlinable
    func indexOfEntry(_ key: Key) -> Int? { (0..<slotCount).first { entry(at: $0).key == key } }
}
