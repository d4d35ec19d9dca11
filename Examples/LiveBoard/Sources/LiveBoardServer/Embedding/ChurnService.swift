import CollectionPublishing
import Logging
import ServiceLifecycle

/// Changes a list of random rows, until its group shuts down or it has done it often enough.
struct ChurnService: Service {
    let list: LiveList
    let model: ChurnModel
    /// How long from one change to the next; zero for as soon as the last was deployed.
    let interval: Duration
    let limit: Int?
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            await change()
            // A service that ends by itself would end its group.
            try? await gracefulShutdown()
        }
    }

    private func change() async {
        var model = model
        let clock = ContinuousClock()
        var next = clock.now
        var left = limit ?? .max
        while left > 0, !Task.isCancelled {
            left -= 1
            model.change()
            do {
                try await list.show(model.state)
            } catch {
                return logger.warning("churn has ended: \(error)")
            }
            guard interval > .zero else { continue }
            next = max(next + interval, clock.now)
            try? await clock.sleep(until: next)
        }
    }
}
