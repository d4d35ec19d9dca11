import CollectionPublishing
import Logging

/// Changes a list of random rows, until it has done it often enough.
struct ChurnFeed: ListFeed {
    /// How long from one change to the next; zero for as soon as the last was deployed.
    let interval: Duration
    let limit: Int?
    let logger: Logger

    func state(from published: PublishedState?) async throws -> ListState { ChurnModel().state }

    func run(_ list: LiveList) async {
        var model = ChurnModel()
        let clock = ContinuousClock()
        var next = clock.now
        var left = limit ?? .max
        while left > 0, !Task.isCancelled {
            left -= 1
            model.change()
            do {
                try await list.show(model.state)
            } catch let error as UpdateError where [.closed, .cancelled].contains(error.code) {
                return
            } catch {
                return logger.warning("churn has ended: \(error)")
            }
            guard interval > .zero else { continue }
            next = max(next + interval, clock.now)
            try? await clock.sleep(until: next)
        }
    }
}
