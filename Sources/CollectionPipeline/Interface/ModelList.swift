/// A data source that is nothing but models: an array for each section.
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

    /// Makes a list of `sections`.
    public init(_ sections: [[Model]] = []) { self.sections = sections }

    /// The models of a section, which must exist.
    public subscript(section: Int) -> [Model] {
        get { sections[section] }
        _modify { yield &sections[section] }
    }

    /// How many sections there are.
    public func numberOfSections() -> Int { sections.count }

    /// How many models a section has.
    public func numberOfItems(inSection section: Int) -> Int { sections[section].count }

    /// The models at `items` of a section.
    public func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<Model> {
        sections[section][items]
    }
}

extension DataController {
    /// Makes a controller of models alone: no nodes, and nothing is measured; its maps are what there is to see, and
    /// updates where a view of the application's own follows them. Nothing is loaded yet.
    ///
    /// - Parameters:
    ///   - models: the models of each section, which live on the main lane from now on.
    ///   - view: what shows it, held weakly, so it must be kept elsewhere (``CollectionView``).
    ///   - configuration: how to behave.
    ///   - lane: the main lane; without one, an ``EmulatedMainLane`` of the controller's own, named after it.
    ///   - environment: where background work runs.
    ///   - observer: receives events.
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
