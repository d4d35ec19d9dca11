import PersistentTrees

// Each edit checks everything first, and changes nothing where it throws.

extension SectionSnapshot {
    /// Adds items as the last children of another, or below none.
    ///
    /// Throws where an item is in the outline or occurs twice, or the parent is not there.
    public mutating func append(
        _ items: some Sequence<ItemID>,
        to parent: ItemID? = nil
    ) throws(SnapshotError) {
        let items = Array(items)
        try checkNew(items)
        if let parent { try checkExisting([parent]) }
        insert(items, below: parent, at: children(of: parent).count)
    }

    /// Puts items before another, as children of the same parent.
    ///
    /// Throws where an item is in the outline or occurs twice, or `anchor` is not there.
    public mutating func insert(
        _ items: some Sequence<ItemID>,
        before anchor: ItemID
    ) throws(SnapshotError) {
        let items = Array(items)
        try checkNew(items)
        let place = try place(of: anchor)
        insert(items, below: place.parent, at: place.position)
    }

    /// Puts items behind another and what is below it, as children of the same parent.
    ///
    /// Throws where an item is in the outline or occurs twice, or `anchor` is not there.
    public mutating func insert(
        _ items: some Sequence<ItemID>,
        after anchor: ItemID
    ) throws(SnapshotError) {
        let items = Array(items)
        try checkNew(items)
        let place = try place(of: anchor)
        insert(items, below: place.parent, at: place.position + 1)
    }

    /// Puts an outline before an item, its roots as children of the same parent.
    ///
    /// Throws where an item of it is in this outline, or `anchor` is not there.
    public mutating func insert(
        _ snapshot: SectionSnapshot,
        before anchor: ItemID
    ) throws(SnapshotError) {
        try insert(snapshot, beside: anchor, offset: 0)
    }

    /// Puts an outline behind an item and what is below it, its roots as children of the same parent.
    ///
    /// Throws where an item of it is in this outline, or `anchor` is not there.
    public mutating func insert(
        _ snapshot: SectionSnapshot,
        after anchor: ItemID
    ) throws(SnapshotError) {
        try insert(snapshot, beside: anchor, offset: 1)
    }

    /// Removes items with all that is below them; what is not there is ignored.
    ///
    /// Throws where an item occurs twice in `items`.
    public mutating func delete(_ items: some Sequence<ItemID>) throws(SnapshotError) {
        let items = Array(items)
        try checkUnique(items)
        for item in items where contains(item) { remove(item) }
    }

    /// Removes all items.
    public mutating func deleteAll() { self = SectionSnapshot() }

    /// Puts an outline below an item in place of all that is there.
    ///
    /// Throws where `parent` is not there, or an item of the outline is elsewhere in this one.
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

    /// Shows the children of items. Throws where one is not there.
    public mutating func expand(_ items: some Sequence<ItemID>) throws(SnapshotError) {
        try setExpanded(true, Array(items))
    }

    /// Hides what is below items; what is expanded there stays so. Throws where one is not there.
    public mutating func collapse(_ items: some Sequence<ItemID>) throws(SnapshotError) {
        try setExpanded(false, Array(items))
    }
}

// MARK: - Checks

extension SectionSnapshot {
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
}

// MARK: - Parts, on what has been checked

extension SectionSnapshot {
    private mutating func setExpanded(
        _ isExpanded: Bool,
        _ items: [ItemID]
    ) throws(SnapshotError) {
        try checkExisting(items)
        for item in items { update(item) { $0.isExpanded = isExpanded } }
    }

    private mutating func insert(
        _ snapshot: SectionSnapshot,
        beside anchor: ItemID,
        offset: Int
    ) throws(SnapshotError) {
        try checkNew(snapshot.items)
        let place = try place(of: anchor)
        insert(snapshot.rootItems, below: place.parent, at: place.position + offset)
        copyDescendants(of: snapshot.rootItems, in: snapshot)
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

    /// Removes an item that is there, with all that is below it.
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

    /// Puts what is below an item of another outline below an item of this one.
    mutating func copyChildren(
        of item: ItemID,
        in other: SectionSnapshot,
        to parent: ItemID?
    ) {
        let children = other.childItems(of: item)
        insert(children, below: parent, at: self.children(of: parent).count)
        copyDescendants(of: children, in: other)
    }

    /// Puts below items what is below them in another outline.
    mutating func copyDescendants(of items: [ItemID], in other: SectionSnapshot) {
        var pending = items
        copyExpansion(of: items, in: other)
        while let item = pending.popLast() {
            let children = other.childItems(of: item)
            insert(children, below: item, at: 0)
            copyExpansion(of: children, in: other)
            pending += children
        }
    }

    /// Expands those items that are expanded in another outline.
    mutating func copyExpansion(of items: [ItemID], in other: SectionSnapshot) {
        for item in items where other.isExpanded(item) { update(item) { $0.isExpanded = true } }
    }
}
