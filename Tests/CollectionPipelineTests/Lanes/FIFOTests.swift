import Testing

@testable import CollectionPipeline

/// The queue against an array, of which the first elements are removed.
@Suite("The queue of what waits")
struct FIFOTests {
    private enum Step: CaseIterable {
        case append, popFirst, removeAll, removeEven, replaceLast
    }

    /// Does one step to both, and says where they differ.
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
            if queue.popFirst() != first { return "another first" }
        case .removeAll:
            if queue.removeAll() != model { return "removes others" }
            model = []
        case .removeEven:
            let position = model.firstIndex { $0.isMultiple(of: 2) }
            let expected = position.map { model.remove(at: $0) }
            if queue.removeFirst(where: { $0.isMultiple(of: 2) }) != expected { return "another" }
        case .replaceLast:
            guard !model.isEmpty else { return nil }
            model[model.count - 1] += 10
            queue[queue.count - 1] = model[model.count - 1]
        }
        let elements = (0..<queue.count).map { queue[$0] }
        if elements != model || queue.count != model.count { return "\(elements), not \(model)" }
        if queue.isEmpty != model.isEmpty { return "is empty or not" }
        if queue.first != model.first || queue.last != model.last { return "another end" }
        return nil
    }

    /// All sequences of six steps.
    @Test func itIsAnArrayOfWhichTheFirstLeave() {
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
    }

    @Test func aLongOneIsAnArrayToo() {
        for length in [1, 63, 64, 65, 66, 127, 128, 129, 130, 200, 1000] {
            var (queue, model, next) = (FIFO<Int>(), [Int](), 0)
            let steps =
                Array(repeating: Step.append, count: length)
                + Array(repeating: .popFirst, count: length * 2 / 3)
                + Array(repeating: .append, count: length / 2)
                + Array(repeating: .popFirst, count: length)
            for (number, step) in steps.enumerated() {
                if let fault = fault(step, &queue, &model, &next) {
                    Issue.record("\(length) long, step \(number): \(fault)")
                    break
                }
            }
        }
    }

    /// Moving what is left forward takes no more than leaving did, and what has left takes no more room
    /// than what is left, some places aside.
    @Test func whatLeavesCostsConstantTimeAndLeavesNoRoomBehind() {
        for length in [1, 63, 64, 65, 127, 128, 129, 130, 500, 1000] {
            var queue = FIFO<Int>()
            for number in 0..<length { queue.append(number) }
            var (moved, left, unused) = (0, 0, 0)
            while queue.popFirst() != nil {
                left += 1
                unused += 1
                let empty = queue.elements.count - queue.count
                if empty < unused {
                    moved += queue.count
                    unused = empty
                }
                #expect(moved <= left, "\(length) long, \(left) have left")
                #expect(empty < 64 || empty < queue.count, "\(length) long, \(left) have left")
            }
            #expect(left == length)
        }
    }

    @Test func oneThatWasLongGivesItsRoomBackAndAShortOneKeepsIt() {
        for length in [1, 10, 64, 65, 1000, 10_000] {
            var queue = FIFO<Int>()
            for number in 0..<length { queue.append(number) }
            while queue.popFirst() != nil {}
            #expect(queue.elements.capacity > 0 && queue.elements.capacity <= 256)
        }
    }

    @Test func whatHasLeftIsReleasedAtOnce() {
        final class Thing {}
        var queue = FIFO<Thing>()
        let things = (0..<3).map { _ in Thing() }
        weak var first: Thing?
        do {
            let thing = Thing()
            first = thing
            queue.append(thing)
        }
        for thing in things { queue.append(thing) }
        _ = queue.popFirst()
        #expect(first == nil)
        #expect(queue.count == 3)
    }

    @Test func theLastIsChangedInPlaceWhereThereIsOne() {
        var queue = FIFO<Int>()
        queue.updateLast { $0 += 10 }
        #expect(queue.isEmpty)
        for number in 1...2 { queue.append(number) }
        queue.updateLast { $0 += 10 }
        #expect((0..<queue.count).map { queue[$0] } == [1, 12])
        while queue.popFirst() != nil {}
        queue.updateLast { $0 += 10 }
        #expect(queue.isEmpty && queue.last == nil)
    }
}
