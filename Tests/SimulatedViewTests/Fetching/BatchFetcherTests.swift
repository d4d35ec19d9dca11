import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

/// Fetched Once, and what a fetcher does around it.
@Suite("Fetched Once")
struct BatchFetcherTests {
    @Test func nothingIsFetchedBeforeTheFirstLoad() {
        let list = FetchingList(0)
        list.onMain { view, _ in view.layoutIfNeeded() }
        #expect(list.fetches.isEmpty)
        list.load()
        #expect(list.news() == ["fetch tail"], "an empty list is one that wants more")
        #expect(list.fetches.map(\.end) == [.tail])
    }

    /// Two screenfuls of three rows before the end.
    @Test func aCollectionWithoutSectionsIsFetchedForOnce() throws {
        let (bench, kept) = (try Bench([]), KeptFetches())
        bench.view.batchFetcher = kept.fetcher
        bench.load()
        #expect(kept.fetches.map(\.end) == [.tail])
        bench.view.setNeedsLayout()
        bench.settle()
        #expect(kept.fetches.count == 1)
    }

    /// Where much arrives at once.
    @Test func aFetchThatBringsEnoughIsTheOnlyOne() {
        let list = FetchingList(1)
        list.load()
        for _ in 0..<20 { list.submitMore(50) }
        list.complete()
        #expect(list.news() == ["fetch tail", "fetch tail: fetched"])
    }

    /// Each fetch adds a row. Nobody sees the view: it is filled. Once somebody does, it is filled for two more
    /// screenfuls.
    @Test(arguments: [true, false])
    func moreIsFetchedUntilThereIsEnough(_ isAnimated: Bool) {
        let list = FetchingList(0)
        list.onFetch = { [unowned list] fetch in
            list.submitMore(1, isAnimated: isAnimated)
            fetch.complete()
            list.fetches = []
        }
        nonisolated(unsafe) let ranges = RangeController()
        list.onMain { view, _ in
            view.rangeController = ranges
            ranges.isContainerVisible = false
        }
        list.load()
        #expect(list.controller.visibleMap.shape.itemCounts == [3])
        list.onMain { _, _ in ranges.isContainerVisible = true }
        #expect(list.controller.visibleMap.shape.itemCounts == [10])
    }

    @Test func moreIsFetchedTwoScreenfulsBeforeTheEnd() {
        let list = FetchingList(20)
        list.load()
        #expect(list.fetches.isEmpty)
        list.scroll(by: 109)
        #expect(list.fetches.isEmpty, "61 are left")
        list.scroll(by: 1)
        #expect(list.news() == ["fetch tail"])
        list.scroll(by: 10)
        #expect(list.news() == [], "somebody is asked already")
        list.onMain { _, fetcher in
            #expect(fetcher.isFetching(at: .tail) && !fetcher.isFetching(at: .head))
        }
    }

    @Test func whatWasFetchedIsWaitedForAndFollowedByMore() {
        let list = FetchingList(2)
        list.load()
        #expect(list.news() == ["fetch tail"])
        list.submitMore(1)
        list.complete()
        #expect(list.news() == ["fetch tail: fetched", "fetch tail"], "3 rows fill the viewport")
        list.submitMore(20)
        list.complete()
        #expect(list.news() == ["fetch tail: fetched"], "there is enough")
    }

    /// Nobody is asked between the end of a fetch and the arrival of what it brought.
    @Test func nobodyIsAskedWhileAnythingIsOnItsWay() {
        let list = FetchingList(2)
        list.load()
        list.onMain { view, _ in view.beginBusy() }
        list.submitMore(1)
        list.complete()
        #expect(list.news() == ["fetch tail", "fetch tail: fetched"])
        list.onMain { view, _ in
            view.setNeedsLayout()
            view.layoutIfNeeded()
        }
        #expect(list.news() == [])
        list.onMain { view, _ in view.endBusy() }
        #expect(list.news() == ["fetch tail"])
    }

    /// Also where nothing comes of it, and the view has nothing else to lay itself out for.
    @Test(arguments: [false, true])
    func whileABatchIsOpenNobodyIsAsked(_ isRejected: Bool) {
        let list = FetchingList(4)
        list.load()
        list.complete(.failed(Failure()))
        _ = (list.news(), list.errors())
        let controller = list.controller
        list.onMain { view, fetcher in
            try? controller.assumeIsolated().beginUpdates()
            fetcher.retry(.tail)
            view.layoutIfNeeded()
        }
        #expect(list.news() == [])
        list.onMain { _, _ in
            let isolated = controller.assumeIsolated()
            if isRejected { try? isolated.deleteItems(at: [ItemPath(section: 9, item: 9)]) }
            let id = try? isolated.endUpdates()
            #expect((id == nil) == isRejected)
        }
        #expect(list.news() == ["fetch tail"])
    }

    /// What ended in the same turn as it was called off does not end what came after it.
    @Test func theEndOfAnEarlierFetchIsNotThatOfALaterOne() {
        let list = FetchingList(4)
        list.load()
        list.onMain { [unowned list] view, fetcher in
            list.fetches.removeFirst().complete(.exhausted)
            fetcher.cancel(.tail)
            view.layoutIfNeeded()
            fetcher.retry(.tail)
            view.layoutIfNeeded()
        }
        #expect(list.news() == ["fetch tail", "fetch tail: cancelled", "fetch tail"])
        list.onMain { _, fetcher in #expect(fetcher.isFetching(at: .tail)) }
        list.complete()
        #expect(list.news() == ["fetch tail: fetched"])
    }

    @Test func whatIsSetLaterIsLookedAtAtOnce() {
        let list = FetchingList(20)
        list.load()
        list.onMain { _, fetcher in try? fetcher.setLeadingScreens(1, at: .head) }
        #expect(list.news() == ["fetch head"])
        list.onMain { view, fetcher in view.batchFetcher = fetcher }
        list.onMain { _, fetcher in #expect(fetcher.isFetching(at: .head)) }
        #expect(list.news() == [], "it was there already")
    }

    @Test func aFetcherThatComesLaterLooksAtOnce() {
        let list = FetchingList(4)
        list.onMain { view, _ in view.batchFetcher = nil }
        list.load()
        #expect(list.news() == [])
        nonisolated(unsafe) let later = BatchFetcher()
        later.delegate = list
        list.onMain { view, _ in view.batchFetcher = later }
        #expect(list.news() == ["fetch tail"])
    }

    @Test func whoMovesAwayFromTheEndIsNotFetchedFor() {
        let list = FetchingList(20)
        list.load()
        list.mayFetch = false
        list.scroll(by: 170)
        list.scroll(by: -10)
        list.mayFetch = true
        list.onMain { view, _ in view.setNeedsLayout() }
        #expect(list.news() == [])
        list.scroll(by: 5)
        #expect(list.news() == ["fetch tail"])
    }

    @Test func whereContentScrollsBothWaysItIsFetchedVertically() throws {
        let (bench, kept) = (try Bench([(0..<40).map { "\($0)" }]), KeptFetches())
        bench.view.batchFetcher = kept.fetcher
        bench.load()
        bench.view.scroll(by: Point(x: 190, y: 0))
        bench.settle()
        #expect(kept.fetches.isEmpty)
        bench.view.scroll(by: Point(x: 0, y: 340))
        bench.settle()
        #expect(kept.fetches.map(\.end) == [.tail])
    }

    @Test(.endsHangs) func whatIsFetchedForAViewThatIsGoneIsCalledOff() async {
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
            let adapter = DataSourceAdapter(
                dataSource: RowSource([[]]),
                view: view,
                lane: ManualLane()
            )
            view.layoutIfNeeded()
            withExtendedLifetime(adapter) {}
        }
        #expect(await journal.values(count: 2) == ["begun", "cancelled: true"])
    }

    @Test func aFetchThatBringsNothingIsNotRepeatedUntilSomethingChanges() {
        let list = FetchingList(4)
        list.load()
        list.complete()
        #expect(list.news() == ["fetch tail", "fetch tail: fetched"])
        list.scroll(by: 5)
        list.scroll(by: -2)
        list.scroll(by: 2)
        list.update { _, changes in changes.reconfigureItems(at: [ItemPath(section: 0, item: 0)]) }
        #expect(list.news() == [], "nothing has changed that matters")
        list.submitMore(1)
        list.simulation.run()
        #expect(list.news() == ["fetch tail"])
        list.complete()
        list.onMain { _, fetcher in fetcher.retry(.tail) }
        #expect(list.news() == ["fetch tail: fetched", "fetch tail"])
    }

    @Test func whoLeavesTheEndAndComesBackHasItAskedForAgain() {
        let list = FetchingList(20)
        list.load()
        list.scroll(by: 150)
        list.complete()
        _ = list.news()
        list.scroll(by: -20)
        list.scroll(by: 20)
        #expect(list.news() == [], "bouncing")
        list.scroll(by: -150)
        list.scroll(by: 150)
        #expect(list.news() == ["fetch tail"])
    }

    @Test func anExhaustedEndIsLeftAlone() {
        let list = FetchingList(4)
        list.load()
        list.complete(.exhausted)
        list.submitMore(1)
        list.simulation.run()
        #expect(list.news() == ["fetch tail", "fetch tail: exhausted"])
        list.onMain { _, fetcher in fetcher.retry(.tail) }
        #expect(list.news() == ["fetch tail"])
    }

    private struct Failure: Error, CustomStringConvertible { let description = "no connection" }

    @Test func aFailureIsReportedAndTheEndRests() {
        let list = FetchingList(4)
        list.load()
        list.complete(.failed(Failure()))
        #expect(list.news() == ["fetch tail", "fetch tail: failed"])
        #expect(list.errors() == ["fetching at the tail failed: no connection"])
    }

    @Test func aContextThatNobodyCompletesIsReportedAndNothingIsStuck() {
        let list = FetchingList(4)
        list.load()
        list.fetches = []
        list.simulation.run()
        #expect(list.news() == ["fetch tail", "fetch tail: abandoned"])
        #expect(list.errors() == ["a fetch at the tail was given up without being completed"])
        list.onMain { _, fetcher in fetcher.retry(.tail) }
        #expect(list.news() == ["fetch tail"])
    }

    @Test func aContextThatIsCompletedTwiceIsReported() {
        let list = FetchingList(4)
        list.load()
        let fetch = list.fetches[0]
        list.complete(.exhausted)
        fetch.complete()
        list.simulation.run()
        #expect(list.news() == ["fetch tail", "fetch tail: exhausted"])
        #expect(
            list.errors()
                == ["a fetch at the tail was completed a second time, which changes nothing"]
        )
    }

    @Test func whatIsCalledOffEndsAndItsContextKnows() {
        let list = FetchingList(4)
        list.load()
        let fetch = list.fetches[0]
        list.onMain { _, fetcher in
            fetcher.cancel(.tail)
            fetcher.cancel(.head)
        }
        #expect(fetch.isCancelled)
        list.complete()
        #expect(list.news() == ["fetch tail", "fetch tail: cancelled"])
        #expect(list.errors() == [])
    }

    @Test func closingCallsOffWhatIsFetched() {
        let list = FetchingList(4)
        list.load()
        let fetch = list.fetches[0]
        list.controller.close {}
        list.simulation.run()
        #expect(fetch.isCancelled)
        fetch.complete()
        list.onMain { view, fetcher in
            fetcher.retry(.tail)
            view.setNeedsLayout()
        }
        #expect(list.news() == ["fetch tail", "fetch tail: cancelled"])
        #expect(list.errors() == [])
    }

    @Test func anotherFetcherCallsOffWhatTheFirstFetches() {
        let list = FetchingList(4)
        list.load()
        let fetch = list.fetches[0]
        let second = Journal<ContentEnd>()
        nonisolated(unsafe) let other = BatchFetcher { fetch in
            second.append(fetch.end)
            return .exhausted
        }
        list.onMain { view, _ in view.batchFetcher = other }
        #expect(fetch.isCancelled)
        #expect(list.news() == ["fetch tail", "fetch tail: cancelled", "fetch tail"])
        list.onMain { view, _ in
            view.batchFetcher = nil
            #expect(view.batchFetcher == nil)
        }
        #expect(list.news() == ["fetch tail: cancelled"])
    }

    @Test func bothEndsAreFetchedEachByItself() throws {
        let list = FetchingList(20)
        list.onMain { _, fetcher in
            try? fetcher.setLeadingScreens(1, at: .head)
            #expect(fetcher.leadingScreens(at: .head) == 1)
            #expect(fetcher.leadingScreens(at: .tail) == 2)
        }
        list.load()
        #expect(list.news() == ["fetch head"], "the viewport is at the head")
        list.scroll(by: 170)
        #expect(list.news() == ["fetch tail"])
        list.fetches.reverse()
        list.complete(.exhausted)
        list.complete(.exhausted)
        #expect(list.news() == ["fetch tail: exhausted", "fetch head: exhausted"])
        list.onMain { _, fetcher in try? fetcher.setLeadingScreens(0, at: .tail) }
        list.onMain { _, fetcher in
            fetcher.retry(.head)
            fetcher.retry(.tail)
        }
        #expect(list.news() == [], "the tail is not wanted, and the head is far")
    }

    @Test(arguments: [-1, .nan, .infinity])
    func screenfulsThatAreNoneAreAnError(_ screens: Double) {
        let list = FetchingList(4)
        list.onMain { _, fetcher in
            #expect {
                try fetcher.setLeadingScreens(screens, at: .head)
            } throws: { error in
                let error = error as? ViewError
                return error?.code == .batchFetching
                    && error?.message.contains("\(screens) before its head") == true
            }
            #expect(fetcher.leadingScreens(at: .head) == 0)
        }
    }

    @Test func aDelegateMayRefuse() {
        let list = FetchingList(4)
        list.mayFetch = false
        list.load()
        #expect(list.fetches.isEmpty)
        list.mayFetch = true
        list.onMain { view, _ in view.setNeedsLayout() }
        #expect(list.fetches.count == 1)
    }

    @Test func aFlingAsksHowLongContentLasts() {
        let list = FetchingList(40)
        list.load()
        list.decision = false
        list.onMain { view, _ in
            view.endDragging(at: Point(x: 0, y: 330), velocity: Point(x: 0, y: 2))
        }
        #expect(list.lasting.map(\.0) == [.milliseconds(20)], "40 units are left")
        #expect(list.lasting.map(\.1) == [true])
        #expect(list.fetches.isEmpty)
        list.onMain { view, _ in view.setNeedsLayout() }
        #expect(list.fetches.count == 1, "at rest the place decides")
        #expect(list.lasting.count == 1)
    }

    @Test func whatNobodySeesIsNotFetched() {
        let list = FetchingList(4)
        nonisolated(unsafe) let ranges = RangeController()
        list.onMain { view, _ in
            view.rangeController = ranges
            ranges.isContainerVisible = false
        }
        list.load()
        #expect(list.fetches.isEmpty)
        list.onMain { _, _ in ranges.isContainerVisible = true }
        #expect(list.fetches.count == 1)
    }

    @Test func sidewaysTheEndIsAtTheSide() {
        let layout = FlowLayout()
        layout.scrollDirection = .horizontal
        layout.itemSize = Size(width: 10, height: 30)
        layout.minimumLineSpacing = 0
        let list = FetchingList(40, layout: layout)
        list.load()
        #expect(list.fetches.isEmpty, "400 wide in a viewport of 100")
        list.onMain { view, _ in view.scroll(by: Point(x: 100, y: 0)) }
        #expect(list.fetches.count == 1)
        list.complete(.exhausted)
        list.onMain { view, fetcher in
            view.scroll(by: Point(x: -50, y: 0))
            fetcher.retry(.tail)
        }
        #expect(list.fetches.isEmpty, "away from it")
    }

    @Test func fromRightToLeftTheTailIsAtTheLeft() {
        let layout = FlowLayout()
        layout.scrollDirection = .horizontal
        layout.itemSize = Size(width: 10, height: 30)
        layout.minimumLineSpacing = 0
        let list = FetchingList(60, layout: layout)
        list.onMain { view, _ in view.isRightToLeft = true }
        list.load()
        #expect(list.fetches.isEmpty)
        list.onMain { view, _ in view.scroll(by: Point(x: -300, y: 0)) }
        #expect(list.fetches.map(\.end) == [.tail])
    }

    @Test func withoutAnybodyToAskNothingIsFetched() {
        let list = FetchingList(4)
        list.onMain { _, fetcher in fetcher.delegate = nil }
        list.load()
        #expect(list.news() == [] && list.errors() == [])
    }

    @Test func aDelegateThatOnlyDecidesHasNothingFetched() {
        final class Silent: BatchFetcherDelegate {}
        nonisolated(unsafe) let silent = Silent()
        let list = FetchingList(4)
        list.onMain { _, fetcher in fetcher.delegate = silent }
        list.load()
        #expect(list.news() == ["fetch tail", "fetch tail: exhausted"])
    }

    /// From within the answer: submitted and completed before the call returns.
    @Test func whoFetchesMayAnswerAtOnce() {
        let list = FetchingList(1)
        list.onFetch = { [unowned list] fetch in
            list.submitMore(1)
            fetch.complete()
        }
        list.load()
        list.simulation.run()
        #expect(
            list.controller.visibleMap.shape.itemCounts == [10],
            "more than 2 screenfuls beyond the viewport"
        )
    }

    @Test(.endsHangs) func aClosureFetchesInATaskOfItsOwn() async throws {
        let lane = EmulatedMainLane(label: "fetching")
        let view = SimulatedCollectionView(size: Size(width: 100, height: 30))
        let rows = RangedRows([]) { RangedNode($0, Journal()) }
        let controller = DataController(dataSource: rows, view: view, lane: lane)
        let asked = Journal<Int>()
        let fetcher = BatchFetcher { fetch in
            asked.append(asked.count)
            let count = asked.count
            if count == 4 { throw Failure() }
            try await controller.performBatchUpdates { list, changes in
                let old = list.rows.count
                list.rows.append("row \(old)")
                changes.insertItems(at: [ItemPath(section: 0, item: old)])
            }
            return .fetched
        }
        nonisolated(unsafe) let given = fetcher
        await lane.run { view.batchFetcher = given }
        try await controller.reloadData()
        _ = await asked.values(count: 4)
        // The failure ends in a turn of its own.
        while await lane.run({ view.errorCount }) == 0 { await Task.yield() }
        await lane.run {
            #expect(view.map.shape.itemCounts == [3])
            #expect(view.errors.map(\.message) == ["fetching at the tail failed: no connection"])
            #expect(!given.isFetching(at: .tail))
        }
        await controller.close()
    }

    @Test(.endsHangs) func callingOffCancelsTheTask() async throws {
        let lane = EmulatedMainLane(label: "fetching")
        let view = SimulatedCollectionView(size: Size(width: 100, height: 30))
        let rows = RangedRows([]) { RangedNode($0, Journal()) }
        let controller = DataController(dataSource: rows, view: view, lane: lane)
        let journal = Journal<String>()
        let fetcher = BatchFetcher { fetch in
            journal.append("begun")
            do { try await Task.sleep(for: .seconds(600)) } catch {
                journal.append("cancelled: \(fetch.isCancelled)")
                throw error
            }
            return .fetched
        }
        nonisolated(unsafe) let given = fetcher
        await lane.run { view.batchFetcher = given }
        try await controller.reloadData()
        _ = await journal.values(count: 1)
        await lane.run { given.cancel(.tail) }
        _ = await journal.values(count: 2)
        #expect(journal.values == ["begun", "cancelled: true"])
        await controller.close()
    }
}
