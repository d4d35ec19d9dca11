import CollectionElements
import PipelineTesting

@testable import CollectionReplication

/// Takes down what is asked over some connections.
final class AskedRequests: Sendable {
    private let requests = Lock<[LogRequest]>([])

    var all: [LogRequest] { requests.withLock { $0 } }

    /// A connection over which an append never arrives where its number among all requests is a multiple of `interval`.
    func wrap(_ log: MemoryLog, losingEvery interval: Int = .max) -> any ReplicatedLog {
        TwistedLog(log) { [self] request, log, answer in
            let number = requests.withLock { requests in
                requests.append(request)
                return requests.count
            }
            if case .append = request, number.isMultiple(of: interval) { return }
            log.ask(request, answer)
        }
    }
}
