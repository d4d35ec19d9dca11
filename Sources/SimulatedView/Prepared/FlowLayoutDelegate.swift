import CollectionElements
import CollectionLayouts
import CollectionPipeline

/// Lays out for a ``FlowLayout`` on workers, and measures only what is near to where its view is: given to a
/// ``DataController``, it makes a million items cost what a screenful does.
///
/// The layout of the view adopts what it finds ready, and lays out nothing itself, as long as both are set up as they
/// were when the change set was accepted. Where they are not, after the view was resized say, the layout does it until
/// everything has been laid out anew for them, which the view has asked for by then
/// (`relayoutsWhenSizeRangeChanges`). Where only the layout can tell how large things are (an estimated item size, somebody who
/// answers for the view) or the view has another layout, nothing is laid out here.
///
/// What is within a screenful of the view is measured with the change set that brings it; all else when the view comes
/// near and asks for it, with a range controller before it is seen. Until then it is as large as the layout's
/// ``FlowLayout/itemSize``. Items whose size is said, by the layout or by the context of their section, are measured
/// within exactly that; others within as much room across as there is, headers and footers over all of it. What the
/// data source says of size ranges does not count.
///
/// ```swift
/// let view = SimulatedCollectionView(size: size, layout: FlowLayout())
/// let controller = DataController(
///     dataSource: source,
///     view: view,
///     layoutDelegate: FlowLayoutDelegate(view)
/// )
/// ```
///
/// Threading: the pipeline calls it; made anywhere. For one controller.
///
/// Complexity: O(k log n) for k edits since the set before, and what is measured; O(n) for the first, or where the
/// layout is set up otherwise.
///
/// Source: Texture's flow and gallery layout delegates.
public final class FlowLayoutDelegate: LayoutDelegate {
    /// What is taken down on the main lane.
    public struct Context: Hashable, Sendable {
        /// nil where nothing can be laid out beforehand.
        let plan: FlowPlan?
        /// The sizes that elements may take then.
        let sizeRange: SizeRange
    }

    private weak let view: SimulatedCollectionView?
    /// What was laid out last.
    private let last = Lock<PreparedFlow?>(nil)

    /// Makes a delegate that lays out for a view.
    public init(_ view: SimulatedCollectionView) { self.view = view }

    /// True.
    public var measuresOnDemand: Bool { true }

    /// Takes down how the layout and its view are set up, and where the view is.
    public func layoutContext(for map: ElementMap) -> Context {
        guard let view else { return Context(plan: nil, sizeRange: .unconstrained) }
        return Context(plan: plan(of: view), sizeRange: view.elementSizeRange)
    }

    private func plan(of view: SimulatedCollectionView) -> FlowPlan? {
        (view.collectionViewLayout as? FlowLayout).flatMap(FlowPlan.init)
    }

    /// Whether the layout and its view are set up otherwise than in `context`, wherever the view is.
    public func isOutdated(_ context: Context) -> Bool {
        guard let view else { return false }
        guard let plan = plan(of: view) else {
            return context.plan != nil || context.sizeRange != view.elementSizeRange
        }
        return context.plan.map { !$0.isEquivalent(to: plan) } ?? true
    }

    /// What elements may take in the room that the view has now; nil where it is gone.
    public func sizeRanges(for map: ElementMap) -> ((ElementPlace) -> SizeRange)? {
        guard view != nil else { return nil }
        let context = layoutContext(for: map)
        guard let plan = context.plan else { return { _ in context.sizeRange } }
        return { plan.sizeRange(of: LayoutPlace($0), in: map) }
    }

    /// Lays out, measures what is near, and lays out again what turned out otherwise.
    public func layout(
        _ map: ElementMap,
        in context: Context,
        measurer: LayoutMeasurer
    ) -> PreparedFlow? {
        guard let plan = context.plan else {
            for place in measurer.wantedPlaces {
                _ = try? measurer.size(of: place, in: context.sizeRange)
            }
            // What was measured for somebody else is not in it.
            last.withLock { $0 = nil }
            return nil
        }
        var preparation = Preparation(map: map, plan: plan, measurer: measurer)
        let prepared = preparation.run(after: last.withLock { $0 })
        last.withLock { $0 = prepared }
        return prepared
    }
}

/// One layout of one map: a worker's.
private struct Preparation {
    let map: ElementMap
    let plan: FlowPlan
    let measurer: LayoutMeasurer
    /// What was measured now, in the ranges of now.
    private var measured: [LayoutPlace: Size] = [:]
    /// What was asked for now; what fails is not asked for again.
    private var asked: Set<LayoutPlace> = []

    /// In how many rounds what was measured may bring other things near: more than that are left to the view.
    private static let roundLimit = 16

    init(map: ElementMap, plan: FlowPlan, measurer: LayoutMeasurer) {
        (self.map, self.plan, self.measurer) = (map, plan, measurer)
    }

    mutating func run(after former: PreparedFlow?) -> PreparedFlow {
        var prepared = plan.laidOut(map, after: former, knownSize)
        var places = measurer.wantedPlaces.map { LayoutPlace($0) }
        for _ in 0..<Self.roundLimit {
            places += prepared.nearPlaces
            let changed = measure(places)
            places = []
            if changed.isEmpty { break }
            prepared = plan.refreshed(prepared, at: changed, knownSize)
        }
        return prepared
    }

    private var knownSize: FlowPlan.KnownSize {
        let (map, measured) = (map, measured)
        return { place in measured[place] ?? map.content(at: place)?.knownSize }
    }

    /// Measures what is not measured in its range.
    ///
    /// - Returns: whose size may be another than was known.
    private mutating func measure(_ places: [LayoutPlace]) -> [LayoutPlace] {
        var changed: [LayoutPlace] = []
        for place in places where asked.insert(place).inserted {
            guard let content = map.content(at: place), let elementPlace = place.elementPlace else {
                continue
            }
            let range = plan.sizeRange(of: place, in: map)
            if case .measured(range) = content.state { continue }
            // Its size is known, and it has a node again when somebody wants it.
            if content.isReleased, !content.isAsked { continue }
            // What fails has an estimate by then.
            measured[place] = try? measurer.size(of: elementPlace, in: range)
            if !plan.isFixed(place, in: map) { changed.append(place) }
        }
        return changed
    }
}

extension LayoutMeasurer {
    fileprivate func size(of place: ElementPlace, in range: SizeRange) throws -> Size {
        guard let kind = place.kind else { return try size(ofItemAt: place.path, in: range) }
        return try size(ofSupplementary: kind, at: place.path, in: range)
    }
}
