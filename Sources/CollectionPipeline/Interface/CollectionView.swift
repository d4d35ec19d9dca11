/// What shows a collection: the last stop of every change set.
///
/// A controller holds its view weakly. Without a view, change sets deploy to the visible map alone.
///
/// Threading: every member but `attach(to:)` is called on the main lane.
public protocol CollectionView: AnyObject, Sendable {
    /// Tells the view which lane it lives on, once, before anything else; called on whichever thread
    /// makes the controller.
    func attach(to lane: any Lane)

    /// The sizes that elements may take where the data source does not say.
    var elementSizeRange: SizeRange { get }

    /// The first path that is visible, in view space; what is near it is measured first.
    var firstVisiblePath: ItemPath? { get }

    /// Takes in one update. Updates come in order; the view deploys each with
    /// ``ViewUpdate/deploy(_:)``, in the same order, now or in a later turn of the main lane, and
    /// ends it with ``ViewUpdate/finish()``.
    func perform(_ update: ViewUpdate)
}

/// Told of every update before the view is: the seam for layouts and range controllers that keep
/// books of their own.
///
/// It should not keep the update itself: an update that the view drops deploys when nobody holds it.
public protocol UpdateFacilitator: AnyObject, Sendable {
    /// An update is about to be handed to the view. Main lane; must not submit or wait.
    func willDeploy(_ update: ViewUpdate)
}

/// Decides in the background which elements are measured, and how.
///
/// With a layout delegate, step 3 measures nothing by itself: the delegate is asked for a context on
/// the main lane when a change set is accepted, and then lays out from that context alone on a worker.
///
/// Source: Texture's asynchronous layout delegate.
public protocol LayoutDelegate: AnyObject, Sendable {
    /// Gathers what laying out `map` needs to know: the last moment to read state of the main lane.
    func layoutContext(for map: ElementMap) -> any Sendable

    /// Lays out `map` on a worker, measuring what it needs through `measurer`; the result reaches
    /// the view with the update. An error is reported; the update deploys without a layout.
    func layout(
        _ map: ElementMap,
        in context: any Sendable,
        measurer: LayoutMeasurer
    ) throws -> any Sendable
}
