import CollectionElements
import CollectionLayouts
import CollectionPipeline

/// Has more content fetched before a reader runs out of it, at either end.
///
/// A view that has one, in ``SimulatedCollectionView/batchFetcher``, looks after every pass whether the viewport
/// is within ``leadingScreens(at:)`` of an end and does not move away from it, or content does not fill it; then
/// it asks for more. A view that has a controller belongs to its main lane, and so does setting its fetcher:
///
/// ```swift
/// await controller.lane.run {
///     view.batchFetcher = BatchFetcher { _ in
///         let oldest = await controller.withDataSource { $0.posts.last }
///         let older = try await server.posts(before: oldest)
///         if older.isEmpty { return .exhausted }
///         try await controller.performBatchUpdates { feed, changes in
///             let end = feed.posts.count
///             feed.posts += older
///             changes.insertItems(at: (end..<feed.posts.count).map { ItemPath(section: 0, item: $0) })
///         }
///         return .fetched
///     }
/// }
/// await view.fetchingEnded()  // for tests: as much is there as is wanted
/// ```
///
/// **An end is asked for once at a time, and not while anything is on its way to the view.** What a fetch
/// submitted is waited for before the end is looked at again, and so is everything else. A fetch that brought
/// nothing, or failed, has the end rest: it is asked for again when items came or went or the content's size is
/// another, when the reader has left the end and comes back, or on ``retry(_:)``. An exhausted end is asked
/// for on ``retry(_:)`` alone. Nothing is fetched before the view was filled for the first time, nor after its
/// controller has closed, which calls off what is under way.
///
/// The closure runs in a task of its own, by the ``Lane/taskExecutor`` of the view's lane: beside the lane, and in a
/// simulation in steps of that. There a fetch is repeatable as far as everything that it awaits is of the simulation
/// too; what sleeps or asks a server comes when it comes, and the simulation does not wait for it.
///
/// Shape: rectangles and speeds are in content coordinates of the view, along the scroll direction of its layout.
///
/// Threading: every member belongs to the main lane of the view that it was given to; before that, to whoever
/// made it.
///
/// Complexity: O(1) a pass.
///
/// Source: Texture's batch fetching.
public final class BatchFetcher {
    /// Asked whether to fetch, and to fetch where there is no closure; held weakly.
    public weak var delegate: (any BatchFetcherDelegate)?

    /// What an application does for a fetch: it returns when it has submitted what there was.
    public typealias Fetch =
        @Sendable (BatchFetchContext) async throws -> BatchFetchOutcome

    private let fetch: Fetch?
    weak var view: SimulatedCollectionView? { didSet { isNew = false } }
    /// Whether no view has had it yet.
    private(set) var isNew = true
    private var head = End(screens: 0)
    private var tail = End(screens: 2)
    private var lastNumber = 0
    /// The speed of the fling that brought the viewport where it is.
    private var velocity = Point.zero
    private var isLooking = false

    private struct End {
        var screens: Double
        var progress = FetchProgress()
        /// Held weakly: who fetches holds it, and its end is told when nobody does any more.
        weak var context: BatchFetchContext?
        var task: Task<Void, Never>?
    }

    private subscript(end: ContentEnd) -> End {
        get { end == .head ? head : tail }
        set { if end == .head { head = newValue } else { tail = newValue } }
    }

    /// Makes a fetcher for a view to take, whose ``delegate`` fetches.
    public init() { fetch = nil }

    /// Makes a fetcher for a view to take.
    ///
    /// - Parameter fetch: fetches and submits, and says how it ended; runs in a task of its own, which is
    ///   cancelled when the fetch is called off.
    public init(_ fetch: @escaping Fetch) { self.fetch = fetch }

    deinit {
        for end in [head, tail] {
            end.context?.cancel()
            end.task?.cancel()
        }
    }

    // MARK: What the application says

    /// From how many screenfuls before an end on more is fetched there: 2 at the tail and 0 at the head, which is
    /// to say not at all, unless the application says otherwise.
    public func leadingScreens(at end: ContentEnd) -> Double { self[end].screens }

    /// Sets from how many screenfuls before an end on more is fetched there; 0 for not at all.
    ///
    /// - Throws: `batchFetching` where that is negative or not finite; nothing has changed then.
    public func setLeadingScreens(_ screens: Double, at end: ContentEnd) throws(ViewError) {
        guard screens >= 0, screens.isFinite else {
            throw ViewError(
                .batchFetching,
                "content must be fetched a finite number of screenfuls before its end, at least 0, but"
                    + " is to be fetched \(screens) before its \(end)"
            )
        }
        self[end].screens = screens
        view?.setNeedsLayout()
    }

    /// Whether somebody fetches at an end.
    public func isFetching(at end: ContentEnd) -> Bool { self[end].progress.fetch != nil }

    /// Whether content may arrive that was fetched for an end.
    func isBringing(_ end: ContentEnd) -> Bool { self[end].progress.isBringing }

    /// Has an end looked at again that rests or is exhausted.
    public func retry(_ end: ContentEnd) {
        self[end].progress.retry()
        view?.setNeedsLayout()
    }

    /// Calls off what is fetched at an end, if anything is.
    public func cancel(_ end: ContentEnd) {
        guard isFetching(at: end) else { return }
        let (context, task) = (self[end].context, self[end].task)
        ended(end, .cancelled)
        context?.cancel()
        task?.cancel()
    }

    // MARK: For the view

    /// A fling comes to rest at the offset that the next pass finds.
    func flung(_ velocity: Point) { self.velocity = velocity }

    /// Nothing is fetched any more.
    func end() {
        ContentEnd.allCases.forEach(cancel)
    }

    /// Looks whether to fetch, after a pass.
    func update() {
        guard let view, mayLook(at: view) else { return }
        // Whoever is being asked has the view laid out.
        guard !isLooking else { return view.setNeedsLayout() }
        isLooking = true
        defer { isLooking = false }
        let velocity = velocity
        self.velocity = .zero
        guard fetch != nil || delegate != nil else { return }
        for end in ContentEnd.allCases {
            // Whoever was asked at the other end may have changed anything.
            guard mayLook(at: view), view.isSettled else { return }
            let mark = view.fetchMark
            let situation = view.fetchSituation(
                at: end,
                screens: leadingScreens(at: end),
                velocity: velocity
            )
            if self[end].progress.isReady(mark, isNear: situation.isNear), wants(situation),
                mayLook(at: view), view.isSettled
            {
                begin(end, mark, view)
            }
        }
    }

    /// Not where a finger drags: where it drags to is known when it lets go.
    private func mayLook(at view: SimulatedCollectionView) -> Bool {
        view.supply.fetcher === self && !view.scrolling.isDragging
    }

    private func wants(_ situation: FetchSituation) -> Bool {
        let end = situation.end
        let isWanted = situation.wantsFetch { remainingTime, hint in
            delegate?.batchFetcher(
                self,
                shouldFetchAt: end,
                remainingTime: remainingTime,
                hint: hint
            ) ?? hint
        }
        return isWanted && delegate?.batchFetcher(self, mayFetchAt: end) ?? true
    }

    private func begin(
        _ end: ContentEnd,
        _ mark: FetchProgress.Mark,
        _ view: SimulatedCollectionView
    ) {
        guard let lane = view.lane.attached else { return }
        lastNumber += 1
        let number = lastNumber
        // Looked at on the lane only, whoever completes the fetch.
        nonisolated(unsafe) weak let fetcher = self
        let context = BatchFetchContext(at: end) { call in
            lane.enqueue { fetcher?.called(call, number, end) }
        }
        self[end].progress.began(number, mark)
        self[end].context = context
        view.note(.fetchBegan(end))
        if let fetch {
            self[end].task = Task(executorPreference: lane.taskExecutor) {
                do {
                    context.complete(try await fetch(context))
                } catch {
                    context.complete(.failed(error))
                }
            }
        } else {
            delegate?.batchFetcher(self, willBegin: context)
        }
    }

    private func called(_ call: BatchFetchContext.Call, _ number: Int, _ end: ContentEnd) {
        if case .completedAgain = call {
            return report(
                "a fetch at the \(end) was completed a second time, which changes nothing"
            )
        }
        // Called off in the meantime.
        guard self[end].progress.fetch == number else { return }
        switch call {
        case .completed(.fetched): ended(end, .fetched)
        case .completed(.exhausted): ended(end, .exhausted)
        case .completed(.failed(let error)):
            report("fetching at the \(end) failed: \(error)")
            ended(end, .failed)
        case .abandoned, .completedAgain:
            report("a fetch at the \(end) was given up without being completed")
            ended(end, .abandoned)
        }
    }

    private func report(_ message: String) { view?.report(ViewError(.batchFetching, message)) }

    private func ended(_ end: ContentEnd, _ ending: BatchFetchEnding) {
        self[end].progress.ended(ending)
        view?.note(.fetchEnded(end, ending))
        view?.setNeedsLayout()
    }
}
