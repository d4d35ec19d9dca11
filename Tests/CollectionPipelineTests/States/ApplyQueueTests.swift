import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("The queue of applied states")
struct ApplyQueueTests {
    /// The queue beside what became of each state, by its number.
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
                let begins = queue.arrived(next)
                next += 1
                if begins != wasIdle { fault = "a state begins where another is under way" }
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
                if group.last != target { fault = "another was submitted than the newest" }
                if !queue.underWay.isEmpty { fault = "what is submitted is under way still" }
                ended += group
                submitted.append(target)
                begin()
            case .fails:
                guard let target = queue.underWay.last else { return false }
                if queue.failed() != target { fault = "another failed than the one under way" }
                if !queue.underWay.isEmpty { fault = "what waits again is under way too" }
                ended.append(target)
                begin()
            case .leavesFirst, .leavesLast:
                let waiting = queue.underWay.dropLast() + queue.waiting
                let state = input == .leavesFirst ? waiting.first : waiting.last
                guard let state else { return false }
                let left = queue.cancelled { $0 == state }
                if left != state { fault = "\(state) waits, and does not leave" }
                ended.append(state)
            case .leavesTarget:
                guard let target = queue.underWay.last else { return false }
                let left = queue.cancelled { $0 == target }
                if left != nil { fault = "the one that is compared leaves" }
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
                fault = "another is taken than the newest that is not cancelled"
            }
        }

        private mutating func check() {
            let known = ended + queue.underWay + queue.waiting
            if known.sorted() != Array(0..<next) { fault = "a state is lost, or there twice" }
            if !queue.waiting.isEmpty, queue.underWay.isEmpty { fault = "nobody takes what waits" }
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
