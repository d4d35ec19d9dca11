/// What shows a collection: the last stop of every change set.
///
/// A controller holds its view weakly, so keep it in a variable: a view that is made in the call that makes the
/// controller is gone when the call returns. Without a view, change sets deploy to the visible map alone; if it was
/// dropped, the observer receives ``PipelineEvent/Kind/viewGone``, and results say ``UpdateResult/viewWasGone``.
///
/// Threading: every member but `attach(to:)` is called on the main lane.
public protocol CollectionView: AnyObject, Sendable {
    /// Tells the view which lane it lives on, once, before anything else; called on whichever thread
    /// makes the controller.
    func attach(to lane: any Lane)

    /// The sizes that elements may take where the data source does not say. When it may be another than before, the
    /// view says so to the map of its newest update (``ElementMap/setNeedsRelayout()``), with its first update if it
    /// changed before that; then everything is measured for it that was measured for another.
    var elementSizeRange: SizeRange { get }

    /// The first path that is visible, in the view's index space; what is near it is measured first.
    var firstVisiblePath: ItemPath? { get }

    /// Takes in one update. Updates come in order; the view deploys each with
    /// ``ViewUpdate/deploy(_:file:line:)``, in the same order, now or in a later turn of the main lane, and
    /// ends it with ``ViewUpdate/finish()``.
    func perform(_ update: ViewUpdate)

    /// Tells the view that updates are on their way to it which it has not deployed, or that there are none any
    /// more: being recorded or compared, waiting to come in, being measured, or in the view's own queue. While the
    /// controller closes they count as on their way. Called when that changes; must not submit or wait. Does
    /// nothing by default.
    func updatesInFlightDidChange(_ areInFlight: Bool)

    /// Tells the view that its controller has closed, and that nothing comes any more; once, before the
    /// callbacks of the close. Does nothing by default. A controller that is dropped without closing closes too.
    func controllerDidClose()
}

extension CollectionView {
    /// Nothing.
    public func updatesInFlightDidChange(_ areInFlight: Bool) {}

    /// Nothing.
    public func controllerDidClose() {}
}

/// Told of every update before the view is: the seam for layouts and range controllers that keep
/// books of their own.
///
/// Paths of an update lead from the view's index space before it to the one after it.
///
/// It should not keep the update itself: an update that the view drops deploys when nobody holds it.
public protocol UpdateFacilitator: AnyObject, Sendable {
    /// An update is about to be handed to the view. Main lane; must not submit or wait.
    func willDeploy(_ update: ViewUpdate)
}
