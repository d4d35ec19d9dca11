import PipelineTestSupport
import Testing

@testable import CollectionPublishing

@Suite("Order of refreshes")
struct RefreshQueueTests {
    private enum Input: CaseIterable {
        case query, state, answered, finished, timedOut, cancelled, closed
    }

    /// A queue and the recorded calls of its callers.
    private struct World {
        /// Each caller, and the work of each job, is the number of the call.
        var queue = RefreshQueue<Int, Int>()
        var calls: [(isQuery: Bool, time: Int)] = []
        var started: [(id: Int, work: Int, isQuery: Bool, time: Int)] = []
        var ended: [Int: Int] = [:]
        var time = 0

        mutating func call(isQuery: Bool) {
            let caller = calls.count
            calls.append((isQuery, time))
            switch queue.arrived(caller, isQuery: isQuery, caller) {
            case .starts(let job): start(job)
            case .waits: #expect(queue.running != nil)
            case .closed: end([caller])
            }
        }

        mutating func start(_ job: RefreshQueue<Int, Int>.Job) {
            #expect(queue.running?.id == job.id)
            #expect(started.last.map { $0.id < job.id } ?? true)
            started.append((job.id, job.work, job.isQuery, time))
        }

        mutating func end(_ callers: [Int]) {
            for caller in callers { ended[caller, default: 0] += 1 }
        }

        mutating func finish(isTimeout: Bool = false) {
            guard let job = started.last,
                let (callers, next) = isTimeout
                    ? queue.timedOut(job.id) : queue.finished(job.id)
            else { return }
            for caller in callers {
                let call = calls[caller]
                // A query sees all writes before its start.
                if call.isQuery { #expect(job.isQuery && job.time >= call.time) }
                // The list shows this state or a newer one.
                if !call.isQuery { #expect(job.work >= caller) }
            }
            end(callers)
            if let next { start(next) }
        }

        mutating func take(_ input: Input) {
            time += 1
            switch input {
            case .query: call(isQuery: true)
            case .state: call(isQuery: false)
            case .answered: if let job = started.last { _ = queue.answered(job.id) }
            case .finished: finish()
            case .timedOut: finish(isTimeout: true)
            case .cancelled:
                let newest = calls.count - 1
                end(queue.cancelled { $0 == newest }.map { [$0] } ?? [])
            case .closed: end(queue.closed())
            }
            #expect(queue.waiting.count <= 2 && (queue.running != nil || queue.waiting.isEmpty))
        }
    }

    /// Tries all sequences of seven inputs.
    @Test func everyCallEndsOnceWithARecentState() {
        func walk(_ world: World, _ depth: Int) {
            if depth == 0 {
                var world = world
                while world.queue.running != nil { world.finish() }
                let ends = world.calls.indices.map { world.ended[$0] ?? 0 }
                #expect(ends.allSatisfy { $0 == 1 }, "\(ends)")
                return
            }
            for input in Input.allCases {
                var next = world
                next.take(input)
                walk(next, depth - 1)
            }
        }
        walk(World(), Effort.isFull ? 7 : 5)
    }
}
