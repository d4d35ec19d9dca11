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
            /// A turn comes in which only single nodes are measured again.
            case passes
            case acceptsSame, acceptsOther, acceptsAll
            case measures
            /// The last set in step 3 takes in the one before it.
            case merges
        }

        var ledger = RelayoutLedger()
        var isTurnDue = false
        /// Whether a relayout was requested after the last look.
        var isUnseen = false
        /// Whether a second look is due because some elements were missed.
        var missesSome = false
        /// The generations in step 3.
        var preparing: [Int] = []
        var relayout: Int?
        /// The expected answers of the ledger: the widths of all elements and of the newest, and whether some differ.
        var (common, newest, isMixed): (Double?, Double?, Bool) = (nil, nil, false)
        var generation = 0
        var mistake: String?

        mutating func take(_ input: Input) -> Bool {
            switch input {
            case .asks: (isTurnDue, isUnseen) = (true, true)
            case .settles, .isBlocked, .begins, .beginsWithoutSome:
                guard isTurnDue else { return false }
                isTurnDue = false
                look(input)
            case .passes: if ledger.turnCame(isAsked: false) { mistake = "nobody has asked" }
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
            case .settles:
                ledger.settled(.range(.width(1)))
                (common, isMixed) = (1, false)
            case .isBlocked:
                ledger.blocked()
                isUnseen = true
            default:
                accept(2, isOfAll: input == .begins)
                missesSome = input == .beginsWithoutSome
                relayout = generation
                ledger.began(generation, missesSome: missesSome)
                if missesSome { isMixed = true }
            }
        }

        private mutating func accept(_ width: Double, isOfAll: Bool = false) {
            generation += 1
            preparing.append(generation)
            let isOther = common.map { $0 != width } ?? false
            newest = width
            if isOfAll { (common, isMixed) = (width, false) } else if isOther { isMixed = true }
            if ledger.accepted(.range(.width(width)), isOfAll: isOfAll, isOther: isOther) {
                isTurnDue = true
            }
        }

        private static func width(_ offer: RelayoutLedger.Offer?) -> Double? {
            if case .range(let range) = offer { range.maximum.width } else { nil }
        }

        /// Whatever is asked for is looked at in the end, once all that was accepted is measured and one set more.
        var fault: String? {
            if let mistake { return mistake }
            let said = (Self.width(ledger.common), Self.width(ledger.newest), ledger.isMixed)
            if said != (common, newest, isMixed) { return "\(said) is said" }
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
        #expect(wander(Run(), seeds: 20, steps: 60) == nil)
    }
}
