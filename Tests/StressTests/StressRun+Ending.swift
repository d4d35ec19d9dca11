import CollectionElements
import CollectionPipeline
import Foundation
import PipelineSimulation
import PipelineTestSupport

// How a run ends, and what must be true then.

extension StressRun {
    func end(_ seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        if ending != .closedAtRest { usleep(Self.delay(&random)) }
        guard ending != .droppedInMidFlight else {
            // What goes with it goes outside of the lock.
            let dropped = held.withLock { held in
                defer { held.controller = nil }
                return held.controller
            }
            _ = dropped
            return
        }
        let draining = random.next(below: 2) == 0
        let timeout: Duration? =
            random.next(below: 2) == 0 ? .microseconds(random.next(below: 3000)) : nil
        await controller?.close(draining: draining, timeout: timeout)
        isClosed.withLock { $0 = true }
    }

    func didComplete(_ outcome: UpdateOutcome, isLate: Bool) {
        if !lane.isCurrent { fail("a completion ran off the main lane") }
        // A submission that is made while the close ends may be told so after it.
        let endsLate = ["cancelled", "rejected(closed)"].contains(outcome.text)
        if !isLate, !endsLate, isClosed.withLock({ $0 }) {
            fail("a completion came after the close: \(outcome)")
        }
        count(outcome)
        completed.add()
    }

    /// Turns of the main lane pass until every submission has completed; a lost completion would
    /// hang here, and the time limit of the suite would tell.
    func allCompleted() async {
        while completed.count < submitted.count {
            await lane.run { () -> Void in _ = usleep(100) }
        }
    }

    func verdict() -> [String] {
        var faults = faults.withLock { $0.map { $0 } } + nodes.reported.map(\.description)
        if completed.count != submitted.count {
            faults.append("\(submitted.count) submitted, \(completed.count) completed")
        }
        return faults
    }

    /// Nobody but the run has the controller, its model and its view, and they have everything else.
    func checkNothingIsLeft() async {
        let (controller, view, shown) = held.withLock { held in
            defer { held = Held() }
            return (
                Unowned(held.controller), Unowned<AnyObject>(held.view),
                Unowned((held.view as? WatchedView)?.shown)
            )
        }
        // What workers and the freeing lane still have is released soon.
        var turns = 0
        while turns < 10_000,
            nodes.numberAlive > 0 || cells.numberAlive > 0 || controller.value != nil
                || model.value != nil || view.value != nil || shown.value != nil
        {
            turns += 1
            await lane.run { () -> Void in _ = usleep(1000) }
        }
        if controller.value != nil { fail("the controller is still there") }
        if model.value != nil { fail("the model is still there") }
        if view.value != nil || shown.value != nil { fail("the view is still there") }
        if nodes.numberAlive > 0 { fail("\(nodes.numberAlive) nodes are still there") }
        if cells.numberAlive > 0 { fail("\(cells.numberAlive) cells are still there") }
    }

    func count(_ outcome: UpdateOutcome) {
        let name = outcome.text.prefix { $0 != "(" }
        outcomes.withLock { $0[String(name), default: 0] += 1 }
    }

    func fail(_ fault: String) { faults.withLock { $0.append(fault) } }

    /// How often each outcome occurred, and what was measured.
    var summary: String {
        let counts = outcomes.withLock { $0.sorted { $0.key < $1.key } }
        let views = marks.withLock { $0.sorted { $0.key < $1.key } }
        return (["\(ending)"] + (counts + views).map { "\($0.key) \($0.value)" })
            .joined(separator: ", ") + "; measured \(nodes.measured)"
    }
}
