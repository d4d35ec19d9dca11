import TestSupport
import Testing

@testable import PersistentTrees

@Suite("Order labels")
struct OrderLabelTests {
    private static let end = OrderLabels.universe.upperBound

    /// Sequences with little or no room somewhere.
    private static let crampedLabels: [[Int]] = [
        [], [0], [1], [end - 1], [end / 2],
        [0, 1], [0, end - 1], [end - 2, end - 1], [5, 6], [3, 4], [7, 8, 9],
        [end / 2 - 1, end / 2], [0, 1, 2, 3], [end - 4, end - 3, end - 2, end - 1],
        Array(0..<9), Array(end - 9..<end), Array(end / 2 - 5..<end / 2 + 4),
    ]

    @Test(arguments: crampedLabels)
    func labelsAscendAfterEveryShortRunOfInsertions(_ labels: [Int]) {
        let sizes = [1, 3]
        func extend(_ model: LabelModel, _ steps: [String]) {
            if let fault = model.fault() {
                Issue.record("\(labels), \(steps): \(fault)")
                return
            }
            guard steps.count < 3 else { return }
            for position in 0...model.count {
                for size in sizes {
                    var next = model
                    next.insert(size, at: position)
                    extend(next, steps + ["\(size) at \(position)"])
                }
            }
        }
        // Long ones branch too much for three insertions of every size at every place.
        extend(LabelModel(labels), labels.count < 3 ? [] : ["begun"])
    }

    /// A whole range of labels is in use, and every place in it asks for more.
    @Test(arguments: [0, 3, (1 << 40) - 13, end - 64])
    func aFullRangeMakesRoomAtEveryPlace(_ start: Int) {
        for position in 0...64 {
            for size in [1, 90] {
                var model = LabelModel(start..<start + 64)
                #expect(model.sequence.height >= 2)
                model.insert(size, at: position)
                if let fault = model.fault() {
                    Issue.record("\(size) at \(position): \(fault)")
                    return
                }
            }
        }
    }

    @Test(arguments: UInt64(1)...Effort.number(4, usually: 2))
    func randomEditsKeepLabelsInOrderAndOldVersionsAsTheyWere(_ seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let starts = Self.crampedLabels
        var model = LabelModel(starts[random.next(below: starts.count)])
        var kept: [(model: LabelModel, labels: [Int])] = []
        var highest = 0
        for step in 0..<400 {
            if random.isTrue(oneIn: 20) {
                kept.append((model, model.sequence.map(\.label)))
            }
            // A favourite place, so that labels are used up.
            let isFavourite = random.chance(0.7)
            let position = isFavourite ? model.count / 3 : random.next(below: model.count + 1)
            if model.count > 0, random.chance(0.2) {
                model.remove(at: min(position, model.count - 1))
            } else {
                model.insert(random.isTrue(oneIn: 8) ? random.next(below: 9) + 1 : 1, at: position)
            }
            highest = max(highest, model.sequence.height)
            if step % 20 == 0 || step == 399, let fault = model.fault() {
                Issue.record("seed \(seed), step \(step): \(fault)")
                return
            }
        }
        #expect(highest >= 4)
        #expect(model.relabelled > 0)
        for (index, version) in kept.enumerated() {
            #expect(version.model.sequence.map(\.label) == version.labels)
            if let fault = version.model.fault() {
                Issue.record("seed \(seed), kept \(index): \(fault)")
            }
        }
    }

    @Test func aFilledSequenceHasRoomOnBothSidesAndBetween() {
        for count in [0, 1, 2, 3, 1000, 1 << 24, 1 << 29, 1 << 30, 1 << 31, 1 << 40] {
            let labels = OrderLabels.filling(count)
            #expect(labels.step >= 2, "\(count)")
            #expect(labels[0] >= labels.step / 2, "\(count)")
            guard count > 0 else { continue }
            #expect(labels[count - 1] < Self.end, "\(count)")
        }
    }

    /// Every gap up to 40, at both ends of the universe and in the middle.
    @Test func labelsBetweenNeighboursAreBetweenThem() {
        var answered = 0
        func check(_ previous: Int?, _ next: Int?) {
            let low = previous ?? -1
            let high = next ?? Self.end
            for count in [1, 2, 3, 10, 39, 1 << 20, 1 << 40] {
                let labels = OrderLabels.between(previous, next, count: count)
                let isRoom = high - low > count
                #expect((labels != nil) == isRoom, "\(count) in \(low)..\(high)")
                guard let labels else { continue }
                answered += 1
                let isInside = labels.step > 0 && labels[0] > low && labels[count - 1] < high
                #expect(isInside, "\(count) in \(low)..\(high)")
            }
        }
        for gap in 1...40 {
            check(nil, gap - 1)
            check(Self.end - gap, nil)
            check(100, 100 + gap)
            check(0, gap)
            check(Self.end - 1 - gap, Self.end - 1)
        }
        check(nil, nil)
        check(0, Self.end - 1)
        for room in [1 << 31, 1 << 32, 1 << 33, 1 << 50] {
            for nudge in -1...1 {
                check(Self.end - room + nudge, nil)
                check(nil, room + nudge)
            }
        }
        #expect(answered > 400)
    }

    // MARK: Cost

    /// Where the next element goes, by its number and how many there are.
    private static let patterns: [(name: String, position: @Sendable (Int, Int) -> Int)] = [
        ("always first", { _, _ in 0 }), ("always second", { _, _ in 1 }),
        ("always last", { _, count in count }), ("always last but one", { _, count in count - 1 }),
        ("in the middle", { _, count in count / 2 }),
        ("behind the one before", { step, _ in step + 1 }),
        ("zig-zag", { step, count in step % 2 == 0 ? 1 : count - 1 }),
        ("everywhere", { step, count in step &* 7919 % count }),
    ]

    /// In theory at most 4 times the logarithm: the range that is spread holds 2^k elements and its quarters have room
    /// for 2^(k-2) more, so each of the ranges around an element costs 4 an insertion. The most seen is 0.7 times it.
    @Test(arguments: patterns.indices, [false, true])
    func anInsertionCostsLogarithmicallyManyLabelsOnAverage(_ pattern: Int, _ tellsNewest: Bool) {
        let (name, position) = Self.patterns[pattern]
        for start in [[0, 1], [Self.end - 2, Self.end - 1], Array(0..<2_000)] {
            var model = LabelModel(start, nodeCapacity: .standard, tellsNewest: tellsNewest)
            for step in 0..<Effort.number(5_000, usually: 1_000) {
                model.insert(at: position(step, model.count))
            }
            let most = Double(Int.bitWidth - model.count.leadingZeroBitCount)
            #expect(model.fault() == nil && model.cost <= most, "\(name), \(model.longestSpread)")
            // What feeds do: put in behind a pinned first row, or before a last one.
            let isFeed = name.hasPrefix("always") || name.hasPrefix("behind")
            if tellsNewest, isFeed, start.count == 2 { #expect(model.cost < 2, "\(name)") }
        }
    }

    /// A 256th of the distance, beside what was inserted last; elsewhere the middle.
    @Test func labelsBesideTheNewestGoOnInSmallSteps() {
        let (low, high, half) = (100, 100 + 1 << 40, 1 << 39)
        let cases: [(newest: ClosedRange<Int>?, label: Int)] = [
            (nil, low + half), (50...low, low + half >> 8), (high...(high + 9), high - half >> 8),
            (20...50, low + half),
            ((high + 5)...(high + 9), low + half),
        ]
        for (newest, label) in cases {
            let labels = OrderLabels.between(low, high, count: 1, newest: newest)
            #expect(labels?.first == label, "\(newest.map { "\($0)" } ?? "nothing")")
        }
    }
}
