import CollectionPipeline
import Dispatch
import PipelineTestSupport
import Testing

@testable import SimulatedView

/// No end of a list has two fetches in progress, and none is stuck.
@Suite("Fetched Once")
struct FetchedOnceTests {
    @Test(arguments: FetchWalk.Course.allCases)
    func eachEndIsFetchedExactlyWhenTheDocumentationSays(_ course: FetchWalk.Course) {
        for seed in 0..<UInt64(Effort.number(300, usually: 60)) {
            let walk = FetchWalk(course, seed: seed)
            var fault: String?
            for _ in 0..<60 where fault == nil { fault = walk.step() }
            fault = fault ?? walk.close()
            guard let fault else { continue }
            Issue.record("\(course) seed \(seed): \(fault)\n\(walk.story.suffix(8))")
            return
        }
    }

    // MARK: Single cases

    /// Each fetch adds one row. An invisible view is filled; when it becomes visible, two more
    /// screenfuls are fetched.
    @Test(arguments: [true, false])
    func fetchesRepeatUntilThereIsEnoughContent(_ isAnimated: Bool) {
        let list = FetchingList([0, 0])
        list.onFetch = { [unowned list] fetch in
            list.submitMore(1, isAnimated: isAnimated)
            fetch.complete()
            list.fetches = []
        }
        nonisolated(unsafe) let ranges = RangeController()
        list.onMain { _, view in
            view.rangeController = ranges
            ranges.isContainerVisible = false
        }
        list.load()
        #expect(list.controller.visibleMap.shape.itemCounts == [0, 3])
        list.onMain { _, _ in ranges.isContainerVisible = true }
        #expect(list.controller.visibleMap.shape.itemCounts == [0, 10])
    }

    /// Without a delegate nothing is fetched; a delegate with only the defaults has no more
    /// content.
    @Test func defaultsFetchNothingAndScreenfulsMustBeFinite() {
        final class Silent: BatchFetcherDelegate {}
        nonisolated(unsafe) let silent = Silent()
        let list = FetchingList([4, 0])
        list.onMain { list, _ in list.fetcher.delegate = nil }
        list.load()
        #expect(list.news().isEmpty)
        list.onMain { list, view in
            list.fetcher.delegate = silent
            view.setNeedsLayout()
        }
        #expect(list.news() == ["fetch tail", "fetch tail: exhausted"])
        for screens in [-1, Double.nan, .infinity] {
            let error = #expect(throws: ViewError.self) {
                try list.fetcher.setLeadingScreens(screens, at: .head)
            }
            #expect(error?.code == .batchFetching)
            #expect(error?.message.contains("\(screens) were set for the head") == true)
        }
        let screens = ContentEnd.allCases.map(list.fetcher.leadingScreens)
        #expect(screens == [0, 2])
    }

    /// With a clock, the fetcher checks the target of a fling as soon as the finger lifts.
    @Test(arguments: [false, true])
    func aFlingQueriesTheDelegateWithTheRemainingTime(_ hasClock: Bool) {
        let list = FetchingList([40, 0], hasClock: hasClock)
        list.load()
        list.decision = false
        let (lane, view) = (list.controller.lane, list.view)
        nonisolated(unsafe) let unsafeList = list
        nonisolated(unsafe) var remainingTimes: [Duration] = []
        lane.enqueue {
            view.endDragging(at: Point(x: 0, y: 330), velocity: Point(x: 0, y: 2))
            view.layoutIfNeeded()
            remainingTimes = unsafeList.remainingTimes.map(\.time)
            #expect(
                unsafeList.remainingTimes.allSatisfy(\.hint)
                    && (view.contentOffset.y == 0) == hasClock
            )
        }
        list.simulation.run()
        #expect(
            remainingTimes == [.milliseconds(20)] && list.remainingTimes.count == 1,
            "the fling ends 40 units before the end"
        )
        list.onMain { _, view in view.setNeedsLayout() }
        #expect(list.news() == ["fetch tail"], "at rest the position decides")
    }

    private typealias Change = @Sendable (inout FetchConditions) -> Void

    /// The remaining time of which the delegate is asked, or the decision without it. The viewport
    /// of 100 is 150 from both ends, and moves downwards or to the right by 0.5 in a millisecond.
    private static let conditions: [(remaining: Double?, wants: Bool, change: Change)] = [
        (300, false, { _ in }), (nil, false, { $0.end = .head }),
        (300, false, { ($0.end, $0.velocity.y) = (.head, -0.5) }),
        (300, false, { $0.axis = .horizontal }),
        (nil, false, { ($0.axis, $0.isRightToLeft) = (.horizontal, true) }),
        (300, false, { ($0.axis, $0.isRightToLeft, $0.end) = (.horizontal, true, .head) }),
        (300, true, { $0.screens = 1.5 }), (0, true, { $0.offset.y = 350 }),
        (1e12, false, { $0.velocity.y = .leastNonzeroMagnitude }),
        (nil, false, { $0.velocity = .zero }),
        (nil, true, { ($0.velocity, $0.screens) = (.zero, 1.5) }),
        (nil, true, { ($0.contentSize.height, $0.isVisible) = (99, false) }),
        (50, true, { ($0.contentSize.height, $0.offset.y, $0.heading) = (100, -25, .up) }),
        (nil, false, { $0.isVisible = false }), (nil, false, { $0.screens = 0 }),
        (nil, false, { ($0.size.width, $0.screens) = (0, 2) }),
        (nil, false, { ($0.heading, $0.screens) = (.up, 2) }),
        (300, true, { ($0.heading, $0.screens) = (.down, 2) }),
        (nil, false, { ($0.heading, $0.screens, $0.axis) = (.left, 2, .horizontal) }),
    ]

    @Test(arguments: conditions.indices)
    func theDelegateDecidesWhileContentMovesTowardsTheEnd(_ row: Int) {
        let (remaining, wants, change) = Self.conditions[row]
        var conditions = FetchConditions(
            end: .tail,
            axis: .vertical,
            size: Size(width: 100, height: 100),
            contentSize: Size(width: 400, height: 400),
            offset: Point(x: 150, y: 150),
            velocity: Point(x: 0.5, y: 0.5),
            screens: 1,
            isRightToLeft: false
        )
        change(&conditions)
        for answer in [nil, false, true] {
            var asked: [Duration] = []
            let found = conditions.wantsFetch { time, hint in
                asked.append(time)
                #expect(hint == wants && conditions.isNear == wants)
                return answer ?? hint
            }
            #expect(asked == (remaining.map { [Duration.milliseconds($0)] } ?? []))
            #expect(found == (remaining == nil ? wants : answer ?? wants))
        }
    }

    // MARK: Delegates that act

    /// A delegate that runs a closure when the fetcher calls it.
    private final class ActingDelegate: BatchFetcherDelegate {
        let fetcher = BatchFetcher()
        var result: (ContentEnd) -> Bool = { _ in false }
        private(set) var ends: [ContentEnd] = []
        private(set) var fetches: [BatchFetchContext] = []
        private(set) var deepest = 0
        private var depth = 0

        func batchFetcher(_ fetcher: BatchFetcher, mayFetchAt end: ContentEnd) -> Bool {
            depth += 1
            defer { depth -= 1 }
            (deepest, ends) = (max(deepest, depth), ends + [end])
            return result(end)
        }

        func batchFetcher(_ fetcher: BatchFetcher, willBegin fetch: BatchFetchContext) {
            fetches.append(fetch)
        }
    }

    enum Interruption: CaseIterable, Sendable { case layout, drag, update, updateAllowed }

    /// Both ends are near. If the delegate begins a drag or an update, the other end is not checked
    /// and nothing is fetched.
    @Test(arguments: Interruption.allCases)
    func aDelegateThatChangesTheViewDelaysTheFetch(_ interruption: Interruption) throws {
        let (delegate, bench) = (ActingDelegate(), try Bench([texts(1), texts(2)]))
        let view = bench.view
        delegate.fetcher.delegate = delegate
        try delegate.fetcher.setLeadingScreens(1, at: .head)
        delegate.result = { [unowned delegate] _ in
            switch interruption {
            case .layout:
                if delegate.ends.count < 5 { view.setNeedsLayout() }
                view.layoutIfNeeded()
            case .drag: view.beginDragging()
            case .update, .updateAllowed: view.updatesInFlightDidChange(true)
            }
            return interruption == .updateAllowed
        }
        view.batchFetcher = delegate.fetcher
        bench.load()
        #expect(delegate.deepest == 1 && delegate.fetches.isEmpty && view.errors.isEmpty)
        #expect(interruption == .layout ? delegate.ends.count > 4 : delegate.ends == [.head])
        let count = delegate.ends.count
        delegate.result = { _ in true }
        view.updatesInFlightDidChange(false)
        if view.isDragging { view.endDragging(velocity: .zero) }
        view.setNeedsLayout()
        bench.settle()
        #expect(delegate.ends.dropFirst(count) == [.head, .tail])
        #expect(delegate.fetches.map(\.end) == [.head, .tail])
    }

    // MARK: Threads

    /// Two threads complete a context at the same moment; in every third round one of them cancels
    /// it. The context ends once, and each mistake is reported.
    @Test func aContextThatTwoThreadsEndEndsOnce() {
        for round in 0..<Effort.number(50_000, usually: 10_000) {
            let calls = Journal<String>()
            let context = BatchFetchContext(at: .tail) { call in
                switch call {
                case .completed: calls.append("completed")
                case .completedAgain: calls.append("again")
                case .abandoned: calls.append("abandoned")
                }
            }
            let isCancelling = round % 3 == 0
            let ready = LiveCount()
            DispatchQueue.concurrentPerform(iterations: 2) { number in
                ready.add(1)
                for _ in 0..<200 where ready.value < 2 {}
                if number == 0, isCancelling { return context.cancel() }
                context.complete(number == 1 ? .exhausted : .fetched)
            }
            let isCompleted = context.state == .completed
            let reports = Dictionary(grouping: calls.values) { $0 }.mapValues(\.count)
            var expected = isCompleted ? ["completed": 1] : [:]
            if isCompleted, !isCancelling { expected["again"] = 1 }
            guard reports == expected, context.isCancelled != isCompleted else {
                Issue.record(
                    "round \(round): expected \(expected), found \(reports); the context is \(context.state)"
                )
                return
            }
        }
    }

    @Test(.endsHangs) func aClosureFetchesInATaskThatIsCancelledWithItsFetch()
        async throws
    {
        let lane = EmulatedMainLane(label: "fetching")
        let view = SimulatedCollectionView(size: Size(width: 100, height: 30))
        let rows = RowSections([0, 0]) { RangedNode($0, Journal()) }
        let controller = DataController(dataSource: rows, view: view, lane: lane)
        let journal = Journal<String>()
        nonisolated(unsafe) let fetcher = BatchFetcher { fetch in
            journal.append("begun")
            if journal.count == 4 { throw NoConnection() }
            if journal.count > 4 {
                do { try await Task.sleep(for: .seconds(600)) } catch {
                    journal.append("cancelled: \(fetch.isCancelled)")
                    throw error
                }
            }
            try await controller.performBatchUpdates { rows, changes in
                changes.insertItems(at: [ItemPath(1, rows.sections[1].count)])
                rows.sections[1].append(rows.makeRow())
            }
            return .fetched
        }
        await lane.run { view.batchFetcher = fetcher }
        try await controller.reloadData()
        _ = await journal.values(count: 4)
        await view.fetchingEnded()
        await lane.run {
            #expect(view.map.shape.itemCounts == [0, 3] && !fetcher.isFetching(at: .tail))
            #expect(view.errors.map(\.message) == ["fetching at the tail failed: no connection"])
            fetcher.retry(.tail)
        }
        _ = await journal.values(count: 5)
        await lane.run { fetcher.cancel(.tail) }
        #expect(await journal.values(count: 6).last == "cancelled: true")
        await controller.close()
    }

    private final class Feed: ModelDataSource {
        var posts = ["a", "b"]
        let makeNode: @Sendable (String) throws -> any CollectionNode = {
            RangedNode($0, Journal())
        }
        func numberOfItems(inSection section: Int) -> Int { posts.count }
        func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<String> {
            posts[items]
        }
    }

    private struct Server {
        func posts(before oldest: String?) async throws -> [String] {
            (0..<5).map { "\(oldest ?? "") \($0)" }
        }
    }

    /// The sample of ``BatchFetcher``, word for word.
    private static func load(
        _ controller: DataController<Feed>,
        _ view: SimulatedCollectionView
    ) async throws -> Int {
        let server = Server()
        try await controller.reloadData()
        await controller.lane.run {
            view.batchFetcher = BatchFetcher { _ in
                let oldest = await controller.withDataSource { $0.posts.last }
                let older = try await server.posts(before: oldest)
                if older.isEmpty { return .exhausted }
                try await controller.performBatchUpdates { feed, changes in
                    let end = feed.posts.count
                    feed.posts += older
                    changes.insertItems(
                        at: (end..<feed.posts.count).map { ItemPath(section: 0, item: $0) }
                    )
                }
                return .fetched
            }
        }
        await view.fetchingEnded()
        return controller.visibleMap.numberOfItems
    }

    /// On threads, and in a simulation, where each seed repeats the same steps.
    @Test(.endsHangs) func theSampleFetchesTheSameOnThreadsAndInASimulation() async throws {
        func makeView() -> SimulatedCollectionView {
            SimulatedCollectionView(size: Size(width: 100, height: 30))
        }
        func run(_ seed: UInt64) -> (counts: [Int], fingerprint: UInt64) {
            let (simulation, view, counts) = (Simulation(seed: seed), makeView(), Journal<Int>())
            let controller = DataController(dataSource: Feed(), view: view, in: simulation)
            let client = LaneTaskExecutor(simulation.makeLane(label: "client"))
            Task(executorPreference: client) {
                counts.append(try await Self.load(controller, view))
            }
            simulation.run()
            return (counts.values, simulation.fingerprint)
        }
        for seed in 0..<UInt64(20) {
            let first = run(seed)
            #expect(first.counts == [12] && first == run(seed), "seed \(seed): \(first)")
        }
        let view = makeView()
        let controller = DataController(dataSource: Feed(), view: view)
        #expect(try await Self.load(controller, view) == 12)
        await controller.close()
    }

    @Test(.endsHangs) func aFetchIsCancelledWhenItsViewIsReleased() async {
        let journal = Journal<String>()
        do {
            let view = SimulatedCollectionView(size: Size(width: 100, height: 30))
            view.batchFetcher = BatchFetcher { fetch in
                journal.append("begun")
                do { try await Task.sleep(for: .seconds(600)) } catch {
                    journal.append("cancelled: \(fetch.isCancelled)")
                    throw error
                }
                return .fetched
            }
            let source = RowSource([[]])
            let adapter = DataSourceAdapter(dataSource: source, view: view, lane: ManualLane())
            view.layoutIfNeeded()
            withExtendedLifetime((adapter, source)) {}
        }
        #expect(await journal.values(count: 2) == ["begun", "cancelled: true"])
    }
}
