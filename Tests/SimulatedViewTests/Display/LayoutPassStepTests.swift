import PipelineTestSupport
import Testing

@testable import SimulatedView

/// Single steps of a pass, by hand; `LayoutPassTests` walks through all of them.
@Suite("Steps of a pass")
struct LayoutPassStepTests {
    private let first = LayoutPlace.cell(ItemPath(0, 0))

    /// A pass that has begun.
    private func pass(idleRounds: Int) -> LayoutPass {
        var pass = LayoutPass()
        pass.idleRoundLimit = idleRounds
        guard case .begun = pass.requested() else {
            Issue.record("nothing is to be laid out")
            return pass
        }
        return pass
    }

    @Test func atFirstAllIsToBeLaidOutAndNothingIsPrepared() {
        let pass = LayoutPass()
        #expect(pass.isNeeded && !pass.isPrepared && !pass.isLocked)
        #expect(pass.totalRoundLimit == 10_000 && DisplayState().viewLimit == 10_000)
    }

    @Test func nothingIsPutIntoAPassThatHasBegun() {
        var pass = pass(idleRounds: 15)
        #expect(pass.isLocked)
        guard case .rejected = pass.requested() else {
            Issue.record("a pass within a pass")
            return
        }
    }

    /// Nothing was shown in the second round, since the layout was invalid too early.
    @Test func newsAreOfOneRoundAlsoWhereTheNextIsCutShort() {
        var pass = pass(idleRounds: 1)
        pass.roundBegan()
        pass.shown(first)
        pass.needed()
        #expect(pass.roundEnded() == nil)
        pass.roundBegan()
        pass.needed()
        #expect(pass.roundEnded() == .withoutNews(rounds: 1))
    }

    @Test func havingAskedIsNoNewsWhereTheLayoutStaysAsItWas() {
        var pass = pass(idleRounds: 1)
        pass.roundBegan()
        pass.preparing()
        pass.asked(first)
        let goesOn = pass.allAsked()
        pass.needed()
        #expect(goesOn && pass.roundEnded() == .withoutNews(rounds: 1))
    }

    @Test func whatComesIntoSightASecondTimeIsNoNews() {
        var pass = pass(idleRounds: 1)
        pass.roundBegan()
        pass.shown(first)
        pass.needed()
        #expect(pass.roundEnded() == nil)
        pass.roundBegan()
        pass.shown(first)
        pass.needed()
        #expect(pass.roundEnded() == .withoutNews(rounds: 1))
    }

    @Test func aRoundWithNewsIsNotCountedAmongThoseWithout() {
        var pass = pass(idleRounds: 2)
        pass.roundBegan()
        pass.shown(first)
        pass.needed()
        #expect(pass.roundEnded() == nil)
        pass.roundBegan()
        pass.needed()
        #expect(pass.roundEnded() == nil)
        pass.roundBegan()
        pass.needed()
        #expect(pass.roundEnded() == .withoutNews(rounds: 2))
    }
}
