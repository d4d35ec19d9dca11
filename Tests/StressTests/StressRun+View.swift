import CollectionElements
import CollectionPipeline
import Foundation
import PipelineSimulation
import PipelineTestSupport
import SimulatedView

// The simulated view of a run, and what is done to it while everything else goes on.

extension StressRun {
    /// - Parameter fates: decide which updates the view gets late or not at all; nil for none.
    func makeView(
        _ plan: ViewPlan,
        fates: (any WorkloadFates)?,
        _ checker: SnapshotChecker,
        hasLayout: Bool
    ) -> WatchedView {
        let view = WatchedView(plan, fates: fates, cells: cells) { [weak self] in self?.fail($0) }
        view.willShow = checker.check
        view.mark = { [weak self] name in self?.marks.withLock { $0[name, default: 0] += 1 } }
        view.expectsMeasured = !hasLayout
        view.nodesAreAskedFor = true
        view.isOpen = { [weak self] in
            self.map { $0.controller != nil && !$0.isClosed.withLock { $0 } } ?? false
        }
        view.countsAgree = { [weak self] in self?.controller?.divergence?.countsSince == nil }
        return view
    }

    private var watchedView: WatchedView? { held.withLock { $0.view as? WatchedView } }

    /// Adds a user, those who ask for nodes, and whatever takes the view away.
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

    /// In microseconds: now at once, now when nearly everything is done.
    static func delay(_ random: inout SeededGenerator) -> UInt32 {
        UInt32(random.next(below: 1 << (10 + random.next(below: 8))))
    }

    /// What a run takes that ends, many times over.
    private static let mostActions = 2_000

    /// Does to the view what users do, action after action, for as long as anything is under way.
    private func act(_ seed: UInt64) async {
        await onThread {
            var random = SeededGenerator(seed: seed)
            // And a few more once everything is shown.
            var left = 10
            for _ in 0..<Self.mostActions where left > 0 {
                if self.isDone { left -= 1 }
                let action = ViewAction(&random)
                self.lane.enqueue { self.watchedView?.perform(action) }
                usleep(UInt32(random.next(below: 2000)))
            }
        }
    }

    /// The last reference to the view goes on the main lane, where the view lives.
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

    /// Some element that the data source or the view has.
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

    /// A node on demand is the element's own, or there is a reason for none.
    private func check(
        _ node: Result<any CollectionNode, any Error>,
        of element: CollectionElement
    ) {
        switch node {
        case .success(let node):
            guard let node = node as? WatchedNode,
                let item = element.content.model as? ModelItem, node.shown.id != item.id
            else { return }
            // A reloaded item is another element, and so has a node of its own.
            fail("the node of item \(item.id) is that of \(node.shown.id)")
        case .failure(let error):
            guard error is PlannedFailure || error as? ElementError == .removedBeforeAllocation
            else { return fail("a node on demand: \(error)") }
        }
    }

    // MARK: At rest

    /// How many turns of the main lane the view may take to come to rest: more than users hold it busy for,
    /// with the layout passes that follow.
    private static let turnsToRest = 40

    /// Looks at the view once it has come to rest by itself.
    func checkViewAtRest() async {
        guard watchedView != nil else { return }
        // What the view asks for meanwhile may make it lay out, and so ask, once more.
        for _ in 0..<3 {
            for _ in 0..<Self.turnsToRest { await lane.run {} }
            await controller?.reached(.completed)
        }
        await lane.run { [self] in watchedView?.check(isAtRest: true) }
    }
}
