import CollectionElements
import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionPipeline

/// Takes inputs at random, for longer than every sequence could be tried.
///
/// - Returns: the first sequence after which a promise does not hold, with the promise and the seed.
func wander<Run: MachineRun>(_ start: Run, seeds: Int, steps: Int) -> String? {
    for seed in 1...UInt64(seeds) {
        var random = SeededGenerator(seed: seed)
        var (run, inputs) = (start, [Run.Input]())
        for _ in 0..<steps {
            guard let input = Run.Input.allCases.randomElement(using: &random) else { return nil }
            // The last is the end of many machines, and comes seldom.
            let isLast = inputs.count % 8 != 0 && "\(input)" == "\(Array(Run.Input.allCases).last!)"
            guard !isLast, run.take(input) else { continue }
            inputs.append(input)
            if let fault = run.fault { return "seed \(seed), \(inputs): \(fault)" }
        }
    }
    return nil
}

private func makeElement(_ model: Int) -> CollectionElement {
    let surroundings = ElementSurroundings(Traits())
    let terms = ElementTerms(sizeRange: .unconstrained, surroundings: surroundings)
    return ProvidedElement(model: model, provider: nil, terms: terms)
}

@Suite("Who wants to be measured again")
struct LayoutRequestsTests {
    /// Every sequence of four wishes of two elements. Who wants another size is not content with any.
    @Test func everyoneIsPartOfTheNextTurnOnceWithTheGreaterWish() {
        let elements = (0..<2).map(makeElement)
        for sequence in 0..<256 {
            var requests = LayoutRequests()
            var (order, wishes) = ([Int](), [Int: LayoutRequests.Wish]())
            for step in 0..<4 {
                let choice = sequence >> (2 * step) & 3
                let (number, wish) = (choice & 1, choice < 2 ? LayoutRequests.Wish.size : .newSize)
                if wishes[number] == nil { order.append(number) }
                if wishes[number] != .newSize { wishes[number] = wish }
                let asksForTurn = requests.asked(elements[number], wish)
                #expect(asksForTurn == (step == 0))
            }
            let asksForTurn = requests.askedForAll()
            let (asked, next) = (requests.turnCame(), requests.turnCame())
            #expect(!asksForTurn && asked.isForAll && !next.isForAll && next.elements.isEmpty)
            #expect(asked.elements.map(\.0) == order.map { elements[$0] })
            #expect(asked.elements.map { Optional($0.1) } == order.map { wishes[$0] })
        }
    }
}

@Suite("What is measured later")
struct PutOffWorkTests {
    private struct Run: MachineRun {
        enum Input: CaseIterable {
            case addsLarge, addsSmall, addsNothing, isPreparing, isFree, turnComes, ends, removesAll
        }

        var work = PutOffWork()
        /// The numbers of what is put off, a plan each, by the parts that are left.
        var plans: [[[Int]]] = []
        var (next, isAsked, isUnderWay): (Int, Bool, Bool) = (0, false, false)
        var fault: String?

        mutating func take(_ input: Input) -> Bool {
            switch input {
            case .addsLarge: add(700, grain: 300)
            case .addsSmall: add(3, grain: 2)
            case .addsNothing: add(0, grain: 2)
            case .isPreparing:
                if work.needsTurn(isPreparing: true) {
                    fault = "a turn comes before what is urgent"
                }
            case .isFree:
                let isDue = work.needsTurn(isPreparing: false)
                if isDue != (!isUnderWay && !plans.isEmpty) { fault = "a turn is due: \(isDue)" }
                if isDue { (isAsked, isUnderWay) = (true, true) }
            case .turnComes:
                guard isAsked else { return false }
                isAsked = false
                let found = work.turnCame().map { $0.model as? Int ?? -1 }
                if found != takeStretch() { fault = "\(found.count) come" }
            case .ends:
                guard isUnderWay, !isAsked else { return false }
                isUnderWay = false
                work.turnEnded()
            case .removesAll:
                plans = []
                work.removeAll()
            }
            if work.isEmpty != plans.isEmpty { fault = "emptiness" }
            return true
        }

        private mutating func add(_ count: Int, grain: Int) {
            let numbers = Array(next..<(next + count))
            next += count
            var prepared = PreparationWork()
            prepared.singles = numbers.map { (ItemPath(0, $0), makeElement($0).firstContent) }
            work.add(PreparationPlan(prepared, grain: grain))
            let parts = stride(from: 0, to: count, by: grain).map {
                Array(numbers[$0..<min($0 + grain, count)])
            }
            if count > 0 { plans.append(parts) }
        }

        /// The newest first, until there are enough.
        private mutating func takeStretch() -> [Int] {
            var taken: [Int] = []
            while taken.count < 512, !plans.isEmpty {
                taken += plans[plans.count - 1].removeFirst()
                if plans[plans.count - 1].isEmpty { plans.removeLast() }
            }
            return taken
        }
    }

    @Test func aTurnHasAStretchOfTheNewestAndOthersWaitForItsEnd() {
        #expect(walk(Run(), length: Effort.number(6, usually: 4)).fault == nil)
        #expect(wander(Run(), seeds: 10, steps: 40) == nil)
    }
}
