import CollectionPublishing
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
