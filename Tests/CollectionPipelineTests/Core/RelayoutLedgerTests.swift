import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("What everything was measured for")
struct RelayoutLedgerTests {
    /// A ledger beside turns that come when they are asked for, and sets that leave step 3 in their order.
    private struct Run: MachineRun {
        enum Input: CaseIterable {
            /// Somebody asks.
            case asks
            /// The turn comes: nothing is to be measured, the data source cannot be asked, or a relayout begins.
            case settles, isBlocked, begins, beginsWithoutSome
            case acceptsSame, acceptsOther, acceptsAll
            case measures
            /// The last set in step 3 takes in the one before it.
            case merges
        }

        var ledger = RelayoutLedger()
        var isTurnDue = false
        /// Whether somebody has asked since it was looked at last.
        var isUnseen = false
        /// Whether it is to be looked at again, since some was missed.
        var missesSome = false
        /// The generations in step 3.
        var preparing: [Int] = []
        var relayout: Int?
        var generation = 0
        var mistake: String?

        mutating func take(_ input: Input) -> Bool {
            switch input {
            case .asks: (isTurnDue, isUnseen) = (true, true)
            case .settles, .isBlocked, .begins, .beginsWithoutSome:
                guard isTurnDue else { return false }
                isTurnDue = false
                look(input)
            case .acceptsSame: accept(1)
            case .acceptsOther: accept(2)
            case .acceptsAll: accept(2, isOfAll: true)
            case .measures:
                guard let first = preparing.first else { return false }
                preparing.removeFirst()
                let isDue = ledger.measured(first)
                if relayout == first { relayout = nil } else if isDue { mistake = "too early" }
                if isDue { isTurnDue = true }
            case .merges:
                guard preparing.count > 1, let last = preparing.last else { return false }
                let merged = preparing.remove(at: preparing.count - 2)
                if relayout == merged { relayout = last }
            }
            return true
        }

        private mutating func look(_ input: Input) {
            let looks = ledger.turnCame(isAsked: true)
            if looks != (relayout == nil) { mistake = "two relayouts are measured at once" }
            guard looks else { return }
            (isUnseen, missesSome) = (false, false)
            switch input {
            case .settles: ledger.settled(.range(.width(1)))
            case .isBlocked:
                ledger.blocked()
                isUnseen = true
            default:
                accept(2, isOfAll: input == .begins)
                missesSome = input == .beginsWithoutSome
                relayout = generation
                ledger.began(generation, missesSome: missesSome)
            }
        }

        private mutating func accept(_ width: Double, isOfAll: Bool = false) {
            generation += 1
            preparing.append(generation)
            let isOther = ledger.common.map { width != Self.width($0) } ?? false
            if ledger.accepted(.range(.width(width)), isOfAll: isOfAll, isOther: isOther) {
                isTurnDue = true
            }
        }

        private static func width(_ offer: RelayoutLedger.Offer) -> Double {
            if case .range(let range) = offer { range.maximum.width } else { 0 }
        }

        /// Whatever is asked for is looked at in the end, once all that was accepted is measured and one set more.
        var fault: String? {
            if let mistake { return mistake }
            guard isUnseen || missesSome else { return nil }
            var rest = self
            while rest.take(.measures) {}
            _ = rest.take(.acceptsSame)
            return rest.isTurnDue && rest.ledger.turnCame(isAsked: true) ? nil : "it is forgotten"
        }
    }

    @Test func whatIsAskedForIsLookedAtInTheEndAndOneRelayoutIsMeasuredAtATime() {
        let (fault, count) = walk(Run(), length: Effort.isFull ? 8 : 6)
        #expect(fault == nil)
        #expect(count > 10_000)
    }

    @Test func whatWasMeasuredForSomethingElseIsMixedUntilAllIsMeasuredAnew() {
        var ledger = RelayoutLedger()
        func accept(_ width: Double?, isOfAll: Bool = false, isOther: Bool = false) -> Bool {
            ledger.accepted(width.map { .range(.width($0)) }, isOfAll: isOfAll, isOther: isOther)
        }
        #expect(ledger.common == nil && ledger.newest == nil && !ledger.isMixed)
        #expect(!accept(1, isOfAll: true) && !ledger.isMixed)
        #expect(!accept(nil) && !ledger.isMixed)
        #expect(!accept(1) && !ledger.isMixed)
        #expect(!accept(2, isOther: true) && ledger.isMixed)
        #expect(width(ledger.common) == 1 && width(ledger.newest) == 2)
        #expect(!accept(1) && ledger.isMixed, "one is still of another")
        #expect(!accept(3, isOfAll: true) && !ledger.isMixed)
        #expect(width(ledger.common) == 3 && width(ledger.newest) == 3)
        ledger.began(1, missesSome: true)
        #expect(ledger.isMixed)
        ledger.settled(nil)
        #expect(!ledger.isMixed && width(ledger.common) == 3)
        ledger.settled(.range(.width(4)))
        #expect(width(ledger.common) == 4)
    }

    /// It waits for one set, and no longer than until nothing is to be measured.
    @Test(arguments: [true, false])
    func whatCouldNotBeAskedIsAskedOnceMore(_ isSettled: Bool) {
        var ledger = RelayoutLedger()
        let looks = ledger.turnCame(isAsked: true)
        #expect(looks)
        ledger.blocked()
        if isSettled { ledger.settled(nil) }
        let answers = (0..<2).map { _ in ledger.accepted(nil, isOfAll: false, isOther: false) }
        #expect(answers == [!isSettled, false])
    }

    private func width(_ offer: RelayoutLedger.Offer?) -> Double? {
        if case .range(let range) = offer { range.maximum.width } else { nil }
    }
}
