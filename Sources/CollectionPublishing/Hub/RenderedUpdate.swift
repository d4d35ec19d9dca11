import CollectionElements

/// What the main lane takes down of an update when it is deployed: the edits, and the payloads of what they bring.
///
/// Everything else is done on the hub's lane.
package struct RenderedUpdate: Sendable {
    typealias Payload = PublishedPayload?

    let changeSet: ValidatedChangeSet
    /// The version that it leads to.
    let version: Int
    /// For each section that is inserted or reloaded: its header, and the items that it arrives with.
    private(set) var freshSections: [(header: Payload, items: [Payload])] = []
    /// For each item that is inserted or reloaded by itself.
    let insertedItems: [Payload]
    /// For each reconfiguration.
    let changedItems: [Payload]
    /// For each section whose header was reloaded.
    let changedSections: [Payload]
    /// Of items that were measured without an edit of theirs, by new path, ascending.
    private(set) var remeasuredItems: [(path: ItemPath, payload: PublishedPayload)] = []
    /// The same of headers; and of those that came, went or are others since their section was edited.
    private(set) var lateSections: [(section: Int, payload: Payload)] = []

    /// - Parameters:
    ///   - changeSet: the edits.
    ///   - version: where they lead to.
    ///   - remeasured: what was measured without an edit, by new place, items first, each ascending.
    ///   - otherHeaders: the sections that have another header than before, or none, by new index, ascending.
    ///   - item: what the item at a new path shows.
    ///   - header: what the header of a section shows, by new index.
    ///
    /// Complexity: O(k) calls for k edits, fresh items and reconfigurations.
    package init(
        _ changeSet: ValidatedChangeSet,
        to version: Int,
        remeasured: [ElementPlace] = [],
        otherHeaders: [Int] = [],
        item: (ItemPath) -> PublishedPayload?,
        header: (Int) -> PublishedPayload? = { _ in nil }
    ) {
        self.changeSet = changeSet
        self.version = version
        for edit in changeSet.sectionInsertions where edit.role != .move {
            var items: [Payload] = []
            items.reserveCapacity(edit.freshItemCount)
            for run in changeSet.freshItems(ofSection: edit) {
                for index in run {
                    items.append(item(ItemPath(section: edit.section, item: index)))
                }
            }
            freshSections.append((header(edit.section), items))
        }
        let inserted = changeSet.itemInsertions.lazy.filter { $0.role != .move }
        insertedItems = inserted.map { item($0.path) }
        changedItems = changeSet.reconfigurations.map { item($0.newPath) }
        changedSections = changeSet.changedSections.map(header)
        lateSections = otherHeaders.map { ($0, header($0)) }
        let compared = Set(otherHeaders)
        for place in remeasured {
            let section = place.path.section
            if place.kind == nil, let payload = item(place.path) {
                remeasuredItems.append((place.path, payload))
            } else if place.kind == .header, !compared.contains(section),
                let payload = header(section)
            {
                lateSections.append((section, payload))
            }
        }
    }

    /// Main lane, while the update is deployed: what its nodes show by then.
    init(of update: ViewUpdate) {
        let map = update.newMap
        // Most of what is asked for stands side by side, and is walked.
        var items = map.items.makeIterator()
        var next = ItemPath(section: 0, item: 0)
        func payload(at path: ItemPath) -> PublishedPayload? {
            if path != next { items = map.items(from: path).makeIterator() }
            next = ItemPath(section: path.section, item: path.item + 1)
            return items.next()?.element.payload
        }
        self.init(
            update.changeSet,
            to: map.generation,
            remeasured: update.remeasured,
            otherHeaders: update.otherHeaders,
            item: payload,
            header: { section in
                map.header(ofSection: section)?.payload
            }
        )
    }
}

extension ViewUpdate {
    /// The sections that stay and have another header than before, or none, without having been asked for it: a data
    /// source may say so of a section with edits. By new index, ascending.
    fileprivate var otherHeaders: [Int] {
        var edited = Set(changeSet.itemInsertions.map(\.path.section))
        for edit in changeSet.itemRemovals {
            if let section = changeSet.newSection(for: edit.path.section) { edited.insert(section) }
        }
        return edited.filter { section in
            let insertion = changeSet.sectionInsertion(at: section)
            guard insertion == nil || insertion?.role == .move,
                let oldSection = changeSet.oldSection(for: section)
            else { return false }
            return oldMap.header(ofSection: oldSection) !== newMap.header(ofSection: section)
        }.sorted()
    }
}

extension ElementMap {
    fileprivate func header(ofSection section: Int) -> CollectionElement? {
        supplementary(ofKind: .header, at: ItemPath(section: section, item: 0))
    }
}

extension CollectionElement {
    /// What the node renders that is there; none is made for it.
    fileprivate var payload: PublishedPayload? {
        (nodeIfAllocated as? any PublishedNode)?.payload
    }
}
