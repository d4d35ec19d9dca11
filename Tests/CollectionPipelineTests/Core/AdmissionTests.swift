import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Everything that can happen to who comes in, in every order, up to a length, against two lists of who waits.
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
        var (backlog, arrived, turns): (Int, Int, Int) = (0, 0, 0)
        var (deferred, suspended): ([Visitor], [Visitor]) = ([], [])
        var (isOpen, isClosed): (Bool, Bool) = (false, false)
        var mistake: String?

        init(limit: Int) {
            self.limit = max(1, limit)
            admission = Admission(backlogLimit: limit)
        }

        mutating func take(_ input: Input) -> Bool {
            defer { if admission.needsTurn(backlog: backlog) { turns += 1 } }
            switch input {
            case .batchBegins:
                guard !isOpen, !isClosed else { return false }
                admission.began(OpenBatch(id: SubmissionID(rawValue: 1)))
                isOpen = true
            case .batchEnds:
                guard isOpen, let batch = admission.batch else { return false }
                if admission.ended() !== batch || batch.isOpen { mistake = "another batch ended" }
                isOpen = false
                backlog += 1
            case .arrives, .arrivesWithoutNeed:
                guard !isClosed else { return false }
                arrive(Visitor(number: arrived, needsRoom: input == .arrives))
            case .setDeploys:
                guard backlog > 0 else { return false }
                backlog -= 1
            case .turnComes:
                guard turns > 0 else { return false }
                turns -= 1
                expect(admission.turnCame(backlog: backlog), turn())
            case .firstIsCancelled, .lastIsCancelled:
                let waiting = suspended + deferred
                let visitor = input == .firstIsCancelled ? waiting.first : waiting.last
                guard let visitor else { return false }
                if admission.cancelled({ $0 == visitor }) != visitor { mistake = "not cancelled" }
                suspended.removeAll { $0 == visitor }
                deferred.removeAll { $0 == visitor }
            case .closes:
                guard !isClosed else { return false }
                (isClosed, isOpen) = (true, false)
                _ = admission.ended()
                if admission.closed() != suspended + deferred { mistake = "not all left" }
                (deferred, suspended) = ([], [])
            }
            return true
        }

        private mutating func arrive(_ visitor: Visitor) {
            arrived += 1
            let waits = isOpen || !deferred.isEmpty
            let (needsRoom, backlog) = (visitor.needsRoom, backlog)
            let comesIn = admission.arrived(visitor, needsRoom: needsRoom, backlog: backlog)
            if waits { deferred.append(visitor) }
            expect(comesIn ? visitor : nil, waits ? nil : enter(visitor))
        }

        /// Who comes in by a turn.
        private mutating func turn() -> Visitor? {
            if isOpen { return nil }
            if !deferred.isEmpty { return enter(deferred.removeFirst()) }
            return suspended.isEmpty || backlog >= limit ? nil : suspended.removeFirst()
        }

        private mutating func enter(_ visitor: Visitor) -> Visitor? {
            guard visitor.needsRoom, backlog >= limit || !suspended.isEmpty else { return visitor }
            suspended.append(visitor)
            return nil
        }

        /// Whoever comes in submits a set.
        private mutating func expect(_ visitor: Visitor?, _ expected: Visitor?) {
            if visitor != expected { mistake = "\(visitor as Any), not \(expected as Any)" }
            if visitor != nil { backlog += 1 }
        }

        var fault: String? {
            if let mistake { return mistake }
            if admission.waiting != (deferred.count, suspended.count) { return "lost" }
            if admission.firstSuspended != suspended.first { return "another is the first" }
            if admission.isEmpty != (deferred + suspended).isEmpty { return "emptiness" }
            let isPossible = !deferred.isEmpty || !suspended.isEmpty && backlog < limit
            // A turn that was asked for may find that it has come in vain; none is asked for in vain.
            return turns > 1 || !isOpen && isPossible && turns == 0 ? "\(turns) turns" : nil
        }
    }

    @Test(arguments: [0, 1, 2])
    func everybodyComesInOnceInOrderWithRoomAndOutsideBatches(_ limit: Int) {
        let walked = walk(Run(limit: limit), length: Effort.number(8, usually: 6))
        #expect(walked.fault == nil)
        #expect(walked.count > 5_000)
        #expect(
            wander(Run(limit: limit), seeds: Effort.number(1_000, usually: 50), steps: 60) == nil
        )
    }
}
