import CollectionPipeline

/// Drives a ``SimulatedCollectionView`` from a data source of views, as UICollectionView is driven: counts
/// are read when it loads, reloads and updates, and every update is checked against them.
///
/// Use it to run list logic that was written for UIKit, and to meet as typed errors what UIKit would have
/// raised; where elements are to be measured in the background, use a `DataController` instead.
///
/// ```swift
/// let adapter = DataSourceAdapter(dataSource: cities, view: view, lane: lane)
/// try adapter.performBatchUpdates { changes in
///     cities.names.remove(at: 3)
///     changes.deleteItems(at: [ItemPath(section: 0, item: 3)])
/// }
/// ```
///
/// Shape: paths in a record are of the state before the update for what goes, and of the state after it
/// for what comes.
///
/// Threading: every member belongs to `lane`, the initialiser too. Completions are called in a later turn
/// of the lane, never inline.
///
/// Errors: a refused update throws the fault; the view and the counts stay as they were.
///
/// Retains: the view; the data source weakly.
public final class DataSourceAdapter: SingleEditing, @unchecked Sendable {
    // All changing state belongs to the lane.
    private let view: SimulatedCollectionView
    private let lane: any Lane
    private let profile: ValidationProfile
    /// How much a data source may have.
    var limits = ShapeLimits()
    private weak var source: (any CollectionViewDataSource)?
    private var needsReload = true
    /// What was recorded so far in the batch that is open; nil outside of batches.
    private var record: HierarchyChangeSet?
    private var completions: [(_ finished: Bool) -> Void] = []
    /// What a batch within the open one threw.
    private var innerFault: (any Error)?

    /// Makes an adapter; the view is loaded in a later turn, or when it is first needed.
    ///
    /// - Parameters:
    ///   - dataSource: held weakly.
    ///   - view: no controller may have it.
    ///   - lane: where everything happens from now on, and where this is called.
    ///   - profile: whose verdicts updates are judged by.
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
        requireLane("init")
        view.attach(to: lane)
        view.load { [weak self] in self?.loadIfNeeded() }
        view.setNeedsLayout()
    }

    /// Who fills the view; setting it has the view reload everything.
    public var dataSource: (any CollectionViewDataSource)? {
        get {
            requireLane("dataSource")
            return source
        }
        set {
            requireLane("dataSource")
            source = newValue
            setNeedsReload()
        }
    }

    private func requireLane(_ member: String) {
        lane.requireCurrent("DataSourceAdapter.\(member)")
    }

    // MARK: Reloading

    /// Has the view read everything again, in its next pass; inside a batch, in place of the batch's
    /// edits. Selection and highlight are lost; the content offset stays as far as the content reaches.
    public func reloadData() {
        requireLane("reloadData()")
        if record != nil { record?.reloadData() } else { setNeedsReload() }
    }

    private func setNeedsReload() {
        needsReload = true
        view.setNeedsLayout()
    }

    /// Counts that are none are reported, and the view is empty then.
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
            view.report(ViewError(.counts, error.message))
            view.reload(SourceContent(shape: .empty, contexts: [], source: source))
        }
    }

    private func context(_ section: Int) -> (any SectionContext)? {
        guard let source else { return nil }
        let context = view.askingSource { source.collectionView($0, contextForSection: section) }
        if context != nil { view.note(.dataSource(.context(section: section))) }
        return context
    }

    /// Asks for all counts: that of the sections, then that of the items of each.
    private func readShape() throws(HierarchyUpdateError) -> HierarchyShape {
        guard let source else { return .empty }
        let sections = view.askingSource { source.numberOfSections(in: $0) }
        view.note(.dataSource(.numberOfSections(sections)))
        guard sections >= 0, sections <= limits.sections else {
            throw HierarchyUpdateError(
                sections < 0 ? .negativeSectionCount : .tooManySections,
                "The number of sections must be from 0 to \(limits.sections), but the data source answered"
                    + " \(sections)"
            )
        }
        var counts: [Int] = []
        for section in 0..<sections {
            let count = view.askingSource {
                source.collectionView($0, numberOfItemsInSection: section)
            }
            view.note(.dataSource(.numberOfItems(section: section, count)))
            counts.append(count)
        }
        return HierarchyShape(counts)
    }

    // MARK: Updating

    /// Makes changes to the model and records them; when the outermost batch ends, they are checked
    /// against the counts before and after it, and shown.
    ///
    /// A batch inside a batch joins it; where one throws, the whole record is dropped. The view is brought up to date before the outermost closure
    /// runs, so that the counts before it are those of the model before it.
    ///
    /// - Parameters:
    ///   - isAnimated: whether views come and go in an animation, which lasts a turn; that of the outermost
    ///     batch counts.
    ///   - updates: changes the model and records that into its argument.
    ///   - completion: called in a later turn, when the animation is over; in the order in which the
    ///     batches began. `finished` is false where the update was refused.
    /// - Throws: what `updates` throws, the `HierarchyUpdateError` that the update is refused with, or
    ///   `reentrantLayout` where it is begun from within the view's own questions.
    public func performBatchUpdates(
        animated isAnimated: Bool = true,
        _ updates: (inout HierarchyChangeSet) throws -> Void,
        completion: ((_ finished: Bool) -> Void)? = nil
    ) throws {
        requireLane("performBatchUpdates(animated:_:completion:)")
        // A view that is locked cannot be brought up to date, and the update is refused.
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
                "an update was begun while the view was asking its layout, data source or"
                    + " delegate; begin it in a later turn of the lane"
            )
        }
        if let completion { completions.append(completion) }
        var changes = HierarchyChangeSet()
        guard record == nil else {
            do {
                try updates(&changes)
            } catch {
                // Whoever catches this has changed a model of which nobody knows how any more.
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
            let isShown = try apply(takeRecord(), isAnimated)
            end(isAnimated && isShown, finished: true)
        } catch {
            record = nil
            end(false, finished: false)
            throw error
        }
    }

    /// A batch of one, which is animated, or a part of the open one. It follows a change of the model: where the
    /// view was not loaded yet, or is to be reloaded, it reads the model instead.
    ///
    /// - Throws: what ``performBatchUpdates(animated:_:completion:)`` throws.
    public func submit(_ operation: HierarchyChangeSet.Operation) throws {
        requireLane("submit(_:)")
        // The model has the edit already, so nothing of the old state is asked about any more, and what is
        // loaded only now has the edit too.
        try update(animated: true) { $0.record(operation) }
    }

    private func merge(_ changes: HierarchyChangeSet) {
        for operation in changes.operations { record?.record(operation) }
    }

    private func takeRecord() -> HierarchyChangeSet {
        defer { record = nil }
        return record ?? HierarchyChangeSet()
    }

    private func end(_ isAnimated: Bool, finished: Bool) {
        let completions = completions
        self.completions = []
        view.later { [view] in
            if isAnimated { view.endAnimation() }
            if finished { view.note(.finished(nil)) }
            for completion in completions { completion(finished) }
        }
    }

    /// - Returns: whether the view shows the edits; not where it reloads everything instead.
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

    /// Has the data source configure cells again that are visible, at once, and cells that were prepared
    /// ahead when they become visible; others have nothing to configure.
    ///
    /// - Parameter paths: in the index space of what is shown, also inside a batch.
    /// - Throws: `reconfiguration`, or what went wrong with the first cell; those before it are done.
    public func reconfigureItems(at paths: [ItemPath]) throws(ViewError) {
        requireLane("reconfigureItems(at:)")
        guard view.content.pipelineMap == nil else { return }
        for path in paths { try view.reconfigureItem(at: path) }
    }
}
