import TestSupport
import Testing

@testable import PersistentTrees

/// An element that is nothing but an identity under a label.
struct Labelled: OrderLabelled {
    let id: Int
    let label: Int
}

/// A labelled sequence, and the array that it must equal.
struct LabelModel {
    typealias Labels = PersistentSequence<Labelled, LastLabel<Labelled>>

    private(set) var sequence: Labels
    private(set) var ids: [Int]
    /// How many elements were inserted, and how many got another label for that.
    private(set) var inserted = 0
    private(set) var relabelled = 0
    /// The most that got another label for one insertion.
    private(set) var longestSpread = 0

    /// Where what was inserted last went, if that is told the next time.
    private var newest: ClosedRange<Int>?
    private let tellsNewest: Bool

    /// - Parameter labels: those to begin with, ascending.
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

    /// How many elements got another label for each that was inserted.
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
        let fresh = self.count + inserted
        let elements = (0..<count).map { Labelled(id: -fresh - $0, label: labels[$0]) }
        transaction.insert(contentsOf: elements, at: position)
        sequence = transaction.commit()
        ids.insert(contentsOf: elements.map(\.id), at: position)
        inserted += count
        relabelled += spread
        longestSpread = max(longestSpread, spread)
    }

    mutating func remove(at position: Int) {
        var transaction = sequence.transaction()
        transaction.remove(at: position)
        sequence = transaction.commit()
        ids.remove(at: position)
    }

    /// What is wrong, or nil. Every label is looked up, and its neighbours.
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
