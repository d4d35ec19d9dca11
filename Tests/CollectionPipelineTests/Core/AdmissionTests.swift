import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// All sequences of events up to a length, compared with two lists of waiting submissions.
@Suite("Admission")
struct AdmissionTests {
    private struct IncomingSubmission: Equatable {
        let number: Int
        let needsCapacity: Bool
    }

    private struct Run: MachineRun {
        enum Input: CaseIterable {
            case batchBegins, batchEnds, arrives, arrivesWithoutNeed, setDeploys, turnComes
            case firstIsCancelled, lastIsCancelled, closes
        }

        var admission: Admission<IncomingSubmission>
        let limit: Int
        var (backlog, arrived, turns): (Int, Int, Int) = (0, 0, 0)
        var (deferred, suspended): ([IncomingSubmission], [IncomingSubmission]) = ([], [])
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
                if admission.ended() !== batch || batch.isOpen { mistake = "the wrong batch ended" }
                isOpen = false
                backlog += 1
            case .arrives, .arrivesWithoutNeed:
                guard !isClosed else { return false }
                arrive(IncomingSubmission(number: arrived, needsCapacity: input == .arrives))
            case .setDeploys:
                guard backlog > 0 else { return false }
                backlog -= 1
            case .turnComes:
                guard turns > 0 else { return false }
                turns -= 1
                expect(admission.beginTurn(backlog: backlog), turn())
            case .firstIsCancelled, .lastIsCancelled:
                let waiting = suspended + deferred
                let incoming = input == .firstIsCancelled ? waiting.first : waiting.last
                guard let incoming else { return false }
                if admission.cancelled({ $0 == incoming }) != incoming { mistake = "not cancelled" }
                suspended.removeAll { $0 == incoming }
                deferred.removeAll { $0 == incoming }
            case .closes:
                guard !isClosed else { return false }
                (isClosed, isOpen) = (true, false)
                _ = admission.ended()
                if admission.closed() != suspended + deferred { mistake = "submissions are left" }
                (deferred, suspended) = ([], [])
            }
            return true
        }

        private mutating func arrive(_ incoming: IncomingSubmission) {
            arrived += 1
            let waits = isOpen || !deferred.isEmpty
            let (needsCapacity, backlog) = (incoming.needsCapacity, backlog)
            let arrival = admission.arrived(
                incoming,
                needsCapacity: needsCapacity,
                backlog: backlog
            )
            if waits { deferred.append(incoming) }
            let admitted = waits ? nil : enter(incoming)
            expect(arrival == .admit ? incoming : nil, admitted)
            if admitted == nil, arrival != .wait(for: waits ? .batchEnd : .backlogCapacity) {
                mistake = "\(arrival)"
            }
        }

        /// Returns the submission that a turn admits.
        private mutating func turn() -> IncomingSubmission? {
            if isOpen { return nil }
            if !deferred.isEmpty { return enter(deferred.removeFirst()) }
            return suspended.isEmpty || backlog >= limit ? nil : suspended.removeFirst()
        }

        private mutating func enter(_ incoming: IncomingSubmission) -> IncomingSubmission? {
            guard incoming.needsCapacity, backlog >= limit || !suspended.isEmpty else {
                return incoming
            }
            suspended.append(incoming)
            return nil
        }

        /// Compares the admitted submission with the expected one; an admitted submission makes a
        /// change set.
        private mutating func expect(
            _ incoming: IncomingSubmission?,
            _ expected: IncomingSubmission?
        ) {
            if incoming != expected { mistake = "\(incoming as Any), not \(expected as Any)" }
            if incoming != nil { backlog += 1 }
        }

        var fault: String? {
            if let mistake { return mistake }
            if admission.waiting != (deferred.count, suspended.count) { return "lost" }
            if admission.firstSuspended != suspended.first {
                return "the wrong submission is first"
            }
            if admission.isEmpty != (deferred + suspended).isEmpty { return "isEmpty is wrong" }
            let isPossible = !deferred.isEmpty || !suspended.isEmpty && backlog < limit
            // A requested turn may find nothing to admit, but no turn is requested without need.
            return turns > 1 || !isOpen && isPossible && turns == 0 ? "\(turns) turns" : nil
        }
    }

    @Test(arguments: [0, 1, 2])
    func submissionsAreAdmittedOnceInOrderWithinCapacity(_ limit: Int) {
        let walked = walk(Run(limit: limit), length: Effort.number(8, usually: 6))
        #expect(walked.fault == nil)
        #expect(walked.count > 5_000)
        #expect(
            randomWalk(Run(limit: limit), seeds: Effort.number(1_000, usually: 50), steps: 60)
                == nil
        )
    }
}
