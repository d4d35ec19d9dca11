import CollectionChanges
import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// The ledger of accepted sets against a plain list of what became of each.
@Suite("The ledger of submissions")
struct SubmissionLedgerTests {
    /// What the pipeline does with its ledger, in every state in which it may.
    private enum Step: CaseIterable {
        case accept, handOverNext, deployNext, finishFirst, finishLast
        case finishAllBeforeLast, finishAllInside
        case decideFirst, decideAllAfterFirst, decideUnknown, removeAll, handOverFirstAgain
    }

    private struct Item: Deliverable {
        let generation: Int
        var id: SubmissionID { SubmissionID(rawValue: generation) }
    }

    private struct Line: Equatable {
        let generation: Int
        var phase = SubmissionLedger<Item>.Phase.preparing
        var outcome = "deployed"
    }

    private struct Books {
        var ledger = SubmissionLedger<Item>()
        var model: [Line] = []
        /// Every second generation, so that there are some which nobody has.
        var generation = 0

        /// Does a step to both; what they say has completed.
        mutating func perform(_ step: Step) -> (ledger: [String], model: [String]) {
            let firstPreparing = model.firstIndex { $0.phase == .preparing }
            let firstWaiting = model.firstIndex { $0.phase == .handedOver }
            let deployed = model.indices.filter { model[$0].phase == .deployed }
            switch step {
            case .accept:
                generation += 2
                ledger.accept(Item(generation: generation))
                model.append(Line(generation: generation))
            case .handOverNext:
                guard let firstPreparing else { break }
                ledger.handOver(model[firstPreparing].generation)
                model[firstPreparing].phase = .handedOver
            case .deployNext:
                guard let firstWaiting else { break }
                ledger.deploy(model[firstWaiting].generation)
                model[firstWaiting].phase = .deployed
            case .finishFirst, .finishLast:
                let position = step == .finishFirst ? deployed.first : deployed.last
                guard let position else {
                    return (texts(ledger.finish(generation + 1)), [])
                }
                let completed = ledger.finish(model[position].generation)
                model[position].phase = .finished
                return (texts(completed), takeFinished())
            case .finishAllBeforeLast:
                guard let last = model.last else {
                    return (texts(ledger.finishAll(from: 0, before: generation + 1)), [])
                }
                let completed = ledger.finishAll(from: 0, before: last.generation)
                for index in model.indices.dropLast() { model[index].phase = .finished }
                return (texts(completed), takeFinished())
            case .finishAllInside:
                // What is before a set that the view rejected was deployed.
                guard model.count > 2, model[0].phase >= .deployed else { break }
                let completed = ledger.finishAll(
                    from: model[1].generation,
                    before: model[model.count - 1].generation
                )
                for index in 1..<(model.count - 1) { model[index].phase = .finished }
                return (texts(completed), takeFinished())
            case .decideFirst:
                guard let first = model.first else { break }
                ledger.setOutcome(.deployedByReload, of: first.generation)
                model[0].outcome = "deployedByReload"
            case .decideAllAfterFirst:
                guard let first = model.first else { break }
                let id = SubmissionID(rawValue: 9)
                ledger.setOutcome(.superseded(by: id), ofAllAfter: first.generation)
                for index in model.indices.dropFirst() { model[index].outcome = "superseded(#9)" }
            case .decideUnknown:
                ledger.setOutcome(.cancelled, of: generation + 1)
                ledger.setOutcome(.cancelled, of: -1)
                ledger.setOutcome(.cancelled, ofAllAfter: 1)
            case .removeAll:
                defer { model = [] }
                return (texts(ledger.removeAll()), model.map(SubmissionLedgerTests.text))
            case .handOverFirstAgain:
                guard let first = model.first, first.phase != .preparing else { break }
                ledger.handOver(first.generation)
                if first.phase == .deployed || first.phase == .finished {
                    ledger.deploy(first.generation)
                }
            }
            return ([], [])
        }

        private func texts(_ entries: [SubmissionLedger<Item>.Entry]) -> [String] {
            entries.map { "\($0.payload.generation) \($0.outcome.text)" }
        }

        private mutating func takeFinished() -> [String] {
            var completed: [String] = []
            while let first = model.first, first.phase == .finished {
                completed.append(SubmissionLedgerTests.text(first))
                model.removeFirst()
            }
            return completed
        }

        /// Where they say something else.
        var difference: String? {
            let preparing = model.count { $0.phase == .preparing }
            let backlog = model.count { $0.phase < .deployed }
            if ledger.preparing != preparing || ledger.backlog != backlog { return "counts" }
            if ledger.isEmpty != model.isEmpty { return "emptiness" }
            let next = model.first { $0.phase < .deployed }?.generation
            if ledger.nextToDeploy?.generation != next { return "next to deploy" }
            if ledger.last?.generation != model.last?.generation { return "last" }
            for asked in -1...(generation + 2) {
                let isHandedOver = model.allSatisfy {
                    $0.generation > asked || $0.phase != .preparing
                }
                if ledger.isHandedOver(through: asked) != isHandedOver { return "handed over" }
                let line = model.first { $0.generation == asked }
                let entry = ledger.entry(asked)
                if entry?.phase != line?.phase || entry?.outcome.text != line?.outcome {
                    return "entry \(asked)"
                }
                for end in [asked + 1, asked + 2, generation, generation + 1] {
                    let between = model.map(\.generation).filter { $0 > asked && $0 < end }
                    let payloads = ledger.payloads(after: asked, before: end)
                    if payloads.map(\.generation) != between { return "between" }
                }
            }
            return nil
        }
    }

    private static func text(_ line: Line) -> String { "\(line.generation) \(line.outcome)" }

    private func fault(_ step: Step, _ books: inout Books) -> String? {
        let completed = books.perform(step)
        if completed.ledger != completed.model { return "\(completed)" }
        return books.difference
    }

    @Test func afterAnyFourStepsItSaysWhatAListWould() {
        func walk(_ books: Books, _ steps: [Step]) -> String? {
            guard steps.count < 4 else { return nil }
            for step in Step.allCases {
                var books = books
                let fault = self.fault(step, &books) ?? walk(books, steps + [step])
                if let fault { return fault }
            }
            return nil
        }
        var books = Books()
        _ = books.perform(.accept)
        #expect(walk(books, [.accept]) == nil)
    }

    @Test(arguments: UInt64(1)...20)
    func afterManyStepsItSaysWhatAListWould(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Effort.number(10, usually: 3) {
            var (books, steps) = (Books(), [Step]())
            for _ in 0..<40 {
                // Accepting as often as all else, so that there is something to do.
                let step =
                    random.next(below: 3) == 0
                    ? .accept : Step.allCases[random.next(below: Step.allCases.count)]
                steps.append(step)
                if let fault = fault(step, &books) {
                    Issue.record("seed \(seed), \(steps): \(fault)")
                    return
                }
            }
        }
    }

    @Test func handingOverAllBeforeASetLeavesThatAndThoseBehindIt() {
        var ledger = SubmissionLedger<Item>()
        for generation in 1...4 { ledger.accept(Item(generation: generation)) }
        ledger.handOver(1)
        // Those before the first are none, though more are handed over by then.
        for first in [3, 1] {
            ledger.handOverAll(before: first)
            let phases = (1...4).map { ledger.entry($0)?.phase }
            #expect(phases == [.handedOver, .handedOver, .preparing, .preparing])
            #expect(ledger.preparing == 2)
        }
    }

    /// It ends as it would alone, but a view that must load does, whatever comes along.
    @Test func aSetThatTakesAnotherInEndsAsAReloadWhereEitherIs() {
        func text(_ first: UpdateOutcome, takenInBy second: UpdateOutcome) -> String? {
            var ledger = SubmissionLedger<Item>()
            ledger.accept(Item(generation: 1), first)
            ledger.merge(into: Item(generation: 2), second)
            return ledger.entry(2)?.outcome.text
        }
        #expect(text(.deployed, takenInBy: .deployed) == "deployed")
        #expect(text(.deployed, takenInBy: .deployedByReload) == "deployedByReload")
        #expect(text(.deployedByReload, takenInBy: .deployed) == "deployedByReload")
    }
}
