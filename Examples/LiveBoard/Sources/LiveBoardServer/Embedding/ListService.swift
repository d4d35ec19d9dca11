import CollectionPublishing
import Logging
import ServiceLifecycle

/// Closes a list when its group shuts down: what was accepted is deployed first, or time is up; then readers are told
/// that nothing comes any more.
///
/// In a group it stands before whoever edits the list, since services shut down in reverse order.
struct ListService: Service {
    let list: LiveList
    var drainingTimeout = Duration.seconds(5)

    func run() async {
        await cancelWhenGracefulShutdown { [controller = list.controller] in
            await controller.run(drainingTimeout: drainingTimeout)
        }
    }
}

/// Closes the lists of searches when its group shuts down.
struct SearchService: Service {
    let searches: SearchLists

    func run() async {
        try? await gracefulShutdown()
        await searches.close()
    }
}

/// Shows what is in the world as a state of a list, every so often, until its group shuts down.
///
/// The next is not begun before the last was deployed, so a list that is slow is refreshed less often and nothing piles
/// up.
struct RefreshService: Service {
    let list: LiveList
    let interval: Duration
    let logger: Logger
    /// Makes the state. It may block; it runs on a thread of no lane.
    let makeState: @Sendable () async throws -> ListState

    func run() async {
        // A graceful shutdown ends the sleep, and so the loop.
        await cancelWhenGracefulShutdown {
            let clock = ContinuousClock()
            while !Task.isCancelled {
                let next = clock.now + interval
                await refresh()
                try? await clock.sleep(until: next)
            }
        }
    }

    private func refresh() async {
        do {
            try await list.show(try await makeState())
        } catch let error as UpdateError where [.closed, .cancelled].contains(error.code) {
            // The list goes; so does this.
        } catch {
            logger.warning("\(list.name) was not refreshed: \(error)")
        }
    }
}
