import CollectionElements
import PipelineTesting

@testable import CollectionReplication

/// Counts what is read over some connections.
final class CountedReads: Sendable {
    private let counts = Lock((total: 0, greatest: 0))

    /// How often something was read.
    var total: Int { counts.withLock { $0.total } }
    /// The most records that came at once.
    var greatest: Int { counts.withLock { $0.greatest } }

    func wrap(_ log: MemoryLog) -> any ReplicatedLog {
        TwistedLog(log) { [self] request, log, answer in
            guard case .read = request else { return log.ask(request, answer) }
            log.ask(request) { [self] said in
                if case .batch(let batch) = said {
                    counts.withLock {
                        $0 = ($0.total + 1, max($0.greatest, batch.records.count))
                    }
                }
                answer(said)
            }
        }
    }
}
