import CollectionElements
import CollectionPipeline

extension SimulatedRun {
    func complete(_ token: Int, _ outcome: UpdateOutcome, isOwn: Bool = false) {
        mark(outcome.name)
        completions[token] += 1
        if completions[token] > 1 {
            note("Exactly One Completion", "submission \(token) completed twice")
        }
        guard !isOwn else { return }
        if !lane.isCurrent { note("No Inline Callbacks", "a completion ran off the main lane") }
        if isSubmitting {
            note("No Inline Callbacks", "submission \(token) completed within a submitting call")
        }
        if isClosed, outcome.name != "cancelled" || !lateTokens.contains(token) {
            note("Quiet After Close", "\(outcome.name) came after the close")
        }
        if simulation.happens(.callbackSubmits), completions.count < 100 {
            enqueue { model, changes in
                if let path = model.insertAtTop() { changes.insertItems(at: [path]) }
                if model.isDiverged() { changes.reloadData() }
            }
        }
    }

    func checkEnd() {
        guard simulation.fault == nil else { return }
        checkViewAtRest()
        for (token, count) in completions.enumerated()
        where count == 0 && !refusedEarly.contains(token) {
            note(
                "Exactly One Completion",
                "submission \(token) of \(completions.count) never completed"
            )
        }
        guard let controller, !isClosing, !isClosed else { return }
        let (pending, visible) = (controller.pendingMap, controller.visibleMap)
        if visible.generation != pending.generation {
            note(
                "Ordered Commits",
                "at rest generation \(visible.generation) is shown, but \(pending.generation) was"
                    + " accepted"
            )
        }
        for item in visible.items { checkAtRest(item.element, item.content, item.path) }
    }

    /// At rest every element that is shown was measured, and shows its newest model and the traits of now.
    func checkAtRest(
        _ element: CollectionElement,
        _ content: ElementContent,
        _ path: ItemPath
    ) {
        switch content.state {
        case .measured: break
        // Its node keeps what it showed.
        case .failed: return
        // A layout measures what it likes.
        case .pending where plan.hasLayout: break
        case .pending, .allocating, .skipped:
            note("Measured Once", "item \(path) is shown and was never measured")
        }
        guard let node = element.nodeIfAllocated as? WatchedNode else { return }
        if let item = content.model as? ModelItem, node.shown != item {
            note("Consistent Snapshot", "item \(path) shows \(node.shown) in place of \(item)")
        }
        if node.textScale != textScale {
            note(
                "Consistent Snapshot",
                "item \(path) has the text scale \(node.textScale) in place of \(textScale)"
            )
        }
    }

    func observe(_ event: PipelineEvent) {
        mark("event \(event.kind.rawValue)")
        if isClosed { note("Quiet After Close", "the event \(event.kind.rawValue) came after it") }
        if let backlog = event.backlog, backlog > plan.backlogLimit + mainLaneSubmissions {
            note(
                "Bounded Backlog",
                "\(backlog) sets on the way, at most \(plan.backlogLimit) allowed"
            )
        }
        observeView(event)
    }

    func mark(_ name: String) { marks[name, default: 0] += 1 }

    func note(_ guarantee: String, _ message: String) {
        violations.append(GuaranteeViolation(guarantee: guarantee, message: message))
    }

    /// Watches the events, and has the model forget what it noted for a latch that was refused.
    final class Watcher: PipelineObserver, @unchecked Sendable {  // one thread
        private weak var run: SimulatedRun?

        init(_ run: SimulatedRun) { self.run = run }

        func observe(_ event: PipelineEvent) {
            guard let run else { return }
            if run.simulation.happens(.observerIsSlow) {
                run.simulation.advanceClock(byNanoseconds: 100_000)
            }
            run.observe(event)
            if event.kind == .rejected, run.lane.isCurrent {
                run.controller?.dataSource.forgetLatch()
            }
        }
    }
}
