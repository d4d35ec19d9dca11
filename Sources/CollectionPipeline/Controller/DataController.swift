import CollectionElements

/// Turns change sets against a data source into consistent, ordered, measured updates of a view,
/// without ever blocking the thread that submits them.
///
/// Every change set takes five steps: it is validated and becomes the new pending map (1), a layout
/// delegate may take a context (2), nodes are made and measured on background workers (3), the result
/// queues for the main lane (4), and the view swaps the visible map and applies the edits (5).
///
/// ```swift
/// let controller = DataController(dataSource: Feed(), view: view)
/// try await controller.reloadData()
/// try await controller.performBatchUpdates { feed, changes in
///     feed.posts.insert("new", at: 0)
///     changes.insertItems(at: [ItemPath(section: 0, item: 0)])
/// }
/// ```
///
/// Two index spaces: ``pendingMap`` is the data source's newest accepted state, and records speak of
/// it as it was when the outermost batch began; ``visibleMap`` is what the view shows. The main lane is
/// where the data source and the view live; by default a private one.
///
/// Threading: every member may be called from anywhere. What belongs to the main lane is on a handle that can be had
/// there alone, ``Isolated``. Completions run on the main lane, never inside a call (No Inline Callbacks).
///
/// The controller owns the data source and holds the view weakly. Dropping it completes everything
/// outstanding as cancelled; ``close(draining:timeout:)`` is the orderly end.
///
/// Source: Texture's data controller, with its defects mended.
public final class DataController<Source: CollectionDataSource>: Sendable {
    let core: PipelineCore

    /// Makes a controller; nothing is loaded yet.
    ///
    /// - Parameters:
    ///   - dataSource: what is in the collection; from now on it lives on the main lane.
    ///   - view: what shows it, held weakly, so it must be kept elsewhere (``CollectionView``); nil to keep only the
    ///     maps.
    ///   - configuration: how to behave.
    ///   - lane: the main lane; without one, an ``EmulatedMainLane`` of the controller's own, named after it.
    ///   - environment: where background work runs.
    ///   - layoutDelegate: who decides what is measured, if not everything is; retained.
    ///   - facilitators: who is told of updates before the view; retained.
    ///   - observer: who is told of events.
    public init(
        dataSource: sending Source,
        view: (any CollectionView)? = nil,
        configuration: PipelineConfiguration = PipelineConfiguration(),
        lane: (any Lane)? = nil,
        environment: any PipelineEnvironment = DispatchEnvironment(),
        layoutDelegate: (any LayoutDelegate)? = nil,
        facilitators: [any UpdateFacilitator] = [],
        observer: (any PipelineObserver)? = nil
    ) {
        core = PipelineCore(
            dataSource: dataSource,
            view: view,
            configuration: configuration,
            lane: lane ?? EmulatedMainLane(label: "\(configuration.name).main"),
            environment: environment,
            layoutDelegate: layoutDelegate,
            facilitators: facilitators,
            observer: observer
        )
        core.surroundings.controller = self
    }

    deinit {
        let core = core
        core.lane.enqueue { core.abandon() }
    }

    // MARK: State

    /// The main lane.
    public var lane: any Lane { core.lane }

    /// How it behaves, as it was made.
    package var configuration: PipelineConfiguration { core.configuration }

    /// The core has what the controller was made with, so there is nothing to find out.
    static func typedSource(of core: PipelineCore) -> Source {
        unsafeDowncast(core.dataSource, to: Source.self)
    }

    /// The newest accepted state of the data source; from any thread.
    public var pendingMap: ElementMap { core.pendingMap }

    /// What the view shows; from any thread. Always some earlier or equal pending map, whole
    /// (Consistent Snapshot).
    public var visibleMap: ElementMap { core.visibleMap }

    /// How the data source may differ from the last accepted state, after a rejection; nil while they
    /// agree. From any thread.
    public var divergence: Divergence? { core.divergence }

    /// Where the item at `dataSourcePath` is on the view, or nil if the view does not show it yet,
    /// or it does not exist. By identity; from any thread.
    public func viewPath(for dataSourcePath: ItemPath) -> ItemPath? {
        let (pending, visible) = core.maps
        return visible.convert(dataSourcePath, from: pending)
    }

    /// Where the item that the view shows at `viewPath` is in the data source, or nil if it is gone
    /// from there. By identity; from any thread.
    public func dataSourcePath(for viewPath: ItemPath) -> ItemPath? {
        let (pending, visible) = core.maps
        return pending.convert(viewPath, from: visible)
    }

    /// Where the section at `dataSourceSection` is on the view, or nil if the view does not show it yet, or
    /// it does not exist. By identity, which a reload of the section ends; from any thread.
    ///
    /// Complexity: O(log n).
    public func viewSection(for dataSourceSection: Int) -> Int? {
        let (pending, visible) = core.maps
        return visible.convertSection(dataSourceSection, from: pending)
    }

    /// Where the section that the view shows at `viewSection` is in the data source, or nil if it is gone
    /// from there. By identity; from any thread.
    ///
    /// Complexity: O(log n).
    public func dataSourceSection(for viewSection: Int) -> Int? {
        let (pending, visible) = core.maps
        return pending.convertSection(viewSection, from: visible)
    }
}

extension CollectionElement {
    /// The controller that the element belongs to; nil where that is gone, or is one of another data source.
    ///
    /// ```swift
    /// element.controller(of: Feed.self)?.dataSourcePath(for: path)
    /// ```
    ///
    /// A node that keeps it keeps its own controller alive. From anywhere.
    public final func controller<Source: CollectionDataSource>(
        of source: Source.Type
    ) -> DataController<Source>? {
        surroundings.controller as? DataController<Source>
    }
}
