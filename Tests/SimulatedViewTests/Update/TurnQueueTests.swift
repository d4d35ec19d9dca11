import PipelineTestSupport
import Testing

@testable import SimulatedView

/// Everything that can happen to a queue of turns, in every order, up to a length.
@Suite("The queue of turns")
struct TurnQueueTests {
    private static let rejection = ViewRefusal(.wrongBase, "")

    private struct Run: MachineRun {
        enum Input: CaseIterable {
            case laneGiven, updateCame, layoutNeeded, becameBusy, becameIdle, turnCame, laidOut
            case rejected, deployed, replaced, turnEnded
        }

        private enum Place { case outside, layingOut, deploying, working }

        var turns = TurnQueue<Int>()
        private var place = Place.outside
        private var (hasLane, isRejected, needsLayout) = (false, false, false)
        /// How many turns are enqueued and have not come.
        private var enqueued = 0
        private var (depth, received, taken) = (0, 0, 0)
        private var mistake: String?

        private var isEmpty: Bool { received == taken }

        mutating func take(_ input: Input) -> Bool {
            switch input {
            case .laneGiven:
                // As often as it likes: the view asks for nothing else before it has one.
                turns.attached()
                hasLane = true
            case .updateCame:
                turns.received(received)
                received += 1
                ask()
            case .layoutNeeded:
                needsLayout = true
                ask()
            case .becameBusy:
                if turns.becameBusy() != (depth == 0) { mistake = "busy" }
                depth += 1
            case .becameIdle:
                guard depth > 0 else { return false }
                depth -= 1
                let isIdle = turns.becameIdle()
                if isIdle != (depth == 0) { mistake = "idle" }
                if isIdle { ask() }
            case .turnCame: return turnCame()
            case .laidOut: return laidOut()
            case .rejected:
                guard place == .deploying, !isRejected else { return false }
                turns.rejected(TurnQueueTests.rejection)
                isRejected = true
            case .deployed, .replaced: return deployed(input == .deployed)
            case .turnEnded: return turnEnded()
            }
            return true
        }

        private mutating func ask() {
            if turns.needsTurn() { enqueued += 1 }
        }

        private mutating func turnCame() -> Bool {
            guard enqueued > 0, place == .outside else { return false }
            enqueued -= 1
            place = .layingOut
            turns.turnBegan()
            return true
        }

        private mutating func laidOut() -> Bool {
            guard place == .layingOut else { return false }
            place = .working
            needsLayout = false
            switch turns.laidOut() {
            case .nothing where !isEmpty: mistake = "nothing is done for those who wait"
            case .nothing: break
            case .postpone(let waiting):
                if depth == 0 || waiting != received - taken { mistake = "postponed" }
            case .deploy(let update):
                if depth > 0 { mistake = "taken up while busy" }
                if update != taken { mistake = "out of turn" }
                taken += 1
                place = .deploying
            }
            return true
        }

        private mutating func deployed(_ isDeployed: Bool) -> Bool {
            // What the pipeline replaced was not even shown.
            guard place == .deploying, isDeployed || !isRejected else { return false }
            let expected: TurnQueue<Int>.Outcome =
                isRejected
                ? .rejected(TurnQueueTests.rejection) : isDeployed ? .shown : .dropped
            if turns.deployed(isDeployed) != expected { mistake = "not \(expected)" }
            (place, isRejected) = (.working, false)
            return true
        }

        private mutating func turnEnded() -> Bool {
            guard place == .working else { return false }
            place = .outside
            if turns.turnEnded(needsLayout: needsLayout) { enqueued += 1 }
            return true
        }

        var fault: String? {
            if let mistake { return mistake }
            if enqueued > 1 { return "two turns" }
            if place != .outside, enqueued > 0 { return "a turn within a turn" }
            if enqueued > 0, !hasLane { return "a turn without a lane" }
            if turns.count != received - taken { return "the count" }
            if turns.isBusy != (depth > 0) { return "busy" }
            return nil
        }

        /// Whether something is to be done that no turn will do.
        var isForgotten: Bool {
            place == .outside && enqueued == 0 && (needsLayout || (!isEmpty && depth == 0))
        }
    }

    /// Where the lane was there from the beginning, nothing is ever forgotten.
    private struct Attached: MachineRun {
        typealias Input = Run.Input

        private var run: Run

        init() {
            run = Run()
            _ = run.take(.laneGiven)
        }

        mutating func take(_ input: Input) -> Bool { input != .laneGiven && run.take(input) }

        var fault: String? { run.fault ?? (run.isForgotten ? "nobody comes for it" : nil) }
    }

    @Test func updatesAreTakenUpInOrderOneATurnAndNeverWhileBusy() {
        let walked = walk(Run(), length: Effort.number(9, usually: 7))
        #expect(walked.fault == nil)
        #expect(walked.count > 5_000)
    }

    @Test func whateverIsToBeDoneHasATurnOnItsWay() {
        let walked = walk(Attached(), length: Effort.number(9, usually: 7))
        #expect(walked.fault == nil)
        #expect(walked.count > 5_000)
    }
}
