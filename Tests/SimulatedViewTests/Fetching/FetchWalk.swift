import CollectionPipeline
import PipelineTestSupport
import SimulatedView

/// The documented rules for fetching at each end of a list.
private struct FetchModel {
    /// The identity of the content.
    struct Mark: Equatable {
        var count: Int
        /// Grows with every inserted row and with every reload.
        var arrivals: Int
        var size: Size
    }

    /// The state of the view at a check by the fetcher.
    struct Situation {
        var mark: Mark
        /// The extent of the content beyond the viewport, by end.
        var remaining: [ContentEnd: Double]
        var extent: Double
        var contentExtent: Double
        /// Whether the view was filled, no update is in flight, and nothing drags it.
        var isSettled: Bool
        var isSeen: Bool
        /// Whether the content can be scrolled back to an end.
        var mayReturn: Bool { contentExtent > extent }
    }

    struct End {
        var screens: Double
        /// The number of the current fetch.
        var fetch: Int?
        var isExhausted = false
        /// The content at the end of a fetch that added nothing.
        var idleMark: Mark?
        /// The end of a fetch that was not checked yet, with the content at its beginning.
        var unchecked: (isFailure: Bool, since: Mark)?
        var began = Mark(count: 0, arrivals: 0, size: .zero)
    }

    var ends: [ContentEnd: End] = [.head: End(screens: 0), .tail: End(screens: 2)]
    var disallowedEnds: Set<ContentEnd> = []
    /// The end that the content last scrolled towards.
    var heading: ContentEnd?
    var isClosed = false
    /// The end and the state of each fetch, by number.
    var fetches: [(end: ContentEnd, state: BatchFetchContext.State)] = []
    var news: [String] = []
    var errors: [String] = []

    mutating func ended(_ number: Int, _ ending: BatchFetchEnding) {
        let end = fetches[number].end
        fetches[number].state = ending == .cancelled ? .cancelled : .completed
        guard var state = ends[end], state.fetch == number else { return }
        state.fetch = nil
        state.isExhausted = ending == .exhausted
        if !state.isExhausted { state.unchecked = (ending != .fetched, state.began) }
        ends[end] = state
        news.append("fetch \(end): \(ending)")
    }

    mutating func cancel(_ end: ContentEnd) {
        if let number = ends[end]?.fetch { ended(number, .cancelled) }
    }

    mutating func retry(_ end: ContentEnd) {
        guard var state = ends[end], state.fetch == nil else { return }
        (state.isExhausted, state.idleMark, state.unchecked) = (false, nil, nil)
        ends[end] = state
    }

    mutating func check(_ now: Situation) {
        guard now.isSettled, !isClosed else { return }
        for end in ContentEnd.allCases {
            guard var state = ends[end], state.fetch == nil else { continue }
            let isSmall = now.contentExtent < now.extent
            let isNear =
                state.screens > 0 && now.extent > 0
                && (isSmall || now.remaining[end] ?? 0 <= state.screens * now.extent)
            if let (isFailure, since) = state.unchecked {
                state.idleMark = isFailure || since == now.mark ? now.mark : nil
                state.unchecked = nil
            } else if let idleMark = state.idleMark, idleMark != now.mark || !isNear {
                state.idleMark = nil
            }
            let isWanted =
                isNear && (isSmall || now.isSeen && !(now.mayReturn && heading == end.other))
            if isWanted, !state.isExhausted, state.idleMark == nil, !disallowedEnds.contains(end) {
                (state.fetch, state.began) = (fetches.count, now.mark)
                fetches.append((end, .fetching))
                news.append("fetch \(end)")
            }
            ends[end] = state
        }
    }
}

extension ContentEnd {
    fileprivate var other: ContentEnd { self == .head ? .tail : .head }
}

/// A list whose ends are fetched during random changes, compared with a model.
final class FetchWalk {
    enum Course: String, CaseIterable, Sendable { case down, rightwards, leftwards }

    enum Outcome: CaseIterable, Sendable { case fetched, exhausted, failed }

    private let course: Course
    private let list: FetchingList
    // Unchecked: used on the main lane, which is the test's thread, and between its steps.
    nonisolated(unsafe) private var random: SeededGenerator
    nonisolated(unsafe) private var model = FetchModel()
    nonisolated(unsafe) private let ranges = RangeController()
    private var (busyCount, openCount, numberOfLoads, isDragging) = (0, 0, 0, false)
    /// The number of the first fetch of the view's current fetcher.
    private var firstNumber = 0
    private var firstFault: String?
    private(set) var story: [String] = []
    /// The callers that wait for the end of fetching, and those that have resumed.
    private let (waits, resumed) = (LiveCount(), LiveCount())
    private let executor: LaneTaskExecutor

    init(_ course: Course, seed: UInt64) {
        self.course = course
        random = SeededGenerator(seed: seed)
        var counts: [Int] = []
        for _ in 0..<2 { counts.append(random.isTrue(oneIn: 3) ? 0 : random.next(below: 14)) }
        list = FetchingList(counts, layout: Self.makeLayout(course))
        executor = LaneTaskExecutor(list.simulation.makeLane(label: "waits"))
        list.onMain { [ranges] _, view in
            view.rangeController = ranges
            view.isRightToLeft = course == .leftwards
        }
        if !seed.isMultiple(of: 4) {
            load()
            firstFault = fault()
        }
    }

    private static func makeLayout(_ course: Course) -> CollectionLayout {
        if course == .down { return ListLayout() }
        let layout = FlowLayout()
        layout.scrollDirection = .horizontal
        layout.itemSize = Size(width: 40, height: 30)
        layout.minimumLineSpacing = 0
        return layout
    }

    private func situation(_ view: SimulatedCollectionView) -> FetchModel.Situation {
        let (content, bounds) = (view.contentSize, view.bounds)
        let isDown = course == .down
        let before = isDown ? bounds.minY : bounds.minX
        let after = isDown ? content.height - bounds.maxY : content.width - bounds.maxX
        let isSettled = view.map.generation > 0 && list.numberInFlight == 0
        return FetchModel.Situation(
            mark: .init(
                count: view.map.numberOfItems,
                arrivals: list.rows.lastNumber + numberOfLoads * 1_000_000,
                size: content
            ),
            remaining: course == .leftwards
                ? [.tail: before, .head: after] : [.head: before, .tail: after],
            extent: isDown ? bounds.size.height : bounds.size.width,
            contentExtent: isDown ? content.height : content.width,
            isSettled: isSettled && openCount == 0 && !isDragging,
            isSeen: ranges.isContainerVisible
        )
    }

    /// Performs one step and waits for everything that follows.
    ///
    /// - Returns: A difference from the model afterwards.
    func step() -> String? {
        if let firstFault { return firstFault }
        (model.news, model.errors) = ([], [])
        let fetchEnded = act()
        list.simulation.run()
        if let fault = fault() { return fault }
        (model.news, model.errors) = ([], [])
        if waits.value == resumed.value {
            waits.add(1)
            Task(executorPreference: executor) { [view = list.view, resumed] in
                await view.fetchingEnded()
                resumed.add(1)
            }
            list.simulation.run()
        } else if fetchEnded {
            // Whether the reader moved away shows only in the pass after the next one.
            list.onMain { _, view in view.setNeedsLayout() }
        }
        return fault() ?? waitFault()
    }

    /// A caller that waits for the end of fetching resumes exactly when nothing is fetched or in
    /// flight.
    private func waitFault() -> String? {
        let isFetching = model.ends.values.contains { $0.fetch != nil }
        let waits = !model.isClosed && (isFetching || list.numberInFlight > 0 || openCount > 0)
        // Requests of a busy view are in flight too.
        if !waits, busyCount > 0 { return nil }
        return waits == (self.waits.value > resumed.value)
            ? nil
            : "a caller waiting for the end of fetching \(waits ? "resumed early" : "did not resume")"
    }

    private func fault() -> String? {
        let isFetching = list.onMain { [self] list, view in
            model.check(situation(view))
            return ContentEnd.allCases.map(list.fetcher.isFetching)
        }
        let found = list.news()
        if found != model.news { return "expected \(model.news), found \(found)" }
        let errors = list.errors()
        if errors != model.errors { return "expected errors \(model.errors), found \(errors)" }
        let expected = ContentEnd.allCases.map { model.ends[$0]?.fetch != nil }
        if isFetching != expected { return "isFetching: expected \(expected), found \(isFetching)" }
        for (context, fetch) in zip(list.fetches, model.fetches) {
            guard let context, context.end != fetch.end || context.state != fetch.state else {
                continue
            }
            return "expected \(fetch), found \(context.end) \(context.state)"
        }
        return list.fetches.count == model.fetches.count ? nil : "other contexts"
    }

    // MARK: Actions

    /// - Returns: Whether a fetch ended.
    private func act() -> Bool {
        let end = ContentEnd.allCases[random.next(below: 2)]
        let kind = random.next(below: 24)
        story.append("\(kind) \(end)")
        switch kind {
        case 0...3: scroll()
        case 4...6: edit()
        case 7...12: return complete()
        case 13: return abandon(end)
        case 14:
            let isFetching = model.ends[end]?.fetch != nil
            model.cancel(end)
            list.onMain { list, _ in list.fetcher.cancel(end) }
            return isFetching
        case 15, 16:
            model.retry(end)
            list.onMain { list, _ in list.fetcher.retry(end) }
        case 17:
            let screens = [0, 0.5, 1, 2, 5][random.next(below: 5)]
            model.ends[end]?.screens = screens
            list.onMain { list, _ in try? list.fetcher.setLeadingScreens(screens, at: end) }
        case 18:
            model.disallowedEnds.formSymmetricDifference([end])
            list.disallowedEnds = model.disallowedEnds
            list.onMain { _, view in view.setNeedsLayout() }
        case 19: list.onMain { [ranges] _, _ in ranges.isContainerVisible.toggle() }
        case 20: beBusy()
        case 21: drag()
        case 22: openBatch()
        default: if random.isTrue(oneIn: 4) { replaceFetcher() } else { load() }
        }
        return false
    }

    private func load() {
        guard openCount == 0 else { return }
        numberOfLoads += 1
        list.load()
    }

    private func scroll() {
        let distance =
            [2.0, 15, 60, 250][random.next(below: 4)] * (random.isTrue(oneIn: 2) ? 1 : -1)
        list.onMain { [self] _, view in
            view.layoutIfNeeded()
            let before = view.contentOffset
            view.scroll(
                by: Point(x: course == .down ? 0 : distance, y: course == .down ? distance : 0)
            )
            noteHeading(view, since: before)
        }
    }

    private func noteHeading(_ view: SimulatedCollectionView, since before: Point) {
        let (x, y) = (view.contentOffset.x - before.x, view.contentOffset.y - before.y)
        let way = course == .down ? y : course == .rightwards ? x : -x
        if way != 0 { model.heading = way > 0 ? .tail : .head }
    }

    private func drag() {
        let distance = Double(random.next(below: 80) - 40)
        list.onMain { [self] _, view in
            view.layoutIfNeeded()
            let before = view.contentOffset
            if isDragging {
                view.endDragging(at: view.contentOffset, velocity: .zero)
            } else {
                view.drag(
                    by: Point(x: course == .down ? 0 : distance, y: course == .down ? distance : 0)
                )
            }
            isDragging.toggle()
            noteHeading(view, since: before)
        }
    }

    private func beBusy() {
        let begins = busyCount == 0 || busyCount == 1 && random.isTrue(oneIn: 2)
        busyCount += begins ? 1 : -1
        list.onMain { _, view in begins ? view.beginBusy() : view.endBusy() }
    }

    /// Opens a batch, or ends it: as an empty batch, or as a rejected one.
    private func openBatch() {
        let begins = openCount == 0 || openCount == 1 && random.isTrue(oneIn: 3)
        let isRejected = random.isTrue(oneIn: 2)
        openCount += begins ? 1 : -1
        list.onMain { list, view in
            let isolated = list.controller.assumeIsolated()
            if begins {
                try? isolated.beginUpdates()
                return view.setNeedsLayout()
            }
            if isRejected { try? isolated.deleteItems(at: [ItemPath(7, 9)]) }
            nonisolated(unsafe) let list = list
            list.numberInFlight += 1
            _ = try? isolated.endUpdates { _ in list.numberInFlight -= 1 }
        }
    }

    private func replaceFetcher() {
        ContentEnd.allCases.forEach { model.cancel($0) }
        model.ends = [.head: .init(screens: 0), .tail: .init(screens: 2)]
        firstNumber = model.fetches.count
        list.onMain { list, _ in list.setFetcher(BatchFetcher()) }
    }

    /// Changes the length or the rows of the content; the sizes can stay the same.
    private func edit() {
        guard openCount == 0 else { return }
        let (seed, rate) = (random.next(), random.isTrue(oneIn: 2) ? 0.02 : 0.3)
        list.submit { rows, changes in
            var random = SeededGenerator(seed: seed)
            let old = HierarchyShape(rows.sections.map(\.count))
            let drawn = RandomUpdate(from: old, &random, rate: rate)
            rows.take(drawn.changes, to: drawn.newShape, &changes) { text in
                random.isTrue(oneIn: 2)
                    ? text + "'" : "\(text.prefix { $0 != "=" })=\(6 + random.next(below: 9))"
            }
        }
    }

    /// Ends a current or an earlier fetch, which may have added rows.
    private func complete() -> Bool {
        let underWay = model.fetches.indices.filter { model.fetches[$0].state == .fetching }
        let isLate = random.isTrue(oneIn: 5)
        let candidates = isLate ? Array(list.fetches.indices) : underWay
        guard let number = candidates.randomElement(using: &random),
            let context = list.fetches[number]
        else { return false }
        if openCount == 0, random.isTrue(oneIn: 2) { list.submitMore(random.next(below: 4)) }
        if model.fetches[number].state == .fetching, random.isTrue(oneIn: 8) {
            // The completion is in flight when the fetch is cancelled, and must not end a later
            // fetch.
            let end = model.fetches[number].end
            model.cancel(end)
            model.retry(end)
            model.fetches[number].state = .completed
            list.onMain { list, view in
                context.complete(.exhausted)
                list.fetcher.cancel(end)
                list.fetcher.retry(end)
                view.layoutIfNeeded()
            }
            return false
        }
        let outcome = Outcome.allCases[random.next(below: 3)]
        let (end, state) = model.fetches[number]
        // A fetcher that was replaced no longer exists and reports nothing.
        if state == .completed {
            let text = "a fetch at the \(end) was completed a second time, which changes nothing"
            if number >= firstNumber { model.errors.append(text) }
        }
        if state == .fetching {
            if outcome == .failed {
                model.errors.append("fetching at the \(end) failed: no connection")
            }
            model.ended(
                number,
                outcome == .fetched ? .fetched : outcome == .exhausted ? .exhausted : .failed
            )
        }
        switch outcome {
        case .fetched: context.complete()
        case .exhausted: context.complete(.exhausted)
        case .failed: context.complete(.failed(NoConnection()))
        }
        return state == .fetching
    }

    private func abandon(_ end: ContentEnd) -> Bool {
        guard let number = model.ends[end]?.fetch else { return false }
        model.errors.append("a fetch at the \(end) was abandoned without being completed")
        model.ended(number, .abandoned)
        list.fetches[number] = nil
        return true
    }

    /// Closes the controller, which cancels all fetches and prevents new ones.
    func close() -> String? {
        (model.news, model.errors) = ([], [])
        if isDragging {
            drag()
            if let fault = fault() { return fault }
            (model.news, model.errors) = ([], [])
        }
        ContentEnd.allCases.forEach { model.cancel($0) }
        (model.isClosed, openCount) = (true, 0)
        list.controller.close {}
        list.onMain { list, view in
            list.fetcher.retry(.tail)
            view.setNeedsLayout()
        }
        return fault() ?? waitFault()
    }
}
