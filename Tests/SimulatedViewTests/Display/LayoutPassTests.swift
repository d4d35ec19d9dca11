import PipelineTestSupport
import Testing

@testable import SimulatedView

/// Everything that can happen to a pass, in every order, up to a length.
@Suite("The rounds of a pass")
struct LayoutPassTests {
    private struct Run: MachineRun {
        enum Input: CaseIterable {
            case needed, invalidated, requested, ended
            case questionBegan, questionEnded, updateBegan, updateEnded
            /// A round after which nothing is to be laid out.
            case quietRound
            /// After each of these something is: the layout gives in to a view that had not been asked, or does
            /// not and is invalidated by someone else; a view comes for the first time, or once more; or nothing
            /// of the kind.
            case yieldingRound, askingRound, showingRound, repeatingRound, idleRound
        }

        private enum Activity { case none, pass, update }

        static let (idleLimit, limit) = (2, 4)

        var pass: LayoutPass
        private var activity = Activity.none
        private var (isNeeded, isPrepared, questions) = (true, false, 0)
        /// Of each round of the pass that is under way, whether it brought news.
        private var news: [Bool] = []
        private var hasRepeated = false
        /// Whether the last round of the pass that is under way has ended: what is needed from now on is for
        /// another pass.
        private var isOver = false
        private var mistake: String?

        init() {
            pass = LayoutPass()
            (pass.idleRoundLimit, pass.totalRoundLimit) = (Self.idleLimit, Self.limit)
        }

        mutating func take(_ input: Input) -> Bool {
            switch input {
            case .needed:
                pass.needed()
                isNeeded = true
            case .invalidated:
                pass.invalidated()
                isPrepared = false
            case .requested: request()
            case .questionBegan:
                pass.questionBegan()
                questions += 1
            case .questionEnded:
                guard questions > 0 else { return false }
                pass.questionEnded()
                questions -= 1
            case .updateBegan:
                guard activity == .none, questions == 0 else { return false }
                pass.updateBegan()
                activity = .update
            case .updateEnded:
                guard activity == .update else { return false }
                pass.updateEnded()
                activity = .none
            case .ended:
                guard activity == .pass, isOver else { return false }
                pass.ended()
                activity = .none
                (news, hasRepeated, isOver) = ([], false, false)
            default:
                guard activity == .pass, isNeeded, !isOver else { return false }
                round(input)
            }
            return true
        }

        private mutating func request() {
            let isFree = activity == .none && questions == 0
            switch pass.requested() {
            case .upToDate: if isNeeded { mistake = "nothing to do" }
            case .rejected: if !isNeeded || isFree { mistake = "rejected" }
            case .begun:
                if !isNeeded || !isFree { mistake = "begun" }
                activity = .pass
            }
        }

        private mutating func round(_ input: Input) {
            pass.roundBegan()
            isNeeded = false
            if pass.preparing() == isPrepared { mistake = "prepared twice, or not at all" }
            isPrepared = true
            let fresh = LayoutPlace.cell(ItemPath(1, news.count))
            if input == .yieldingRound || input == .askingRound { pass.asked(fresh) }
            if input == .yieldingRound {
                pass.invalidated()
                isPrepared = false
            }
            if pass.allAsked() != isPrepared { mistake = "goes on with what is no longer so" }
            switch input {
            case .showingRound: pass.shown(fresh)
            case .repeatingRound: pass.shown(.cell(ItemPath(0, 0)))
            default: break
            }
            if input != .quietRound {
                pass.needed()
                isNeeded = true
            }
            news.append(
                input == .yieldingRound || input == .showingRound
                    || (input == .repeatingRound && !hasRepeated)
            )
            hasRepeated = hasRepeated || input == .repeatingRound
            if pass.roundEnded() != overrun { mistake = "not \(overrun as Any)" }
            if overrun != nil {
                pass.gaveUp()
                isNeeded = false
            }
            isOver = !isNeeded
        }

        private var overrun: LayoutPass.Overrun? {
            guard isNeeded else { return nil }
            let idle = news.reversed().prefix { !$0 }.count
            if idle >= Self.idleLimit { return .withoutNews(rounds: idle) }
            return news.count >= Self.limit ? .inAll(rounds: news.count) : nil
        }

        var fault: String? {
            if let mistake { return mistake }
            if pass.isNeeded != isNeeded { return "needed" }
            if pass.isPrepared != isPrepared { return "prepared" }
            if pass.isUpdating != (activity == .update) { return "updating" }
            if pass.isLocked != (activity != .none || questions > 0) { return "locked" }
            return news.count > Self.limit ? "a pass without end" : nil
        }
    }

    @Test func aPassEndsAndGivesUpAfterRoundsWithoutNewsOrTooManyInAll() {
        let walked = walk(Run(), length: Effort.number(7, usually: 6))
        #expect(walked.fault == nil)
        #expect(walked.count > 20_000)
    }

    @Test func theLimitsAreThoseOfTheDocumentation() {
        let pass = LayoutPass()
        #expect(pass.idleRoundLimit == SimulatedCollectionView.roundLimit)
        #expect(pass.idleRoundLimit == 15 && pass.totalRoundLimit == 10_000)
    }
}
