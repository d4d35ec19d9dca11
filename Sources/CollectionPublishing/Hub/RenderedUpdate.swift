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
    /// The same of headers.
    private(set) var remeasuredSections: [(section: Int, payload: PublishedPayload)] = []

    /// - Parameters:
    ///   - changeSet: the edits.
    ///   - version: where they lead to.
    ///   - remeasured: what was measured without an edit, by new place, items first, each ascending.
    ///   - item: what the item at a new path shows.
    ///   - header: what the header of a section shows, by new index.
    ///
    /// Complexity: O(k) calls for k edits, fresh items and reconfigurations.
    package init(
        _ changeSet: ValidatedChangeSet,
        to version: Int,
        remeasured: [ElementPlace] = [],
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
        for place in remeasured {
            if place.kind == nil, let payload = item(place.path) {
                remeasuredItems.append((place.path, payload))
            } else if place.kind == .header, let payload = header(place.path.section) {
                remeasuredSections.append((place.path.section, payload))
            }
        }
    }

    /// Main lane, while the update is deployed: what its nodes show by then.
    init(of update: ViewUpdate) {
        let map = update.newMap
        self.init(
            update.changeSet,
            to: map.generation,
            remeasured: update.remeasured,
            item: { map.element(at: $0)?.payload },
            header: { section in
                map.supplementary(ofKind: .header, at: ItemPath(section: section, item: 0))?
                    .payload
            }
        )
    }
}

extension CollectionElement {
    /// What the node renders that is there; none is made for it.
    fileprivate var payload: PublishedPayload? {
        (nodeIfAllocated as? any PublishedNode)?.payload
    }
}
