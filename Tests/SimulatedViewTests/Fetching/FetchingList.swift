import CollectionPipeline
import PipelineTestSupport
import SimulatedView

/// Keeps what it is asked to fetch.
final class KeptFetches: BatchFetcherDelegate {
    let fetcher = BatchFetcher()
    private(set) var fetches: [BatchFetchContext] = []

    init() { fetcher.delegate = self }

    func batchFetcher(_ fetcher: BatchFetcher, willBegin fetch: BatchFetchContext) {
        fetches.append(fetch)
    }
}

/// Rows of 10 in a viewport of 100 × 30 that are fetched in batches, all in the test's thread.
final class FetchingList: BatchFetcherDelegate {
    let simulation = Simulation(seed: 1, strategy: .inOrder)
    let view: SimulatedCollectionView
    let controller: DataController<RangedRows>
    // Unchecked: used on the main lane, which is the test's thread, and between its steps.
    nonisolated(unsafe) let fetcher: BatchFetcher
    /// What is fetched, the oldest first; given up when it is taken out.
    nonisolated(unsafe) var fetches: [BatchFetchContext] = []
    /// Whether anything may be fetched.
    nonisolated(unsafe) var mayFetch = true
    /// How long content lasts, as the fetcher says, with what it would decide.
    nonisolated(unsafe) var lasting: [(Duration, Bool)] = []
    nonisolated(unsafe) var decision: Bool?
    /// Done when somebody is asked.
    nonisolated(unsafe) var onFetch: (BatchFetchContext) -> Void = { _ in }

    init(
        _ count: Int,
        layout: sending CollectionLayout = ListLayout(),
        hasClock: Bool = false,
        _ fetcher: BatchFetcher = BatchFetcher()
    ) {
        self.fetcher = fetcher
        view = SimulatedCollectionView(
            size: Size(width: 100, height: 30),
            layout: layout,
            clock: hasClock ? simulation.environment : nil
        )
        view.batchFetcher = fetcher
        let rows = RangedRows((0..<count).map { "row \($0)" }) { RangedNode($0, Journal()) }
        controller = DataController(dataSource: rows, view: view, in: simulation)
        fetcher.delegate = self
    }

    /// Loads the rows, and lets all happen that follows.
    func load() {
        update { _, changes in changes.reloadData() }
    }

    func onMain(_ body: @escaping (SimulatedCollectionView, BatchFetcher) throws -> Void) rethrows {
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) let fetcher = fetcher
        let failure = Journal<any Error>()
        controller.lane.enqueue { [view] in
            do { try body(view, fetcher) } catch { failure.append(error) }
        }
        simulation.run()
    }

    func update(_ body: @escaping @Sendable (RangedRows, inout BatchRecorder) -> Void) {
        submit(body)
        simulation.run()
    }

    /// Only submits.
    func submit(
        isAnimated: Bool = true,
        _ body: @escaping @Sendable (RangedRows, inout BatchRecorder) -> Void
    ) {
        controller.enqueueBatchUpdates(animated: isAnimated) { list, changes in
            body(list, &changes)
        } completion: { _ in
        }
    }

    /// Submits rows at the end.
    func submitMore(_ count: Int, isAnimated: Bool = true) {
        submit(isAnimated: isAnimated) { list, changes in
            let old = list.rows.count
            list.rows += (old..<(old + count)).map { "row \($0)" }
            changes.insertItems(at: (old..<(old + count)).map { ItemPath(section: 0, item: $0) })
        }
    }

    /// Ends the oldest fetch.
    func complete(_ outcome: BatchFetchOutcome = .fetched) {
        fetches.removeFirst().complete(outcome)
        simulation.run()
    }

    func scroll(by distance: Double) { onMain { view, _ in view.scroll(by: distance) } }

    /// What the view noted of fetches since the last time.
    func news() -> [String] {
        nonisolated(unsafe) var found: [String] = []
        onMain { view, _ in
            found = view.eventLog.map(\.description).filter { $0.hasPrefix("fetch") }
            view.clearEventLog()
        }
        return found
    }

    /// What the view reported since the last time.
    func errors() -> [String] {
        nonisolated(unsafe) var found: [String] = []
        onMain { view, _ in
            found = view.errors.map(\.message)
            view.clearErrors()
        }
        return found
    }

    // MARK: BatchFetcherDelegate

    func batchFetcher(_ fetcher: BatchFetcher, mayFetchAt end: ContentEnd) -> Bool { mayFetch }

    func batchFetcher(
        _ fetcher: BatchFetcher,
        shouldFetchAt end: ContentEnd,
        remainingTime: Duration,
        hint: Bool
    ) -> Bool {
        lasting.append((remainingTime, hint))
        return decision ?? hint
    }

    func batchFetcher(_ fetcher: BatchFetcher, willBegin fetch: BatchFetchContext) {
        fetches.append(fetch)
        onFetch(fetch)
    }
}
