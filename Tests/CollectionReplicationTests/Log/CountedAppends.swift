import CollectionElements
import PipelineTesting

@testable import CollectionReplication

/// Counts what is appended over a connection and not answered.
final class CountedAppends: Sendable {
    private struct State {
        var now = (records: 0, bytes: 0)
        var greatest = (records: 0, bytes: 0)
        var longest = 0
    }

    private let state = Lock(State())

    /// The most that was under way at once.
    var greatest: (records: Int, bytes: Int) { state.withLock { $0.greatest } }
    /// The longest record.
    var longest: Int { state.withLock { $0.longest } }

    func wrap(_ log: MemoryLog) -> any ReplicatedLog {
        TwistedLog(log) { [self] request, log, answer in
            guard case .append(let record, _, _) = request else { return log.ask(request, answer) }
            state.withLock { state in
                state.now = (state.now.records + 1, state.now.bytes + record.count)
                state.longest = max(state.longest, record.count)
                state.greatest = (
                    max(state.greatest.records, state.now.records),
                    max(state.greatest.bytes, state.now.bytes)
                )
            }
            log.ask(request) { [self] said in
                state.withLock { state in
                    state.now = (state.now.records - 1, state.now.bytes - record.count)
                }
                answer(said)
            }
        }
    }
}
