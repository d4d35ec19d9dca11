import JournalCampaign
import Testing

/// The campaign's checks find what they are there for, and nothing else.
struct LedgerTests {
    private let first = CampaignTerm(epoch: 1, nonce: 7)
    private let second = CampaignTerm(epoch: 2, nonce: 9)
    private let member = MemberLife(0, life: 1)
    private let other = MemberLife(1, life: 1)

    private func shown(_ version: Int, _ digest: String, _ mark: EditMark?, isReset: Bool = false)
        -> MemberReport
    {
        .shown(version: "h.\(version)", digest: digest, mark, isReset: isReset)
    }

    private func ledger(_ reports: [(UInt64, MemberReport)]) -> CampaignLedger {
        var ledger = CampaignLedger()
        for (time, report) in reports { ledger.take(TimedReport(time, report), from: member) }
        return ledger
    }

    private func acknowledged(_ numbers: ClosedRange<Int>, at time: UInt64) -> [(
        UInt64, MemberReport
    )] {
        numbers.map { number in
            (time, .acknowledged(EditMark(first, number), submitted: time - 1))
        }
    }

    // MARK: States

    @Test func equalStatesOfAllMembersAreWell() {
        var ledger = ledger([(1, shown(5, "aa", nil)), (2, shown(6, "bb", EditMark(first, 1)))])
        ledger.take(TimedReport(3, shown(5, "aa", nil)), from: other)
        ledger.take(TimedReport(4, shown(6, "bb", EditMark(first, 1))), from: other)
        #expect(ledger.violations.isEmpty)
        #expect(ledger.shownStates == 4)
    }

    @Test func twoDigestsAtOneVersionAreFound() {
        var ledger = ledger([(1, shown(5, "aa", nil))])
        ledger.take(TimedReport(2, shown(5, "ab", nil)), from: other)
        #expect(ledger.violations.map(\.kind) == [.digests])
    }

    @Test func anEditThatIsDoubledOrLeftOutInAStateIsFound() {
        #expect(ledger([(1, .misfit("edit 2 follows on 2"))]).violations.map(\.kind) == [.order])
    }

    @Test func anUpdateThatGoesBackIsFound() {
        let reports = [
            (UInt64(1), shown(5, "aa", EditMark(first, 5))),
            (2, shown(6, "bb", EditMark(first, 4))),
        ]
        #expect(ledger(reports).violations.map(\.kind) == [.order])
    }

    @Test func anUpdateToAnEarlierLeadershipIsFound() {
        let reports = [
            (UInt64(1), shown(5, "aa", EditMark(second, 1))),
            (2, shown(6, "bb", EditMark(first, 9))),
        ]
        #expect(ledger(reports).violations.map(\.kind) == [.writers])
    }

    @Test func whoIsGivenEverythingOrLivesAgainMayHaveLess() {
        var ledger = ledger([
            (1, shown(5, "aa", EditMark(first, 5))),
            (2, shown(4, "bb", EditMark(first, 4), isReset: true)),
        ])
        let next = MemberLife(0, life: 2)
        ledger.take(TimedReport(3, shown(3, "cc", EditMark(first, 3))), from: next)
        #expect(ledger.violations.isEmpty)
    }

    // MARK: What was acknowledged

    @Test func anAcknowledgedEditThatIsNotThereAtTheEndIsFound() {
        var ledger = ledger(acknowledged(1...5, at: 10))
        ledger.checkEnd([EditMark(first, 5)], at: 20)
        #expect(ledger.violations.isEmpty)
        ledger = self.ledger(acknowledged(1...5, at: 10))
        ledger.checkEnd([EditMark(first, 4)], at: 20)
        #expect(ledger.violations.map(\.kind) == [.lost])
        ledger = self.ledger(acknowledged(1...1, at: 10))
        ledger.checkEnd([], at: 20)
        #expect(ledger.violations.map(\.kind) == [.lost])
    }

    @Test func whatWasThereAtTheEndOfARoundIsMissedInTheNext() {
        var ledger = ledger(acknowledged(1...5, at: 10))
        ledger.checkEnd([EditMark(first, 7)], at: 20)
        ledger.checkEnd([EditMark(first, 6)], at: 30)
        #expect(ledger.violations.map(\.kind) == [.lost])
    }

    @Test func aLossOfTheStoreExcusesWhatWasAcknowledgedBefore() {
        var ledger = ledger(acknowledged(1...5, at: 10))
        ledger.lossBegan(at: 15, leader: first)
        ledger.lossEnded(at: 16)
        ledger.checkEnd([], at: 20)
        #expect(ledger.violations.isEmpty)
    }

    @Test func aLossOfTheStoreExcusesNothingThatCameLater() {
        var ledger = CampaignLedger()
        ledger.lossBegan(at: 5, leader: nil)
        ledger.lossEnded(at: 6)
        for (time, report) in acknowledged(1...5, at: 10) {
            ledger.take(TimedReport(time, report), from: member)
        }
        ledger.checkEnd([], at: 20)
        #expect(ledger.violations.map(\.kind) == [.lost])
    }

    @Test func aCopyOfTheStoreHasWhatWasAcknowledgedBeforeIt() {
        var ledger = ledger(acknowledged(1...5, at: 10) + acknowledged(6...6, at: 13))
        #expect(ledger.copyIsComplete(at: 12) == 12)
        ledger.lossBegan(at: 15, keptUntil: 12, leader: nil)
        ledger.lossEnded(at: 16)
        // A copy that is made now has no more.
        #expect(ledger.copyIsComplete(at: 17) == 12)
        var copy = ledger
        ledger.checkEnd([EditMark(first, 5)], at: 20)
        #expect(ledger.violations.isEmpty)
        copy.checkEnd([EditMark(first, 4)], at: 20)
        #expect(copy.violations.map(\.kind) == [.lost])
    }

    @Test func aLeaderThatGoesOnPutsBackWhatTheStoreHasLost() {
        var ledger = ledger(acknowledged(1...5, at: 10))
        ledger.lossBegan(at: 15, leader: first)
        ledger.lossEnded(at: 16)
        // Submitted before: it may have been read back before.
        let early = MemberReport.acknowledged(EditMark(first, 6), submitted: 14)
        ledger.take(TimedReport(17, early), from: member)
        var unanswered = ledger
        unanswered.checkEnd([], at: 20)
        #expect(unanswered.violations.isEmpty)
        let later = MemberReport.acknowledged(EditMark(first, 7), submitted: 17)
        ledger.take(TimedReport(18, later), from: member)
        ledger.checkEnd([EditMark(second, 3)], at: 20)
        #expect(ledger.violations.map(\.kind) == [.lost])
    }

    @Test(arguments: [false, true])
    func aPurgedLogIsMadeGoodByASnapshot(_ isTaken: Bool) {
        var ledger = ledger(acknowledged(1...5, at: 10))
        ledger.lossBegan(at: 15, leader: first, needsSnapshot: true)
        ledger.lossEnded(at: 16)
        let later = MemberReport.acknowledged(EditMark(first, 6), submitted: 17)
        ledger.take(TimedReport(18, later), from: member)
        if isTaken {
            let snapshot = MemberReport.event(CampaignLedger.snapshotTaken)
            ledger.take(TimedReport(19, snapshot), from: member)
        }
        ledger.checkEnd([EditMark(first, 4), EditMark(second, 1)], at: 20)
        // Edit 6 was submitted afterwards, and is missed either way.
        #expect(ledger.violations.map(\.kind) == [.lost])
        let message = ledger.violations.first?.message ?? ""
        #expect(message.contains(isTaken ? "edit 5" : "edit 6"))
    }

    // MARK: Who is fenced

    @Test func anAcknowledgementBehindTheOpeningOfALaterEpochIsFound() {
        let begins = MemberReport.began(second, [EditMark(first, 5)])
        let late = [(UInt64(20), begins)] + acknowledged(6...6, at: 21)
        #expect(ledger(acknowledged(1...5, at: 10) + late).violations.map(\.kind) == [.fenced])
    }

    @Test func anOpeningThatLacksWhatWasAcknowledgedIsFound() {
        let begins = MemberReport.began(second, [EditMark(first, 4)])
        let reports = acknowledged(1...5, at: 10) + [(20, begins)]
        #expect(ledger(reports).violations.map(\.kind) == [.fenced])
        let empty = acknowledged(1...5, at: 10) + [(20, MemberReport.began(second, []))]
        #expect(ledger(empty).violations.map(\.kind) == [.fenced])
    }

    @Test func anAcknowledgementThatIsToldLateOfWhatTheNextBeganWithIsWell() {
        let begins = MemberReport.began(second, [EditMark(first, 5)])
        let reports = [(UInt64(20), begins)] + acknowledged(1...5, at: 30)
        #expect(ledger(reports).violations.isEmpty)
    }

    @Test func aBrokerThatWentBackInBetweenHasAnotherOrder() {
        var ledger = ledger(acknowledged(1...5, at: 10))
        ledger.lossBegan(at: 12, leader: first)
        ledger.lossEnded(at: 13)
        ledger.take(TimedReport(20, .began(second, [EditMark(first, 4)])), from: other)
        #expect(ledger.violations.isEmpty)
    }

    @Test func theLongestTimeWithoutALeaderIsMeasured() {
        var clock = LeaderClock()
        clock.began(member, at: 10)
        clock.began(other, at: 20)
        clock.ended(member, at: 30)
        #expect(clock.longest == 0)
        clock.ended(other, at: 40)
        clock.began(member, at: 55)
        #expect(clock.longest == 15)
    }
}
