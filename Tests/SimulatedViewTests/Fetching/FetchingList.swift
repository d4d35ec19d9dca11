import CollectionPipeline
import PipelineTestSupport
import SimulatedView

/// Rows of 10 in two sections, in a viewport of 100 × 30, which are fetched in batches.
final class FetchingList: PipelineBench<RowSections>, BatchFetcherDelegate {
    nonisolated(unsafe) let rows: RowSections
    // Unchecked: used on the main lane, which is the test's thread, and between its steps.
    nonisolated(unsafe) private(set) var fetcher = BatchFetcher()
    /// Every context that the delegate received, oldest first; the delegate releases those set to
    /// `nil`.
    nonisolated(unsafe) var fetches: [BatchFetchContext?] = []
    /// The number of submissions that have not completed.
    nonisolated(unsafe) var numberInFlight = 0
    /// The ends that may not be fetched.
    nonisolated(unsafe) var disallowedEnds: Set<ContentEnd> = []
    /// The remaining times that the fetcher passed to the delegate, each with its hint.
    nonisolated(unsafe) var remainingTimes: [(time: Duration, hint: Bool)] = []
    nonisolated(unsafe) var decision: Bool?
    /// Called when a fetch begins.
    nonisolated(unsafe) var onFetch: (BatchFetchContext) -> Void = { _ in }

    init(
        _ counts: [Int],
        layout: sending CollectionLayout = ListLayout(),
        hasClock: Bool = false
    ) {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let view = SimulatedCollectionView(
            size: Size(width: 100, height: 30),
            layout: layout,
            clock: hasClock ? simulation.environment : nil
        )
        nonisolated(unsafe) let rows = RowSections(counts) { RangedNode($0, Journal()) }
        self.rows = rows
        let controller = DataController(dataSource: rows, view: view, in: simulation)
        super.init(simulation, view, controller)
        onMain { list, _ in list.setFetcher(BatchFetcher()) }
    }

    func setFetcher(_ new: BatchFetcher) {
        fetcher = new
        new.delegate = self
        view.batchFetcher = new
    }

    @discardableResult
    func onMain<Result>(_ body: @escaping (FetchingList, SimulatedCollectionView) -> Result)
        -> Result
    {
        onMain { [unowned self] in body(self, $0) }
    }

    override func submit(
        isAnimated: Bool = true,
        _ body: @escaping @Sendable (RowSections, inout BatchRecorder) -> Void
    ) {
        nonisolated(unsafe) let list = self
        numberInFlight += 1
        controller.enqueueBatchUpdates(animated: isAnimated) { rows, changes in
            body(rows, &changes)
        } completion: { _ in
            list.numberInFlight -= 1
        }
    }

    /// Loads the rows and runs everything that follows.
    func load() { update { _, changes in changes.reloadData() } }

    /// Submits new rows at the end.
    func submitMore(_ count: Int, isAnimated: Bool = true) {
        submit(isAnimated: isAnimated) { rows, changes in
            guard let section = rows.sections.indices.last else { return }
            for _ in 0..<count {
                changes.insertItems(at: [ItemPath(section, rows.sections[section].count)])
                rows.sections[section].append(rows.makeRow())
            }
        }
    }

    /// The fetch events in the view's log since the last call.
    func news() -> [String] {
        onMain { view in
            defer { view.clearEventLog() }
            return view.eventLog.map(\.description).filter { $0.hasPrefix("fetch") }
        }
    }

    /// The errors that the view reported since the last call.
    func errors() -> [String] {
        onMain { view in
            defer { view.clearErrors() }
            return view.errors.map(\.message)
        }
    }

    // MARK: BatchFetcherDelegate

    func batchFetcher(_ fetcher: BatchFetcher, mayFetchAt end: ContentEnd) -> Bool {
        !disallowedEnds.contains(end)
    }

    func batchFetcher(
        _ fetcher: BatchFetcher,
        shouldFetchAt end: ContentEnd,
        remainingTime: Duration,
        hint: Bool
    ) -> Bool {
        remainingTimes.append((remainingTime, hint))
        return decision ?? hint
    }

    func batchFetcher(_ fetcher: BatchFetcher, willBegin fetch: BatchFetchContext) {
        fetches.append(fetch)
        onFetch(fetch)
    }
}

struct NoConnection: Error, CustomStringConvertible {
    let description = "no connection"
}
