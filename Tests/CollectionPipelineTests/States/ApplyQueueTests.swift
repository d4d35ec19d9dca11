import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Queue of applied states")
struct ApplyQueueTests {
    /// The queue with the expected fate of each state, by its number.
    private struct Run: MachineRun {
        enum Input: CaseIterable {
            case arrives, cancelsNewest, cancelsTarget, isSubmitted, fails, closes
            case leavesFirst, leavesLast, leavesTarget
        }

        private var queue = ApplyQueue<Int>()
        private var next = 0
        private var cancelled: Set<Int> = []
        private var ended: [Int] = []
        private var submitted: [Int] = []
        private(set) var fault: String?

        mutating func take(_ input: Input) -> Bool {
            switch input {
            case .arrives:
                let wasIdle = queue.isEmpty
                let begins = queue.arrived(next) == .begin
                next += 1
                if begins != wasIdle { fault = "a state begins while another is in progress" }
                if begins { begin() }
            case .cancelsNewest:
                guard let newest = queue.waiting.last, !cancelled.contains(newest) else {
                    return false
                }
                cancelled.insert(newest)
            case .cancelsTarget:
                guard let target = queue.underWay.last, !cancelled.contains(target) else {
                    return false
                }
                cancelled.insert(target)
            case .isSubmitted:
                guard let target = queue.underWay.last else { return false }
                let group = queue.submitted()
                if group.last != target { fault = "the submitted state is not the newest" }
                if !queue.underWay.isEmpty { fault = "submitted states are still in progress" }
                ended += group
                submitted.append(target)
                begin()
            case .fails:
                guard let target = queue.underWay.last else { return false }
                if queue.failed() != target { fault = "the wrong state failed" }
                if !queue.underWay.isEmpty { fault = "waiting states are still in progress" }
                ended.append(target)
                begin()
            case .leavesFirst, .leavesLast:
                let waiting = queue.underWay.dropLast() + queue.waiting
                let state = input == .leavesFirst ? waiting.first : waiting.last
                guard let state else { return false }
                let left = queue.cancelled { $0 == state }
                if left != state { fault = "\(state) waits but does not leave" }
                ended.append(state)
            case .leavesTarget:
                guard let target = queue.underWay.last else { return false }
                let left = queue.cancelled { $0 == target }
                if left != nil { fault = "the state being compared leaves" }
            case .closes:
                guard !queue.isEmpty else { return false }
                ended += queue.closed()
            }
            check()
            return true
        }

        private mutating func begin() {
            let waiting = queue.waiting
            let (target, gone) = queue.begin { cancelled.contains($0) }
            ended += gone
            if target != waiting.last(where: { !cancelled.contains($0) }) {
                fault = "the chosen state is not the newest that is not cancelled"
            }
        }

        private mutating func check() {
            let known = ended + queue.underWay + queue.waiting
            if known.sorted() != Array(0..<next) { fault = "a state is lost or duplicated" }
            if !queue.waiting.isEmpty, queue.underWay.isEmpty {
                fault = "states wait although none is in progress"
            }
            if submitted != submitted.sorted() { fault = "an older state follows a newer one" }
            if queue.isEmpty != (queue.underWay + queue.waiting).isEmpty { fault = "not empty" }
        }
    }

    @Test func everySequenceOfEventsKeepsEveryStateAndTheirOrder() {
        let (fault, count) = walk(Run(), length: Effort.number(8, usually: 6))
        #expect(fault == nil, "\(fault ?? "")")
        #expect(count > 1_000)
    }
}
