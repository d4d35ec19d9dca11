import CollectionPipeline

/// An adapter that fills a ``SimulatedCollectionView`` from a data source of views, as
/// UICollectionView does: it reads the counts when the view loads, reloads and updates, and checks
/// every update against them.
///
/// Use it to run list logic that was written for UIKit, and to receive UIKit's exceptions as typed
/// errors. To measure elements in the background, use a `DataController` instead.
///
/// ```swift
/// let adapter = DataSourceAdapter(dataSource: cities, view: view, lane: lane)
/// try adapter.performBatchUpdates { changes in
///     cities.names.remove(at: 3)
///     changes.deleteItems(at: [ItemPath(section: 0, item: 3)])
/// }
/// ```
///
/// Shape: in a recorded change set, deletes, reloads and the origins of moves are paths before the
/// update; inserts and the targets of moves are paths after it.
///
/// Threading: every member belongs to `lane`, including the initializer. Completions are called in
/// a later turn of the lane, never inline.
///
/// Errors: a refused update throws the fault; the view and the counts stay unchanged.
///
/// Retains: the view; the data source weakly.
public final class DataSourceAdapter: SingleEditing, @unchecked Sendable {
    // `@unchecked`: all mutable state belongs to the lane.
    private let view: SimulatedCollectionView
    private let lane: any Lane
    private let profile: ValidationProfile
    /// The largest counts that a data source may return.
    var limits = ShapeLimits()
    private weak var source: (any CollectionViewDataSource)?
    private var needsReload = true
    /// The edits recorded so far in the open batch; `nil` outside of batches.
    private var record: HierarchyChangeSet?
    private var completions: [(_ finished: Bool) -> Void] = []
    /// The error that a batch within the open one threw.
    private var innerFault: (any Error)?

    /// Creates an adapter. The view is loaded in a later turn, or when it is first needed.
    ///
    /// - Parameters:
    ///   - dataSource: The data source; held weakly.
    ///   - view: The view, which must not belong to a controller.
    ///   - lane: The lane for all work of the adapter and the view; this initializer must be called
    ///     on it.
    ///   - profile: The profile by which updates are validated.
    public init(
        dataSource: any CollectionViewDataSource,
        view: SimulatedCollectionView,
        lane: any Lane,
        profile: ValidationProfile = .standard
    ) {
        self.view = view
        self.lane = lane
        self.profile = profile
        source = dataSource
        requireLane()
        view.attach(to: lane)
        view.load { [weak self] in self?.loadIfNeeded() }
        view.setNeedsLayout()
    }

    /// The data source that fills the view; setting it makes the view reload everything.
    public var dataSource: (any CollectionViewDataSource)? {
        get {
            requireLane()
            return source
        }
        set {
            requireLane()
            source = newValue
            setNeedsReload()
        }
    }

    private func requireLane(_ member: String = #function) {
        lane.requireCurrent("DataSourceAdapter.\(member)")
    }

    // MARK: Reloading

    /// Makes the view read everything again in its next pass. Inside a batch, the reload replaces
    /// the batch's edits. The reload clears selection and highlight; the content offset stays, as
    /// far as the content reaches.
    public func reloadData() {
        requireLane()
        if record != nil { record?.reloadData() } else { setNeedsReload() }
    }

    private func setNeedsReload() {
        needsReload = true
        view.setNeedsLayout()
    }

    /// Reads the content. Invalid counts are reported and leave the view empty.
    private func loadIfNeeded() {
        guard needsReload else { return }
        needsReload = false
        view.note(.reloaded(nil))
        do throws(HierarchyUpdateError) {
            let shape = try readShape()
            try limits.check(shape)
            let contexts = (0..<shape.numberOfSections).map(context)
            view.reload(SourceContent(shape: shape, contexts: contexts, source: source))
        } catch {
            view.report(.counts, error.message)
            view.reload(SourceContent(shape: .empty, contexts: [], source: source))
        }
    }

    private func context(_ section: Int) -> (any SectionContext)? {
        guard let source else { return nil }
        let context = view.callingDataSource {
            source.collectionView($0, contextForSection: section)
        }
        if context != nil { view.note(.dataSource(.sectionContext(section: section))) }
        return context
    }

    /// Reads all counts: the number of sections, then the number of items in each.
    private func readShape() throws(HierarchyUpdateError) -> HierarchyShape {
        guard let source else { return .empty }
        let sections = view.callingDataSource { source.numberOfSections(in: $0) }
        view.note(.dataSource(.numberOfSections(sections)))
        guard sections >= 0, sections <= limits.sections else {
            throw HierarchyUpdateError(
                sections < 0 ? .negativeSectionCount : .tooManySections,
                "The number of sections must be from 0 to \(limits.sections), but the data source returned"
                    + " \(sections)"
            )
        }
        var counts: [Int] = []
        for section in 0..<sections {
            let count = view.callingDataSource {
                source.collectionView($0, numberOfItemsInSection: section)
            }
            view.note(.dataSource(.numberOfItems(section: section, count)))
            counts.append(count)
        }
        return HierarchyShape(counts)
    }

    // MARK: Updating

    /// Changes the model and records the edits. When the outermost batch ends, the adapter checks
    /// the edits against the counts before and after it, and shows the result.
    ///
    /// A batch inside a batch joins the outer one; if either throws, all recorded edits are
    /// dropped. The view is brought up to date before the outermost closure runs, so that the old
    /// counts are those of the old model.
    ///
    /// - Parameters:
    ///   - isAnimated: Whether views appear and disappear in an animation, which lasts one turn.
    ///     The value of the outermost batch takes effect.
    ///   - updates: A closure that changes the model and records the edits in its argument.
    ///   - completion: A closure that is called in a later turn, after the animation. Completions
    ///     are called in the order in which the batches began. `finished` is `false` if the update
    ///     was refused.
    /// - Throws: Any error from `updates`, the `HierarchyUpdateError` for which the update was
    ///   refused, or `reentrantLayout` if the batch began within a call from the view.
    public func performBatchUpdates(
        animated isAnimated: Bool = true,
        _ updates: (inout HierarchyChangeSet) throws -> Void,
        completion: ((_ finished: Bool) -> Void)? = nil
    ) throws {
        requireLane()
        // A locked view cannot be brought up to date; `update` then rejects the batch.
        if record == nil, !view.isLocked { view.layoutIfNeeded() }
        try update(animated: isAnimated, updates, completion)
    }

    private func update(
        animated isAnimated: Bool,
        _ updates: (inout HierarchyChangeSet) throws -> Void,
        _ completion: ((_ finished: Bool) -> Void)? = nil
    ) throws {
        if record == nil, view.isLocked {
            if let completion { view.later { completion(false) } }
            throw ViewError(
                .reentrantLayout,
                "an update was begun during a call to the view's layout, data source or"
                    + " delegate; begin it in a later turn of the lane"
            )
        }
        if let completion { completions.append(completion) }
        var changes = HierarchyChangeSet()
        guard record == nil else {
            do {
                try updates(&changes)
            } catch {
                // Even if the caller catches this error, the model has changed in an unknown way.
                innerFault = error
                throw error
            }
            return merge(changes)
        }
        record = HierarchyChangeSet()
        innerFault = nil
        do {
            try updates(&changes)
            if let innerFault { throw innerFault }
            merge(changes)
            let isShown = try apply(record.take() ?? HierarchyChangeSet(), isAnimated)
            end(isAnimated && isShown, finished: true)
        } catch {
            record = nil
            end(false, finished: false)
            throw error
        }
    }

    /// Submits a single edit as a separate, animated batch, or as a part of the open batch. Call it
    /// after changing the model. If the view is not loaded yet, or is about to reload, it reads the
    /// model instead.
    ///
    /// - Throws: The errors of ``performBatchUpdates(animated:_:completion:)``.
    public func submit(_ operation: HierarchyChangeSet.Operation) throws {
        requireLane()
        // The model already contains the edit, so the view is not brought up to date first: a pass
        // would query the old state of a changed model, and a view that loads now reads the edit as
        // well.
        try update(animated: true) { $0.record(operation) }
    }

    private func merge(_ changes: HierarchyChangeSet) {
        for operation in changes.operations { record?.record(operation) }
    }

    private func end(_ isAnimated: Bool, finished: Bool) {
        let completions = exchange(&completions, with: [])
        view.later { [view] in
            if isAnimated { view.endAnimation() }
            if finished { view.note(.finished(nil)) }
            for completion in completions { completion(finished) }
        }
    }

    /// - Returns: Whether the view shows the edits; `false` if it reloads everything instead.
    private func apply(_ record: HierarchyChangeSet, _ isAnimated: Bool) throws -> Bool {
        let isReload = record.operations.contains {
            if case .reloadData = $0 { true } else { false }
        }
        if isReload || needsReload {
            setNeedsReload()
            view.layoutIfNeeded()
            return false
        }
        let old = view.content
        guard old.pipelineMap == nil else {
            throw ViewError(.noDataSource, "the view is not filled by a data source of views")
        }
        let shape = try readShape()
        let changes = try validated(record, from: old.shape, to: shape)
        view.note(
            .applied(
                nil,
                removals: changes.itemRemovals.count + changes.sectionRemovals.count,
                insertions: changes.itemInsertions.count + changes.sectionInsertions.count,
                reconfigured: changes.reconfigurations.count
            )
        )
        let contexts = (0..<shape.numberOfSections).map { section in
            guard let oldSection = changes.oldSection(for: section),
                changes.survivingSection(of: oldSection) != nil
            else { return context(section) }
            return old.context(forSection: oldSection)
        }
        let content = SourceContent(shape: shape, contexts: contexts, source: source)
        view.show(changes, content, remeasured: [], isAnimated: isAnimated)
        view.layoutIfNeeded()
        return true
    }

    private func validated(
        _ record: HierarchyChangeSet,
        from old: HierarchyShape,
        to new: HierarchyShape
    ) throws(HierarchyUpdateError) -> ValidatedChangeSet {
        do throws(HierarchyUpdateError) {
            return try record.validated(from: old, to: new, profile: profile, limits: limits)
        } catch {
            var error = error
            error.dataSourceName = source.map { "\(type(of: $0))" }
            throw error
        }
    }

    /// Configures cells again through the data source: visible cells immediately, and prepared
    /// cells when they become visible. Other items have nothing to configure.
    ///
    /// - Parameter paths: The items, in the index space of the current view, also inside a batch.
    /// - Throws: `reconfiguration`, or the error of the first cell that failed; the cells before it
    ///   are done.
    public func reconfigureItems(at paths: [ItemPath]) throws(ViewError) {
        requireLane()
        guard view.content.pipelineMap == nil else { return }
        for path in paths { try view.reconfigureItem(at: path) }
    }
}
