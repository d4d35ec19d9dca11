import CollectionElements

/// A data source that is a state, told whole, so that an application writes none of its own.
///
/// It changes by ``DataController/apply(_:animated:context:)`` alone, which finds the edits. Where an application knows
/// its edits, a ``CollectionDataSource`` costs less.
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
    /// The state that was accepted last; empty until one is applied.
    public private(set) var state: State

    /// That of the state, which may take a while to say it.
    private(set) var shape: HierarchyShape

    /// The sections, by their index now, that have edits; nil where all may.
    var sectionsWithEdits: SectionSet?

    /// Makes a node of a model, on a worker; nil where there are no nodes.
    let makeNode: (@Sendable (State.Model) throws -> any CollectionNode)?

    /// Makes the node of a section's header, on a worker; `nil` if sections have no headers.
    let makeHeader: (@Sendable (State.Section) throws -> any CollectionNode)?

    /// How differences are taken; the profile is the controller's.
    let options: DifferenceOptions

    /// Makes a data source with no sections.
    ///
    /// - Parameters:
    ///   - options: how differences are taken and expressed; the profile is the controller's, whatever it is here. By
    ///     default a state in which an identifier occurs twice is rejected.
    ///   - makeNode: makes the node of a model: called once for each item, on a worker or by whoever asks for the
    ///     node first; nil where there are no nodes. Kept as long as any element.
    ///   - header: makes the node of a section's header, in the same way; `nil` if sections have no headers.
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

    /// How many sections the state has.
    public func numberOfSections() -> Int { shape.numberOfSections }

    /// How many items a section of the state has.
    public func numberOfItems(inSection section: Int) -> Int { shape.itemCounts[section] }

    /// The sections that are being edited, while a state is submitted; nil otherwise, where all may have changed.
    public func changedSections() -> SectionSet? { sectionsWithEdits }

    /// The header, if the data source was made with one.
    public func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] {
        makeHeader == nil ? [] : [.header]
    }

    /// Returns a closure that makes the header of what the section is now.
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

    /// The state's models.
    public func models(at items: Range<Int>, inSection section: Int) -> State.Models {
        state.models(at: items, inSection: section)
    }
}

/// A source of models that may have a function that makes nodes of them.
protocol OptionallyShownSource<Model>: ModelSource {
    var makeNode: (@Sendable (Model) throws -> any CollectionNode)? { get }

    /// What applies states to it.
    func makeApplier(_ core: PipelineCore) -> any StateApplying
}

extension SnapshotDataSource: OptionallyShownSource {
    /// Makes a node of the model that is at `path` now; throws where there are no nodes.
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
