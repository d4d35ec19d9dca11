import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

/// What becomes of what is told while somebody answers it, or gives the view another controller.
@Suite("When ranges are told")
struct RangeTellingTests {
    private let list = RangedList(100)

    private final class Listener: RangeControllerDelegate {
        var onMode: () -> Void = {}
        var onState: () -> Void = {}

        func rangeController(
            _ rangeController: RangeController,
            didChangeModeFrom oldMode: RangeMode
        ) { onMode() }

        func rangeController(
            _ rangeController: RangeController,
            didChangeStateOf element: CollectionElement,
            to newState: InterfaceState,
            from oldState: InterfaceState
        ) { onState() }
    }

    /// Answers that bring more to tell go on in a later turn, which nobody gets ahead of, and which comes.
    @Test func whatIsPutOffIsToldInALaterTurnAndNotBefore() {
        let listener = Listener()
        list.ranges.delegate = listener
        var answers = 0
        nonisolated(unsafe) let list = list
        listener.onMode = {
            answers += 1
            guard answers < 400 else { return }
            list.ranges.requestedMode = list.ranges.mode == .full ? .minimum : .full
            list.view.layoutIfNeeded()
        }
        var counts: [Int] = []
        list.onMain { view, ranges in
            ranges.requestedMode = .full
            view.layoutIfNeeded()
            counts.append(answers)
            view.setNeedsLayout()
            view.layoutIfNeeded()
            counts.append(answers)
        }
        #expect(counts.count == 2 && (1..<400).contains(counts[0]), "the rest is put off")
        #expect(counts.last == counts.first)
        #expect(answers == 400)
        withExtendedLifetime(listener) {}
    }

    @Test func whoIsToldOfTheEndMayGiveTheControllerBack() {
        let listener = Listener()
        list.ranges.delegate = listener
        nonisolated(unsafe) let list = list
        var isFirst = true
        listener.onState = {
            guard isFirst else { return }
            isFirst = false
            list.view.rangeController = list.ranges
        }
        list.onMain { view, _ in view.rangeController = nil }
        list.onMain { _, ranges in ranges.memoryPressure = .warning }
        #expect(!isFirst && list.ranges.mode == .visibleOnly, "it is the view's")
        #expect(list.rows(in: .visible) == [0, 1, 2])
        withExtendedLifetime(listener) {}
    }

    @Test func aViewThatIsGivenTheControllerThatItHasTellsNothing() {
        _ = list.news()
        list.onMain { view, ranges in view.rangeController = ranges }
        #expect(list.news() == [])
    }
}
