import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// The queue of blocks, on a lane with manual turns and on pipelines' lanes.
@Suite("The main serial queue", .endsHangs)
struct MainSerialQueueTests {
    /// A signal that runs a closure instead of waiting, as another thread might.
    private final class BusySignal: PipelineSignal {
        let signals = Journal<Void>()
        let waits = Journal<Void>()
        private let onWait: @Sendable () -> Void

        init(onWait: @escaping @Sendable () -> Void) { self.onWait = onWait }

        func signal() { signals.append(()) }

        func wait() {
            waits.append(())
            onWait()
        }
    }

    private enum Step: CaseIterable { case perform, performNested, turn }

    /// Tries every sequence of seven steps, followed by all remaining turns.
    @Test func everyBlockRunsInItsOwnTurnInOrder() {
        func fault(_ steps: [Step]) -> String? {
            if steps.count == 7 { return self.fault(steps) }
            return Step.allCases.lazy.compactMap { fault(steps + [$0]) }.first
        }
        #expect(fault([]) == nil)
    }

    private func fault(_ steps: [Step]) -> String? {
        let (lane, ran) = (ManualStage.ManualLane("stepped"), Journal<Int>())
        let queue = MainSerialQueue(lane: lane)
        // The expected state: the waiting blocks, and the numbers of the blocks that ran.
        var waiting: [(number: Int, addsAnother: Bool)] = []
        var (expected, next) = ([Int](), 0)
        func perform(addsAnother: Bool) {
            let number = next
            next += addsAnother ? 2 : 1
            waiting.append((number, addsAnother))
            queue.perform {
                ran.append(queue.isRunningBlock ? number : -1)
                if addsAnother { queue.perform { ran.append(number + 1) } }
            }
        }
        func turn() -> Bool {
            guard !waiting.isEmpty else { return lane.turn() }
            let block = waiting.removeFirst()
            expected.append(block.number)
            if block.addsAnother { waiting.append((block.number + 1, false)) }
            return lane.turn()
        }
        func isAsExpected() -> Bool {
            ran.values == expected && queue.numberOfScheduledBlocks == waiting.count
                && !queue.isRunningBlock
        }
        for step in steps {
            switch step {
            case .perform: perform(addsAnother: false)
            case .performNested: perform(addsAnother: true)
            case .turn: _ = turn()
            }
            guard isAsExpected() else { return "\(steps): \(ran.values)" }
        }
        while turn() {}
        let isRight = isAsExpected() && expected.count == next && lane.enqueued == next
        return isRight ? nil : "\(steps): \(ran.values), \(lane.enqueued) turns"
    }

    /// A waiter checks its condition before it runs newly added blocks, and blocks added after the
    /// wait send no signal. A block added before the waiter sleeps leaves a signal; otherwise it
    /// might sleep forever.
    @Test func aWaiterRunsBlocksOnlyUntilItsConditionHolds() {
        for needed in 0...4 {
            for count in 0...4 {
                for isNested in [false, true] where !isNested || count == 1 {
                    let (lane, ran) = (ManualStage.ManualLane("stepped"), Journal<Int>())
                    let queue = MainSerialQueue(lane: lane)
                    for number in 0..<count {
                        queue.perform {
                            ran.append(number)
                            if isNested { queue.perform { ran.append(1) } }
                        }
                    }
                    // The missing blocks arrive one at a time while the waiter sleeps.
                    let signal = BusySignal {
                        let isThere = queue.numberOfScheduledBlocks > 0
                        if !isThere { queue.perform { ran.append(ran.count) } }
                    }
                    lane.perform { queue.drain(until: { ran.count >= needed }, signal: signal) }
                    #expect(ran.values == Array(0..<max(count, needed)))
                    #expect(signal.waits.count == max(0, needed - count))
                    let missing = max(0, needed - count - (isNested ? 1 : 0))
                    #expect(signal.signals.count == missing + (isNested ? 1 : 0))
                    let signals = signal.signals.count
                    queue.perform { ran.append(-1) }
                    #expect(signal.signals.count == signals)
                    while lane.turn() {}
                    #expect(ran.values.last == -1 && !queue.isRunningBlock)
                }
            }
        }
    }

    @Test(arguments: Substrate.allCases)
    func blocksFromManyThreadsDoNotMonopolizeTheLane(_ substrate: Substrate) async {
        let stage = substrate.makeStage()
        let queue = MainSerialQueue(lane: stage.lane)
        let (journal, stop) = (Journal<Int>(), Gate())
        @Sendable func again() {
            if stop.arrivalCount == 0 { queue.perform(again) }
        }
        queue.perform(again)
        await withTaskGroup(of: Void.self) { group in
            for producer in 0..<4 {
                group.addTask {
                    for number in 0..<50 {
                        queue.perform {
                            journal.append(stage.lane.isCurrent ? producer * 1000 + number : -1)
                        }
                    }
                }
            }
        }
        // This turn runs although the queue is never empty.
        await stage.lane.run {
            stop.open()
            stop.pass()
        }
        let values = await journal.values(count: 200)
        for producer in 0..<4 {
            let own = values.filter { $0 / 1000 == producer }
            #expect(own == (0..<50).map { producer * 1000 + $0 })
        }
    }
}

/// The queue compared with an array whose first elements are removed.
@Suite("FIFO queue")
struct FIFOTests {
    private enum Step: CaseIterable { case append, popFirst, removeAll, removeEven, updateLast }

    /// Performs one step on both and returns the first difference.
    private func fault(
        _ step: Step,
        _ queue: inout FIFO<Int>,
        _ model: inout [Int],
        _ next: inout Int
    ) -> String? {
        switch step {
        case .append:
            queue.append(next)
            model.append(next)
            next += 1
        case .popFirst:
            let first = model.isEmpty ? nil : model.removeFirst()
            if queue.popFirst() != first { return "wrong first element" }
        case .removeAll:
            if queue.removeAll() != model { return "removeAll returned wrong elements" }
            model = []
        case .removeEven:
            let position = model.firstIndex { $0.isMultiple(of: 2) }
            let expected = position.map { model.remove(at: $0) }
            if queue.removeFirst(where: { $0.isMultiple(of: 2) }) != expected {
                return "removeFirst returned a wrong element"
            }
        case .updateLast:
            queue.updateLast { $0 += 10 }
            if !model.isEmpty { model[model.count - 1] += 10 }
        }
        let elements = (0..<queue.count).map { queue[$0] }
        if elements != model || queue.isEmpty != model.isEmpty {
            return "\(elements), not \(model)"
        }
        return queue.first == model.first && queue.last == model.last
            ? nil : "wrong first or last element"
    }

    /// Tries all sequences of six steps, and long ones.
    @Test func theQueueMatchesAnArray() {
        func walk(_ queue: FIFO<Int>, _ model: [Int], _ next: Int, _ steps: [Step]) -> String? {
            guard steps.count < 6 else { return nil }
            for step in Step.allCases {
                var (queue, model, next) = (queue, model, next)
                let fault =
                    self.fault(step, &queue, &model, &next)
                    ?? walk(queue, model, next, steps + [step])
                if let fault { return "\(steps), \(step): \(fault)" }
            }
            return nil
        }
        let fault = walk(FIFO(), [], 0, [])
        #expect(fault == nil)
        for length in [1, 63, 64, 65, 66, 127, 128, 129, 130, 200, 1000] {
            var (queue, model, next) = (FIFO<Int>(), [Int](), 0)
            let steps =
                Array(repeating: Step.append, count: length)
                + Array(repeating: .popFirst, count: length * 2 / 3)
                + Array(repeating: .append, count: length / 2)
                + Array(repeating: .popFirst, count: length)
            let fault = steps.lazy.compactMap { self.fault($0, &queue, &model, &next) }.first
            #expect(fault == nil, "\(length) long")
        }
    }

    /// Moving the remaining elements takes no more steps than removals, and removed elements take
    /// no more space than the remaining ones, except for a constant.
    @Test func removalsTakeConstantTimeAndReleaseElements() {
        final class Thing {}
        for length in [1, 63, 64, 65, 127, 128, 129, 130, 500, 10_000] {
            var queue = FIFO<Thing>()
            weak var first: Thing?
            for number in 0..<length {
                let thing = Thing()
                if number == 0 { first = thing }
                queue.append(thing)
            }
            var (moved, left, unused, isRight) = (0, 0, 0, true)
            while queue.popFirst() != nil {
                left += 1
                unused += 1
                let empty = queue.elements.count - queue.count
                if empty < unused {
                    moved += queue.count
                    unused = empty
                }
                isRight = isRight && moved <= left && (empty < 64 || empty < queue.count)
                isRight = isRight && first == nil
            }
            #expect(isRight && left == length && queue.elements.capacity <= 256, "\(length) long")
        }
    }
}
