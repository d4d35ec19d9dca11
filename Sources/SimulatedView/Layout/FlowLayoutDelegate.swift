import CollectionElements
import CollectionLayouts
import CollectionPipeline

/// A layout delegate that computes a ``FlowLayout`` on workers, and measures only elements near the
/// view's viewport. With it, a ``DataController`` spends no more measurements on a million items
/// than on a screenful.
///
/// The view's layout adopts a prepared result, and computes nothing itself, as long as the layout
/// and the view have the same configuration as when the change set was accepted. After a change,
/// such as a resized view, the layout computes everything itself until a new result for the new
/// configuration arrives, which the view has requested by then (`relayoutsWhenSizeRangeChanges`).
/// The delegate prepares nothing if only the layout can provide sizes (an estimated item size, or
/// layout metrics), or if the view has another layout.
///
/// Elements within one screenful of the viewport are measured with the change set that inserts
/// them. All others are measured when the viewport approaches and the view requests it; a view with
/// a range controller requests it before they are visible. Until then, an element has the layout's
/// ``FlowLayout/itemSize``. Items whose size is set by the layout or by the context of their
/// section are measured with exactly that size. Other items are measured with at most the available
/// space across the scroll direction, headers and footers with exactly that space. Size ranges of
/// the data source are ignored.
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
/// Threading: the pipeline calls it; it can be made on any thread. Use one delegate per controller.
///
/// Complexity: O(k log n) for k edits since the previous change set, plus the measurements; O(n)
/// for the first change set, or after a change of the layout's configuration.
///
/// Source: Texture's flow and gallery layout delegates.
public final class FlowLayoutDelegate: LayoutDelegate {
    /// The configuration of the layout and the view, captured on the main lane.
    public struct LayoutContext: Hashable, Sendable {
        /// The plan for the layout; `nil` if nothing can be prepared.
        let plan: FlowPlan?
        /// The size range for elements if there is no plan.
        let sizeRange: SizeRange
    }

    private weak let view: SimulatedCollectionView?
    /// The last result.
    private let last = Lock<PreparedFlow?>(nil)

    /// Creates a delegate for a view.
    public init(_ view: SimulatedCollectionView) { self.view = view }

    /// `true`: the delegate measures elements when they are needed.
    public var measuresOnDemand: Bool { true }

    /// Captures the configuration of the layout and its view, and the position of the viewport.
    public func layoutContext(for map: ElementMap) -> LayoutContext {
        guard let view else { return LayoutContext(plan: nil, sizeRange: .unconstrained) }
        return LayoutContext(plan: plan(of: view), sizeRange: view.elementSizeRange)
    }

    private func plan(of view: SimulatedCollectionView) -> FlowPlan? {
        (view.collectionViewLayout as? FlowLayout).flatMap(FlowPlan.init)
    }

    /// Returns whether the configuration of the layout and its view differs from `layoutContext`;
    /// the position of the viewport does not matter.
    public func isOutdated(_ layoutContext: LayoutContext) -> Bool {
        guard let view else { return false }
        guard let plan = plan(of: view) else {
            return layoutContext.plan != nil || layoutContext.sizeRange != view.elementSizeRange
        }
        return layoutContext.plan.map { !$0.isEquivalent(to: plan) } ?? true
    }

    /// Returns the size ranges of elements in the current extent of the view; `nil` if the view no
    /// longer exists.
    public func sizeRanges(for map: ElementMap) -> ((ElementPlace) -> SizeRange)? {
        guard view != nil else { return nil }
        let layoutContext = layoutContext(for: map)
        guard let plan = layoutContext.plan else { return { _ in layoutContext.sizeRange } }
        return { plan.sizeRange(of: LayoutPlace($0), in: map) }
    }

    /// Prepares the layout, measures elements near the viewport, and updates the layout with the
    /// sizes that changed.
    public func layout(
        _ map: ElementMap,
        in layoutContext: LayoutContext,
        measurer: LayoutMeasurer
    ) -> PreparedFlow? {
        guard let plan = layoutContext.plan else {
            for place in measurer.wantedPlaces {
                _ = try? measurer.size(of: place, in: layoutContext.sizeRange)
            }
            // The last result lacks the sizes that were measured without a plan.
            last.withLock { $0 = nil }
            return nil
        }
        var preparation = Preparation(map: map, plan: plan, measurer: measurer)
        let prepared = preparation.run(after: last.withLock { $0 })
        last.withLock { $0 = prepared }
        return prepared
    }
}

/// One layout computation for one map, on a worker.
private struct Preparation {
    let map: ElementMap
    let plan: FlowPlan
    let measurer: LayoutMeasurer
    /// The sizes that were measured in this computation.
    private var measured: [LayoutPlace: Size] = [:]
    /// The places that were measured in this computation; failed ones are not tried again.
    private var attempted: Set<LayoutPlace> = []

    /// The maximum number of rounds in which new sizes may bring other elements near the viewport;
    /// the view requests the rest.
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

    /// Measures the elements that have no size for their range.
    ///
    /// - Returns: The places whose size may have changed.
    private mutating func measure(_ places: [LayoutPlace]) -> [LayoutPlace] {
        var changed: [LayoutPlace] = []
        for place in places where attempted.insert(place).inserted {
            guard let content = map.content(at: place), let elementPlace = place.elementPlace else {
                continue
            }
            let range = plan.sizeRange(of: place, in: map)
            if case .measured(range) = content.state { continue }
            // The size of a released element is known, and its node is created again on request.
            if content.isReleased, !content.isRequested { continue }
            // An element that fails to measure has an estimated size afterwards.
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
