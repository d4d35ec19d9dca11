import CollectionElements

/// The numbers of the workers that are busy, from 1: who begins takes the lowest that is free, so that a trace has as
/// many rows as parts ran at once.
final class WorkerNumbers: Sendable {
    private let busy = Lock<[Bool]>([])

    func take() -> Int {
        busy.withLock { busy in
            if let free = busy.firstIndex(of: false) {
                busy[free] = true
                return free + 1
            }
            busy.append(true)
            return busy.count
        }
    }

    func giveBack(_ number: Int) { busy.withLock { $0[number - 1] = false } }
}
