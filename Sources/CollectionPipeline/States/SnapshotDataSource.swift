import CollectionElements

/// A data source that stores a state, so that an application does not have to implement a data
/// source.
///
/// It changes only by ``DataController/apply(_:animated:callerContext:)``, which finds the edits.
/// If an application knows its edits, a ``CollectionDataSource`` costs less.
///
/// ```swift
/// let board = DataController(rows: Post.self, sections: String.self, view: view) { PostNode($0.text) }
/// try await board.apply(SectionedRows([("today", posts)]))
/// ```
///
/// Threading: it belongs to the controller's main lane.
///
/// Source: UIKit's diffable data sources.
public final class SnapshotDataSource<State: CollectionState>: ModelSource {
    /// The state that was accepted last; empty until a state is applied.
    public private(set) var state: State

    /// The shape of the state, which is stored because a state may need time to compute it.
    private(set) var shape: HierarchyShape

    /// The sections with edits, by their current index; `nil` if all sections may have edits.
    var sectionsWithEdits: SectionSet?

    /// A closure that creates the node of a model on a worker; `nil` if there are no nodes.
    let makeNode: (@Sendable (State.Model) throws -> any CollectionNode)?

    /// A closure that creates the node of a section's header on a worker; `nil` if sections have no
    /// headers.
    let makeHeader: (@Sendable (State.Section) throws -> any CollectionNode)?

    /// The options of comparisons; the profile is the controller's.
    let options: DifferenceOptions

    /// Creates a data source without sections.
    ///
    /// - Parameters:
    ///   - options: The options of comparisons; the profile is ignored, because the controller's is
    ///     used. By default a state in which an identifier occurs twice is rejected.
    ///   - makeNode: A closure that creates the node of a model, once for each item, on a worker or
    ///     on the first thread that requests the node; `nil` if there are no nodes. It is retained
    ///     as long as any element.
    ///   - header: A closure that creates the node of a section's header in the same way; `nil` if
    ///     sections have no headers.
    public init(
        options: DifferenceOptions = DifferenceOptions(),
        makeNode: (@Sendable (State.Model) throws -> any CollectionNode)? = nil,
        header: (@Sendable (State.Section) throws -> any CollectionNode)? = nil
    ) {
        state = State()
        shape = state.shape
        self.options = options
        self.makeNode = makeNode
        makeHeader = header
    }

    func replace(with state: State, _ shape: HierarchyShape) {
        self.state = state
        self.shape = shape
    }

    /// Returns the number of sections in the state.
    public func numberOfSections() -> Int { shape.numberOfSections }

    /// Returns the number of items in a section of the state.
    public func numberOfItems(inSection section: Int) -> Int { shape.itemCounts[section] }

    /// Returns the sections with edits while a state is submitted, and `nil` otherwise, because all
    /// sections may have changed.
    public func changedSections() -> SectionSet? { sectionsWithEdits }

    /// Returns the header kind if the data source was created with headers, and no kinds otherwise.
    public func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] {
        makeHeader == nil ? [] : [.header]
    }

    /// Returns a closure that creates the header for the current value of the section.
    public func supplementaryNodeProvider(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> NodeProvider {
        guard let makeHeader, state.sections.indices.contains(path.section) else {
            return { throw MissingSupplementaryNode(kind: kind, path: path) }
        }
        let section = state.sections[path.section]
        return { try makeHeader(section) }
    }

    /// Returns the models of the state.
    public func models(at items: Range<Int>, inSection section: Int) -> State.Models {
        state.models(at: items, inSection: section)
    }
}

/// A source of models that may have a closure that creates their nodes.
protocol OptionalNodeSource<Model>: ModelSource {
    var makeNode: (@Sendable (Model) throws -> any CollectionNode)? { get }

    /// Returns the object that applies states to this data source.
    func makeApplier(_ core: PipelineCore) -> any StateApplying
}

extension SnapshotDataSource: OptionalNodeSource {
    /// Returns a provider that creates a node with the current model at `path`, or throws if there
    /// are no nodes.
    public func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        guard let makeNode else { return { throw ElementError.modelOnly } }
        let model = oneModel(at: path)
        return {
            guard let model else { throw MissingModel(path: path) }
            return try makeNode(model)
        }
    }

    func makeApplier(_ core: PipelineCore) -> any StateApplying { StateApplier(core, self) }
}
