import PipelineTestSupport
import SimulatedView
import Testing

/// The order in which a view calls its layout, its data source and its delegate equals that of
/// UICollectionView.
@Suite("The order of a view's calls")
struct CallOrderTests {
    /// The events for each view that appears: requested, placed, measured, announced.
    private func appears(_ path: String, isReused: Bool = false) -> [String] {
        ["dataSource view \(path)"] + (isReused ? ["prepareForReuse \(path)"] : [])
            + ["apply \(path)"] + measured(path) + ["willDisplay \(path)"]
    }

    private func measured(_ path: String) -> [String] {
        [
            "preferred \(path) 100 × 10",
            "layout shouldInvalidateLayout preferred \(path) 100 × 10: false",
        ]
    }

    private func shortLog(_ bench: Bench<RowLayout>) -> [String] {
        bench.log("layout", "scrolled", "invalidated", "didEnd", "willDisplay").filter {
            !$0.contains("preferred") && !$0.hasPrefix("layout attributes for")
        }
    }

    @Test func loadingReadsCountsPreparesAndFillsTheViewport() throws {
        let bench = try Bench([["a", "b", "c"], ["d", "e"]])
        #expect(bench.log == [], "nothing before the first turn")
        bench.lane.run()
        #expect(
            bench.log == [
                "reloaded", "dataSource numberOfSections: 2", "dataSource numberOfItems 0: 3",
                "dataSource numberOfItems 1: 2", "invalidated everything counts",
                "layout prepare", "layout collectionViewContentSize 100 × 50",
                "contentSize 100 × 50", "layout attributes in (0, 0) 100 × 30: 3",
            ] + appears("0 - 0") + appears("0 - 1") + appears("0 - 2")
        )
        bench.clear()
        bench.adapter.reloadData()
        bench.lane.run()
        #expect(
            bench.log("reloaded", "didEnd", "willDisplay", "prepareForReuse 0 - 0") == [
                "reloaded", "didEndDisplaying 0 - 0", "didEndDisplaying 0 - 1",
                "didEndDisplaying 0 - 2", "prepareForReuse 0 - 0", "willDisplay 0 - 0",
                "willDisplay 0 - 1", "willDisplay 0 - 2",
            ]
        )
        #expect(bench.view.numberOfMadeViews == 3, "no new instances")
    }

    /// Within the pages that are known, the view requests nothing.
    @Test(arguments: [false, true])
    func scrollingCallsTheLayoutBeforeTheBoundsChange(_ isInvalidating: Bool) throws {
        let bench = try Bench([["a", "b", "c"], ["d", "e"]])
        bench.layout.invalidatesForBounds = isInvalidating
        bench.load()
        bench.view.scroll(by: 10)
        let bounds = "(0, 10) 100 × 30"
        #expect(
            bench.log
                == [
                    "layout shouldInvalidateLayout bounds \(bounds): \(isInvalidating)",
                    "layout context for bounds \(bounds)", "scrolled (0, 10)", "invalidated all",
                ].filter { isInvalidating || $0.contains("should") || $0.contains("scrolled") }
        )
        #expect(bench.layout.boundsAtCalls == [Rect(x: 0, y: 0, width: 100, height: 30)])
        bench.clear()
        bench.lane.run()
        let prepared = ["layout prepare", "layout collectionViewContentSize 100 × 50"]
        #expect(
            bench.log == (isInvalidating ? prepared : []) + [
                "layout attributes in (0, 0) 100 × 60: 5", "didEndDisplaying 0 - 0",
            ] + appears("1 - 0", isReused: true)
        )
        bench.clear()
        bench.view.scroll(by: 5)
        bench.settle()
        #expect(bench.log("layout attributes", "layout prepare").isEmpty != isInvalidating)
    }

    @Test func aPlainUpdateFinishesInALaterTurn() throws {
        let bench = try Bench([["a", "b", "c"], ["d", "e"]])
        bench.load()
        try bench.adapter.performBatchUpdates(animated: false) { changes in
            bench.source.sections = [["a", "c"], ["new", "d", "e"]]
            changes.insertItems(at: [ItemPath(1, 0)])
            changes.deleteItems(at: [ItemPath(0, 1)])
        }
        #expect(
            bench.log == [
                "dataSource numberOfSections: 2", "dataSource numberOfItems 0: 2",
                "dataSource numberOfItems 1: 3", "applied: -1 +1 ~0", "invalidated counts",
                "layout prepare(applying:)", "layout collectionViewContentSize 100 × 50",
                "layout prepare(forCollectionViewUpdates:) delete 0 - 1, insert 1 - 0",
                "layout attributes in (0, 0) 100 × 30: 3",
                "layout targetContentOffset (0, 0): (0, 0)", "didEndDisplaying 0 - 1",
                "layout finalizeCollectionViewUpdates",
            ] + measured("0 - 0") + measured("0 - 1") + appears("1 - 0", isReused: true) + [
                "apply 0 - 1"
            ]
        )
        bench.clear()
        bench.lane.run()
        #expect(bench.log == ["finished"])
    }

    /// The offset follows the visible items, which invalidates the layout once more.
    @Test func invalidationByTheNewOffsetIsPreparedBeforeFinalize() throws {
        let bench = try Bench([texts(50)])
        bench.layout.invalidatesForBounds = true
        bench.load()
        bench.view.scroll(by: 100)
        bench.settle()
        bench.clear()
        try bench.update { source, changes in
            source.sections[0].insert("new", at: 0)
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        #expect(
            Array(shortLog(bench).prefix(14)) == [
                "invalidated counts", "layout prepare(applying:)",
                "layout collectionViewContentSize 100 × 510",
                "layout prepare(forCollectionViewUpdates:) insert 0 - 0",
                "layout attributes in (0, 90) 100 × 60: 6",
                "layout targetContentOffset (0, 110): (0, 110)",
                "layout shouldInvalidateLayout bounds (0, 110) 100 × 30: true",
                "layout context for bounds (0, 110) 100 × 30", "scrolled (0, 110)",
                "invalidated all", "layout prepare", "layout collectionViewContentSize 100 × 510",
                "layout attributes in (0, 90) 100 × 60: 6", "layout finalizeCollectionViewUpdates",
            ]
        )
    }

    @Test func anAnimatedUpdateRequestsFinalThenInitialAttributes() throws {
        let bench = try Bench([["a", "b", "c", "d"]])
        bench.load()
        try bench.adapter.performBatchUpdates { changes in
            bench.source.sections = [["x", "b", "d"]]
            changes.deleteItems(at: [ItemPath(0, 0), ItemPath(0, 2)])
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        #expect(
            shortLog(bench) == [
                "invalidated counts", "layout prepare(applying:)",
                "layout collectionViewContentSize 100 × 30",
                "layout prepare(forCollectionViewUpdates:) delete 0 - 0, delete 0 - 2, insert 0 - 0",
                "layout attributes in (0, 0) 100 × 30: 3",
                "layout targetContentOffset (0, 0): (0, 0)",
                "layout finalLayoutAttributes 0 - 0: none",
                "layout finalLayoutAttributes 0 - 2: none",
                "layout initialLayoutAttributes 0 - 0: none",
                "layout initialLayoutAttributes 0 - 2: none",
                "layout finalizeCollectionViewUpdates", "willDisplay 0 - 0", "willDisplay 0 - 2",
            ]
        )
        #expect(bench.view.numberOfMadeViews == 5, "a disappearing view is not reused yet")
        bench.clear()
        bench.lane.run()
        #expect(bench.log == ["didEndDisplaying 0 - 0", "didEndDisplaying 0 - 2", "finished"])
    }

    /// A view that disappears does so at its old index path, a view that appears at its new one;
    /// the layout is called once for each kind.
    @Test func anAnimatedUpdateReplacesViewsThatTheLayoutNames() throws {
        let kind = SupplementaryKind(rawValue: "backdrop")
        func backdrop(_ section: Int) -> LayoutPlace {
            LayoutPlace(.decoration(kind), ItemPath(section, 0))
        }
        let bench = try Bench([["a"], ["b"]], height: 60)
        bench.layout.headerHeight = 4
        bench.layout.decorationKind = kind
        bench.layout.register(Backdrop.self, forDecorationViewOfKind: kind)
        bench.load()
        let old = [backdrop(0), .header(1)].map { bench.view.visibleView(at: $0) }
        bench.layout.deletedPaths = [.decoration(kind): [ItemPath(0, 0)]]
        bench.layout.insertedPaths = [.supplementary(.header): [ItemPath(2, 0)]]
        try bench.adapter.performBatchUpdates { changes in
            bench.source.sections = [["new"], ["a"], ["b"]]
            changes.insertSections([0])
        }
        #expect(
            bench.log("layout indexPaths", "layout final") == [
                "layout indexPathsToDelete header",
                "layout indexPathsToDelete decoration backdrop: 0 - 0",
                "layout indexPathsToInsert header: 2 - 0",
                "layout indexPathsToInsert decoration backdrop",
                "layout finalLayoutAttributes header 1 - 0: none",
                "layout finalLayoutAttributes decoration backdrop 0 - 0: none",
                "layout finalizeCollectionViewUpdates",
            ]
        )
        let gone = bench.view.transitions.filter { $0.newPlace == nil }.map(\.oldPlace)
        #expect(gone == [.header(1), backdrop(0)])
        let new = [backdrop(1), .header(2)].map { bench.view.visibleView(at: $0) }
        #expect(zip(old, new).allSatisfy { $0 !== $1 && $1 != nil })
        bench.layout.deletedPaths = [:]
        bench.layout.insertedPaths = [:]
        bench.settle()
        let ended = bench.log("didEnd").map { $0.dropFirst("didEndDisplaying ".count) }
        #expect(ended == ["header 1 - 0", "decoration backdrop 0 - 0"])
        bench.check()
    }

    @Test func anAnimatedBoundsChangeCallsTheLayoutBeforeAndAfter() throws {
        let bench = try Bench([texts(9)])
        bench.layout.invalidatesForBounds = true
        bench.load()
        bench.view.resize(to: Size(width: 50, height: 20), animated: true)
        let calls = bench.log("layout").filter {
            !$0.contains("preferred") && !$0.hasPrefix("layout attributes")
        }
        #expect(
            calls == [
                "layout prepare(forAnimatedBoundsChange:) (0, 0) 100 × 30",
                "layout shouldInvalidateLayout bounds (0, 0) 50 × 20: true",
                "layout context for bounds (0, 0) 50 × 20", "layout prepare",
                "layout collectionViewContentSize 50 × 90",
                "layout targetContentOffset (0, 0): (0, 0)",
                "layout finalLayoutAttributes 0 - 2: none", "layout finalizeAnimatedBoundsChange",
            ]
        )
    }

    @Test func aSwitchCallsBothLayoutsAndTheNewOneSetsTheOffset() throws {
        let bench = try Bench([texts(4)])
        bench.load()
        var isComplete = false
        let tall = RowLayout()
        tall.rowHeight = 15
        bench.view.setCollectionViewLayout(tall, animated: true) { isComplete = true }
        #expect(!isComplete)
        #expect(
            shortLog(bench) == [
                "layout prepareForTransition(to:)", "layout prepareForTransition(from:)",
                "invalidated everything", "layout prepare",
                "layout collectionViewContentSize 100 × 60",
                "layout targetContentOffset (0, 0): (0, 0)",
                "layout attributes in (0, 0) 100 × 30: 2", "didEndDisplaying 0 - 2",
                "layout finalizeLayoutTransition", "layout finalizeLayoutTransition",
            ]
        )
        bench.lane.run()
        #expect(isComplete && bench.rows == ["0: 0", "15: 1"])
    }

    /// Any number of invalidations cause one layout pass, which requests no counts.
    @Test func manyInvalidationsCauseOnePreparation() throws {
        let bench = try Bench([texts(30)])
        bench.load()
        for _ in 0..<5 {
            bench.view.setNeedsLayout()
            bench.view.contentOffset.y += 3
        }
        for _ in 0..<5 { bench.layout.invalidateLayout() }
        #expect(bench.lane.count == 1)
        bench.lane.runOne()
        #expect(bench.lane.count == 0 && bench.view.contentOffset.y == 15)
        #expect(
            bench.log("layout prepare") == ["layout prepare"] && bench.log("dataSource n") == []
        )
        bench.check()
    }

    // MARK: The view's environment

    private static let insets = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
    private static let environmentChanges: [@Sendable (SimulatedCollectionView) -> Void] = [
        { $0.contentInset = insets }, { $0.safeAreaInsets = insets },
        { $0.layoutMargins = insets }, { $0.isRightToLeft = true }, { $0.displayScale = 3 },
        { $0.contentInsetAdjustmentBehavior = .always },
    ]

    @Test(arguments: environmentChanges.indices)
    func anEnvironmentChangeInvalidatesTheLayoutOnce(_ index: Int) throws {
        let bench = try Bench([texts(3)])
        bench.load()
        for expected in [["invalidated all"], []] {
            Self.environmentChanges[index](bench.view)
            #expect(bench.log == expected)
            bench.clear()
        }
        bench.settle()
        bench.check()
    }

    // MARK: The log

    /// Events of a view that becomes busy for two reasons repeatedly.
    @Test(arguments: [0, 1, 2, 7, 333, -1, Int.max, nil])
    func theLogHasExactlyTheNewestEventsOldestFirst(_ capacity: Int?) {
        let size = Size(width: 10, height: 10)
        let view =
            capacity.map { SimulatedCollectionView(size: size, logCapacity: $0) }
            ?? SimulatedCollectionView(size: size)
        var events: [ViewEvent] = []
        for number in 0..<1200 {
            view.beginBusy()
            view.beginBusy()
            view.endBusy()
            #expect(view.isBusy)
            view.endBusy()
            events += [.becameBusy, .becameIdle]
            let newest = events.suffix(max(0, capacity ?? 1024))
            if number % 97 == 0 || number == 1199 { #expect(view.eventLog == Array(newest)) }
        }
        view.clearEventLog()
        #expect(view.eventLog == [] && !view.isBusy)
    }
}
