import CollectionElements
import CollectionPipeline
import Foundation
import PipelineSimulation
import PipelineTestSupport

// The simulated view of a run, and the actions on it while everything else runs.

extension StressRun {
    /// - Parameter fates: decide which updates the view handles late or not at all; `nil` for none.
    func makeView(
        _ plan: ViewPlan,
        fates: (any FaultInjector)?,
        _ checker: SnapshotChecker,
        hasLayout: Bool
    ) -> WatchedView {
        let view = WatchedView(plan, fates: fates, cells: cells) { [weak self] in self?.fail($0) }
        view.willShow = checker.check
        view.mark = { [weak self] name in self?.marks.withLock { $0[name, default: 0] += 1 } }
        view.expectsMeasured = !hasLayout
        view.nodesAreRequested = true
        view.isOpen = { [weak self] in
            self.map { $0.controller != nil && !$0.isClosed.withLock { $0 } } ?? false
        }
        view.countsAgree = { [weak self] in self?.controller?.divergence?.countsSince == nil }
        return view
    }

    private var watchedView: WatchedView? { held.withLock { $0.view as? WatchedView } }

    /// Adds a user, two clients that request nodes, and sometimes a task that removes the view.
    func useView(_ seed: UInt64, in group: inout TaskGroup<Void>) {
        guard watchedView != nil else { return }
        var random = SeededGenerator(seed: seed)
        let (actions, onThread, inTask) = (random.next(), random.next(), random.next())
        group.addTask { await self.act(actions) }
        group.addTask { await self.askForNodes(onThread) }
        group.addTask { await self.awaitNodes(inTask) }
        guard random.next(below: 4) == 0 else { return }
        let delay = Self.delay(&random)
        group.addTask {
            usleep(delay)
            self.takeViewAway()
        }
    }

    /// Returns a delay in microseconds: sometimes very short, sometimes until nearly everything is
    /// done.
    static func delay(_ random: inout SeededGenerator) -> UInt32 {
        UInt32(random.next(below: 1 << (10 + random.next(below: 8))))
    }

    /// Many times the number of actions in a run that ends normally.
    private static let mostActions = 2_000

    /// Performs random user actions on the view while any submission is pending.
    private func act(_ seed: UInt64) async {
        await onThread {
            var random = SeededGenerator(seed: seed)
            // Continue with a few actions after everything is shown.
            var left = 10
            for _ in 0..<Self.mostActions where left > 0 {
                if self.isDone { left -= 1 }
                let action = ViewAction(&random)
                self.lane.enqueue { self.watchedView?.perform(action) }
                usleep(UInt32(random.next(below: 2000)))
            }
        }
    }

    /// Releases the last reference to the view on the main lane, where the view lives.
    private func takeViewAway() {
        lane.enqueue { [self] in
            let view = held.withLock { held in
                defer { held.view = nil }
                return held.view
            }
            _ = view
        }
    }

    // MARK: Nodes on demand

    /// Returns a random element of the pending or visible map.
    private func someElement(_ random: inout SeededGenerator) -> CollectionElement? {
        let isPending = random.next(below: 2) == 0
        guard let map = isPending ? controller?.pendingMap : controller?.visibleMap,
            map.numberOfItems > 0
        else { return nil }
        let number = random.next(below: map.numberOfItems)
        return map.items.dropFirst(number).first { _ in true }?.element
    }

    private func askForNodes(_ seed: UInt64) async {
        await onThread {
            var random = SeededGenerator(seed: seed)
            for _ in 0..<Self.mostActions where !self.isDone {
                if let element = self.someElement(&random) {
                    self.check(Result { try element.waitForNode() }, of: element)
                }
                usleep(UInt32(random.next(below: 1000)))
            }
        }
    }

    private func awaitNodes(_ seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Self.mostActions where !isDone {
            if let element = someElement(&random) {
                do {
                    check(.success(try await element.node), of: element)
                } catch {
                    check(.failure(error), of: element)
                }
            }
            try? await Task.sleep(for: .microseconds(random.next(below: 1000)))
        }
    }

    /// Checks that a node on demand belongs to its element, or that its absence has a known reason.
    private func check(
        _ node: Result<any CollectionNode, any Error>,
        of element: CollectionElement
    ) {
        switch node {
        case .success(let node):
            guard let node = node as? WatchedNode,
                let item = element.content.model as? ModelItem, node.shown.id != item.id
            else { return }
            // A reloaded item is a new element with a node of its own.
            fail("the node of item \(item.id) is that of \(node.shown.id)")
        case .failure(let error):
            guard error is InjectedFault || error as? ElementError == .removedBeforeAllocation
            else { return fail("a node on demand: \(error)") }
        }
    }

    // MARK: At rest

    /// The number of main-lane turns that the view may need to come to rest: more than user actions
    /// keep it busy, plus the layout passes that follow.
    private static let turnsToRest = 40

    /// Checks the view after it has come to rest.
    func checkViewAtRest() async {
        guard watchedView != nil else { return }
        // Requests of the view during this time can cause another layout and more requests.
        for _ in 0..<3 {
            for _ in 0..<Self.turnsToRest { await lane.run {} }
            await controller?.whenReached(.completed)
        }
        await lane.run { [self] in watchedView?.check(isAtRest: true) }
    }
}
