import PersistentTrees

/// Identifiers that were marked, in the order in which they were.
///
/// Complexity: O(1) to copy; O(log n) to mark one or to take a mark away.
@usableFromInline
struct MarkedIdentifiers<ID: Hashable & Sendable>: Sendable {
    @usableFromInline typealias Mark = LabelledIdentifier<ID>

    @usableFromInline var marks = PersistentSequence<Mark, LastLabel<Mark>>()
    @usableFromInline var labels = PersistentHashMap<ID, Int>()

    @inlinable
    init() {}

    @inlinable
    var isEmpty: Bool { marks.isEmpty }

    @inlinable
    var identifiers: [ID] { marks.map(\.id) }

    @inlinable
    func contains(_ id: ID) -> Bool { labels[id] != nil }

    /// Marks what is not marked yet.
    @inlinable
    mutating func insert(_ ids: some Sequence<ID>) {
        var next = marks.summary.lastLabel + 1
        var newMarks = marks.transaction()
        var newLabels = labels.transaction()
        for id in ids where newLabels[id] == nil {
            newMarks.insert(Mark(id, label: next), at: newMarks.count)
            newLabels.updateValue(next, forKey: id)
            next += 1
        }
        marks = newMarks.commit()
        labels = newLabels.commit()
    }

    /// Takes marks away, where there are any.
    @inlinable
    mutating func remove(_ ids: some Sequence<ID>) {
        guard !isEmpty else { return }
        for id in ids {
            guard let label = labels[id], let place = marks.find(label: label) else { continue }
            var newMarks = marks.transaction()
            var newLabels = labels.transaction()
            newMarks.remove(at: place.position)
            newLabels.removeValue(forKey: id)
            marks = newMarks.commit()
            labels = newLabels.commit()
        }
    }
}
