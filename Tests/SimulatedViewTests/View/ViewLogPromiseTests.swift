import PipelineTestSupport
import SimulatedView
import Testing

/// Notes what the view asks it, in words of its own.
private final class SpyLayout: ListLayout {
    var calls: [String] = []

    override func prepare() {
        calls.append("prepare")
        super.prepare()
    }

    override func prepare(applying update: ValidatedChangeSet) {
        calls.append("applying")
        // The superclass prepares within this.
        let before = calls
        super.prepare(applying: update)
        calls = before
    }

    override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        let answer = super.layoutAttributesForElements(in: rect)
        calls.append("elements \(rect) \(answer.count)")
        return answer
    }

    override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
        let answer = super.shouldInvalidateLayout(forBoundsChange: newBounds)
        calls.append("bounds \(newBounds) \(answer)")
        return answer
    }

    override func invalidationContext(forBoundsChange newBounds: Rect)
        -> LayoutInvalidationContext
    {
        calls.append("context \(newBounds)")
        return super.invalidationContext(forBoundsChange: newBounds)
    }

    override func shouldInvalidateLayout(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> Bool {
        let answer = super.shouldInvalidateLayout(
            forPreferredLayoutAttributes: preferred,
            withOriginalAttributes: original
        )
        calls.append("preferred \(preferred.place) \(preferred.size.height) \(answer)")
        return answer
    }

    override func invalidationContext(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> LayoutInvalidationContext {
        calls.append("context \(preferred.place)")
        return super.invalidationContext(
            forPreferredLayoutAttributes: preferred,
            withOriginalAttributes: original
        )
    }

    override func prepare(forCollectionViewUpdates updates: [LayoutUpdateItem]) {
        calls.append("updates \(updates.count)")
    }

    override func targetContentOffset(forProposedContentOffset offset: Point) -> Point {
        calls.append("target \(offset.y)")
        return offset
    }

    override func targetContentOffset(
        forProposedContentOffset offset: Point,
        withScrollingVelocity velocity: Point
    ) -> Point {
        calls.append("fling \(offset.y) \(velocity.y)")
        return offset
    }

    override func finalizeCollectionViewUpdates() {
        calls.append("finalize")
        super.finalizeCollectionViewUpdates()
    }

    override func prepare(forAnimatedBoundsChange oldBounds: Rect) {
        calls.append("animated \(oldBounds)")
    }

    override func finalizeAnimatedBoundsChange() { calls.append("animated end") }
}

extension ViewEvent.LayoutCall {
    /// The same in the words of the spy; nil for what it does not note.
    fileprivate var spied: String? {
        switch self {
        case .prepare: "prepare"
        case .prepareApplying: "applying"
        case .layoutAttributesForElements(let rect, let count): "elements \(rect) \(count)"
        case .shouldInvalidateLayoutForBounds(let bounds, let answer): "bounds \(bounds) \(answer)"
        case .invalidationContextForBounds(let bounds): "context \(bounds)"
        case .shouldInvalidateLayoutForPreferred(let place, let size, let answer):
            "preferred \(place) \(size.height) \(answer)"
        case .invalidationContextForPreferred(let place): "context \(place)"
        case .prepareForCollectionViewUpdates(_, let count): "updates \(count)"
        case .targetContentOffset(let proposed, _): "target \(proposed.y)"
        case .flingTarget(let proposed, let velocity, _): "fling \(proposed.y) \(velocity.y)"
        case .finalizeCollectionViewUpdates: "finalize"
        case .prepareForAnimatedBoundsChange(let old): "animated \(old)"
        case .finalizeAnimatedBoundsChange: "animated end"
        case .collectionViewContentSize, .layoutAttributes, .initialLayoutAttributes,
            .finalLayoutAttributes, .indexPathsToDelete,
            .indexPathsToInsert, .prepareForTransitionTo, .prepareForTransitionFrom,
            .finalizeLayoutTransition:
            nil
        }
    }
}

/// Hears of errors alone.
private final class ErrorListener: CollectionViewDelegate {
    private(set) var heard: [ViewError] = []

    func collectionView(_ collectionView: SimulatedCollectionView, didMeet error: ViewError) {
        heard.append(error)
    }
}

@Suite("What the log and the errors of a view have")
struct ViewLogPromiseTests {
    /// Scrolls, updates and resizes, the same for the same seed.
    private func walk(_ bench: Bench<SpyLayout>, seed: UInt64, steps: Int = 60) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<steps {
            switch random.next(below: 6) {
            case 0, 1: bench.view.scroll(by: Double(random.next(below: 300) - 150))
            case 2:
                bench.view.endDragging(
                    at: Point(x: 0, y: Double(random.next(below: 900))),
                    velocity: Point(x: 0, y: 2)
                )
            case 3:
                let width = Double(80 + random.next(below: 3) * 10)
                bench.view.resize(
                    to: Size(width: width, height: 70),
                    animated: random.isTrue(oneIn: 2)
                )
            case 4: bench.view.idleTick()
            default:
                let item = random.next(below: bench.source.sections[0].count + 1)
                try bench.update(animated: random.isTrue(oneIn: 2)) { source, changes in
                    source.sections[0].insert("new", at: item)
                    changes.insertItems(at: [ItemPath(0, item)])
                }
            }
            bench.settle()
        }
    }

    private func bench(_ logCapacity: Int) throws -> Bench<SpyLayout> {
        let layout = SpyLayout()
        layout.estimatesHeights = true
        let bench = try Bench(
            [texts(40)],
            layout,
            size: Size(width: 100, height: 70),
            logCapacity: logCapacity
        )
        bench.source.wishes = { text in text == "new" ? 9 : Double(text.count * 7 + 10) }
        bench.lane.run()
        return bench
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func everyCallOfTheLayoutIsInTheLogInItsOrder(_ seed: UInt64) throws {
        let bench = try bench(1_000_000)
        try walk(bench, seed: seed)
        let logged = bench.view.eventLog.compactMap { event -> String? in
            if case .layout(let call) = event { call.spied } else { nil }
        }
        #expect(logged.count > 200)
        #expect(logged == bench.layout.calls)
    }

    @Test(arguments: [0, 1, 2, 7, 50, 333, -1, Int.max])
    func theLogHasExactlyTheNewestEventsOldestFirst(_ capacity: Int) throws {
        let (whole, bounded) = (try bench(1_000_000), try bench(capacity))
        for step in 0..<12 {
            try walk(whole, seed: UInt64(step), steps: 3)
            try walk(bounded, seed: UInt64(step), steps: 3)
            let expected = whole.view.eventLog.suffix(max(0, capacity))
            #expect(bounded.view.eventLog == Array(expected), "step \(step)")
        }
        bounded.view.clearEventLog()
        #expect(bounded.view.eventLog == [])
    }

    @Test func everyErrorIsInTheErrorsTheLogAndToldToTheDelegateInOneOrder() throws {
        let bench = try Bench([texts(9)])
        let listener = ErrorListener()
        bench.view.delegate = listener
        bench.source.madeCell = { view, path in
            if path.item == 1 { return TextCell() }
            _ = try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
            return try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
        }
        bench.layout.alteredSize = { Size(width: $0.width, height: .nan) }
        bench.lane.run()
        bench.view.contentOffset = Point(x: .nan, y: 0)
        bench.view.resize(to: Size(width: -1, height: 0))
        let logged = bench.view.eventLog.compactMap { event -> ViewError? in
            if case .error(let error) = event { error } else { nil }
        }
        #expect(
            Set(logged.map(\.code)) == [.layoutAttributes, .notDequeued, .notReturned, .notFinite]
        )
        #expect(logged == bench.view.errors && logged == listener.heard)
        #expect(bench.view.errorCount == logged.count)
    }

    @Test func ofALargeUpdateTheFirstEditsAreLoggedAndAllAreCounted() throws {
        let bench = try Bench([texts(100)])
        bench.load()
        try bench.update { source, changes in
            source.sections[0].removeFirst(40)
            changes.deleteItems(at: (0..<40).map { ItemPath(0, $0) })
        }
        let calls = bench.view.eventLog.compactMap { event -> ([LayoutUpdateItem], Int)? in
            if case .layout(.prepareForCollectionViewUpdates(let first, let count)) = event {
                (first, count)
            } else {
                nil
            }
        }
        #expect(calls.map(\.1) == [40])
        #expect(calls.first?.0 == (0..<16).map { .deleteItem(ItemPath(0, $0)) })
        #expect(
            bench.log("layout prepare(forCollectionViewUpdates:)").first?.hasSuffix(" and 24 more")
                == true
        )
        for line in bench.log { #expect(!line.contains("\n")) }
    }
}
