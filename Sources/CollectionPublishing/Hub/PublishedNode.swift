import CollectionElements

/// A node that renders the content of its element for readers.
///
/// Render the content in step 3, on a worker: either in the node provider or in `measure(in:)`. A
/// ``ReconfigurableNode`` renders a new model in `measure(_:in:)`, and returns the new payload
/// after `update(to:)`. A node of another type is replaced whenever its element is reconfigured.
/// The simplest such node is ``PayloadNode``.
public protocol PublishedNode: CollectionNode {
    /// The rendered content. It is read on the main lane, once for each update that inserts,
    /// changes or measures the element. If it is `nil`, readers keep the previous payload, if they
    /// have one.
    var payload: PublishedPayload? { get }
}

/// A node with a payload that is rendered when the node is made, and never changes.
///
/// ```swift
/// func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
///     let row = rows[path.item]
///     return { PayloadNode("<li>\(row.title)</li>") }
/// }
/// ```
public final class PayloadNode: PublishedNode {
    /// The rendered content.
    public let payload: PublishedPayload?

    private let size: Size

    /// Creates a node.
    ///
    /// - Parameters:
    ///   - payload: The rendered content.
    ///   - size: The measured size, for a layout that is used in addition to the hub; zero by
    ///     default.
    public init(_ payload: PublishedPayload, size: Size = .zero) {
        self.payload = payload
        self.size = size
    }

    /// Returns the size that the node was made with.
    public func measure(in range: SizeRange) -> Size { size }
}

/// The edits of an update, and the payloads of its new and changed elements. They are read on the
/// main lane when the update is deployed.
///
/// All other work is done on the hub's lane.
package struct RenderedUpdate: Sendable {
    typealias Payload = PublishedPayload?

    let changeSet: ValidatedChangeSet
    /// The version that the update leads to.
    let version: Int
    /// The header of each inserted or reloaded section, with the items that it is inserted with.
    private(set) var insertedSections: [(header: Payload, items: [Payload])] = []
    /// The items that are inserted or reloaded individually.
    let insertedItems: [Payload]
    /// The reconfigured items.
    let changedItems: [Payload]
    /// The reloaded headers of existing sections.
    let changedSections: [Payload]
    /// The items that were measured without an edit, by new path, ascending.
    private(set) var remeasuredItems: [(path: ItemPath, payload: PublishedPayload)] = []
    /// The headers that were measured without an edit, and those that were added, removed or
    /// replaced because their section was edited.
    private(set) var lateSections: [(section: Int, payload: Payload)] = []

    /// Calls `item` and `header` for every new or changed element.
    ///
    /// - Parameters:
    ///   - changeSet: The edits.
    ///   - version: The version that they lead to.
    ///   - remeasured: The elements that were measured without an edit, by new place: items before
    ///     headers, each ascending.
    ///   - otherHeaders: The new indexes of sections whose header was added, removed or replaced,
    ///     ascending.
    ///   - item: A closure that returns the payload of the item at a new path.
    ///   - header: A closure that returns the payload of the header of a section, by new index.
    ///
    /// Complexity: O(k) calls for k edits, new items and reconfigurations.
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
            items.reserveCapacity(edit.newItemCount)
            for run in changeSet.newItems(ofSection: edit) {
                for index in run {
                    items.append(item(ItemPath(section: edit.section, item: index)))
                }
            }
            insertedSections.append((header(edit.section), items))
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

    /// Creates the data of an update while it is deployed, on the main lane, from its nodes.
    init(of update: ViewUpdate) {
        let map = update.newMap
        // Most of the paths are consecutive, so an iterator is faster than a lookup for each.
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
    /// The new indexes of the sections that remain and whose header was added, removed or replaced
    /// without a reload, ascending. A data source may change the header of a section when the
    /// section is edited.
    fileprivate var otherHeaders: [Int] {
        var edited = changeSet.itemInsertions.map(\.path.section)
        for edit in changeSet.itemRemovals {
            if let section = changeSet.newSection(for: edit.path.section) { edited.append(section) }
        }
        edited.sort()
        return edited.indices.compactMap { index in
            let section = edited[index]
            if index > 0, edited[index - 1] == section { return nil }
            let insertion = changeSet.sectionInsertion(at: section)
            guard insertion == nil || insertion?.role == .move,
                let oldSection = changeSet.oldSection(for: section),
                oldMap.header(ofSection: oldSection) !== newMap.header(ofSection: section)
            else { return nil }
            return section
        }
    }
}

extension ElementMap {
    fileprivate func header(ofSection section: Int) -> CollectionElement? {
        supplementary(ofKind: .header, at: ItemPath(section: section, item: 0))
    }
}

extension CollectionElement {
    /// The payload of the existing node; no node is made for it.
    fileprivate var payload: PublishedPayload? {
        (nodeIfAllocated as? any PublishedNode)?.payload
    }
}
