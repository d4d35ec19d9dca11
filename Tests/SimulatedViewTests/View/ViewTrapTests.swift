import PipelineTestSupport
import SimulatedView
import Testing

/// A lane on which nobody ever is.
private final class ElsewhereLane: Lane {
    let label = "elsewhere"
    var isCurrent: Bool { false }
    func enqueue(_ work: @escaping @Sendable () -> Void) {}
}

/// Members of a view, which all belong to its lane.
private enum Member: String, CaseIterable, Codable {
    case visibleCells, visibleViews, cellForItem, visibleView, place, indexPathForItem
    case indexPathsForVisibleItems, indexPath, visibleSupplementaryViews, supplementaryPaths
    case supplementaryView, itemAttributes, supplementaryAttributes
    case numberOfReusableViews, numberOfMadeViews, layoutIfNeeded, collectionViewLayout, bounds,
        size, contentSize
    case contentInset, safeAreaInsets, layoutMargins, isRightToLeft, displayScale, adjustment
    case adjustedContentInset, numberOfSections, numberOfItems, context, measuredSize, invalidate
    case elementSizeRange, firstVisiblePath, map, waitingUpdates, isBusy, beginBusy, endBusy
    case prefetching, preparedItems, idleTick, registerCell, registerView, dequeueCell, dequeueView
    case contentOffset, scroll, scrollToTop, endDragging, scrollToItem, resize,
        indexPathsForSelectedItems
    case highlightedItem, allowsSelection, allowsMultiple, select, deselect, tap, down, moved, up
    case cancel, wish, setCollectionViewLayout, transitions, eventLog, clearLog, errors, errorCount,
        clearErrors
    case rangeController, setRangeController, batchFetcher, setBatchFetcher, updatesInFlight
    case currentPage, scrollToPage
    case isDragging, beginDragging, drag, isDecelerating, isScrollAnimating, decelerationRate
    case setContentOffset
    case isInverted, setInverted, convertToViewport, convertRectToViewport
    case convertFromViewport, convertRectFromViewport, hitTest

    /// As the message has it.
    var name: String {
        switch self {
        case .indexPathsForVisibleItems, .visibleCells, .visibleViews, .numberOfReusableViews,
            .numberOfMadeViews,
            .collectionViewLayout,
            .bounds, .numberOfSections, .contentSize, .elementSizeRange, .firstVisiblePath, .map,
            .isBusy,
            .preparedItems, .contentOffset, .indexPathsForSelectedItems, .highlightedItem,
            .allowsSelection,
            .transitions, .eventLog, .errors, .errorCount, .rangeController, .batchFetcher,
            .currentPage, .isDragging, .isDecelerating, .isScrollAnimating, .decelerationRate,
            .isInverted:
            rawValue
        case .setInverted: "isInverted"
        case .convertRectToViewport: "convertToViewport(_:)"
        case .convertRectFromViewport: "convertFromViewport(_:)"
        case .convertToViewport, .convertFromViewport, .hitTest: "\(rawValue)(_:)"
        case .setRangeController: "rangeController"
        case .setBatchFetcher: "batchFetcher"
        case .updatesInFlight: "updatesInFlightDidChange(_:)"
        case .scrollToPage: "scrollToPage(at:animated:)"
        case .contentInset, .safeAreaInsets, .layoutMargins, .isRightToLeft, .displayScale,
            .adjustment, .adjustedContentInset:
            "contentInset and the like"
        case .layoutIfNeeded, .beginBusy, .endBusy, .beginDragging, .clearErrors: "\(rawValue)()"
        case .drag: "drag(by:)"
        case .scrollToTop: "scrollToTop(animated:)"
        case .setContentOffset: "setContentOffset(_:animated:)"
        case .size: "bounds"
        case .cellForItem, .indexPathForItem: "\(rawValue)(at:)"
        case .visibleView: "visibleView(at:)"
        case .place, .indexPath: "place(of:)"
        case .visibleSupplementaryViews: "visibleSupplementaryViews(ofKind:)"
        case .supplementaryPaths: "indexPathsForVisibleSupplementaryElements(ofKind:)"
        case .supplementaryView: "supplementaryView(forElementKind:at:)"
        case .itemAttributes: "layoutAttributesForItem(at:)"
        case .supplementaryAttributes: "layoutAttributesForSupplementaryElement(ofKind:at:)"
        case .numberOfItems: "numberOfItems(inSection:)"
        case .context: "context(forSection:)"
        case .measuredSize: "measuredSize(of:)"
        case .invalidate: "invalidateLayout(with:)"
        case .waitingUpdates: "numberOfWaitingUpdates"
        case .prefetching: "isPrefetchingEnabled"
        case .idleTick: "idleTick(preparing:)"
        case .registerCell: "register(_:forCellWithReuseIdentifier:)"
        case .registerView: "register(_:forSupplementaryViewOfKind:withReuseIdentifier:)"
        case .dequeueCell: "dequeueReusableCell(withReuseIdentifier:for:)"
        case .dequeueView:
            "dequeueReusableSupplementaryView(ofKind:withReuseIdentifier:for:)"
        case .scroll: "scroll(by:)"
        case .endDragging: "endDragging(at:velocity:)"
        case .scrollToItem: "scrollToItem(at:at:animated:)"
        case .resize: "resize(to:animated:)"
        case .allowsMultiple: "allowsMultipleSelection"
        case .select: "selectItem(at:scrollPosition:)"
        case .deselect: "deselectItem(at:)"
        case .tap: "tapItem(at:)"
        case .down: "touchDown(at:)"
        case .moved: "touchMoved(inside:)"
        case .up: "touchUp()"
        case .cancel: "cancelTouch()"
        case .wish: "invalidatePreferredSize(of:)"
        case .setCollectionViewLayout: "setCollectionViewLayout(_:animated:completion:)"
        case .clearLog: "clearEventLog()"
        }
    }

    func use(_ view: SimulatedCollectionView) throws {
        let path = ItemPath(0, 0)
        switch self {
        case .visibleCells: _ = view.visibleCells
        case .visibleViews: _ = view.visibleViews
        case .cellForItem: _ = view.cellForItem(at: path)
        case .visibleView: _ = view.visibleView(at: .cell(path))
        case .place: _ = view.place(of: CollectionReusableView())
        case .indexPathsForVisibleItems: _ = view.indexPathsForVisibleItems
        case .indexPath: _ = view.indexPath(for: CollectionViewCell())
        case .visibleSupplementaryViews: _ = view.visibleSupplementaryViews(ofKind: .header)
        case .supplementaryPaths:
            _ = view.indexPathsForVisibleSupplementaryElements(ofKind: .header)
        case .supplementaryView: _ = view.supplementaryView(forElementKind: .header, at: path)
        case .itemAttributes: _ = view.layoutAttributesForItem(at: path)
        case .supplementaryAttributes:
            _ = view.layoutAttributesForSupplementaryElement(ofKind: .header, at: path)
        case .indexPathForItem: _ = view.indexPathForItem(at: .zero)
        case .numberOfReusableViews: _ = view.numberOfReusableViews
        case .numberOfMadeViews: _ = view.numberOfMadeViews
        case .layoutIfNeeded: view.layoutIfNeeded()
        case .collectionViewLayout: _ = view.collectionViewLayout
        case .bounds: _ = view.bounds
        case .size: _ = view.size
        case .contentSize: _ = view.contentSize
        case .contentInset: view.contentInset = .zero
        case .safeAreaInsets: view.safeAreaInsets = .zero
        case .layoutMargins: view.layoutMargins = .zero
        case .isRightToLeft: _ = view.isRightToLeft
        case .displayScale: _ = view.displayScale
        case .adjustment: _ = view.contentInsetAdjustmentBehavior
        case .adjustedContentInset: _ = view.adjustedContentInset
        case .numberOfSections: _ = view.numberOfSections
        case .numberOfItems: _ = view.numberOfItems(inSection: 0)
        case .context: _ = view.context(forSection: 0)
        case .measuredSize: _ = view.measuredSize(of: .cell(path))
        case .invalidate: view.invalidateLayout(with: LayoutInvalidationContext())
        case .elementSizeRange: _ = view.elementSizeRange
        case .firstVisiblePath: _ = view.firstVisiblePath
        case .map: _ = view.map
        case .waitingUpdates: _ = view.numberOfWaitingUpdates
        case .isBusy: _ = view.isBusy
        case .beginBusy: view.beginBusy()
        case .endBusy: view.endBusy()
        case .prefetching: view.isPrefetchingEnabled = true
        case .preparedItems: _ = view.preparedItems
        case .idleTick: view.idleTick()
        case .registerCell: try view.register(nil, forCellWithReuseIdentifier: "x")
        case .registerView:
            try view.register(
                nil,
                forSupplementaryViewOfKind: .header,
                withReuseIdentifier: "x"
            )
        case .dequeueCell: _ = try view.dequeueReusableCell(withReuseIdentifier: "x", for: path)
        case .dequeueView:
            _ = try view.dequeueReusableSupplementaryView(
                ofKind: .header,
                withReuseIdentifier: "x",
                for: path
            )
        case .contentOffset: view.contentOffset = .zero
        case .scroll: view.scroll(by: 0)
        case .scrollToTop: view.scrollToTop()
        case .endDragging: view.endDragging(at: .zero, velocity: .zero)
        case .scrollToItem: try view.scrollToItem(at: path)
        case .resize: view.resize(to: .zero)
        case .indexPathsForSelectedItems: _ = view.indexPathsForSelectedItems
        case .highlightedItem: _ = view.highlightedItem
        case .allowsSelection: view.allowsSelection = true
        case .allowsMultiple: view.allowsMultipleSelection = true
        case .select: try view.selectItem(at: nil)
        case .deselect: view.deselectItem(at: path)
        case .tap: view.tapItem(at: path)
        case .down: view.touchDown(at: path)
        case .moved: view.touchMoved(inside: true)
        case .up: view.touchUp()
        case .cancel: view.cancelTouch()
        case .wish: view.invalidatePreferredSize(of: CollectionReusableView())
        case .setCollectionViewLayout: view.setCollectionViewLayout(ListLayout())
        case .transitions: _ = view.transitions
        case .eventLog: _ = view.eventLog
        case .clearLog: view.clearEventLog()
        case .errors: _ = view.errors
        case .errorCount: _ = view.errorCount
        case .clearErrors: view.clearErrors()
        case .rangeController: _ = view.rangeController
        case .setRangeController: view.rangeController = nil
        case .batchFetcher: _ = view.batchFetcher
        case .setBatchFetcher: view.batchFetcher = nil
        case .updatesInFlight: view.updatesInFlightDidChange(true)
        case .currentPage: _ = view.currentPage
        case .scrollToPage: try view.scrollToPage(at: 0)
        case .isDragging: _ = view.isDragging
        case .beginDragging: view.beginDragging()
        case .drag: view.drag(by: .zero)
        case .isDecelerating: _ = view.isDecelerating
        case .isScrollAnimating: _ = view.isScrollAnimating
        case .decelerationRate: view.decelerationRate = .fast
        case .setContentOffset: view.setContentOffset(.zero)
        case .isInverted: _ = view.isInverted
        case .setInverted: view.isInverted = true
        case .convertToViewport: _ = view.convertToViewport(Point.zero)
        case .convertRectToViewport: _ = view.convertToViewport(Rect.zero)
        case .convertFromViewport: _ = view.convertFromViewport(Point.zero)
        case .convertRectFromViewport: _ = view.convertFromViewport(Rect.zero)
        case .hitTest: _ = view.hitTest(.zero)
        }
    }
}

/// What stops the process, and with which words. Each body runs in a process of its own.
@Suite("Calls of a view from a wrong place", .endsHangs)
struct ViewTrapTests {
    private func message(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test(arguments: Member.allCases)
    private func everyMemberBelongsToTheLane(_ member: Member) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [member = member as Member] in
            let view = SimulatedCollectionView(size: Size(width: 10, height: 10))
            view.attach(to: ElsewhereLane())
            try member.use(view)
        }
        let expected =
            "SimulatedCollectionView.\(member.name) must be called on the lane 'elsewhere'"
        #expect(message(result).contains(expected))
    }

    @Test func beforeItHasALaneAViewBelongsToWhoeverMadeIt() throws {
        for member in Member.allCases where member != .endBusy {
            let view = SimulatedCollectionView(size: Size(width: 10, height: 10))
            do { try member.use(view) } catch { #expect(error is ViewError) }
        }
    }

    @Test func aLayoutOfAnotherViewStopsTheProcess() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let size = Size(width: 10, height: 10)
            let first = SimulatedCollectionView(size: size)
            SimulatedCollectionView(size: size).setCollectionViewLayout(first.collectionViewLayout)
        }
        #expect(message(result).contains("A layout belongs to one collection view"))
    }

    @Test func rangesOfAnotherViewStopTheProcess() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let (size, ranges) = (Size(width: 10, height: 10), RangeController())
            let first = SimulatedCollectionView(size: size)
            first.rangeController = ranges
            SimulatedCollectionView(size: size).rangeController = ranges
            withExtendedLifetime(first) {}
        }
        #expect(message(result).contains("A range controller belongs to one collection view"))
    }

    @Test func whatRangesAreSetToBelongsToTheLaneOfTheirView() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let view = SimulatedCollectionView(size: Size(width: 10, height: 10))
            let ranges = RangeController()
            view.rangeController = ranges
            view.attach(to: ElsewhereLane())
            ranges.memoryPressure = .warning
            withExtendedLifetime(view) {}
        }
        let expected =
            "SimulatedCollectionView.rangeController must be called on the lane 'elsewhere'"
        #expect(message(result).contains(expected))
    }

    /// Also where that one has it no longer: what it knows of ends is of another view.
    @Test func aFetcherThatAViewHasHadStopsTheProcess() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let (size, fetcher) = (Size(width: 10, height: 10), BatchFetcher())
            let first = SimulatedCollectionView(size: size)
            first.batchFetcher = fetcher
            first.batchFetcher = nil
            SimulatedCollectionView(size: size).batchFetcher = fetcher
        }
        #expect(message(result).contains("A batch fetcher belongs to one collection view"))
    }

    @Test func aViewThatIsGivenToTwoControllersStopsTheProcess() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let view = SimulatedCollectionView(size: Size(width: 10, height: 10))
            let first = DataController(dataSource: TextDataSource([["a"]]), view: view)
            let second = DataController(dataSource: TextDataSource([["a"]]), view: view)
            withExtendedLifetime((first, second)) {}
        }
        #expect(message(result).contains("A SimulatedCollectionView belongs to one controller"))
    }

    @Test func endingToBeBusyOftenerThanBeginningStopsTheProcess() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let view = SimulatedCollectionView(size: Size(width: 10, height: 10))
            view.beginBusy()
            view.endBusy()
            view.endBusy()
        }
        #expect(message(result).contains("endBusy() must follow beginBusy()"))
    }

    @Test func anAdapterMadeElsewhereStopsTheProcess() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let view = SimulatedCollectionView(size: Size(width: 10, height: 10))
            let source = RowSource([["a"]])
            _ = DataSourceAdapter(dataSource: source, view: view, lane: ElsewhereLane())
        }
        #expect(message(result).contains("DataSourceAdapter.init must be called on the lane"))
    }
}
