/// What has changed between two versions, in transit: the four runs, and what changes in place after them.
struct WireUpdate: Hashable, Sendable {
    /// A section that comes: fresh, or from an old index.
    struct SectionInsertion: Hashable, Sendable {
        enum Source: Hashable, Sendable {
            case fresh(WireSection)
            case old(Int)
        }

        var newIndex: Int
        var source: Source
    }

    /// An item that comes: fresh, or from an old path.
    struct ItemInsertion: Hashable, Sendable {
        enum Source: Hashable, Sendable {
            case fresh(PublishedItem)
            case old(ItemPath)
        }

        var newPath: ItemPath
        var source: Source
    }

    /// An item that shows something else.
    struct ItemChange: Hashable, Sendable {
        var newPath: ItemPath
        var payload: PublishedPayload?
    }

    /// A section whose header shows something else.
    struct SectionChange: Hashable, Sendable {
        var newIndex: Int
        var payload: PublishedPayload?
    }

    var from: PublishedVersion
    var to: PublishedVersion
    var digest: StateDigest?
    var place: WirePlace?
    /// Descending.
    var removedItems: [ItemPath]
    /// Descending.
    var removedSections: [Int]
    /// Ascending, as all that follow.
    var insertedSections: [SectionInsertion]
    var insertedItems: [ItemInsertion]
    var changedItems: [ItemChange]
    var changedSections: [SectionChange]
}

extension WireUpdate {
    init(_ update: PublishedUpdate) throws(WireError) {
        let (changeSet, contents) = (update.changeSet, update.contents)
        if update.from.number < 0 { throw WireError(update.from) }
        if let misfit = update.misfit { throw WireError(.misfit, misfit) }
        from = update.from
        to = update.to
        digest = update.digest
        place = try update.place.map { place throws(WireError) in try WirePlace(place) }
        removedItems = changeSet.itemRemovals.map(\.path)
        removedSections = changeSet.sectionRemovals.map(\.section)
        insertedSections = try Self.sectionInsertions(of: changeSet, contents)
        insertedItems = try Self.itemInsertions(of: changeSet, contents)
        changedItems = []
        for (change, item) in zip(changeSet.reconfigurations, contents.changedItems) {
            try WireError.check("item", item.number, item.payload)
            changedItems.append(ItemChange(newPath: change.newPath, payload: item.payload))
        }
        changedSections = []
        for change in contents.changedSections {
            try WireError.check("section", change.section.number, change.section.payload)
            let payload = change.section.payload
            changedSections.append(SectionChange(newIndex: change.newIndex, payload: payload))
        }
    }

    private static func sectionInsertions(
        of changeSet: ValidatedChangeSet,
        _ contents: PublishedContents
    ) throws(WireError) -> [SectionInsertion] {
        var fresh = contents.freshSections[...]
        var insertions: [SectionInsertion] = []
        for edit in changeSet.sectionInsertions {
            let source: SectionInsertion.Source
            if edit.role == .move, let oldIndex = edit.associatedWith {
                source = .old(oldIndex)
            } else if let next = fresh.popFirst() {
                source = .fresh(try WireSection(next.section, next.items))
            } else {
                continue
            }
            insertions.append(SectionInsertion(newIndex: edit.section, source: source))
        }
        return insertions
    }

    private static func itemInsertions(
        of changeSet: ValidatedChangeSet,
        _ contents: PublishedContents
    ) throws(WireError) -> [ItemInsertion] {
        var fresh = contents.insertedItems[...]
        var insertions: [ItemInsertion] = []
        for edit in changeSet.itemInsertions {
            let source: ItemInsertion.Source
            if edit.role == .move, let oldPath = edit.associatedWith {
                source = .old(oldPath)
            } else if let next = fresh.popFirst() {
                try WireError.check("item", next.number, next.payload)
                source = .fresh(next)
            } else {
                continue
            }
            insertions.append(ItemInsertion(newPath: edit.path, source: source))
        }
        return insertions
    }
}
