import PipelineTestSupport
import SimulatedView
import Testing

/// A lane that counts the queries whether the caller is on it.
private final class CountingLane: Lane, @unchecked Sendable {
    // Unchecked: used by the one thread of the test.
    private(set) var queryCount = 0
    let label = "asked"

    var isCurrent: Bool {
        queryCount += 1
        return true
    }

    func enqueue(_ work: @escaping @Sendable () -> Void) {}
}

/// A lane that no caller is ever on.
private final class ElsewhereLane: Lane {
    let label = "elsewhere"
    var isCurrent: Bool { false }
    func enqueue(_ work: @escaping @Sendable () -> Void) {}
}

/// A layout that requests nothing from its view.
private final class FixedSizes: CollectionLayout {
    override var elementSizeRange: SizeRange { SizeRange(minimum: .zero, maximum: .zero) }
}

private typealias Use = @Sendable (SimulatedCollectionView) throws -> Void

private let path = ItemPath(0, 0)

/// The setters and methods of a view, with their names.
private let uses: [(name: String, use: Use)] = [
    ("cellForItem", { _ = $0.cellForItem(at: path) }),
    ("visibleView", { _ = $0.visibleView(at: .cell(path)) }),
    ("place", { _ = $0.place(of: CollectionReusableView()) }),
    ("indexPath", { _ = $0.indexPath(for: CollectionViewCell()) }),
    ("visibleSupplementaryViews", { _ = $0.visibleSupplementaryViews(ofKind: .header) }),
    (
        "indexPathsForVisibleSupplementaryElements",
        { _ = $0.indexPathsForVisibleSupplementaryElements(ofKind: .header) }
    ),
    ("supplementaryView", { _ = $0.supplementaryView(forElementKind: .header, at: path) }),
    ("layoutAttributesForItem", { _ = $0.layoutAttributesForItem(at: path) }),
    (
        "layoutAttributesForSupplementaryElement",
        { _ = $0.layoutAttributesForSupplementaryElement(ofKind: .header, at: path) }
    ),
    ("indexPathForItem", { _ = $0.indexPathForItem(at: .zero) }),
    ("hitTest", { _ = $0.hitTest(.zero) }),
    ("layoutIfNeeded", { $0.layoutIfNeeded() }),
    ("invalidateLayout", { $0.invalidateLayout(with: LayoutInvalidationContext()) }),
    ("invalidatePreferredSize", { $0.invalidatePreferredSize(of: CollectionReusableView()) }),
    ("setCollectionViewLayout", { $0.setCollectionViewLayout(FixedSizes()) }),
    ("contentInset =", { $0.contentInset = .zero }),
    ("safeAreaInsets =", { $0.safeAreaInsets = .zero }),
    ("layoutMargins =", { $0.layoutMargins = .zero }),
    ("isRightToLeft =", { $0.isRightToLeft = true }), ("displayScale =", { $0.displayScale = 2 }),
    ("adjustmentBehavior =", { $0.contentInsetAdjustmentBehavior = .never }),
    ("isInverted =", { $0.isInverted = true }),
    ("convertToViewport", { _ = $0.convertToViewport(Point.zero) }),
    ("convertToViewport of a rectangle", { _ = $0.convertToViewport(Rect.zero) }),
    ("convertFromViewport", { _ = $0.convertFromViewport(Point.zero) }),
    ("convertFromViewport of a rectangle", { _ = $0.convertFromViewport(Rect.zero) }),
    ("numberOfItems", { _ = $0.numberOfItems(inSection: 0) }),
    ("context", { _ = $0.context(forSection: 0) }),
    ("measuredSize", { _ = $0.measuredSize(of: .cell(path)) }),
    ("beginBusy", { $0.beginBusy() }),
    (
        "endBusy",
        {
            $0.beginBusy()
            $0.endBusy()
        }
    ),
    ("updatesInFlightDidChange", { $0.updatesInFlightDidChange(true) }),
    ("controllerDidClose", { $0.controllerDidClose() }),
    ("isPrefetchingEnabled =", { $0.isPrefetchingEnabled = true }), ("idleTick", { $0.idleTick() }),
    ("register cell", { try $0.register(nil, forCellWithReuseIdentifier: "x") }),
    (
        "register view",
        {
            try $0.register(
                nil,
                forSupplementaryViewOfKind: .header,
                withReuseIdentifier: "x"
            )
        }
    ),
    (
        "dequeueReusableCell",
        { _ = try? $0.dequeueReusableCell(withReuseIdentifier: "x", for: path) }
    ),
    (
        "dequeueReusableSupplementaryView",
        {
            _ = try? $0.dequeueReusableSupplementaryView(
                ofKind: .header,
                withReuseIdentifier: "x",
                for: path
            )
        }
    ), ("contentOffset =", { $0.contentOffset = .zero }),
    ("setContentOffset", { $0.setContentOffset(.zero) }), ("scroll", { $0.scroll(by: 0) }),
    ("scrollToTop", { $0.scrollToTop() }),
    ("scrollToItem", { try? $0.scrollToItem(at: path) }),
    ("scrollToPage", { try? $0.scrollToPage(at: 0) }),
    ("resize", { $0.resize(to: .zero) }),
    ("beginDragging", { $0.beginDragging() }), ("drag", { $0.drag(by: .zero) }),
    ("endDragging", { $0.endDragging(at: .zero, velocity: .zero) }),
    ("decelerationRate =", { $0.decelerationRate = .fast }),
    ("allowsSelection =", { $0.allowsSelection = true }),
    ("allowsMultipleSelection =", { $0.allowsMultipleSelection = true }),
    ("selectItem", { try? $0.selectItem(at: path) }),
    ("deselectItem", { $0.deselectItem(at: path) }), ("tapItem", { $0.tapItem(at: path) }),
    ("touchDown", { $0.touchDown(at: path) }), ("touchMoved", { $0.touchMoved(inside: true) }),
    ("touchUp", { $0.touchUp() }), ("cancelTouch", { $0.cancelTouch() }),
    ("clearEventLog", { $0.clearEventLog() }),
    ("clearErrors", { $0.clearErrors() }),
    ("rangeController =", { $0.rangeController = nil }),
    ("batchFetcher =", { $0.batchFetcher = nil }),
]

/// The misuses that stop the process.
private enum Trap: String, CaseIterable, Codable {
    case elsewhere, layoutOfAnother, rangesOfAnother, rangesElsewhere, fetcherOfAnother
    case twoControllers, idle, insetElsewhere, adapterElsewhere

    var message: String {
        switch self {
        case .elsewhere:
            "SimulatedCollectionView.tapItem(at:) must be called on the lane 'elsewhere', but was called"
                + " elsewhere; use a controller's 'await withIsolated(_:)', or go there"
        case .layoutOfAnother: "A layout belongs to one collection view"
        case .rangesOfAnother: "A range controller belongs to one collection view"
        case .rangesElsewhere:
            "SimulatedCollectionView.rangeController.memoryPressure must be called on the lane"
                + " 'elsewhere'"
        case .fetcherOfAnother: "A batch fetcher belongs to one collection view"
        case .twoControllers: "A SimulatedCollectionView belongs to one controller"
        case .idle: "endBusy() must follow beginBusy()"
        case .insetElsewhere: "SimulatedCollectionView.contentInset must be called on the lane"
        case .adapterElsewhere:
            "DataSourceAdapter.init(dataSource:view:lane:profile:) must be called on the lane"
        }
    }

    func run() {
        let view = SimulatedCollectionView(size: Size(width: 10, height: 10))
        let other = SimulatedCollectionView(size: Size(width: 10, height: 10))
        let (ranges, fetcher) = (RangeController(), BatchFetcher())
        switch self {
        case .elsewhere:
            view.attach(to: ElsewhereLane())
            view.tapItem(at: path)
        case .layoutOfAnother: view.setCollectionViewLayout(other.collectionViewLayout)
        case .rangesOfAnother:
            other.rangeController = ranges
            view.rangeController = ranges
        case .rangesElsewhere:
            view.rangeController = ranges
            view.attach(to: ElsewhereLane())
            ranges.memoryPressure = .warning
        case .fetcherOfAnother:
            // Also if the other view no longer has the fetcher: what it knows about the ends
            // belongs to that view.
            other.batchFetcher = fetcher
            other.batchFetcher = nil
            view.batchFetcher = fetcher
        case .twoControllers:
            let first = DataController(dataSource: TextDataSource([["a"]]), view: view)
            let second = DataController(dataSource: TextDataSource([["a"]]), view: view)
            withExtendedLifetime((first, second)) {}
        case .idle:
            view.beginBusy()
            view.endBusy()
            view.endBusy()
        case .insetElsewhere:
            view.attach(to: ElsewhereLane())
            view.contentInset = .zero
        case .adapterElsewhere:
            let source = RowSource([["a"]])
            _ = DataSourceAdapter(dataSource: source, view: view, lane: ElsewhereLane())
        }
        withExtendedLifetime((view, other)) {}
    }
}

@Suite("The lane of a view", .endsHangs)
struct LaneTests {
    /// A view without a lane belongs to the thread that created it.
    @Test func everyMemberChecksThatTheCallerIsOnTheLane() throws {
        let reads: [PartialKeyPath<SimulatedCollectionView>] = [
            \.visibleCells, \.visibleViews, \.indexPathsForVisibleItems, \.numberOfReusableViews,
            \.numberOfMadeViews, \.collectionViewLayout, \.transitions, \.bounds, \.size,
            \.contentSize, \.contentInsetAdjustmentBehavior, \.adjustedContentInset,
            \.numberOfSections, \.preparedLayout, \.elementSizeRange, \.firstVisiblePath, \.map,
            \.numberOfWaitingUpdates, \.isBusy, \.preparedItems, \.currentPage, \.isDragging,
            \.isDecelerating, \.isScrollAnimating, \.indexPathsForSelectedItems, \.highlightedItem,
            \.eventLog, \.errors, \.errorCount, \.rangeController, \.batchFetcher,
        ]
        func checksLane(_ use: (SimulatedCollectionView) throws -> Void) rethrows -> Bool {
            let view = SimulatedCollectionView(size: .zero, layout: FixedSizes())
            view.layoutIfNeeded()
            try use(view)
            let lane = CountingLane()
            view.attach(to: lane)
            try use(view)
            return lane.queryCount > 0
        }
        let unread = reads.filter { read in !checksLane { _ = $0[keyPath: read] } }
        #expect(unread == [])
        #expect(try uses.filter { try !checksLane($0.use) }.map(\.name) == [])
    }

    /// Each misuse runs in its own process.
    @Test(arguments: Trap.allCases)
    private func misuseStopsTheProcessWithAReason(_ trap: Trap) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [trap = trap as Trap] in
            trap.run()
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains(trap.message))
    }
}
