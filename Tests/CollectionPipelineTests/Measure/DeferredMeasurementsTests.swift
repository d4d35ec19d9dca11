import CollectionElements
import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionPipeline

/// Applies random inputs, for longer runs than an exhaustive walk can cover.
///
/// - Returns: the first sequence that breaks a promise, with the promise and the seed.
func randomWalk<Run: MachineRun>(_ start: Run, seeds: Int, steps: Int) -> String? {
    for seed in 1...UInt64(seeds) {
        var random = SeededGenerator(seed: seed)
        var (run, inputs) = (start, [Run.Input]())
        for _ in 0..<steps {
            guard let input = Run.Input.allCases.randomElement(using: &random) else { return nil }
            // The last input ends many machines, so it is rare.
            let isLast = inputs.count % 8 != 0 && "\(input)" == "\(Array(Run.Input.allCases).last!)"
            guard !isLast, run.take(input) else { continue }
            inputs.append(input)
            if let fault = run.fault { return "seed \(seed), \(inputs): \(fault)" }
        }
    }
    return nil
}

private func makeElement(_ model: Int) -> CollectionElement {
    let elementEnvironment = ElementEnvironment(Traits())
    let configuration = ElementConfiguration(
        sizeRange: .unconstrained,
        elementEnvironment: elementEnvironment
    )
    return ProvidedElement(model: model, provider: nil, configuration: configuration)
}

@Suite("Layout requests")
struct LayoutRequestsTests {
    /// Tries every sequence of four requests of two elements. A request for a new size is never
    /// weakened.
    @Test func eachElementIsInTheNextTurnOnceWithItsStrongestRequest() {
        let elements = (0..<2).map(makeElement)
        for sequence in 0..<256 {
            var requests = LayoutRequests()
            var (order, kinds) = ([Int](), [Int: LayoutRequests.RequestKind]())
            for step in 0..<4 {
                let choice = sequence >> (2 * step) & 3
                let (number, kind) = (
                    choice & 1, choice < 2 ? LayoutRequests.RequestKind.size : .newSize
                )
                if kinds[number] == nil { order.append(number) }
                if kinds[number] != .newSize { kinds[number] = kind }
                let action = requests.requested(elements[number], kind)
                #expect(action == (step == 0 ? .enqueueTurn : .wait))
            }
            let action = requests.requestedForAll()
            let (requested, next) = (requests.beginTurn(), requests.beginTurn())
            #expect(action == .wait && requested.isForAll && next.isEmpty)
            #expect(requested.elements.map(\.0) == order.map { elements[$0] })
            #expect(requested.elements.map { Optional($0.1) } == order.map { kinds[$0] })
        }
    }
}

@Suite("Postponed work")
struct DeferredMeasurementsTests {
    private struct Run: MachineRun {
        enum Input: CaseIterable {
            case addsLarge, addsSmall, addsNothing, isPreparing, isFree, turnComes, ends, removesAll
        }

        var work = DeferredMeasurements()
        /// The postponed numbers: for each plan, its remaining parts.
        var plans: [[[Int]]] = []
        var (next, isRequested, isUnderWay): (Int, Bool, Bool) = (0, false, false)
        var fault: String?

        mutating func take(_ input: Input) -> Bool {
            switch input {
            case .addsLarge: add(700, grain: 300)
            case .addsSmall: add(3, grain: 2)
            case .addsNothing: add(0, grain: 2)
            case .isPreparing:
                if work.needsTurn(isPreparing: true) {
                    fault = "a turn before urgent work"
                }
            case .isFree:
                let isDue = work.needsTurn(isPreparing: false)
                if isDue != (!isUnderWay && !plans.isEmpty) { fault = "a turn is due: \(isDue)" }
                if isDue { (isRequested, isUnderWay) = (true, true) }
            case .turnComes:
                guard isRequested else { return false }
                isRequested = false
                let found = work.beginTurn().map { $0.model as? Int ?? -1 }
                if found != takeStretch() { fault = "wrong work of \(found.count) items" }
            case .ends:
                guard isUnderWay, !isRequested else { return false }
                isUnderWay = false
                work.turnEnded()
            case .removesAll:
                plans = []
                work.removeAll()
            }
            if work.isEmpty != plans.isEmpty { fault = "isEmpty is wrong" }
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

        /// Returns parts of the newest plans until there are enough elements.
        private mutating func takeStretch() -> [Int] {
            var taken: [Int] = []
            while taken.count < 512, !plans.isEmpty {
                taken += plans[plans.count - 1].removeFirst()
                if plans[plans.count - 1].isEmpty { plans.removeLast() }
            }
            return taken
        }
    }

    @Test func turnsTakeTheNewestWorkOneAtATime() {
        #expect(walk(Run(), length: Effort.number(6, usually: 4)).fault == nil)
        #expect(randomWalk(Run(), seeds: 10, steps: 40) == nil)
    }
}

@Suite("Worker schedule", .endsHangs)
struct WorkerPoolTests {
    /// Hands out all parts, with the last job added after `delay` parts. Returns the job of each
    /// part in order, or `nil` if there were too many or too few workers.
    private func turns(_ sizes: [Int], lastComesAfter delay: Int, width: Int) -> [Int]? {
        var schedule = WorkerPool.Schedule()
        let jobs = sizes.map { WorkerPool.Job(parts: $0, body: { _ in }, completion: {}) }
        let others = sizes.dropLast().reduce(0, +)
        var (turns, workers, isRight) = ([Int](), 0, true)
        func add(_ job: WorkerPool.Job) {
            workers += schedule.add(job, width: width)
            isRight = isRight && (1...width).contains(workers)
        }
        func take() {
            guard let (job, part) = schedule.nextPart() else { return workers -= 1 }
            let number = jobs.firstIndex { $0 === job } ?? -1
            isRight = isRight && part == turns.count { $0 == number }
            turns.append(number)
        }
        for job in jobs.dropLast() { add(job) }
        while turns.count < min(delay, others) { take() }
        // The workers have ended by then.
        while delay > others, workers > 0 { take() }
        if let last = jobs.last { add(last) }
        while workers > 0 { take() }
        return isRight && turns.count == sizes.reduce(0, +) ? turns : nil
    }

    /// Tries every number of parts of up to three jobs, and every delay of the last job.
    @Test(arguments: 1...3)
    func jobsAlternateAndEveryPartRunsOnce(_ width: Int) {
        for sizes in (1...3).flatMap({ Self.lists(of: $0, upTo: 4) }) {
            let others = sizes.dropLast().reduce(0, +)
            for delay in 0...(others + 1) {
                guard let turns = turns(sizes, lastComesAfter: delay, width: width) else {
                    Issue.record("\(sizes), the last after \(delay): workers or parts")
                    return
                }
                for waiting in sizes.indices {
                    // From the arrival of the job, and from each of its parts, to its next part.
                    var start = waiting == sizes.count - 1 ? min(delay, others) : 0
                    for end in turns.indices where turns[end] == waiting && end >= start {
                        let between = turns[start..<end]
                        if Set(between).count < between.count {
                            Issue.record("\(sizes) gave \(turns)")
                        }
                        start = end + 1
                    }
                }
            }
        }
    }

    private static func lists(of count: Int, upTo limit: Int) -> [[Int]] {
        count == 0
            ? [[]]
            : lists(of: count - 1, upTo: limit).flatMap { list in
                (1...limit).map { list + [$0] }
            }
    }
}
