import CoreMetrics
import Logging
import Metrics
import Synchronization

/// What the server counts of its connections; what it refuses is counted by its reason, and logged the first time.
final class ServerMeters: Sendable {
    /// Connections that follow a list.
    let streams = Meter(label: "live_board_streams")
    /// Messages that were written to one of them.
    let messages = Counter(label: "live_board_messages_total")
    /// How often one had no room for a message, and was paused at its version.
    let parked = Counter(label: "live_board_parked_total")
    /// Connections of every kind.
    let connections = Meter(label: "live_board_connections")

    private let logger: Logger
    private let refusals = Mutex<[String: Counter]>([:])

    init(logger: Logger) { self.logger = logger }

    /// - Parameter reason: one of few names; never what somebody sent.
    func refused(_ reason: String) {
        let (counter, isFirst) = refusals.withLock { refusals in
            if let counter = refusals[reason] { return (counter, false) }
            let counter = Counter(
                label: "live_board_refused_total",
                dimensions: [("reason", reason)]
            )
            refusals[reason] = counter
            return (counter, true)
        }
        counter.increment()
        if isFirst {
            logger.notice(
                "refused for the first time; more are counted only",
                metadata: ["reason": "\(reason)"]
            )
        }
    }
}
