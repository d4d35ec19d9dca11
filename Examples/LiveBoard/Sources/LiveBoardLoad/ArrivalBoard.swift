import NIOCore

/// When which version came to how many readers.
// Confined to the event loop of all readers.
final class ArrivalBoard: @unchecked Sendable {
    struct Figures: Sendable {
        var updates = 0
        var messages = 0
        var bytes = 0
        var faults = 0
        /// From the first reader to the last, in seconds, of each version.
        var spread: [Double] = []
        /// From the deployment to the last reader.
        var latencies: [Double] = []
    }

    private struct Arrival {
        var count = 0
        var first = NIODeadline.distantFuture
        var deployed: NIODeadline?
        var last: NIODeadline?
    }

    private let clients: Int
    private var isMeasuring = false
    private var figures = Figures()
    private var arrivals: [Int: Arrival] = [:]

    init(clients: Int) { self.clients = clients }

    /// Counts from now on.
    func begin() -> Figures {
        isMeasuring = true
        return figures
    }

    func fault(_ text: String) {
        figures.faults += 1
        if figures.faults < 5 { print("fault:", text) }
    }

    /// A reader had `old`, and has `new`.
    func came(from old: Int, to new: Int) {
        guard isMeasuring, new > old else { return }
        figures.messages += 1
        let now = NIODeadline.now()
        for version in (old + 1)...new {
            var arrival = arrivals[version, default: Arrival()]
            arrival.count += 1
            arrival.first = min(arrival.first, now)
            if arrival.count == clients { arrival.last = now }
            arrivals[version] = arrival
        }
    }

    func received(_ bytes: Int) {
        if isMeasuring { figures.bytes += bytes }
    }

    /// The server has said that it is deployed.
    func deployed(_ version: Int) {
        arrivals[version, default: Arrival()].deployed = .now()
    }

    func figures(since start: Figures) -> Figures {
        var figures = figures
        figures.bytes -= start.bytes
        for arrival in arrivals.values {
            guard let last = arrival.last else { continue }
            figures.updates += 1
            figures.spread.append((last - arrival.first).inSeconds)
            if let deployed = arrival.deployed {
                figures.latencies.append(max(0, (last - deployed).inSeconds))
            }
        }
        return figures
    }
}

extension TimeAmount {
    fileprivate var inSeconds: Double { Double(nanoseconds) / 1e9 }
}
