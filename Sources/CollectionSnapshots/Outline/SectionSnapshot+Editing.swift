import PersistentTrees

// Each edit performs all checks first; an edit that throws changes nothing.

extension SectionSnapshot {
    /// Adds items as the last children of a parent, or as the last root items.
    ///
    /// Throws if an item is already in the outline or occurs twice, or if the parent is not in the
    /// outline.
    public mutating func append(
        _ items: some Sequence<ItemID>,
        to parent: ItemID? = nil
    ) throws(SnapshotError) {
        let items = Array(items)
        try checkNew(items)
        if let parent { try checkExisting([parent]) }
        insert(items, below: parent, at: children(of: parent).count)
    }

    /// Inserts items before an item, as children of the same parent.
    ///
    /// Throws if an item is already in the outline or occurs twice, or if `anchor` is not in the
    /// outline.
    public mutating func insert(
        _ items: some Sequence<ItemID>,
        before anchor: ItemID
    ) throws(SnapshotError) {
        try insert(Array(items), beside: anchor, offset: 0)
    }

    /// Inserts items after an item and its descendants, as children of the same parent.
    ///
    /// Throws if an item is already in the outline or occurs twice, or if `anchor` is not in the
    /// outline.
    public mutating func insert(
        _ items: some Sequence<ItemID>,
        after anchor: ItemID
    ) throws(SnapshotError) {
        try insert(Array(items), beside: anchor, offset: 1)
    }

    /// Inserts an outline before an item; its roots become children of the same parent.
    ///
    /// Throws if one of its items is already in this outline, or if `anchor` is not in this
    /// outline.
    public mutating func insert(
        _ snapshot: SectionSnapshot,
        before anchor: ItemID
    ) throws(SnapshotError) {
        try insert(snapshot.rootItems, of: snapshot, beside: anchor, offset: 0)
    }

    /// Inserts an outline after an item and its descendants; its roots become children of the same
    /// parent.
    ///
    /// Throws if one of its items is already in this outline, or if `anchor` is not in this
    /// outline.
    public mutating func insert(
        _ snapshot: SectionSnapshot,
        after anchor: ItemID
    ) throws(SnapshotError) {
        try insert(snapshot.rootItems, of: snapshot, beside: anchor, offset: 1)
    }

    /// Removes items with their descendants; items that are not in the outline are ignored.
    ///
    /// Throws if an item occurs twice in `items`.
    public mutating func delete(_ items: some Sequence<ItemID>) throws(SnapshotError) {
        let items = Array(items)
        try checkUnique(items)
        for item in items where contains(item) { remove(item) }
    }

    /// Removes all items.
    public mutating func deleteAll() { self = SectionSnapshot() }

    /// Replaces all descendants of an item with an outline.
    ///
    /// Throws if `parent` is not in this outline, or if an item of the new outline is elsewhere in
    /// this one.
    public mutating func replace(
        childrenOf parent: ItemID,
        using snapshot: SectionSnapshot
    ) throws(SnapshotError) {
        try checkExisting([parent])
        var copy = self
        for child in childItems(of: parent) { copy.remove(child) }
        try copy.checkNew(snapshot.items)
        copy.insert(snapshot.rootItems, below: parent, at: 0)
        copy.copyDescendants(of: snapshot.rootItems, in: snapshot)
        self = copy
    }

    /// Expands items, so that their children are shown. Throws if an item is not in the outline.
    public mutating func expand(_ items: some Sequence<ItemID>) throws(SnapshotError) {
        try setExpanded(true, Array(items))
    }

    /// Collapses items, so that their descendants are hidden; expanded descendants stay expanded.
    /// Throws if an item is not in the outline.
    public mutating func collapse(_ items: some Sequence<ItemID>) throws(SnapshotError) {
        try setExpanded(false, Array(items))
    }

    // MARK: Checks

    private func checkUnique(_ items: [ItemID]) throws(SnapshotError) {
        guard items.count <= IdentifierTable<ItemID>.limit - count else { throw .tooMany }
        guard items.count > 1 else { return }
        let table = IdentifierTable(items)
        guard table.duplicates.isEmpty else {
            throw .outlineDuplicates(table.duplicateIdentifiers)
        }
    }

    private func checkNew(_ items: [ItemID]) throws(SnapshotError) {
        try checkUnique(items)
        let existing = items.filter(contains)
        guard existing.isEmpty else { throw .outlineDuplicates(existing) }
    }

    private func checkExisting(_ items: [ItemID]) throws(SnapshotError) {
        let unknown = items.filter { !contains($0) }
        guard unknown.isEmpty else { throw .unknownOutline(unknown) }
    }

    private func place(of item: ItemID) throws(SnapshotError) -> (parent: ItemID?, position: Int) {
        guard let node = nodes[item],
            let found = children(of: node.parent).find(label: node.label)
        else { throw .unknownOutline([item]) }
        return (node.parent, found.position)
    }

    // MARK: Helpers, after all checks

    private mutating func setExpanded(
        _ isExpanded: Bool,
        _ items: [ItemID]
    ) throws(SnapshotError) {
        try checkExisting(items)
        for item in items { update(item) { $0.isExpanded = isExpanded } }
    }

    /// Inserts items, with their descendants in another outline if they are its roots.
    private mutating func insert(
        _ items: [ItemID],
        of other: SectionSnapshot? = nil,
        beside anchor: ItemID,
        offset: Int
    ) throws(SnapshotError) {
        try checkNew(other?.items ?? items)
        let place = try place(of: anchor)
        insert(items, below: place.parent, at: place.position + offset)
        if let other { copyDescendants(of: items, in: other) }
    }

    private mutating func update(_ item: ItemID, _ change: (inout Node) -> Void) {
        guard var node = nodes[item] else { return }
        change(&node)
        var transaction = nodes.transaction()
        transaction.updateValue(node, forKey: item)
        nodes = transaction.commit()
    }

    private mutating func setChildren(_ children: Children, of parent: ItemID?) {
        if let parent { update(parent) { $0.children = children } } else { roots = children }
    }

    /// Adds new items as children, the first at `position`.
    mutating func insert(_ items: [ItemID], below parent: ItemID?, at position: Int) {
        guard !items.isEmpty else { return }
        var relabelled: [Child] = []
        var siblings = children(of: parent).transaction()
        let labels = siblings.labels(forInserting: items.count, at: position) { child, label in
            let child = Child(child.id, label: label)
            relabelled.append(child)
            return child
        }
        siblings.insert(
            contentsOf: items.indices.map { Child(items[$0], label: labels[$0]) },
            at: position
        )
        setChildren(siblings.commit(), of: parent)
        for child in relabelled { update(child.id) { $0.label = child.label } }
        var transaction = nodes.transaction()
        for (offset, item) in items.enumerated() {
            transaction.updateValue(Node(parent: parent, label: labels[offset]), forKey: item)
        }
        nodes = transaction.commit()
    }

    /// Removes an existing item with its descendants.
    private mutating func remove(_ item: ItemID) {
        guard let node = nodes[item] else { return }
        var siblings = children(of: node.parent).transaction()
        if let found = children(of: node.parent).find(label: node.label) {
            siblings.remove(at: found.position)
        }
        setChildren(siblings.commit(), of: node.parent)
        let below = walk(from: item, visibleOnly: false)
        var transaction = nodes.transaction()
        for item in below + [item] { transaction.removeValue(forKey: item) }
        nodes = transaction.commit()
    }

    /// Copies the descendants of an item of another outline below an item of this one.
    mutating func copyChildren(
        of item: ItemID,
        in other: SectionSnapshot,
        to parent: ItemID?
    ) {
        let children = other.childItems(of: item)
        insert(children, below: parent, at: self.children(of: parent).count)
        copyDescendants(of: children, in: other)
    }

    /// Copies the descendants that items have in another outline.
    private mutating func copyDescendants(of items: [ItemID], in other: SectionSnapshot) {
        var pending = items
        copyExpansion(of: items, in: other)
        while let item = pending.popLast() {
            let children = other.childItems(of: item)
            insert(children, below: item, at: 0)
            copyExpansion(of: children, in: other)
            pending += children
        }
    }

    /// Expands the items that are expanded in another outline.
    mutating func copyExpansion(of items: [ItemID], in other: SectionSnapshot) {
        for item in items where other.isExpanded(item) { update(item) { $0.isExpanded = true } }
    }
}
