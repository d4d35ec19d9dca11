import PipelineTestSupport
import Testing

@testable import SimulatedView

@Suite("Context of a fetch")
struct BatchFetchContextTests {
    private let calls = Journal<String>()

    private func context(_ end: ContentEnd = .tail) -> BatchFetchContext {
        BatchFetchContext(at: end) { [calls] call in
            switch call {
            case .completed(let outcome): calls.append("completed: \(outcome)")
            case .completedAgain: calls.append("completed again")
            case .abandoned: calls.append("abandoned")
            }
        }
    }

    @Test func aContextIsCompletedOnce() {
        let context = context(.head)
        #expect(context.end == .head && context.state == .fetching && !context.isCancelled)
        context.complete(.exhausted)
        #expect(context.state == .completed && !context.isCancelled)
        context.complete()
        #expect(calls.values == ["completed: exhausted", "completed again"])
    }

    @Test func whatWasCalledOffStaysSo() {
        let context = context()
        context.cancel()
        #expect(context.isCancelled && context.state == .cancelled)
        context.complete()
        #expect(context.state == .cancelled)
        #expect(calls.values.isEmpty)
    }

    @Test func whatWasCompletedIsNotCalledOff() {
        let context = context()
        context.complete()
        context.cancel()
        #expect(context.state == .completed)
    }

    @Test func whatIsGivenUpIsTold() {
        _ = context()
        #expect(calls.values == ["abandoned"])
        do {
            let cancelled = context()
            cancelled.cancel()
        }
        do {
            let completed = context()
            completed.complete()
        }
        #expect(calls.values.count == 2, "those that had ended are told of once")
    }
}
