import CollectionLayouts
import CollectionPipeline

/// An object that fetches more content before a reader reaches either end.
///
/// A view with a batch fetcher, in ``SimulatedCollectionView/batchFetcher``, starts a fetch after a
/// pass if the viewport is within ``leadingScreens(at:)`` of an end and is not moving away from it,
/// or if the content does not fill the viewport. A view with a controller belongs to the
/// controller's main lane, where its fetcher must be set:
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
/// await view.fetchingEnded()  // for tests: waits until enough is fetched
/// ```
///
/// **An end has at most one fetch at a time, and none while any update is in flight.** The fetcher
/// waits for the content that a fetch submitted, and for all other updates, before it checks the
/// end again. After a fetch that added nothing, or failed, the end rests. It is fetched again when
/// items are inserted or deleted or the content size changes, when the reader has left the end and
/// returns, or after ``retry(_:)``. An exhausted end is fetched again only after ``retry(_:)``. No
/// fetch starts before the view is first filled, or after its controller has closed, which cancels
/// fetches in progress.
///
/// The closure runs in its own task, on the ``Lane/taskExecutor`` of the view's lane. It runs
/// concurrently with the lane; in a simulation, its pieces are steps of the simulation. In a
/// simulation, a fetch is repeatable if everything that it awaits belongs to the simulation too.
/// The simulation does not wait for sleeps or server requests outside of it.
///
/// Shape: rectangles and velocities are in content coordinates of the view, along the scroll
/// direction of its layout.
///
/// Threading: every member belongs to the main lane of the view that has the fetcher; before that,
/// the fetcher belongs to the code that made it.
///
/// Complexity: O(1) per pass.
///
/// Source: Texture's batch fetching.
public final class BatchFetcher {
    /// The object that decides whether to fetch, and fetches if there is no closure; held weakly.
    public weak var delegate: (any BatchFetcherDelegate)?

    /// A closure that fetches content for an application; it returns after it has submitted the
    /// content.
    public typealias Fetch =
        @Sendable (BatchFetchContext) async throws -> BatchFetchOutcome

    private let fetch: Fetch?
    weak var view: SimulatedCollectionView? { didSet { isNew = false } }
    /// Whether the fetcher was never set on a view.
    private(set) var isNew = true
    private var head = End(screens: 0)
    private var tail = End(screens: 2)
    private var lastNumber = 0
    /// The velocity of the fling that moved the viewport to its current position.
    private var velocity = Point.zero
    /// Whether the ends are being checked, which may call the delegate and start a fetch.
    private(set) var isLooking = false

    private struct End {
        var screens: Double
        var progress = FetchProgress()
        /// Held weakly, because the code that fetches retains it. The fetch ends when the last
        /// reference is released.
        weak var fetchContext: BatchFetchContext?
        var task: Task<Void, Never>?
    }

    private subscript(end: ContentEnd) -> End {
        get { end == .head ? head : tail }
        set { if end == .head { head = newValue } else { tail = newValue } }
    }

    /// Creates a fetcher whose ``delegate`` fetches, to be set as the view's
    /// ``SimulatedCollectionView/batchFetcher``.
    public init() { fetch = nil }

    /// Creates a fetcher with a closure, to be set as the view's
    /// ``SimulatedCollectionView/batchFetcher``.
    ///
    /// - Parameter fetch: A closure that fetches and submits content, and returns the outcome. It
    ///   runs in its own task, which is cancelled with the fetch.
    public init(_ fetch: @escaping Fetch) { self.fetch = fetch }

    deinit {
        for end in [head, tail] {
            end.fetchContext?.cancel()
            end.task?.cancel()
        }
    }

    // MARK: Configuration and control

    /// Returns the distance from an end, in screenfuls, within which more content is fetched: 2 at
    /// the tail and 0 at the head by default; 0 disables fetching.
    public func leadingScreens(at end: ContentEnd) -> Double { self[end].screens }

    /// Sets the distance from an end, in screenfuls, within which more content is fetched; 0
    /// disables fetching.
    ///
    /// - Throws: `batchFetching` if the distance is negative or not finite. Nothing has changed
    ///   then.
    public func setLeadingScreens(_ screens: Double, at end: ContentEnd) throws(ViewError) {
        guard screens >= 0, screens.isFinite else {
            throw ViewError(
                .batchFetching,
                "content must be fetched a finite number of screenfuls before its end, at least 0, but"
                    + " \(screens) were set for the \(end)"
            )
        }
        self[end].screens = screens
        view?.setNeedsLayout()
    }

    /// Returns whether a fetch is in progress at an end.
    public func isFetching(at end: ContentEnd) -> Bool { self[end].progress.fetch != nil }

    /// Returns whether content that was fetched for an end may still arrive.
    func isContentArriving(_ end: ContentEnd) -> Bool { self[end].progress.isContentArriving }

    /// Allows fetches at an end again after it rested or was exhausted.
    public func retry(_ end: ContentEnd) {
        self[end].progress.retry()
        view?.setNeedsLayout()
    }

    /// Cancels the fetch at an end, if there is one.
    public func cancel(_ end: ContentEnd) {
        guard isFetching(at: end) else { return }
        let (fetchContext, task) = (self[end].fetchContext, self[end].task)
        ended(end, .cancelled)
        fetchContext?.cancel()
        task?.cancel()
    }

    // MARK: Calls from the view

    /// Records the velocity of a fling, for the decision after the next pass.
    func flung(_ velocity: Point) { self.velocity = velocity }

    /// Cancels all fetches.
    func end() {
        ContentEnd.allCases.forEach(cancel)
    }

    /// Checks after a pass whether to fetch, and starts fetches.
    func update() {
        guard let view, mayLook(at: view) else { return }
        // The delegate lays the view out from within one of the calls below.
        guard !isLooking else { return view.setNeedsLayout() }
        isLooking = true
        defer { isLooking = false }
        let velocity = exchange(&velocity, with: .zero)
        guard fetch != nil || delegate != nil else { return }
        for end in ContentEnd.allCases {
            // The delegate may have changed anything during the calls for the other end.
            guard mayLook(at: view), view.isSettled else { return }
            let mark = view.contentFingerprint
            let situation = view.fetchConditions(
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

    /// Returns whether the view still has this fetcher and no finger is dragging. The target of a
    /// drag is known only when it ends.
    private func mayLook(at view: SimulatedCollectionView) -> Bool {
        view.source.fetcher === self && !view.scrolling.isDragging
    }

    private func wants(_ situation: FetchConditions) -> Bool {
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
        _ mark: FetchProgress.Fingerprint,
        _ view: SimulatedCollectionView
    ) {
        guard let lane = view.lane.attached else { return }
        lastNumber += 1
        let number = lastNumber
        // Used on the lane only, on whatever thread the fetch is completed.
        nonisolated(unsafe) weak let fetcher = self
        let fetchContext = BatchFetchContext(at: end) { call in
            lane.enqueue { fetcher?.called(call, number, end) }
        }
        self[end].progress.began(number, mark)
        self[end].fetchContext = fetchContext
        view.note(.fetchBegan(end))
        if let fetch {
            self[end].task = Task(executorPreference: lane.taskExecutor) {
                do {
                    fetchContext.complete(try await fetch(fetchContext))
                } catch {
                    fetchContext.complete(.failed(error))
                }
            }
        } else {
            delegate?.batchFetcher(self, willBegin: fetchContext)
        }
    }

    private func called(_ call: BatchFetchContext.Call, _ number: Int, _ end: ContentEnd) {
        if case .completedAgain = call {
            return report(
                "a fetch at the \(end) was completed a second time, which changes nothing"
            )
        }
        // The fetch was cancelled in the meantime.
        guard self[end].progress.fetch == number else { return }
        switch call {
        case .completed(.fetched): ended(end, .fetched)
        case .completed(.exhausted): ended(end, .exhausted)
        case .completed(.failed(let error)):
            report("fetching at the \(end) failed: \(error)")
            ended(end, .failed)
        case .abandoned, .completedAgain:
            report("a fetch at the \(end) was abandoned without being completed")
            ended(end, .abandoned)
        }
    }

    private func report(_ message: String) { view?.report(.batchFetching, message) }

    private func ended(_ end: ContentEnd, _ ending: BatchFetchEnding) {
        self[end].progress.ended(ending)
        view?.note(.fetchEnded(end, ending))
        view?.setNeedsLayout()
    }
}

/// A delegate that decides whether to fetch, and fetches; every member has a default
/// implementation.
///
/// Threading: the view's main lane, between its passes. A delegate may change the view or submit
/// from there.
///
/// Source: Texture's batch fetching.
public protocol BatchFetcherDelegate: AnyObject {
    /// Returns whether more content may be fetched at an end now. `true` by default.
    func batchFetcher(_ fetcher: BatchFetcher, mayFetchAt end: ContentEnd) -> Bool

    /// Returns whether to fetch while content moves towards the end. `remainingTime` is the time
    /// until the reader reaches the end at the current velocity, zero if the end is already
    /// visible. `hint` is the decision by distance alone, which the default implementation returns.
    func batchFetcher(
        _ fetcher: BatchFetcher,
        shouldFetchAt end: ContentEnd,
        remainingTime: Duration,
        hint: Bool
    ) -> Bool

    /// Starts a fetch. Fetch content, submit it, and complete the context, either in this call or
    /// later, on any thread.
    ///
    /// The fetcher calls this method if it was made without a closure. The default implementation
    /// completes the fetch as exhausted.
    func batchFetcher(_ fetcher: BatchFetcher, willBegin fetch: BatchFetchContext)
}

extension BatchFetcherDelegate {
    /// Returns `true`.
    public func batchFetcher(_ fetcher: BatchFetcher, mayFetchAt end: ContentEnd) -> Bool { true }

    /// Returns the hint.
    public func batchFetcher(
        _ fetcher: BatchFetcher,
        shouldFetchAt end: ContentEnd,
        remainingTime: Duration,
        hint: Bool
    ) -> Bool { hint }

    /// Completes the fetch as exhausted.
    public func batchFetcher(_ fetcher: BatchFetcher, willBegin fetch: BatchFetchContext) {
        fetch.complete(.exhausted)
    }
}
