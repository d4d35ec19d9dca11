/// A view of a collection: the destination of every change set.
///
/// A controller holds its view weakly, so the application must retain it: a view that is created in
/// the same call as the controller is deallocated when the call returns. Without a view, change
/// sets deploy to the visible map alone. If the view was deallocated, the observer receives
/// ``PipelineEvent/Kind/viewGone``, and ``UpdateResult/viewWasGone`` is `true` in results.
///
/// Threading: every member except `attach(to:)` is called on the main lane.
public protocol CollectionView: AnyObject, Sendable {
    /// Notifies the view of its lane, once and before any other call. It is called on the thread
    /// that creates the controller.
    func attach(to lane: any Lane)

    /// The size range of elements for which the data source returns none. When the range may have
    /// changed, the view calls ``ElementMap/setNeedsRelayout()`` on the map of its newest update,
    /// or on that of its first update if the range changed earlier. All elements that were measured
    /// for another range are then measured again.
    var elementSizeRange: SizeRange { get }

    /// The first visible path, in the view's index space. Elements near it are measured first.
    var firstVisiblePath: ItemPath? { get }

    /// Receives one update. Updates arrive in order. The view deploys each of them with
    /// ``ViewUpdate/deploy(_:file:line:)``, in the same order, immediately or in a later turn of
    /// the main lane, and ends it with ``ViewUpdate/finish()``.
    func perform(_ update: ViewUpdate)

    /// Notifies the view whether there are pending updates that it has not deployed. Pending
    /// updates are being recorded or compared, wait to be admitted, are being measured, or are in
    /// the view's own queue. While the controller closes, the value is `true`. The method is called
    /// when the value changes. It must not submit or wait. The default implementation does nothing.
    func updatesInFlightDidChange(_ areInFlight: Bool)

    /// Notifies the view that its controller has closed and that no more updates follow. It is
    /// called once, before the callbacks of the close, even if the controller is dropped without
    /// being closed. The default implementation does nothing.
    func controllerDidClose()
}

extension CollectionView {
    /// Does nothing.
    public func updatesInFlightDidChange(_ areInFlight: Bool) {}

    /// Does nothing.
    public func controllerDidClose() {}
}

/// An object that is notified of every update before the view, such as a layout or a range
/// controller with its own state.
///
/// Paths of an update lead from the view's index space before the update to the index space after
/// it.
///
/// A facilitator should not retain the update: an update that the view drops deploys only when
/// nothing else retains it.
public protocol UpdateFacilitator: AnyObject, Sendable {
    /// Notifies the facilitator that an update is about to be passed to the view. It is called on
    /// the main lane and must not submit or wait.
    func willDeploy(_ update: ViewUpdate)
}
