import CollectionElements

/// A data source that returns only models, for ranges of items.
///
/// Its items have no nodes, and nothing is measured. Use it for readers that need models from the
/// maps, as most servers do. ``ModelList`` is a model source that stores arrays. If items are to be
/// shown, conform to ``ModelDataSource``.
///
/// Shape: items are requested in the data source's index space, in runs of neighbours, in the order
/// in which a ``CollectionDataSource`` is called for single items. For each run, the controller
/// requests the models before the size range. A run of new items with fewer or more models than
/// items rejects the change set. A reconfigured item is requested alone: if there is no model for
/// it, only that item fails, with ``MissingModel``.
public protocol ModelSource<Model>: CollectionDataSource {
    /// The model of an item.
    associatedtype Model: Sendable

    /// The models of neighbouring items.
    associatedtype Models: Sequence where Models.Element == Model

    /// Returns the models of the items of a section at `items`, in order; as many as there are
    /// items.
    func models(at items: Range<Int>, inSection section: Int) -> Models

    /// Returns the size range of each of the items at `items`, or `nil`, the default, to use the
    /// view's range. It is called instead of `sizeRange(forItemAt:)`.
    func sizeRange(forItemsAt items: Range<Int>, inSection section: Int) -> SizeRange?

    /// Creates elements with models, by code that is compiled for their type. It is meant for the
    /// pipeline, and is not to be implemented.
    @_documentation(visibility: internal)
    func _makeElements(
        of models: Models,
        atMost limit: Int,
        on configuration: _ModelConfiguration<Model>,
        into elements: inout [CollectionElement]
    )
}

/// The properties that elements with models have in common; meant for the pipeline.
@_documentation(visibility: internal)
public struct _ModelConfiguration<Model: Sendable> {
    @usableFromInline let configuration: ModelElementConfiguration<Model>

    init(_ configuration: ModelElementConfiguration<Model>) { self.configuration = configuration }
}

extension ModelSource {
    /// Returns `nil`, which selects the view's size range.
    public func sizeRange(forItemsAt items: Range<Int>, inSection section: Int) -> SizeRange? {
        nil
    }

    /// Returns the model at `path`.
    public func model(forItemAt path: ItemPath) -> (any Sendable)? { oneModel(at: path) }

    /// Returns a provider that throws, because there are no nodes.
    public func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        { throw ElementError.modelOnly }
    }

    /// Returns the size range of a single item.
    public func sizeRange(forItemAt path: ItemPath) -> SizeRange? {
        sizeRange(forItemsAt: path.item..<(path.item + 1), inSection: path.section)
    }

    /// Appends one element for each model, up to the limit.
    @_documentation(visibility: internal)
    @inlinable
    public func _makeElements(
        of models: Models,
        atMost limit: Int,
        on configuration: _ModelConfiguration<Model>,
        into elements: inout [CollectionElement]
    ) {
        var room = limit
        for model in models {
            guard room > 0 else { return }
            room -= 1
            elements.append(ModelElement(model, configuration: configuration.configuration))
        }
    }

    func oneModel(at path: ItemPath) -> Model? {
        models(at: path.item..<(path.item + 1), inSection: path.section).first { _ in true }
    }
}

/// A data source that returns models for ranges of items, and has one function that creates a node
/// for any of them.
///
/// Use it if all items have models of one type: a million of them then load without one closure and
/// one call for each. If items need individual providers or size ranges, conform only to
/// ``CollectionDataSource``.
///
/// ```swift
/// final class Feed: ModelDataSource {
///     var posts: [Post] = []
///     let makeNode: @Sendable (Post) throws -> any CollectionNode = { PostNode($0) }
///     func numberOfItems(inSection section: Int) -> Int { posts.count }
///     func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<Post> { posts[items] }
/// }
/// ```
public protocol ModelDataSource<Model>: ModelSource {
    /// A closure that creates a node. It is called once for each item, on a worker or on the first
    /// thread that requests the node. The controller reads this property when it is created, on the
    /// thread that creates it, and again for reconfigured items. The closure is retained as long as
    /// any element, so it must not capture the data source.
    var makeNode: @Sendable (Model) throws -> any CollectionNode { get }
}

extension ModelDataSource {
    /// Returns a provider that creates a node with the current model at `path`.
    public func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        let (model, makeNode) = (oneModel(at: path), makeNode)
        return {
            guard let model else { throw MissingModel(path: path) }
            return try makeNode(model)
        }
    }
}

/// A data source that consists only of models: an array for each section.
///
/// ```swift
/// let controller = DataController(models: [rows])
/// try await controller.reloadData()
/// try await controller.insertItems(at: [ItemPath(section: 0, item: 0)]) { list in
///     list[0].insert(row, at: 0)
/// }
/// for item in controller.visibleMap.items { send(item.content.model) }
/// ```
///
/// Threading: it belongs to the controller's main lane.
public final class ModelList<Model: Sendable>: ModelSource {
    /// The models of each section.
    public var sections: [[Model]]

    /// Creates a list with `sections`.
    public init(_ sections: [[Model]] = []) { self.sections = sections }

    /// The models of a section, which must exist.
    public subscript(section: Int) -> [Model] {
        get { sections[section] }
        _modify { yield &sections[section] }
    }

    /// Returns the number of sections.
    public func numberOfSections() -> Int { sections.count }

    /// Returns the number of models in a section.
    public func numberOfItems(inSection section: Int) -> Int { sections[section].count }

    /// Returns the models at `items` of a section.
    public func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<Model> {
        sections[section][items]
    }
}

extension DataController {
    /// Creates a controller that has only models, without nodes and measurements. The application
    /// reads the content from the maps, or follows it with its own view. Nothing is loaded yet.
    ///
    /// - Parameters:
    ///   - models: The models of each section; from now on they belong to the main lane.
    ///   - view: The view that shows the collection, held weakly, so that the application must
    ///     retain it (``CollectionView``).
    ///   - configuration: The options of the controller.
    ///   - lane: The main lane; by default a new ``EmulatedMainLane`` named after the controller.
    ///   - environment: The environment in which background work runs.
    ///   - observer: The receiver of events.
    public convenience init<Model>(
        models: [[Model]],
        view: (any CollectionView)? = nil,
        configuration: PipelineConfiguration = PipelineConfiguration(),
        lane: (any Lane)? = nil,
        environment: any PipelineEnvironment = DispatchEnvironment(),
        observer: (any PipelineObserver)? = nil
    ) where Source == ModelList<Model> {
        self.init(
            dataSource: ModelList(models),
            view: view,
            configuration: configuration,
            lane: lane,
            environment: environment,
            observer: observer
        )
    }
}
