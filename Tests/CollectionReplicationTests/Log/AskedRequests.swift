import CollectionElements
import PipelineTesting

@testable import CollectionReplication

/// Takes down what is asked over some connections, and how much of what is appended is under way at once.
final class AskedRequests: Sendable {
    private struct State {
        var all: [LogRequest] = []
        var underWay = (records: 0, bytes: 0)
        var greatest = (records: 0, bytes: 0)
    }

    private let state = Lock(State())
    private let interval: Int

    /// - Parameter interval: an append never arrives where its number among all requests is a multiple of this.
    init(losingEvery interval: Int = .max) { self.interval = interval }

    var all: [LogRequest] { state.withLock { $0.all } }
    /// How often something was read.
    var reads: Int { all.count { if case .read = $0 { true } else { false } } }
    /// The most that was appended and not answered.
    var greatest: (records: Int, bytes: Int) { state.withLock { $0.greatest } }

    func wrap(_ log: MemoryLog) -> any ReplicatedLog {
        TwistedLog(log) { [self] request, log, answer in
            let number = state.withLock { state in
                state.all.append(request)
                return state.all.count
            }
            guard case .append(let record, _, _) = request else { return log.ask(request, answer) }
            if number.isMultiple(of: interval) { return }
            changeUnderWay(1, record)
            log.ask(request) { [self] said in
                changeUnderWay(-1, record)
                answer(said)
            }
        }
    }

    private func changeUnderWay(_ count: Int, _ record: [UInt8]) {
        state.withLock { state in
            state.underWay.records += count
            state.underWay.bytes += count * record.count
            state.greatest.records = max(state.greatest.records, state.underWay.records)
            state.greatest.bytes = max(state.greatest.bytes, state.underWay.bytes)
        }
    }
}
