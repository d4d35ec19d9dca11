/// Decides in the background which elements are measured, and how.
///
/// With a layout delegate, step 3 measures nothing by itself: the delegate is asked for a context on
/// the main lane before a change set is accepted, which may still be rejected, and then lays out from that context alone on a worker.
///
/// Shape: a map's paths and sections are in the data source's index space, of the state that this change set
/// leads to; they are the view's when the result reaches it.
///
/// Source: Texture's asynchronous layout delegate.
public protocol LayoutDelegate<Context, Layout>: AnyObject, Sendable {
    /// What laying out needs to know beside the map.
    associatedtype Context: Sendable

    /// What the view gets with the update.
    associatedtype Layout: Sendable

    /// Whether the delegate measures what ``LayoutMeasurer/wantedPlaces`` says, so that views may ask for more while
    /// they scroll: false by default, and then nobody is told what it does not measure by itself.
    var measuresOnDemand: Bool { get }

    /// Gathers what laying out `map` needs to know: the last moment to read state of the main lane.
    func layoutContext(for map: ElementMap) -> Context

    /// Whether what was laid out in `context` would be laid out otherwise now, for other reasons than the map: because
    /// the view was resized, say. Asked on the main lane, also when a set is accepted; where a view asks for it
    /// (``ElementMap/setNeedsRelayout()``), everything is laid out in a context of now. No by default.
    func isOutdated(_ context: Context) -> Bool

    /// What elements of `map` would be measured for now, where that is known before laying out; on the main lane, and
    /// the function as well. A relayout of everything measures again what was measured for something else. nil, the
    /// default, where only laying out tells, which may ask for any other range itself.
    func sizeRanges(for map: ElementMap) -> ((ElementPlace) -> SizeRange)?

    /// Lays out `map` on a worker, measuring what it needs through `measurer`; the result reaches
    /// the view with the update. An error is reported; the update deploys without a layout.
    func layout(
        _ map: ElementMap,
        in context: Context,
        measurer: LayoutMeasurer
    ) throws -> Layout
}

extension LayoutDelegate {
    /// No.
    public var measuresOnDemand: Bool { false }

    /// No.
    public func isOutdated(_ context: Context) -> Bool { false }

    /// None.
    public func sizeRanges(for map: ElementMap) -> ((ElementPlace) -> SizeRange)? { nil }

    /// Whether a context that this delegate gave, whose type the pipeline does not know, is outdated.
    func isOutdated(_ context: any Sendable) -> Bool {
        guard let context = context as? Context else { return false }
        return isOutdated(context)
    }

    /// Lays out with a context that this delegate gave, whose type the pipeline does not know.
    func layOut(
        _ map: ElementMap,
        in context: any Sendable,
        _ measurer: LayoutMeasurer
    ) throws -> (any Sendable)? {
        guard let context = context as? Context else { return nil }
        return try layout(map, in: context, measurer: measurer)
    }
}
