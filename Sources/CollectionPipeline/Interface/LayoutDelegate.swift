/// Decides in the background which elements are measured, and how.
///
/// With a layout delegate, step 3 measures nothing by itself: the delegate is asked for a context on
/// the main lane before a change set is accepted, which may still be rejected, and then lays out from that context alone on a worker.
///
/// Shape: a map's paths and sections are in the data source's index space, of the state that this change set
/// leads to; they are the view's when the result reaches it.
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
