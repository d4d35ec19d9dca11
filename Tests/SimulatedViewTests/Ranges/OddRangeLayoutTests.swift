import PipelineTestSupport
import SimulatedView
import Testing

/// What layouts answer to the questions of ranges, and how often they are asked.
@Suite("Layouts that ranges ask")
struct OddRangeLayoutTests {
    /// Answers as it is told where it is asked for more than the view itself asks for, or for no more than that.
    private final class Odd: RowLayout {
        var forMuch: (LayoutAttributes) -> LayoutAttributes? = { $0 }
        var forLittle: (LayoutAttributes) -> LayoutAttributes? = { $0 }

        override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
            let found = super.layoutAttributesForElements(in: rect)
            return found.compactMap(rect.size.height > 60 ? forMuch : forLittle)
        }
    }

    private func makeList(_ set: @escaping (Odd) -> Void) -> RangedList {
        let list = RangedList(100)
        list.onMain { view, _ in
            let layout = Odd()
            set(layout)
            view.setCollectionViewLayout(layout)
        }
        return list
    }

    private static func isNot(_ row: Int) -> (LayoutAttributes) -> LayoutAttributes? {
        { $0.indexPath.item == row ? nil : $0 }
    }

    @Test func whatTheLayoutHidesIsInNoRange() {
        let list = makeList { layout in
            layout.forMuch = { attributes in
                var attributes = attributes
                attributes.isHidden = attributes.indexPath.item == 4
                return attributes
            }
        }
        #expect(list.rows(in: .preload) == [0, 1, 2, 3])
    }

    @Test func aRangeWithoutExtentHasWhatIsShownWhateverLiesThere() {
        let list = makeList { $0.forLittle = Self.isNot(1) }
        list.onMain { _, ranges in
            ranges.setTuningParameters(.zero, for: .display, in: .minimum)
        }
        #expect(list.rows(in: .visible) == [0, 2])
        #expect(list.rows(in: .display) == [0, 2])
        #expect(list.rows(in: .preload) == [0, 1, 2, 3, 4])
    }

    /// The last row comes after all that the layout has said.
    @Test func whatIsShownAfterAllThatIsKnownIsVisible() {
        let list = makeList { $0.forMuch = Self.isNot(99) }
        list.scroll(by: 960)
        #expect(list.rows(in: .visible) == [96, 97, 98])
        list.scroll(by: 10)
        #expect(list.rows(in: .visible) == [97, 98, 99])
    }

    private static func numberOfQuestions(_ log: [ViewEvent]) -> Int {
        log.count { if case .layout(.layoutAttributesForElements) = $0 { true } else { false } }
    }

    @Test func atTheBeginningNothingIsAskedAgainEither() {
        let list = RangedList(100)
        nonisolated(unsafe) var count = -1
        list.onMain { view, _ in
            view.clearEventLog()
            view.setNeedsLayout()
        }
        list.onMain { view, _ in count = Self.numberOfQuestions(view.eventLog) }
        #expect(count == 0)
    }

    /// Whoever fills it has no elements, so that ranges have nothing to ask for.
    @Test func aViewThatNoPipelineFillsIsAskedNoMoreThanWithoutRanges() throws {
        func questions(with ranges: RangeController?) throws -> Int {
            let bench = try Bench([texts(100)])
            bench.view.rangeController = ranges
            bench.load()
            bench.view.collectionViewLayout.invalidateLayout()
            bench.settle()
            return Self.numberOfQuestions(bench.view.eventLog)
        }
        let plain = try questions(with: nil)
        #expect(try plain > 0 && questions(with: RangeController()) == plain)
    }
}
