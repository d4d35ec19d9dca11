import PipelineTestSupport
import Testing

@testable import SimulatedView

/// Notes for which ends it is asked, and does something then.
private final class Asked: BatchFetcherDelegate {
    let fetcher = BatchFetcher()
    /// The answer; whatever happens meanwhile is part of it.
    var answer: (ContentEnd) -> Bool = { _ in false }
    private(set) var ends: [ContentEnd] = []
    /// How many questions are under way, at most.
    private(set) var deepest = 0
    private(set) var fetches: [BatchFetchContext] = []
    private var depth = 0

    init() { fetcher.delegate = self }

    func batchFetcher(_ fetcher: BatchFetcher, mayFetchAt end: ContentEnd) -> Bool {
        depth += 1
        defer { depth -= 1 }
        deepest = max(deepest, depth)
        ends.append(end)
        return answer(end)
    }

    func batchFetcher(_ fetcher: BatchFetcher, willBegin fetch: BatchFetchContext) {
        fetches.append(fetch)
    }
}

/// When a fetcher looks, and when the one who is asked has a say.
@Suite("Questions of a fetcher")
struct FetchQuestionTests {
    /// Three rows fill the viewport, so that both ends are near; at the head more is fetched only where that is
    /// set.
    private let asked = Asked()
    private let bench: Bench<RowLayout>

    init() throws { bench = try Bench([texts(3)]) }

    @Test func whoeverIsAskedIsNotAskedMeanwhile() {
        let (asked, view) = (asked, bench.view)
        asked.answer = { [unowned asked] _ in
            // Twice, so that a fetcher that asks at once comes to an end.
            if asked.ends.count < 3 {
                view.setNeedsLayout()
                view.layoutIfNeeded()
            }
            return false
        }
        view.batchFetcher = asked.fetcher
        bench.load()
        #expect(asked.ends.count > 2, "what was laid out meanwhile is looked at later")
        #expect(asked.deepest == 1)
        #expect(view.errors.isEmpty)
    }

    @Test func whereADragBeginsWithAQuestionTheOtherEndIsNotAskedFor() throws {
        let (asked, view) = (asked, bench.view)
        try asked.fetcher.setLeadingScreens(1, at: .head)
        asked.answer = { _ in
            view.beginDragging()
            return false
        }
        view.batchFetcher = asked.fetcher
        bench.load()
        #expect(asked.ends == [.head])
        asked.answer = { _ in false }
        view.endDragging(velocity: .zero)
        bench.settle()
        #expect(asked.ends.dropFirst().prefix(2) == [.head, .tail])
    }

    @Test func whereAnUpdateComesWithAQuestionTheOtherEndIsNotAskedFor() throws {
        let (asked, view) = (asked, bench.view)
        try asked.fetcher.setLeadingScreens(1, at: .head)
        asked.answer = { _ in
            view.updatesInFlightDidChange(true)
            return false
        }
        view.batchFetcher = asked.fetcher
        bench.load()
        #expect(asked.ends == [.head])
        asked.answer = { _ in false }
        view.updatesInFlightDidChange(false)
        bench.settle()
        #expect(asked.ends.dropFirst().prefix(2) == [.head, .tail])
    }

    @Test func whoeverAllowsAFetchAndHasSubmittedIsNotFetchedForYet() {
        let (asked, view) = (asked, bench.view)
        asked.answer = { _ in
            view.updatesInFlightDidChange(true)
            return true
        }
        view.batchFetcher = asked.fetcher
        bench.load()
        #expect(asked.ends == [.tail] && asked.fetches.isEmpty)
        asked.answer = { _ in true }
        view.updatesInFlightDidChange(false)
        bench.settle()
        #expect(asked.ends == [.tail, .tail] && asked.fetches.map(\.end) == [.tail])
    }

    @Test func aViewIsLaidOutForAFetcherAloneAndWhenNothingIsOnItsWayAnyMore() {
        let (view, lane) = (bench.view, bench.lane)
        bench.load()
        for areInFlight in [true, false] {
            view.updatesInFlightDidChange(areInFlight)
            #expect(lane.count == 0, "nobody fetches")
        }
        view.batchFetcher = asked.fetcher
        bench.settle()
        view.updatesInFlightDidChange(true)
        #expect(lane.count == 0)
        view.updatesInFlightDidChange(false)
        #expect(lane.count == 1)
    }

    /// Only where a fling brings it to rest is known before.
    @Test func contentThatTheProgramMovesIsLookedAtWhereItIs() throws {
        let bench = try Bench([texts(20)], RowLayout(), clock: ManualClock())
        bench.load()
        bench.view.setContentOffset(Point(x: 0, y: 50), animated: true)
        func offset(_ speed: Double) -> Point {
            let velocity = Point(x: 0, y: speed)
            return bench.view.fetchSituation(at: .tail, screens: 1, velocity: velocity).offset
        }
        #expect(offset(0) == .zero)
        #expect(offset(1) == Point(x: 0, y: 50))
    }
}
