import CollectionElements
import CollectionPipeline
import Foundation
import PipelineSimulation
import PipelineTestSupport

// Clients that request nodes while everything else runs.

extension StressRun {
    /// Adds two clients that request nodes, and sometimes a task that removes the view.
    func requestNodes(_ seed: UInt64, in group: inout TaskGroup<Void>) {
        var random = SeededGenerator(seed: seed)
        let (onThread, inTask) = (random.next(), random.next())
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

    /// Many times the number of requests in a run that ends normally.
    private static let mostRequests = 2_000

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
            for _ in 0..<Self.mostRequests where !self.isDone {
                if let element = self.someElement(&random) {
                    self.check(Result { try element.waitForNode() }, of: element)
                }
                usleep(UInt32(random.next(below: 1000)))
            }
        }
    }

    private func awaitNodes(_ seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Self.mostRequests where !isDone {
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
}
