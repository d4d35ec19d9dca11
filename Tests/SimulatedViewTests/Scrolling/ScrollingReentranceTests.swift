import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Scrolling from within what is told of scrolling", .endsHangs)
struct ScrollingReentranceTests {
    /// Drags, flings, stops that with an animation, and that with a finger.
    private func scroll(_ stage: ScrollStage) {
        stage.list.onMain { view, _ in
            view.touchDown(at: ItemPath(0, 1))
            view.beginDragging()
            view.drag(by: Point(x: 0, y: 12))
            view.endDragging(velocity: Point(x: 0, y: 1))
        }
        for _ in 0..<40 { stage.list.simulation.step() }
        stage.list.onMain { view, _ in
            view.endDragging(velocity: Point(x: 0, y: -0.5))
            view.setContentOffset(Point(x: 0, y: 200), animated: true)
            view.setContentOffset(Point(x: 0, y: 100), animated: true)
            view.beginDragging()
            view.endDragging(velocity: .zero)
            try? view.scrollToItem(at: ItemPath(0, 40), animated: true)
        }
    }

    /// Each with some of what may be answered, or with all of it.
    private func intrusions(_ doorway: ScrollDoorway) -> [ScrollIntrusion] {
        let all: [ScrollIntrusion] = [
            .scroll, .offset, .move, .moveToItem, .begin, .drag, .letGo, .fling, .layOut, .select,
        ]
        let first = ScrollDoorway.allCases.firstIndex(of: doorway) ?? 0
        return Effort.isFull ? all : [all[first % all.count], all[(first + 3) % all.count]]
    }

    /// Whatever is answered to every call, a turn comes to its end; and when nobody answers any more, all does.
    @Test(arguments: ScrollDoorway.allCases, [false, true])
    func whoAnswersForEverHoldsNothingUp(_ doorway: ScrollDoorway, _ hasClock: Bool) {
        for intrusion in intrusions(doorway) {
            let stage = ScrollStage(hasClock: hasClock)
            var isAnswered = true
            stage.onCall = { [unowned stage] place, view in
                if place == doorway, isAnswered { intrusion.run(stage, view) }
            }
            stage.list.controller.lane.enqueue { [view = stage.list.view] in
                view.touchDown(at: ItemPath(0, 1))
                view.drag(by: Point(x: 0, y: 12))
                view.endDragging(velocity: Point(x: 0, y: 0.5))
                view.setContentOffset(Point(x: 0, y: 100), animated: true)
            }
            for _ in 0..<30 { stage.list.simulation.step() }
            isAnswered = false
            stage.rest()
            stage.check("\(doorway) \(intrusion)")
        }
    }

    @Test(arguments: ScrollDoorway.allCases, ScrollIntrusion.allCases)
    func itIsToldInOrderAndEnds(_ doorway: ScrollDoorway, _ intrusion: ScrollIntrusion) {
        let runs = [(2, true), (7, false), (1, true), (7, true), (60, true), (60, false)]
        for (limit, hasClock) in runs.prefix(Effort.number(runs.count, usually: 1)) {
            let stage = ScrollStage(hasClock: hasClock)
            var left = limit
            stage.onCall = { [unowned stage] place, view in
                guard place == doorway, left > 0 else { return }
                left -= 1
                intrusion.run(stage, view)
            }
            scroll(stage)
            stage.submit(isReload: false)
            stage.rest()
            stage.onCall = { _, _ in }
            stage.rest()
            stage.check("\(doorway) \(intrusion) \(limit) \(hasClock)")
        }
    }
}
