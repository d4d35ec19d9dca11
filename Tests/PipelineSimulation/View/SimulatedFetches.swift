import CollectionElements
import CollectionLayouts
import CollectionPipeline
import PipelineTesting
import SimulatedView

/// The fetcher delegate of a run's view, as faulty as applications are; it checks the calls of the
/// fetcher. Main lane.
final class SimulatedFetches: BatchFetcherDelegate, @unchecked Sendable {  // main-lane confined
    private weak var run: SimulatedRun?
    private weak var view: SimulatedCollectionView?
    private var random: SeededGenerator
    private var ends: [ContentEnd: End] = [:]

    /// The known state of an end.
    private struct End {
        /// The number of the fetch that has not ended yet.
        var open: Int?
        var count = 0
        /// The number of items when the last fetch began.
        var numberOfItems: Int?
        var contentSize = Size.zero
        var last: Last?
        var failure: Failure?
    }

    /// The situation in which a fetch failed with no update in flight; until it changes, no fetch
    /// may begin.
    private struct Failure: Equatable {
        let generation: Int
        let bounds: Rect
        let contentSize: Size
    }

    /// The end of the last fetch.
    private enum Last {
        /// With or without new content.
        case fetched
        /// No fetch may begin immediately.
        case rests
        /// The application requested a retry.
        case retried
    }

    /// The planned course of a fetch.
    private enum FetchEnding: CaseIterable {
        case brings
        case bringsLate
        case bringsTwice
        case bringsNothing
        case exhausts
        case fails
        case givesUp
    }

    init(_ run: SimulatedRun, _ view: SimulatedCollectionView) {
        self.run = run
        self.view = view
        random = SeededGenerator(seed: run.plan.seed ^ 0x66_6574_6368)
    }

    // MARK: Fetching

    func batchFetcher(_ fetcher: BatchFetcher, willBegin fetch: BatchFetchContext) {
        guard let run, let view else { return }
        let name = fetch.end
        run.mark("fetch \(name)")
        var end = ends[name] ?? End()
        if view.isDragging { note("the \(name) is asked for while a finger drags") }
        if end.open != nil { note("the \(name) is asked for again, though somebody fetches") }
        if let controller = run.controller,
            controller.pendingMap.generation != controller.visibleMap.generation
        {
            note("the \(name) is asked for while updates are on their way")
        }
        if let failure = end.failure, failure == situation(of: view) {
            note("the \(name) is asked for again after a failure, though nothing has changed")
        }
        end.failure = nil
        end.count += 1
        end.open = end.count
        (end.numberOfItems, end.contentSize) = (view.map.shape.numberOfItems, view.contentSize)
        ends[name] = end
        // Fetched content may be smaller than before, so the number of fetches must be limited.
        var ending =
            end.count > 5
            ? .exhausts : FetchEnding.allCases[random.next(below: FetchEnding.allCases.count)]
        if end.count <= 3, run.plan.view?.failsFetches == true { ending = .fails }
        later(random.next(below: 4)) { [self] in meet(ending, fetch, end.count) }
    }

    private func meet(_ ending: FetchEnding, _ fetch: BatchFetchContext, _ number: Int) {
        guard !fetch.isCancelled else { return }
        run?.mark("fetch \(ending)")
        switch ending {
        case .brings, .bringsTwice:
            run?.edit(random.next())
            complete(fetch, number)
            if ending == .bringsTwice { fetch.complete() }
        case .bringsLate:
            run?.edit(random.next())
            later(1 + random.next(below: 12)) { [self] in complete(fetch, number) }
        case .bringsNothing: complete(fetch, number)
        case .exhausts: complete(fetch, number, .exhausted)
        case .fails:
            guard let run, run.plan.view?.failsFetches == true, number != 2 else {
                return fail(fetch, number)
            }
            run.edit(run.plan.seed ^ UInt64(number))
            later(12) { [self] in fail(fetch, number) }
        case .givesUp: ended(fetch.end, number, .rests)
        }
    }

    private func fail(_ fetch: BatchFetchContext, _ number: Int) {
        complete(fetch, number, .failed(InjectedFault()))
        noteFailure(of: fetch.end)
    }

    /// Records a failed fetch; no fetch may begin until the situation changes.
    func noteFailure(of end: ContentEnd) {
        guard let view, let controller = run?.controller, !view.isBusy,
            controller.pendingMap.generation == controller.visibleMap.generation
        else { return }
        ends[end]?.failure = situation(of: view)
    }

    private func situation(of view: SimulatedCollectionView) -> Failure {
        Failure(
            generation: view.map.generation,
            bounds: view.bounds,
            contentSize: view.contentSize
        )
    }

    /// Records an action on the view, which may scroll its content back and forth.
    func noteAction() { for end in ends.keys { ends[end]?.failure = nil } }

    private func complete(
        _ fetch: BatchFetchContext,
        _ number: Int,
        _ outcome: BatchFetchOutcome = .fetched
    ) {
        guard !fetch.isCancelled else { return }
        let isFetched = if case .fetched = outcome { true } else { false }
        if case .failed = outcome, let view, let end = ends[fetch.end],
            end.numberOfItems != view.map.shape.numberOfItems || end.contentSize != view.contentSize
        {
            run?.meet(.changedFetch)
        }
        ended(fetch.end, number, isFetched ? .fetched : .rests)
        fetch.complete(outcome)
    }

    private func ended(_ name: ContentEnd, _ number: Int, _ last: Last) {
        guard ends[name]?.open == number else { return }
        ends[name]?.open = nil
        ends[name]?.last = last
    }

    private func later(_ turns: Int, _ body: @escaping () -> Void) {
        // It runs on the only thread.
        nonisolated(unsafe) let body = body
        run?.lane.enqueue { [self] in
            if turns == 0 { body() } else { later(turns - 1, body) }
        }
    }

    // MARK: Actions of the application

    func perform(_ action: FetchAction) {
        guard let fetcher = view?.batchFetcher else { return }
        switch action {
        case .triesHeadAgain: retry(.head, fetcher)
        case .triesTailAgain: retry(.tail, fetcher)
        case .callsOffHead: cancel(.head, fetcher)
        case .callsOffTail: cancel(.tail, fetcher)
        case .wantsHead: try? fetcher.setLeadingScreens(1, at: .head)
        case .wantsNoHead: try? fetcher.setLeadingScreens(0, at: .head)
        }
    }

    private func retry(_ name: ContentEnd, _ fetcher: BatchFetcher) {
        if !fetcher.isFetching(at: name), ends[name]?.last != nil { ends[name]?.last = .retried }
        fetcher.retry(name)
    }

    private func cancel(_ name: ContentEnd, _ fetcher: BatchFetcher) {
        // Also a completed fetch whose completion the fetcher has not received yet.
        if fetcher.isFetching(at: name) {
            ends[name]?.open = nil
            ends[name]?.last = .rests
        }
        fetcher.cancel(name)
    }

    // MARK: At rest

    /// Reports an end whose fetch should have begun.
    func checkAtRest() {
        guard let run, run.controller != nil, !run.isClosing, let view, view.map.generation > 0,
            let fetcher = view.batchFetcher
        else { return }
        for name in ContentEnd.allCases {
            guard !fetcher.isFetching(at: name) else {
                note("somebody is thought to fetch at the \(name) at rest")
                continue
            }
            guard fetcher.leadingScreens(at: name) > 0, hasTooLittle(view) else { continue }
            let end = ends[name] ?? End()
            switch end.last {
            case .rests: continue
            case .fetched:
                let isSame =
                    end.numberOfItems == view.map.shape.numberOfItems
                    && end.contentSize == view.contentSize
                if isSame { continue }
            case .retried, nil: break
            }
            note("nobody is asked for the \(name), though there is less than the viewport shows")
        }
    }

    /// Whether content does not fill the viewport along the axis that scrolls.
    private func hasTooLittle(_ view: SimulatedCollectionView) -> Bool {
        let (content, size) = (view.contentSize, view.bounds.size)
        guard size.width > 0, size.height > 0 else { return false }
        return switch view.collectionViewLayout.scrollDirection {
        case .horizontal: content.width < size.width
        case .vertical: content.height < size.height
        }
    }

    private func note(_ message: String) { run?.note("Fetched Once", message) }
}
