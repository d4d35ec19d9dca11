/// The source of a controller's content.
///
/// Two members are enough: the number of items in a section, and a node for an item. All other
/// members have defaults. The controller calls all members on the main lane while it accepts a
/// change set. None of them may submit to the controller.
///
/// Shape: paths and sections are in the data source's index space at the time of the call, after
/// all changes of the batch. The view may be some updates behind
/// (``DataController/viewPath(for:)``, ``DataController/viewSection(for:)``).
///
/// The order of calls is fixed. First the controller reads the number of sections and the number of
/// items in every section (if the data source names its ``changedSections()``, only in those
/// sections and in the sections that the record touches). After validation it reads the contexts of
/// inserted and reloaded sections, ascending. Then it reads the model, the size range and the node
/// provider of each new item: first the items of new sections, ascending, then single items,
/// ascending. The same follows for reconfigured items, and then for supplementary elements. At the
/// end, the controller reads the number of sections again, and the number of items of the sections
/// whose content it read: if the data source changed in the meantime, the change set is rejected.
public protocol CollectionDataSource: AnyObject, SendableMetatype {
    /// Returns the number of sections. The default implementation returns 1.
    func numberOfSections() -> Int

    /// Returns the number of items in a section.
    func numberOfItems(inSection section: Int) -> Int

    /// Returns the sections, by their current index, whose number of items may differ from that of
    /// the last accepted change set, or `nil`, the default, if they are not known.
    ///
    /// A data source with thousands of sections saves as many calls by implementing this method. It
    /// need not name sections that are inserted or reloaded, or sections with items that are. Other
    /// changes to unnamed sections stay unnoticed. After a rejection the controller reads the
    /// counts of all sections until a change set accounts for all of them.
    func changedSections() -> SectionSet?

    /// Returns a closure that creates the node of the item at `path`. The closure runs once, on a
    /// worker or on the first thread that requests the node, and is then released. It should
    /// capture the item's model instead of looking it up later.
    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider

    /// Returns the model of the item at `path`, or `nil`, the default. Models are used to
    /// reconfigure nodes, by readers of the maps, and to check the maps against the data source
    /// (``PipelineConfiguration/contentCheck``).
    func model(forItemAt path: ItemPath) -> (any Sendable)?

    /// Returns the size range of the item at `path`, or `nil`, the default, to use the view's
    /// range.
    func sizeRange(forItemAt path: ItemPath) -> SizeRange?

    /// Returns the context to attach to a section, or `nil`, the default.
    func context(forSection section: Int) -> (any SectionContext)?

    /// Returns the kinds of supplementary elements in a section. The default implementation returns
    /// none.
    func supplementaryKinds(inSection section: Int) -> [SupplementaryKind]

    /// Returns the number of supplementary elements of a kind in a section. The default
    /// implementation returns 1. It is called only for kinds that the section has.
    func numberOfSupplementaries(ofKind kind: SupplementaryKind, inSection section: Int) -> Int

    /// Returns a closure that creates the node of a supplementary element. It is called only for
    /// elements that exist.
    func supplementaryNodeProvider(ofKind kind: SupplementaryKind, at path: ItemPath)
        -> NodeProvider

    /// Returns the size range of a supplementary element, or `nil`, the default, to use the view's
    /// range.
    func sizeRange(forSupplementaryOfKind kind: SupplementaryKind, at path: ItemPath) -> SizeRange?
}

extension CollectionDataSource {
    /// Returns 1.
    public func numberOfSections() -> Int { 1 }

    /// Returns `nil`: the controller reads the counts of all sections.
    public func changedSections() -> SectionSet? { nil }

    /// Returns `nil`: items have no models.
    public func model(forItemAt path: ItemPath) -> (any Sendable)? { nil }

    /// Returns `nil`, which selects the view's size range.
    public func sizeRange(forItemAt path: ItemPath) -> SizeRange? { nil }

    /// Returns `nil`: sections have no context.
    public func context(forSection section: Int) -> (any SectionContext)? { nil }

    /// Returns an empty array: sections have no supplementary elements.
    public func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] { [] }

    /// Returns 1.
    public func numberOfSupplementaries(
        ofKind kind: SupplementaryKind,
        inSection section: Int
    ) -> Int { 1 }

    /// Returns a provider that throws ``MissingSupplementaryNode``. A data source that names kinds
    /// must implement this method.
    public func supplementaryNodeProvider(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> NodeProvider {
        { throw MissingSupplementaryNode(kind: kind, path: path) }
    }

    /// Returns `nil`, which selects the view's size range.
    public func sizeRange(
        forSupplementaryOfKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> SizeRange? { nil }
}

/// The error for a data source that returned no model for an item that it counted.
public struct MissingModel: Error, Hashable, Sendable {
    /// The path of the item, in the data source's index space.
    public let path: ItemPath
}

extension MissingModel: CustomStringConvertible {
    /// A description of the missing model and of the value to return.
    public var description: String {
        "The data source returned no model for item \(path.item) of section \(path.section), which it counts;"
            + " models(at: \(path.item)..<\(path.item + 1), inSection: \(path.section)) must return one"
    }
}

/// The error for a data source that named a kind of supplementary elements and returned no node for
/// one of them.
public struct MissingSupplementaryNode: Error, Hashable, Sendable {
    /// The kind that the data source named.
    public let kind: SupplementaryKind
    /// The path that the node was requested for, in the data source's index space.
    public let path: ItemPath
}

extension MissingSupplementaryNode: CustomStringConvertible {
    /// A description of the missing node and of the method to implement.
    public var description: String {
        "The data source names the kind '\(kind)' for section \(path.section) but has no node for number"
            + " \(path.item) of it; implement supplementaryNodeProvider(ofKind:at:)"
    }
}
