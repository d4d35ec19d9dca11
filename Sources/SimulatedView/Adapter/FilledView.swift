import CollectionPipeline

/// A view, as what fills it uses it. Main lane.
protocol FilledView: AnyObject {
    /// A view for an element of a pipeline.
    func dequeueForElement(at place: LayoutPlace) -> CollectionReusableView

    /// Takes over a view that was dequeued in the answer that is under way.
    ///
    /// - Returns: false where it was not dequeued for this place.
    func takeDequeued(_ dequeued: CollectionReusableView, for place: LayoutPlace) -> Bool

    /// Asks a data source of views, which has the view to itself meanwhile: nothing lays it out.
    func askingSource<Answer, Fault: Error>(
        _ question: (SimulatedCollectionView) throws(Fault) -> Answer
    ) throws(Fault) -> Answer

    /// The same, of a view that is in the viewport and is to be dequeued once more.
    ///
    /// - Throws: `reconfiguration` where one is being reconfigured already, and what `question` throws.
    func reconfiguring(
        _ shown: CollectionReusableView,
        at place: LayoutPlace,
        _ question: () throws(ViewError) -> Void
    ) throws(ViewError)

    func note(_ event: @autoclosure () -> ViewEvent)
}

/// A view, as who drives it uses it in place of a pipeline. Main lane.
protocol DrivenView: FilledView {
    /// What it shows now.
    var content: any ViewContent { get }

    /// Whether it is in the middle of something that nothing may be put into.
    var isLocked: Bool { get }

    func report(_ error: ViewError)

    func attach(to lane: any Lane)

    /// Has `load` called at the beginning of every round of a pass.
    func load(by load: @escaping () -> Void)

    func setNeedsLayout()

    func layoutIfNeeded()

    /// Runs `work` in a later turn of the lane.
    func later(_ work: @escaping () -> Void)

    /// Replaces everything.
    func reload(_ content: any ViewContent)

    /// Applies a change set that leads from what is shown to `content`.
    ///
    /// - Parameter remeasured: elements whose size changed without an edit, in the new space.
    func show(
        _ changes: ValidatedChangeSet,
        _ content: any ViewContent,
        remeasured: [LayoutPlace],
        isAnimated: Bool
    )

    /// The animation of the first change set that still has one is over.
    func endAnimation()

    /// Configures an item's cell again: at once if it is shown, and if it is prepared, when it will be.
    func reconfigureItem(at path: ItemPath) throws(ViewError)
}
