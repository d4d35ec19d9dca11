import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

/// Numbers beyond all content, where ranges and fetching look at them too.
@Suite("Scrolling by numbers of any size")
struct ScrollingNumbersTests {
    private static let huge = Double.greatestFiniteMagnitude

    private func check(
        _ list: ScrollingList,
        at y: Double,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        list.onMain { view in
            let offset = view.contentOffset
            #expect(offset == Point(x: 0, y: y), sourceLocation: sourceLocation)
            #expect(!view.isBusy && view.errors.isEmpty, sourceLocation: sourceLocation)
            #expect(view.visibleCells.count == 3, sourceLocation: sourceLocation)
        }
    }

    /// A list whose ranges reach as far as numbers do.
    private func makeList(_ hasClock: Bool = true) throws -> ScrollingList {
        let list = ScrollingList(hasClock: hasClock)
        let endless = try RangeTuningParameters(leading: Self.huge, trailing: Self.huge)
        list.onMain { view in
            view.decelerationRate = .fast
            view.rangeController?.requestedMode = .full
            view.rangeController?.setTuningParameters(endless, for: .preload)
            view.batchFetcher = BatchFetcher()
            try? view.batchFetcher?.setLeadingScreens(Self.huge, at: .tail)
        }
        return list
    }

    @Test(arguments: [false, true], [1e30, 1e308, huge])
    func aFingerStaysWithinTheContent(_ hasClock: Bool, _ number: Double) throws {
        let list = try makeList(hasClock)
        for (sign, y) in [(1.0, 970.0), (-1, 0)] {
            let far = Point(x: sign * number, y: sign * number)
            list.onMain { $0.drag(by: far) }
            list.onMain { $0.endDragging(velocity: .zero) }
            check(list, at: y)
            list.onMain { $0.endDragging(velocity: Point(x: -far.x, y: -far.y)) }
            check(list, at: 970 - y)
            list.onMain { $0.endDragging(at: far, velocity: far) }
            check(list, at: y)
            list.target = { _ in Point(x: -far.x, y: -far.y) }
            list.onMain { $0.endDragging(at: Point(x: 0, y: 400), velocity: far) }
            check(list, at: 970 - y)
            list.target = { $0 }
            list.onMain { $0.scroll(by: far) }
            check(list, at: y)
        }
    }

    /// An offset is taken as it is until the layout is prepared again; on the way it is a number.
    @Test(arguments: [false, true], [1e30, 1e308, huge])
    func anAnimationStaysAmongNumbers(_ hasClock: Bool, _ number: Double) throws {
        let list = try makeList(hasClock)
        for sign in [1.0, -1, 1] {
            list.onMain { view in
                view.setContentOffset(Point(x: 0, y: sign * number), animated: true)
            }
            #expect(list.offsets.allSatisfy { $0.isFinite })
            #expect(list.y == sign * number && !list.isBusy)
            _ = list.news()
        }
        list.atOnce { $0.setContentOffset(Point(x: 0, y: -number), animated: true) }
        list.frames(3)
        list.onMain { $0.collectionViewLayout.invalidateLayout() }
        #expect(list.offsets.allSatisfy { $0.isFinite } && list.y.isFinite && !list.isBusy)
        list.onMain { $0.scrollToTop(animated: true) }
        list.onMain { $0.scrollToTop() }
        check(list, at: 0)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func whatIsNoNumberIsReportedAndNothingMoves(_ value: Double) {
        let list = ScrollingList()
        list.onMain { view in
            view.setContentOffset(Point(x: 0, y: 300), animated: true)
            view.setContentOffset(Point(x: 0, y: value), animated: true)
            view.setContentOffset(Point(x: value, y: 0))
            view.drag(by: Point(x: 0, y: value))
            view.endDragging(velocity: Point(x: value, y: 0))
            view.endDragging(at: Point(x: 0, y: value), velocity: .zero)
            #expect(view.isScrollAnimating && !view.isDragging)
            #expect(view.errors.map(\.code) == Array(repeating: .notFinite, count: 5))
        }
        #expect(list.y == 300 && !list.isBusy)
        #expect(list.news() == ["didEndScrollingAnimation"])
        list.target = { _ in Point(x: value, y: 0) }
        list.onMain { $0.endDragging(velocity: Point(x: 0, y: 1)) }
        #expect(list.y == 800, "where it would have ended")
    }
}
