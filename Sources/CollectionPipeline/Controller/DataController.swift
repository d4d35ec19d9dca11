import CollectionElements

/// Turns change sets against a data source into consistent, ordered, measured updates of a view,
/// without ever blocking the thread that submits them.
///
/// Every change set takes five steps: the controller validates it and publishes the new pending map
/// (1), a layout delegate may supply a context (2), background workers create and measure nodes
/// (3), the result waits for the main lane (4), and the view swaps the visible map and applies the
/// edits (5).
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
/// There are two index spaces. ``pendingMap`` is the newest accepted state of the data source, and
/// a record refers to that map as it was when the outermost batch began. ``visibleMap`` is the
/// state that the view shows. The data source and the view belong to the main lane, which is
/// private to the controller by default.
///
/// Threading: every member may be called from any thread. Calls that belong to the main lane are on
/// ``Isolated``, a handle that is available only there. Completions run on the main lane, never
/// inside a call (No Inline Callbacks).
///
/// The controller owns the data source and holds the view weakly. If the controller is dropped, it
/// completes all outstanding submissions as cancelled; to end it in order, use
/// ``close(draining:timeout:)``.
///
/// Source: Texture's data controller, without its defects.
public final class DataController<Source: CollectionDataSource>: Sendable {
    let core: PipelineCore

    /// Creates a controller without loading anything.
    ///
    /// - Parameters:
    ///   - dataSource: The content of the collection. From now on it belongs to the main lane.
    ///   - view: The view that shows the collection, held weakly, so that the application must
    ///     retain it (``CollectionView``); `nil` to keep only the maps.
    ///   - configuration: The options of the controller.
    ///   - lane: The main lane; by default a new ``EmulatedMainLane`` named after the controller.
    ///   - environment: The environment in which background work runs.
    ///   - layoutDelegate: The delegate that decides which elements are measured, if not all of
    ///     them; retained.
    ///   - facilitators: Objects that are notified of updates before the view; retained.
    ///   - observer: The receiver of events.
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
        core.elementEnvironment.controller = self
    }

    deinit {
        let core = core
        core.lane.enqueue { core.abandon() }
    }

    // MARK: State

    /// The main lane.
    public var lane: any Lane { core.lane }

    /// The configuration that the controller was created with.
    package var configuration: PipelineConfiguration { core.configuration }

    /// Returns the data source of a core with its static type. The core has the data source that
    /// the controller was created with, so the cast needs no check.
    static func typedSource(of core: PipelineCore) -> Source {
        unsafeDowncast(core.dataSource, to: Source.self)
    }

    /// The newest accepted state of the data source. May be read from any thread.
    public var pendingMap: ElementMap { core.pendingMap }

    /// The state that the view shows: always a complete pending map, the current one or an earlier
    /// one (Consistent Snapshot). May be read from any thread.
    public var visibleMap: ElementMap { core.visibleMap }

    /// The possible differences between the data source and the last accepted state after a
    /// rejection; `nil` while they agree. May be read from any thread.
    public var divergence: Divergence? { core.divergence }

    /// Returns the view's path of the item at `dataSourcePath`, or `nil` if the view does not show
    /// the item yet or there is no such item. The item is found by identity. May be called from any
    /// thread.
    public func viewPath(for dataSourcePath: ItemPath) -> ItemPath? {
        let (pending, visible) = core.maps
        return visible.convert(dataSourcePath, from: pending)
    }

    /// Returns the data source's path of the item that the view shows at `viewPath`, or `nil` if
    /// the data source no longer has it. The item is found by identity. May be called from any
    /// thread.
    public func dataSourcePath(for viewPath: ItemPath) -> ItemPath? {
        let (pending, visible) = core.maps
        return pending.convert(viewPath, from: visible)
    }

    /// Returns the view's index of the section at `dataSourceSection`, or `nil` if the view does
    /// not show the section yet or there is no such section. The section is found by identity,
    /// which a reload of the section ends. May be called from any thread.
    ///
    /// Complexity: O(log n).
    public func viewSection(for dataSourceSection: Int) -> Int? {
        let (pending, visible) = core.maps
        return visible.convertSection(dataSourceSection, from: pending)
    }

    /// Returns the data source's index of the section that the view shows at `viewSection`, or
    /// `nil` if the data source no longer has it. The section is found by identity, which a reload
    /// of the section ends. May be called from any thread.
    ///
    /// Complexity: O(log n).
    public func dataSourceSection(for viewSection: Int) -> Int? {
        let (pending, visible) = core.maps
        return pending.convertSection(viewSection, from: visible)
    }
}

extension CollectionElement {
    /// Returns the controller that the element belongs to; `nil` if that controller no longer
    /// exists or has a data source of another type.
    ///
    /// ```swift
    /// element.controller(of: Feed.self)?.dataSourcePath(for: path)
    /// ```
    ///
    /// A node that retains its own controller keeps it alive. May be called from any thread.
    public final func controller<Source: CollectionDataSource>(
        of source: Source.Type
    ) -> DataController<Source>? {
        elementEnvironment.controller as? DataController<Source>
    }
}

// MARK: - Waiting for milestones

extension DataController {
    /// Returns when `milestone` is reached. May be called from any thread.
    public func whenReached(_ milestone: Milestone) async {
        await suspend { resume in whenReached(milestone) { resume(()) } }
    }

    /// Calls `callback` when `milestone` is reached, in a later turn of the main lane. May be
    /// called from any thread.
    ///
    /// Callbacks for the same milestone run in the order in which they were added.
    public func whenReached(_ milestone: Milestone, _ callback: @escaping @Sendable () -> Void) {
        core.lane.enqueue { [core] in core.whenReached(milestone, callback) }
    }

    /// **Blocks** until `milestone` is reached.
    ///
    /// May be called from any thread except the workers. On the main lane this can wait only for
    /// ``Milestone/deliveredToView``, and runs step 4 of the change sets that it waits for. It
    /// stops the process if it would wait for itself: in methods of the data source, while an
    /// update is deployed, and on workers.
    public func waitUntilReached(_ milestone: Milestone) { core.waitUntilReached(milestone) }

    /// Returns what the controller is doing and waiting for, in a form that can be printed.
    ///
    /// May be called from any thread, even while the main lane is blocked. If the main lane does
    /// not respond within one second, the report says so and contains only the information that is
    /// available without it.
    public func report() async -> PipelineReport {
        await suspend { resume in core.report(resume) }
    }

    /// Closes the controller. It rejects new submissions, and calls `completion` as its last
    /// callback, after all outstanding completions (Quiet After Close). May be called from any
    /// thread.
    ///
    /// - Parameters:
    ///   - draining: Whether accepted change sets still deploy; otherwise they complete as
    ///     cancelled. Submissions that still wait to be admitted are rejected in either case. A
    ///     measurement that has already started runs to its end, and its result is dropped.
    ///   - timeout: The time after which the rest of the draining is cancelled; `nil` for no limit,
    ///     so that a view that never finishes blocks the close forever. A negative timeout is
    ///     treated as zero.
    ///   - completion: A closure that is called once, on the main lane.
    public func close(
        draining: Bool = true,
        timeout: Duration? = nil,
        completion: @escaping @Sendable () -> Void
    ) {
        core.lane.enqueue { [core] in
            core.close(draining: draining, timeout: timeout, completion)
        }
    }

    /// Closes the controller, and returns after every outstanding completion has run.
    ///
    /// The parameters are the same as for ``close(draining:timeout:completion:)``.
    public func close(draining: Bool = true, timeout: Duration? = nil) async {
        await suspend { resume in
            close(draining: draining, timeout: timeout) { resume(()) }
        }
    }

    /// Returns when the controller is closed. Cancelling the task closes the controller after it
    /// has drained the accepted change sets.
    ///
    /// A graceful shutdown of swift-service-lifecycle does not cancel anything by itself. In a
    /// service, `run()` is `await cancelWhenGracefulShutdown { await
    /// controller.run(drainingTimeout: .seconds(10)) }`. A task is cancelled only once, so the
    /// limits of the service group cannot shorten the draining; `drainingTimeout` does.
    ///
    /// - Parameter drainingTimeout: The time after which the rest of the draining is cancelled;
    ///   `nil` for no limit, so that a view that never finishes blocks the close forever.
    public func run(drainingTimeout: Duration? = nil) async {
        await withTaskCancellationHandler {
            await suspend { resume in
                core.lane.enqueue { [core] in core.whenClosed { resume(()) } }
            }
        } onCancel: {
            close(draining: true, timeout: drainingTimeout) {}
        }
    }
}
