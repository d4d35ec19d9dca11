import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Everything that can happen to who comes in, in every order, up to a length.
@Suite("Admission")
struct AdmissionTests {
    private struct Visitor: Equatable {
        let number: Int
        let needsRoom: Bool
    }

    private struct Run: MachineRun {
        enum Input: CaseIterable {
            case batchBegins, batchEnds, arrives, arrivesWithoutNeed, setDeploys, turnComes
            case firstIsCancelled, lastIsCancelled, closes
        }

        var admission: Admission<Visitor>
        let limit: Int
        var backlog = 0
        var arrived: [Visitor] = []
        var entered: [Visitor] = []
        var sentAway: [Visitor] = []
        /// What is enqueued on the lane; never more than one.
        var turns = 0
        var isClosed = false
        var mistake: String?

        init(limit: Int) {
            self.limit = limit
            admission = Admission(backlogLimit: limit)
        }

        var waiting: [Visitor] {
            arrived.filter { !entered.contains($0) && !sentAway.contains($0) }
        }

        mutating func take(_ input: Input) -> Bool {
            defer { if admission.needsTurn(backlog: backlog) { turns += 1 } }
            switch input {
            case .batchBegins:
                guard admission.batch == nil, !isClosed else { return false }
                admission.began(OpenBatch(id: SubmissionID(rawValue: 1)))
            case .batchEnds:
                guard let batch = admission.batch else { return false }
                if admission.ended() !== batch || batch.isOpen { mistake = "another batch ended" }
                backlog += 1
            case .arrives, .arrivesWithoutNeed:
                guard !isClosed else { return false }
                let visitor = Visitor(number: arrived.count, needsRoom: input == .arrives)
                arrived.append(visitor)
                let (needsRoom, backlog) = (visitor.needsRoom, backlog)
                if admission.arrived(visitor, needsRoom: needsRoom, backlog: backlog) {
                    enter(visitor)
                }
            case .setDeploys:
                guard backlog > 0 else { return false }
                backlog -= 1
            case .turnComes:
                guard turns > 0 else { return false }
                turns -= 1
                if let visitor = admission.turnCame(backlog: backlog) { enter(visitor) }
            case .firstIsCancelled, .lastIsCancelled:
                let visitor = input == .firstIsCancelled ? waiting.first : waiting.last
                guard let visitor else { return false }
                if admission.cancelled({ $0 == visitor }) != visitor { mistake = "not cancelled" }
                sentAway.append(visitor)
            case .closes:
                guard !isClosed else { return false }
                isClosed = true
                _ = admission.ended()
                let left = admission.closed()
                if left.sorted(by: { $0.number < $1.number }) != waiting {
                    mistake = "not all left"
                }
                sentAway += left
            }
            return true
        }

        /// Whoever comes in submits a set.
        private mutating func enter(_ visitor: Visitor) {
            if admission.batch != nil { mistake = "came into a batch" }
            if visitor.needsRoom, backlog >= max(1, limit) { mistake = "came in without room" }
            entered.append(visitor)
            backlog += 1
        }

        var fault: String? {
            if let mistake { return mistake }
            if turns > 1 { return "two turns" }
            let inNeed = entered.filter(\.needsRoom).map(\.number)
            if inNeed != inNeed.sorted() { return "in another order: \(inNeed)" }
            if Set(entered.map(\.number)).count != entered.count { return "twice" }
            let (deferred, suspended) = admission.waiting
            if deferred + suspended != waiting.count { return "lost" }
            if admission.isEmpty != waiting.isEmpty { return "emptiness" }
            // Nobody who could come in is forgotten.
            let isPossible =
                admission.batch == nil && (deferred > 0 || suspended > 0 && backlog < max(1, limit))
            return isPossible && turns == 0 ? "nobody is let in" : nil
        }
    }

    @Test(arguments: [0, 1, 2])
    func everybodyComesInOnceInOrderWithRoomAndOutsideBatches(_ limit: Int) {
        let walked = walk(Run(limit: limit), length: Effort.number(8, usually: 6))
        #expect(walked.fault == nil)
        #expect(walked.count > 5_000)
    }

    @Test func whoNeedsNoRoomDoesNotWaitForThoseWhoDo() {
        var run = Run(limit: 1)
        for input in [Run.Input.arrives, .arrives, .arrivesWithoutNeed] { _ = run.take(input) }
        #expect(run.entered.map(\.number) == [0, 2])
        _ = run.take(.setDeploys)
        #expect(run.turns == 0)
        _ = run.take(.setDeploys)
        _ = run.take(.turnComes)
        #expect(run.entered.map(\.number) == [0, 2, 1])
    }

    /// It would come to nothing, and ask for the next.
    @Test func whileABatchIsOpenNoTurnIsAskedFor() {
        var run = Run(limit: 1)
        for input in [Run.Input.batchBegins, .arrives] { _ = run.take(input) }
        #expect(run.turns == 0 && run.admission.waiting == (1, 0))
        _ = run.take(.batchEnds)
        #expect(run.turns == 1)
    }

    @Test func whoWaitedForTheEndOfABatchWaitsForRoomBehindTheOthers() {
        var run = Run(limit: 1)
        for input in [Run.Input.arrives, .arrives, .batchBegins, .arrives, .batchEnds, .turnComes] {
            _ = run.take(input)
        }
        #expect(run.admission.waiting == (0, 2))
        for input in [Run.Input.setDeploys, .setDeploys, .turnComes, .setDeploys, .turnComes] {
            _ = run.take(input)
        }
        #expect(run.entered.map(\.number) == [0, 1, 2])
    }
}
