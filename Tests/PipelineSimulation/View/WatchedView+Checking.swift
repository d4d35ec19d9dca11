import CollectionElements
import CollectionLayouts
import CollectionPipeline
import PipelineTesting
import SimulatedView

extension WatchedView {
    /// Compares what the view shows with its map, its layout and the controller. Main lane.
    ///
    /// - Parameter isAtRest: whether nothing is to happen any more; the view must be up to date by itself
    ///   then, and else is brought up to date first.
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
        checkLooks(isAtRest: isAtRest)
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
        // Where something moves out of sight it is displayed until the animation ends.
        let displayed = Set(watcher.displayed.keys)
        if displayed != Set(shown.visibleViews.map(ObjectIdentifier.init)) {
            report("displayed at rest: \(watcher.displayed.values.sorted())")
        }
    }

    private func checkMap(isAtRest: Bool) {
        guard let visible = visibleMap() else { return }
        // What was lost is visible as far as the pipeline knows.
        if !isBehind, visible.generation != shown.map.generation, isAtRest || !isWaiting {
            report(
                "the view shows generation \(shown.map.generation), but \(visible.generation) is"
                    + " visible"
            )
        }
    }

    // MARK: Places

    /// What is visible is all that the layout places there, where it places it.
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
            // What is measured later is laid out again when the update comes that says so.
            if !measuresLater || isAtRest && !isBehind && isOpen() { checkSize(attributes) }
        }
        let attributes = Set(shown.visibleViews.compactMap(\.attributes))
        let (missing, surplus) = (wanted.subtracting(attributes), attributes.subtracting(wanted))
        if !missing.isEmpty { report("not shown: \(missing.map(\.place).sorted())") }
        if !surplus.isEmpty { report("shown out of place: \(surplus.map(\.place).sorted())") }
        checkOffset()
    }

    /// Where cells have no wishes of their own, places are as large as what was measured.
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

    /// A view shows the element that the map has at its place, and its newest revision.
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
        // Where an update was lost, nodes show what the view does not know of.
        guard !isBehind, let node = content.element.nodeIfAllocated as? WatchedNode else { return }
        switch content.state {
        case .measured: break
        case .pending, .allocating, .skipped, .failed: return
        }
        if let item = content.model as? ModelItem, node.shown != item {
            let mayBeAhead =
                nodesAreAskedFor && !isAtRest || mayBeOlder(shown.map.generation, isAtRest)
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

    /// What is seen is measured, whatever is put off.
    func checkMeasured(_ content: ElementContent, _ place: LayoutPlace) {
        guard expectsMeasured || preparesLayout, !isBehind, isOpen(), visibleMap() != nil,
            case .pending = content.state
        else { return }
        report("\(place) is near at rest, and was never measured")
    }

    private func checkSelection(_ cell: CollectionViewCell, _ path: ItemPath) {
        // While a touch is down the others look deselected.
        guard shown.highlightedItem == nil else { return }
        if cell.isSelected != shown.indexPathsForSelectedItems.contains(path) {
            report("the cell of \(path) looks \(cell.isSelected ? "" : "de")selected")
        }
    }

    // MARK: What happened

    /// Notes what the view has come to do since it was looked at last.
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
    /// Every view is hit where a reader sees the middle of its visible part, unless another lies over it there,
    /// and nothing is hit beyond the viewport.
    func checkHits() {
        for view in shown.visibleViews {
            guard let attributes = view.attributes else { continue }
            let frame = attributes.frame
            checkConversions(of: frame)
            let part = frame.intersection(shown.bounds)
            // What is hardly there may have its middle rounded to where it ends.
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
            report("something is hit beyond the viewport, at \(point)")
        }
    }

    /// What is seen of a frame leads back to it, and is where its middle is seen.
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
    /// Whether a point lies in it or on any edge.
    fileprivate func reaches(_ point: Point) -> Bool {
        (minX...maxX).contains(point.x) && (minY...maxY).contains(point.y)
    }
}

extension Point {
    /// What sums of small numbers may round away.
    fileprivate static let tolerance = 1e-6

    fileprivate func isNear(_ other: Point) -> Bool {
        abs(x - other.x) < Self.tolerance && abs(y - other.y) < Self.tolerance
    }
}

// What was measured and laid out beforehand is what the layout would have measured, and lays out itself.

extension WatchedView {
    /// Whatever is measured was measured for the sizes that the view offers now. Main lane, at rest.
    func checkMeasuredRanges() {
        // Without extent the view offers nothing, where counts differ nobody can be asked, and a view that has lost
        // everything has nobody to ask.
        guard expectsMeasured || preparesLayout, isOpen(), countsAgree(), !isBehind,
            !shown.bounds.isEmpty, let visible = visibleMap()
        else { return }
        let offered = shown.elementSizeRange
        let chosen = preparesLayout ? FlowLayoutDelegate(shown).sizeRanges(for: visible) : nil
        let wrong = placedElements.filter { place, content in
            guard let place = place.elementPlace, let range = content.measuredRange else {
                return false
            }
            return range != chosen?(place) ?? offered
        }.map(\.place)
        guard !wrong.isEmpty else { return }
        report("measured for other sizes than the view offers at rest: \(wrong)")
    }

    /// Lays out from scratch what workers have laid out step by step, and compares. Main lane, at rest.
    func checkPreparedLayout() {
        // Where counts differ, what sets measured within other ranges since, only the one who asked knows.
        guard preparesLayout, !nodesAreAskedFor, !plan.sizesItself, !isBehind, isOpen(),
            countsAgree(), let layout = shown.collectionViewLayout as? FlowLayout,
            !shown.bounds.isEmpty
        else { return }
        mark(shown.preparedLayout is PreparedFlow ? "layout prepared" : "layout not prepared")
        guard let fresh = ViewPlan.Layout.flow.make(sizesItself: false) as? FlowLayout else {
            return
        }
        let host = BareHost(shown)
        fresh.attach(to: host)
        fresh.prepare()
        if fresh.collectionViewContentSize != layout.collectionViewContentSize {
            report(
                "the content is \(layout.collectionViewContentSize), but laid out from scratch"
                    + " \(fresh.collectionViewContentSize)"
            )
        }
        for item in shown.map.items {
            let (one, other) = (layout.frame(ofItem: item.path), fresh.frame(ofItem: item.path))
            if one != other {
                report("item \(item.path) is laid out at \(one as Any), not \(other as Any)")
            }
        }
        for section in 0..<shown.numberOfSections
        where layout.frame(ofSection: section) != fresh.frame(ofSection: section) {
            report("section \(section) is laid out elsewhere than from scratch")
        }
    }
}

/// A view for which nothing was laid out beforehand, so that a layout of it lays out all by itself. Main lane.
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
