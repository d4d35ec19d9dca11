import CollectionElements
import CollectionLayouts
import CollectionPipeline
import PipelineTesting
import SimulatedView

extension WatchedView {
    /// Compares the visible views with the map, the layout and the controller. Main lane.
    ///
    /// - Parameter isAtRest: Whether nothing else will happen, so that the view must be up to date;
    ///   otherwise the view is laid out first.
    package func check(isAtRest: Bool) {
        if !isAtRest { shown.layoutIfNeeded() }
        readLog()
        for error in shown.errors where error.code != .batchFetching && error.code != .layout {
            report("the view met an error: \(error)")
        }
        shown.clearErrors()
        for error in shown.collectionViewLayout.errors where error.code != .itemExceedsLine {
            report("the layout met an error: \(error)")
        }
        checkMap(isAtRest: isAtRest)
        checkPlaces(isAtRest: isAtRest)
        checkHits()
        for view in shown.visibleViews { check(view, isAtRest: isAtRest) }
        checkRanges(isAtRest: isAtRest)
        checkSelection(isAtRest: isAtRest)
        guard isAtRest else { return }
        checkMeasuredRanges()
        checkPreparedLayout()
        if isWaiting { report("updates wait at rest") }
        fetches?.checkAtRest()
        if shown.isBusy { report("the view is busy at rest") }
        watcher.checkAtRest()
        if numberOfSwitches != 0 {
            report("\(numberOfSwitches) changes of layouts never completed")
        }
        // A view that moves out of sight is displayed until the animation ends.
        let displayed = Set(watcher.displayed.keys)
        if displayed != Set(shown.visibleViews.map(ObjectIdentifier.init)) {
            report("displayed at rest: \(watcher.displayed.values.sorted())")
        }
    }

    private func checkMap(isAtRest: Bool) {
        guard let visible = visibleMap() else { return }
        // The pipeline counts lost updates as visible.
        if !isBehind, visible.generation != shown.map.generation, isAtRest || !isWaiting {
            report(
                "the view shows generation \(shown.map.generation), but \(visible.generation) is"
                    + " visible"
            )
        }
    }

    // MARK: Places

    /// Checks that the visible views are exactly those that the layout places in the viewport, with
    /// the same attributes.
    private func checkPlaces(isAtRest: Bool) {
        let (bounds, layout) = (shown.bounds, shown.collectionViewLayout)
        guard !bounds.isEmpty else {
            if !shown.visibleViews.isEmpty { report("a view without extent shows something") }
            return
        }
        var wanted = Set(
            layout.layoutAttributesForElements(in: bounds).filter {
                !$0.isHidden && $0.frame.intersects(bounds)
            }
        )
        for item in shown.map.items {
            guard let attributes = layout.layoutAttributesForItem(at: item.path) else {
                if hasRoom { report("the layout has no place for item \(item.path)") }
                continue
            }
            if !attributes.isHidden, attributes.frame.intersects(bounds) {
                wanted.insert(attributes)
            }
            // Sizes that are measured later are laid out by the update that reports them.
            if !measuresLater || isAtRest && !isBehind && isOpen() { checkSize(attributes) }
        }
        let attributes = Set(shown.visibleViews.compactMap(\.attributes))
        let (missing, surplus) = (wanted.subtracting(attributes), attributes.subtracting(wanted))
        if !missing.isEmpty { report("not shown: \(missing.map(\.place).sorted())") }
        if !surplus.isEmpty { report("shown out of place: \(surplus.map(\.place).sorted())") }
        checkOffset()
    }

    /// Checks that frames have the measured size if cells have no preferred sizes.
    private func checkSize(_ attributes: LayoutAttributes) {
        guard expectsMeasured, !plan.sizesItself, !(shown.collectionViewLayout is PagerLayout),
            let size = shown.measuredSize(of: attributes.place),
            size.height != attributes.size.height
        else { return }
        report(
            "the layout has item \(attributes.indexPath) at \(attributes.size.height) high, but it was"
                + " measured as \(size.height)"
        )
    }

    private func checkOffset() {
        let (bounds, inset, content) = (
            shown.bounds, shown.adjustedContentInset, shown.contentSize
        )
        let low = Point(x: -inset.left, y: -inset.top)
        let high = Point(
            x: max(low.x, content.width + inset.right - bounds.size.width),
            y: max(low.y, content.height + inset.bottom - bounds.size.height)
        )
        guard (low.x...high.x).contains(bounds.minX), (low.y...high.y).contains(bounds.minY) else {
            return report("the offset \(bounds.origin) is beyond \(low) to \(high)")
        }
    }

    // MARK: Single views

    /// Checks that a view shows the element at its place in the map, and its newest revision.
    private func check(_ view: CollectionReusableView, isAtRest: Bool) {
        guard let place = view.attributes?.place else {
            return report("a visible view has no place")
        }
        guard let elementPlace = place.elementPlace else { return }
        guard let content = shown.map.content(at: elementPlace), view.element === content.element
        else {
            return report("the view at \(place) shows another element than is there")
        }
        if isAtRest { checkMeasured(content, place) }
        if view.content != content { report("the view at \(place) shows an older revision") }
        if let cell = view as? CollectionViewCell { checkSelection(cell, place.path) }
        // If an update was lost, nodes show content that the view does not know of.
        guard !isBehind, let node = content.element.nodeIfAllocated as? WatchedNode else { return }
        switch content.state {
        case .measured: break
        case .pending, .allocating, .skipped, .failed: return
        }
        if let item = content.model as? ModelItem, node.shown != item {
            let mayBeAhead =
                nodesAreRequested && !isAtRest || mayBeOlder(shown.map.generation, isAtRest)
            if !node.shown.isNewer(than: item) || !mayBeAhead {
                report("the node at \(place) shows \(node.shown) in place of \(item)")
            }
        }
        if place.category == .supplementary(.header),
            let context = shown.context(forSection: place.path.section) as? ModelContext,
            node.shown.id != -1 - context.id
        {
            report("the header of section \(place.path.section) is that of \(node.shown)")
        }
    }

    /// Checks that visible elements are measured, even if others are deferred.
    func checkMeasured(_ content: ElementContent, _ place: LayoutPlace) {
        guard expectsMeasured || preparesLayout, !isBehind, isOpen(), visibleMap() != nil,
            case .pending = content.state
        else { return }
        report("\(place) is near at rest, and was never measured")
    }

    private func checkSelection(_ cell: CollectionViewCell, _ path: ItemPath) {
        // While a touch is active, the other items appear deselected.
        guard shown.highlightedItem == nil else { return }
        if cell.isSelected != shown.indexPathsForSelectedItems.contains(path) {
            report("the cell of \(path) looks \(cell.isSelected ? "" : "de")selected")
        }
    }

    // MARK: Events

    /// Counts the events of the view since the last call.
    private func readLog() {
        for event in shown.eventLog {
            switch event {
            case .applied: mark("view applied")
            case .reloaded: mark("view reloaded")
            case .postponed: mark("view postponed")
            case .scrolled: mark("view scrolled")
            case .layout(.shouldInvalidateLayoutForPreferred(_, _, true)): mark("view self-sized")
            case .layout(.initialLayoutAttributes), .layout(.finalLayoutAttributes):
                mark("view transition")
            case .layout(.prepareForTransitionTo): mark("view switched layouts")
            case .selection(.didSelect): mark("view selected")
            default: break
            }
        }
        shown.clearEventLog()
    }
}

extension WatchedView {
    /// Checks that a hit test in the middle of a view's visible part finds the view, unless another
    /// covers it, and that nothing is hit outside the viewport.
    func checkHits() {
        for view in shown.visibleViews {
            guard let attributes = view.attributes else { continue }
            let frame = attributes.frame
            checkConversions(of: frame)
            let part = frame.intersection(shown.bounds)
            // The middle of a tiny part may be rounded to its edge.
            if min(part.size.width, part.size.height) < Point.tolerance { continue }
            let point = shown.convertToViewport(part.center)
            guard let hit = shown.hitTest(point), let found = hit.attributes else {
                report("nothing is hit in the middle of \(attributes.place), at \(point)")
                continue
            }
            if hit !== view, found.isBehind(attributes) || !found.frame.reaches(part.center) {
                report("\(found.place) is hit in the middle of \(attributes.place)")
            }
        }
        let size = shown.size
        for point in [Point(x: size.width, y: 0), Point(x: 0, y: size.height), Point(x: -1, y: 0)]
        where shown.hitTest(point) != nil {
            report("something is hit outside the viewport, at \(point)")
        }
    }

    /// Checks that converting a frame to the viewport and back is consistent, and that its middle
    /// is converted to the same point.
    private func checkConversions(of frame: Rect) {
        let seen = shown.convertToViewport(frame)
        let middle = shown.convertToViewport(frame.center)
        let back = shown.convertFromViewport(seen)
        if !seen.center.isNear(middle) { report("\(frame) is seen at \(seen), around \(middle)") }
        if !back.origin.isNear(frame.origin) || back.size != frame.size {
            report("\(frame) is seen at \(seen), which is \(back) in the content")
        }
    }
}

extension Rect {
    /// Whether a point lies inside or on any edge.
    fileprivate func reaches(_ point: Point) -> Bool {
        (minX...maxX).contains(point.x) && (minY...maxY).contains(point.y)
    }
}

extension Point {
    /// The rounding error of sums of small numbers.
    fileprivate static let tolerance = 1e-6

    fileprivate func isNear(_ other: Point) -> Bool {
        abs(x - other.x) < Self.tolerance && abs(y - other.y) < Self.tolerance
    }
}

// Measured sizes and prepared layouts must equal those that the layout would compute itself.

extension WatchedView {
    /// Checks that elements were measured for the sizes that the view currently offers. Main lane,
    /// at rest.
    func checkMeasuredRanges() {
        // A view without extent offers no sizes; with different counts, or after the view has lost
        // everything, the data source cannot be called.
        guard expectsMeasured || preparesLayout, isOpen(), countsAgree(), !isBehind,
            !shown.bounds.isEmpty, let visible = visibleMap()
        else { return }
        let viewRange = shown.elementSizeRange
        let chosen = preparesLayout ? FlowLayoutDelegate(shown).sizeRanges(for: visible) : nil
        let wrong = placedElements.filter { place, content in
            guard let place = place.elementPlace, let range = content.measuredRange else {
                return false
            }
            return range != chosen?(place) ?? viewRange
        }.map(\.place)
        guard !wrong.isEmpty else { return }
        report("measured for other sizes than the view offers at rest: \(wrong)")
    }

    /// Compares the prepared layout with a layout from scratch. Main lane, at rest.
    func checkPreparedLayout() {
        // With different counts, ranges that were measured since are known only to their caller.
        guard preparesLayout, !nodesAreRequested, !plan.sizesItself, !isBehind, isOpen(),
            countsAgree(), let layout = shown.collectionViewLayout as? FlowLayout,
            !shown.bounds.isEmpty
        else { return }
        if shown.preparedLayout is PreparedFlow { mark("layout prepared") }
        guard let reference = ViewPlan.Layout.flow.make(sizesItself: false) as? FlowLayout else {
            return
        }
        let host = BareHost(shown)
        reference.attach(to: host)
        reference.prepare()
        if reference.collectionViewContentSize != layout.collectionViewContentSize {
            report(
                "the content is \(layout.collectionViewContentSize), but laid out from scratch"
                    + " \(reference.collectionViewContentSize)"
            )
        }
        for item in shown.map.items {
            let (one, other) = (layout.frame(ofItem: item.path), reference.frame(ofItem: item.path))
            if one != other {
                report("item \(item.path) is laid out at \(one as Any), not \(other as Any)")
            }
        }
        for section in 0..<shown.numberOfSections
        where layout.frame(ofSection: section) != reference.frame(ofSection: section) {
            report("section \(section) is laid out elsewhere than from scratch")
        }
    }
}

/// A view without a prepared layout, so that a layout attached to it computes everything. Main
/// lane.
package final class BareHost: LayoutHost {
    private let view: SimulatedCollectionView

    package init(_ view: SimulatedCollectionView) { self.view = view }

    package var bounds: Rect { view.bounds }
    package var adjustedContentInset: EdgeInsets { view.adjustedContentInset }
    package var safeAreaInsets: EdgeInsets { view.safeAreaInsets }
    package var layoutMargins: EdgeInsets { view.layoutMargins }
    package var isRightToLeft: Bool { view.isRightToLeft }
    package var displayScale: Double { view.displayScale }
    package var numberOfSections: Int { view.numberOfSections }

    package func numberOfItems(inSection section: Int) -> Int {
        view.numberOfItems(inSection: section)
    }

    package func context(forSection section: Int) -> (any SectionContext)? {
        view.context(forSection: section)
    }

    package func measuredSize(of place: LayoutPlace) -> Size? { view.measuredSize(of: place) }

    package var layoutMetrics: (any LayoutMetrics)? { nil }

    package func invalidateLayout(with context: LayoutInvalidationContext) {}
}
