import CollectionPipeline
import Dispatch
import Foundation
import Synchronization

/// Threads that submit change sets of ten edits as fast as they are let.
struct Producers {
    let threads: Int
    let changeSetsEach: Int

    /// How many change sets a thread has under way: together more than a backlog holds.
    private static let window = 32

    /// Returns when everything is deployed.
    func submit(to controller: DataController<CountsSource>) throws {
        let ended = DispatchGroup()
        let deployed = Counter()
        for _ in 0..<threads {
            ended.enter()
            Thread.detachNewThread {
                let room = DispatchSemaphore(value: Self.window)
                for _ in 0..<changeSetsEach {
                    room.wait()
                    ended.enter()
                    controller.enqueueBatchUpdates { source, changes in
                        source.applyRandomPlan(to: &changes)
                    } completion: { result in
                        if case .deployed = result.outcome { deployed.increment() }
                        room.signal()
                        ended.leave()
                    }
                }
                ended.leave()
            }
        }
        ended.wait()
        guard deployed.value == threads * changeSetsEach else {
            throw Failure("\(deployed.value) of \(threads * changeSetsEach) change sets deployed")
        }
    }

    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)

        var value: Int { count.load(ordering: .acquiring) }

        func increment() { count.add(1, ordering: .acquiringAndReleasing) }
    }
}
