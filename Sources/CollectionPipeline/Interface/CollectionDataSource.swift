/// Where a controller learns what is in the collection.
///
/// Two members are enough: the number of items in a section, and a node for an item. Everything else
/// has a default. All members are called on the main lane while a change set is being accepted; none
/// may submit to the controller.
///
/// Shape: paths and sections are in the data source's index space, as it is when it is asked: after all changes
/// of the batch. The view may be some updates behind (``DataController/viewPath(for:)``,
/// ``DataController/viewSection(for:)``).
///
/// The order of asking is fixed: the number of sections, and of items of every section (or, of a data source
/// that names its ``changedSections()``, of those and of the ones that the record touches); then, with the
/// change set validated, the contexts of inserted and reloaded sections, ascending; then for each new
/// item its model, its size range and its node provider: items of fresh sections ascending, then
/// single ones ascending; then the same for reconfigured items; then supplementary elements. At the end the
/// number of sections, and of items of the sections that were asked for content, are read again: a data
/// source that changed meanwhile has its change set rejected.
public protocol CollectionDataSource: AnyObject, SendableMetatype {
    /// How many sections there are; 1 by default.
    func numberOfSections() -> Int

    /// How many items a section has.
    func numberOfItems(inSection section: Int) -> Int

    /// The sections, by their index now, that may have another number of items than when the last
    /// change set was accepted; nil, the default, where that is not known.
    ///
    /// A data source with thousands of sections spares itself as many questions by it. Sections that
    /// are inserted or reloaded, and those with items that are, need not be named. Whatever is not named
    /// and does change stays unnoticed. After a rejection all sections are asked about until a change set
    /// accounts for everything.
    func changedSections() -> SectionSet?

    /// What makes the node of the item at `path`: run once, on a worker or by whoever asks for the node
    /// first, and released. It should capture the item's model, not look it up later.
    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider

    /// What the item at `path` shows: for nodes that can be reconfigured, for readers of the maps, and for checks that
    /// the maps have what the data source has (``PipelineConfiguration/contentCheck``); nil by default.
    func model(forItemAt path: ItemPath) -> (any Sendable)?

    /// The sizes that the item at `path` may take; nil, the default, for the view's.
    func sizeRange(forItemAt path: ItemPath) -> SizeRange?

    /// What to attach to a section; nil by default.
    func context(forSection section: Int) -> (any SectionContext)?

    /// Which kinds of supplementary elements a section has; none by default.
    func supplementaryKinds(inSection section: Int) -> [SupplementaryKind]

    /// How many supplementary elements of a kind a section has; 1 by default. Asked only for kinds
    /// that the section has.
    func numberOfSupplementaries(ofKind kind: SupplementaryKind, inSection section: Int) -> Int

    /// What makes the node of a supplementary element. Asked only where there is one.
    func supplementaryNodeProvider(ofKind kind: SupplementaryKind, at path: ItemPath)
        -> NodeProvider

    /// The sizes that a supplementary element may take; nil, the default, for the view's.
    func sizeRange(forSupplementaryOfKind kind: SupplementaryKind, at path: ItemPath) -> SizeRange?
}

extension CollectionDataSource {
    /// One section.
    public func numberOfSections() -> Int { 1 }

    /// Nil: every section is asked about.
    public func changedSections() -> SectionSet? { nil }

    /// No model.
    public func model(forItemAt path: ItemPath) -> (any Sendable)? { nil }

    /// The view's range.
    public func sizeRange(forItemAt path: ItemPath) -> SizeRange? { nil }

    /// No context.
    public func context(forSection section: Int) -> (any SectionContext)? { nil }

    /// No kinds.
    public func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] { [] }

    /// One.
    public func numberOfSupplementaries(
        ofKind kind: SupplementaryKind,
        inSection section: Int
    ) -> Int { 1 }

    /// A provider that throws ``MissingSupplementaryNode``: a data source that names kinds must
    /// give nodes for them.
    public func supplementaryNodeProvider(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> NodeProvider {
        { throw MissingSupplementaryNode(kind: kind, path: path) }
    }

    /// The view's range.
    public func sizeRange(
        forSupplementaryOfKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> SizeRange? { nil }
}

/// A data source gave no model for an item that it counted.
public struct MissingModel: Error, Hashable, Sendable {
    /// Where the item is, in the data source's index space.
    public let path: ItemPath
}

extension MissingModel: CustomStringConvertible {
    /// What was asked for, and what must be given.
    public var description: String {
        "The data source returned no model for item \(path.item) of section \(path.section), which it counts;"
            + " models(at: \(path.item)..<\(path.item + 1), inSection: \(path.section)) must return one"
    }
}

/// A data source named a kind of supplementary elements and gave no node for one.
public struct MissingSupplementaryNode: Error, Hashable, Sendable {
    /// The kind it named.
    public let kind: SupplementaryKind
    /// The place it was asked for, in the data source's index space.
    public let path: ItemPath
}

extension MissingSupplementaryNode: CustomStringConvertible {
    /// What is missing, and the method to implement.
    public var description: String {
        "The data source names the kind '\(kind)' for section \(path.section) but has no node for number"
            + " \(path.item) of it; implement supplementaryNodeProvider(ofKind:at:)"
    }
}
