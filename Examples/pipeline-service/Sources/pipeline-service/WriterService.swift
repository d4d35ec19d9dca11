import CollectionPipeline
import Logging
import ServiceLifecycle

/// Writes a line into a list every so often, and lets the oldest go, until its group shuts down.
///
/// It does not wait for what it submits: what is on its way when it ends, the service of the list drains.
struct WriterService: Service {
    let list: DataController<ModelList<String>>
    let tally: Tally
    let logger: Logger
    var interval = Duration.milliseconds(10)
    /// How many lines the list keeps.
    var capacity = 50

    func run() async {
        logger.info("writing until SIGTERM or SIGINT")
        var number = 0
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            number += 1
            write("line \(number)")
            // A shutdown ends the sleep, and so the loop.
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: interval) }
        }
    }

    private func write(_ line: String) {
        tally.submitted()
        list.enqueueBatchUpdates { [capacity] list, changes in
            list[0].insert(line, at: 0)
            changes.insertItems(at: [ItemPath(section: 0, item: 0)])
            guard list[0].count > capacity else { return }
            list[0].removeLast()
            changes.deleteItems(at: [ItemPath(section: 0, item: capacity - 1)])
        } completion: { [tally] result in
            tally.ended(result.outcome)
        }
    }
}
