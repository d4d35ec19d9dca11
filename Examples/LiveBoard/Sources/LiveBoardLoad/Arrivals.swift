import Dispatch
import Synchronization

/// When which version came to how many readers.
final class Arrivals: Sendable {
    struct Figures: Sendable {
        /// Updates that all readers have.
        var updates = 0
        /// How many messages brought something new, to all readers together.
        var messages = 0
        var bytes = 0
        var faults = 0
        /// From the first reader to the last, in seconds, of each version.
        var spread: [Double] = []
        /// From when an edit was asked for to the last reader.
        var latencies: [Double] = []
    }

    private struct Arrival {
        var count = 0
        var first = UInt64.max
        var last: UInt64?
    }

    private struct State {
        var isMeasuring = false
        var figures = Figures()
        var arrivals: [Int: Arrival] = [:]
        var asked: [Int: UInt64] = [:]
    }

    private let clients: Int
    // Written by the thread that reads, but for what is asked, some times a second.
    private let state = Mutex(State())

    init(clients: Int) { self.clients = clients }

    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Counts from now on.
    func begin() { state.withLock { $0.isMeasuring = true } }

    func fault(_ text: String) {
        let count = state.withLock { state in
            state.figures.faults += 1
            return state.figures.faults
        }
        if count < 5 { print("fault:", text) }
    }

    /// A reader had `old`, and has `new`.
    func came(from old: Int, to new: Int) {
        let now = Self.now
        state.withLock { state in
            guard state.isMeasuring, new > old else { return }
            state.figures.messages += 1
            for version in (old + 1)...new {
                var arrival = state.arrivals[version, default: Arrival()]
                arrival.count += 1
                arrival.first = min(arrival.first, now)
                if arrival.count == clients { arrival.last = now }
                state.arrivals[version] = arrival
            }
        }
    }

    /// A reader was told something that it did not look into.
    func cameCompressed() {
        state.withLock { state in
            if state.isMeasuring { state.figures.messages += 1 }
        }
    }

    func received(_ bytes: Int) {
        state.withLock { state in
            if state.isMeasuring { state.figures.bytes += bytes }
        }
    }

    /// The edit that led to a version was asked for at this time.
    func asked(_ version: Int, at time: UInt64) { state.withLock { $0.asked[version] = time } }

    var figures: Figures {
        let state = state.withLock { $0 }
        var figures = state.figures
        for (version, arrival) in state.arrivals {
            guard let last = arrival.last else { continue }
            figures.updates += 1
            figures.spread.append(Double(last - arrival.first) / 1e9)
            if let asked = state.asked[version], last >= asked {
                figures.latencies.append(Double(last - asked) / 1e9)
            }
        }
        return figures
    }
}
