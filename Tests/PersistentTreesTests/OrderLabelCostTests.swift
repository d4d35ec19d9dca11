import Foundation
import TestSupport
import Testing

@testable import PersistentTrees

/// How many elements get another label, counted.
@Suite("The cost of order labels")
struct OrderLabelCostTests {
    /// Where the next element goes, by its number and how many there are.
    struct Pattern: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let labels: [Int]
        /// Many for those that cost the most.
        let steps: Int
        let position: @Sendable (_ step: Int, _ count: Int) -> Int

        init(
            _ name: String,
            _ labels: [Int] = LabelModel.spaced(2),
            steps: Int = 1500,
            _ position: @escaping @Sendable (_ step: Int, _ count: Int) -> Int
        ) {
            testDescription = name
            self.labels = labels
            self.steps = steps
            self.position = position
        }
    }

    private static let end = OrderLabels.universe.upperBound

    private static let longest = Effort.number(10_000, usually: 3_000)

    static let patterns: [Pattern] = [
        Pattern("always first") { _, _ in 0 },
        Pattern("always second", steps: longest) { _, _ in 1 },
        Pattern("always last") { _, count in count },
        Pattern("always last but one") { _, count in count - 1 },
        Pattern("always in the middle", steps: longest) { _, count in count / 2 },
        Pattern("behind the one before") { step, _ in step + 1 },
        Pattern("around one place") { step, _ in 1 + step / 2 + step % 2 },
        Pattern("zig-zag") { step, count in step % 2 == 0 ? 1 : count - 1 },
        Pattern("at two places", LabelModel.spaced(50)) { step, count in
            step % 2 == 0 ? 10 : count - 10
        },
        Pattern("first, where labels begin", [0], steps: longest) { _, _ in 0 },
        Pattern("last, where labels end", [end - 1]) { _, count in count },
        Pattern("second, where labels begin", [0, 1]) { _, _ in 1 },
        Pattern("last but one, where labels end", [end - 2, end - 1]) { _, count in count - 1 },
        Pattern("among neighbours", Array(0..<3000), steps: longest) { _, _ in 1500 },
        Pattern("among neighbours at the end", Array(end - 3000..<end)) { _, count in count },
        Pattern("everywhere among neighbours", Array(0..<3000)) { step, count in
            step &* 7919 % count
        },
    ]

    @Test(arguments: patterns, [false, true])
    func anInsertionCostsLogarithmicallyManyLabelsOnAverage(
        _ pattern: Pattern,
        tellingTheNewest tellsNewest: Bool
    ) {
        var model = LabelModel(
            pattern.labels,
            nodeCapacity: .standard,
            tellsNewest: tellsNewest
        )
        for step in 0..<pattern.steps {
            let position = pattern.position(step, model.count)
            model.insert(at: position)
            if let fault = model.localFault(at: position) {
                Issue.record("step \(step): \(fault)")
                return
            }
        }
        #expect(model.fault() == nil)
        // The most that was seen is 0.7 times that, in the pattern among neighbours. In theory it is
        // at most 4 times: the range that is spread holds 2^k elements and its quarters have room for
        // 2^(k-2) more, so each of the log2(n) ranges around an element costs 4 an insertion.
        let logarithm = log2(Double(model.count))
        #expect(model.cost <= logarithm, "\(model.longestSpread) at the most")
    }

    /// What feeds do: put in behind a pinned first row, or before a last one.
    @Test(arguments: ["always second", "always last but one", "behind the one before"])
    func insertionsBesideTheNewestCostNextToNothing(_ name: String) throws {
        let pattern = try #require(Self.patterns.first { $0.testDescription == name })
        var model = LabelModel(pattern.labels, nodeCapacity: .standard, tellsNewest: true)
        for step in 0..<Self.longest { model.insert(at: pattern.position(step, model.count)) }
        #expect(model.fault() == nil)
        #expect(model.cost <= 1, "\(model.longestSpread) at the most")
    }
}

extension LabelModel {
    /// As many labels as in a new map.
    static func spaced(_ count: Int) -> [Int] {
        let labels = OrderLabels.filling(count)
        return (0..<count).map { labels[$0] }
    }

    /// What is wrong with the element at `position` and its neighbours, or nil.
    func localFault(at position: Int) -> String? {
        let start = max(0, position - 1)
        var previous = -1
        for place in start..<min(count, position + 2) {
            let element = sequence[place]
            if element.label <= previous { return "labels do not ascend at \(place)" }
            if element.id != ids[place] { return "another element at \(place)" }
            if sequence.find(label: element.label)?.position != place { return "lost \(place)" }
            previous = element.label
        }
        return OrderLabels.universe.contains(previous) ? nil : "label \(previous)"
    }
}
