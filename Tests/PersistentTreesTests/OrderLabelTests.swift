import TestSupport
import Testing

@testable import PersistentTrees

@Suite("Order labels")
struct OrderLabelTests {
    private static let end = OrderLabels.universe.upperBound

    /// Sequences with little or no room between some labels.
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
        // Longer sequences branch too much for three insertions of every size at every position.
        extend(LabelModel(labels), labels.count < 3 ? [] : ["long"])
    }

    /// A whole range of labels is in use, and an insertion at any position in it needs more labels.
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
            // A favourite position, so that its labels are used up.
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

    @Test func aFilledSequenceHasRoomAtBothEndsAndBetweenElements() {
        for count in [0, 1, 2, 3, 1000, 1 << 24, 1 << 29, 1 << 30, 1 << 31, 1 << 40] {
            let labels = OrderLabels.filling(count)
            #expect(labels.step >= 2, "\(count)")
            #expect(labels[0] >= labels.step / 2, "\(count)")
            guard count > 0 else { continue }
            #expect(labels[count - 1] < Self.end, "\(count)")
        }
    }

    /// Checks every gap up to 40, at both ends of the universe and in the middle.
    @Test func labelsBetweenNeighboursAreBetweenThem() {
        var successes = 0
        func check(_ previous: Int?, _ next: Int?) {
            let low = previous ?? -1
            let high = next ?? Self.end
            for count in [1, 2, 3, 10, 39, 1 << 20, 1 << 40] {
                let labels = OrderLabels.between(previous, next, count: count)
                let isRoom = high - low > count
                #expect((labels != nil) == isRoom, "\(count) in \(low)..\(high)")
                guard let labels else { continue }
                successes += 1
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
        #expect(successes > 400)
    }

    // MARK: Cost

    /// Returns the position of the next element from its number and the current count.
    private static let patterns: [(name: String, position: @Sendable (Int, Int) -> Int)] = [
        ("always first", { _, _ in 0 }), ("always second", { _, _ in 1 }),
        ("always last", { _, count in count }), ("always last but one", { _, count in count - 1 }),
        ("in the middle", { _, count in count / 2 }),
        ("after the previous one", { step, _ in step + 1 }),
        ("zig-zag", { step, count in step % 2 == 0 ? 1 : count - 1 }),
        ("everywhere", { step, count in step &* 7919 % count }),
    ]

    /// In theory an insertion relabels at most 4 times the logarithm of the count: the range that
    /// is respaced holds 2^k elements, and its quarters have room for 2^(k-2) more, so each range
    /// that contains an element costs 4 labels per insertion. The largest observed cost is 0.7
    /// times the logarithm.
    @Test(arguments: patterns.indices, [false, true])
    func anInsertionRelabelsLogarithmicallyManyElements(_ pattern: Int, _ tellsNewest: Bool) {
        let (name, position) = Self.patterns[pattern]
        for start in [[0, 1], [Self.end - 2, Self.end - 1], Array(0..<2_000)] {
            var model = LabelModel(start, nodeCapacity: .standard, tellsNewest: tellsNewest)
            for step in 0..<Effort.number(5_000, usually: 1_000) {
                model.insert(at: position(step, model.count))
            }
            let most = Double(Int.bitWidth - model.count.leadingZeroBitCount)
            #expect(model.fault() == nil && model.cost <= most, "\(name), \(model.mostRelabelled)")
            // Feeds insert after a pinned first row or before a last one.
            let isFeed = name.hasPrefix("always") || name.hasPrefix("after")
            if tellsNewest, isFeed, start.count == 2 { #expect(model.cost < 2, "\(name)") }
        }
    }

    /// A step is a 256th of the distance next to the newest element; elsewhere it is half of it.
    @Test func labelsNextToTheNewestAdvanceInSmallSteps() {
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

/// An element that consists only of an identity and a label.
struct Labelled: OrderLabelled {
    let id: Int
    let label: Int
}

/// A labelled sequence and the array whose elements it must contain.
struct LabelModel {
    typealias Labels = PersistentSequence<Labelled, LastLabel<Labelled>>

    private(set) var sequence: Labels
    private(set) var ids: [Int]
    /// The number of inserted elements, and the number of elements that these insertions
    /// relabelled.
    private(set) var inserted = 0
    private(set) var relabelled = 0
    /// The largest number of elements that one insertion relabelled.
    private(set) var mostRelabelled = 0

    /// The positions of the most recent insertion, if `tellsNewest` is set.
    private var newest: ClosedRange<Int>?
    private let tellsNewest: Bool

    /// - Parameter labels: the initial labels, ascending.
    init(
        _ labels: some Sequence<Int>,
        nodeCapacity: NodeCapacity = .uniform(4),
        tellsNewest: Bool = false
    ) {
        self.tellsNewest = tellsNewest
        let elements = labels.enumerated().map { Labelled(id: $0.offset, label: $0.element) }
        sequence = Labels(elements, nodeCapacity: nodeCapacity)
        ids = elements.map(\.id)
    }

    var count: Int { ids.count }

    /// The number of relabelled elements per inserted element.
    var cost: Double { Double(relabelled) / Double(max(1, inserted)) }

    mutating func insert(_ count: Int = 1, at position: Int) {
        var transaction = sequence.transaction()
        var spread = 0
        let labels = transaction.labels(
            forInserting: count,
            at: position,
            newest: newest
        ) { element, label in
            spread += 1
            return Labelled(id: element.id, label: label)
        }
        if tellsNewest { newest = labels.range(count: count) }
        let firstID = self.count + inserted
        let elements = (0..<count).map { Labelled(id: -firstID - $0, label: labels[$0]) }
        transaction.insert(contentsOf: elements, at: position)
        sequence = transaction.commit()
        ids.insert(contentsOf: elements.map(\.id), at: position)
        inserted += count
        relabelled += spread
        mostRelabelled = max(mostRelabelled, spread)
    }

    mutating func remove(at position: Int) {
        var transaction = sequence.transaction()
        transaction.remove(at: position)
        sequence = transaction.commit()
        ids.remove(at: position)
    }

    /// Returns the first fault, or `nil`. Looks up every label and its neighbours.
    func fault() -> String? {
        if let fault = sequence.brokenInvariant() { return fault }
        let elements = Array(sequence)
        if elements.map(\.id) != ids { return "holds other elements than the array" }
        for (left, right) in zip(elements, elements.dropFirst()) where left.label >= right.label {
            return "labels \(left.label) and \(right.label) do not ascend"
        }
        let labels = elements.map(\.label)
        if !labels.allSatisfy(OrderLabels.universe.contains) { return "\(labels)" }
        if sequence.summary.lastLabel != labels.last ?? -1 { return "\(sequence.summary)" }
        for (position, element) in elements.enumerated() {
            let found = sequence.find(label: element.label)
            if found?.position != position || found?.element.id != element.id {
                return "label \(element.label) is not found at \(position)"
            }
            for label in [element.label - 1, element.label + 1] {
                let neighbours = labels[max(0, position - 1)..<min(labels.count, position + 2)]
                let isThere = sequence.find(label: label) != nil
                if isThere != neighbours.contains(label) { return "find(label: \(label))" }
            }
        }
        let strangers = [Int.min, -1, OrderLabels.universe.upperBound, Int.max]
        return strangers.contains { sequence.find(label: $0) != nil } ? "found a stranger" : nil
    }
}
