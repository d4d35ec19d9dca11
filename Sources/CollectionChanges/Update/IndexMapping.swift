/// Where the elements of an array went, and came from, when some were removed and others inserted.
///
/// A mapping keeps only the edits, sorted: a survivor's new index is a rank over what was removed
/// followed by a select over what was inserted. Indexes outside `0..<oldCount` (or `0..<newCount`)
/// map to nil. ``ValidatedChangeSet`` hands one out for its sections.
///
/// Complexity: O(log k) a query and O(k) memory for k edits, whatever the counts are.
public struct IndexMapping: Hashable, Sendable {
    /// How many elements there were.
    public let oldCount: Int

    /// How many elements there are.
    public let newCount: Int

    /// Old indexes that left their place (deleted, or moved away), ascending and distinct.
    let removed: [Int]

    /// New indexes that were filled from elsewhere (inserted, or moved to), ascending and distinct.
    let inserted: [Int]

    /// The elements that moved, ascending by old index.
    let moves: [Move]

    /// The same, ascending by new index.
    let movesByNewIndex: [Move]

    struct Move: Hashable, Sendable {
        let oldIndex: Int
        let newIndex: Int
    }

    /// Makes the mapping of deletes (old indexes) and inserts (new indexes).
    ///
    /// Deletes outside `0..<oldCount` have no effect, and neither do inserts beyond the new end:
    /// that the numbers fit is for validation to say.
    ///
    /// Complexity: O(k) for k deleted and inserted indexes that exist.
    package init(oldCount: Int, deleted: SectionSet, inserted: SectionSet) {
        let oldCount = max(0, oldCount)
        let removals = deleted.members(in: 0..<oldCount)
        var newCount = oldCount - removals.count
        var insertions: [Int] = []
        // An insert counts while it lies within what is there so far, or directly at its end.
        for run in inserted.runs {
            let start = Swift.max(0, run.lowerBound)
            guard start <= run.upperBound, start <= newCount else { continue }
            let (length, overflows) = (run.upperBound - start).addingReportingOverflow(1)
            let (sum, sumOverflows) = newCount.addingReportingOverflow(length)
            if overflows || sumOverflows { break }
            newCount = sum
            insertions.append(contentsOf: start...run.upperBound)
        }
        self.init(
            oldCount: oldCount,
            newCount: newCount,
            removed: removals,
            inserted: insertions,
            moves: []
        )
    }

    /// Makes a mapping from edits that were checked: `oldCount - removed + inserted == newCount`.
    init(oldCount: Int, newCount: Int, removed: [Int], inserted: [Int], moves: [Move]) {
        self.oldCount = oldCount
        self.newCount = newCount
        self.removed = removed
        self.inserted = inserted
        self.moves = moves
        self.movesByNewIndex = moves.sorted { $0.newIndex < $1.newIndex }
    }

    /// Whether every element is where it was.
    public var isIdentity: Bool { removed.isEmpty && inserted.isEmpty }

    /// Where the element at `oldIndex` is now, or nil if it is gone or never was.
    public func newIndex(for oldIndex: Int) -> Int? {
        guard oldIndex >= 0, oldIndex < oldCount else { return nil }
        let below = rank(of: oldIndex, among: removed.count) { removed[$0] }
        if below < removed.count, removed[below] == oldIndex {
            return moves.sortedPosition(of: oldIndex) { $0.oldIndex }.map { moves[$0].newIndex }
        }
        return unlistedInteger(rank: oldIndex - below, among: inserted.count) { inserted[$0] }
    }

    /// Where the element at `newIndex` was, or nil if it is new or does not exist.
    public func oldIndex(for newIndex: Int) -> Int? {
        guard newIndex >= 0, newIndex < newCount else { return nil }
        let below = rank(of: newIndex, among: inserted.count) { inserted[$0] }
        if below < inserted.count, inserted[below] == newIndex {
            return movesByNewIndex.sortedPosition(of: newIndex) { $0.newIndex }
                .map { movesByNewIndex[$0].oldIndex }
        }
        return unlistedInteger(rank: newIndex - below, among: removed.count) { removed[$0] }
    }
}

extension IndexMapping {
    /// Neighbours that stayed neighbours: `count` elements from `oldStart` on are now, in the same
    /// order, those from `newStart` on.
    struct Stretch: Hashable {
        var oldStart: Int
        var newStart: Int
        var count: Int

        var oldIndexes: Range<Int> { oldStart..<(oldStart + count) }
    }

    /// Every element that is there before and after, in stretches ascending by new index; an
    /// element that moved is a stretch of its own.
    ///
    /// Complexity: O(k) for k edits, however many elements there are.
    func stretches() -> [Stretch] {
        var stretches: [Stretch] = []
        stretches.reserveCapacity(removed.count + inserted.count + 1)
        var (old, new) = (0, 0)
        var removed = removed[...]
        var inserted = inserted[...]
        var moves = movesByNewIndex[...]
        while new < newCount {
            if inserted.first == new {
                if let move = moves.first, move.newIndex == new {
                    stretches.append(Stretch(oldStart: move.oldIndex, newStart: new, count: 1))
                    moves.removeFirst()
                }
                inserted.removeFirst()
                new += 1
            } else if removed.first == old {
                removed.removeFirst()
                old += 1
            } else {
                let count = min(
                    (removed.first ?? oldCount) - old,
                    (inserted.first ?? newCount) - new
                )
                assert(count > 0, "the edits do not add up")
                stretches.append(Stretch(oldStart: old, newStart: new, count: count))
                old += count
                new += count
            }
        }
        return stretches
    }

    /// Takes what belongs to the old indexes to the new ones; what is new gets `filler`.
    ///
    /// Complexity: O(new indexes), in a few copies.
    func carry<Value>(_ values: [Value], filling filler: Value) -> [Value] {
        var result: [Value] = []
        result.reserveCapacity(newCount)
        func fill(upTo end: Int) {
            result.append(contentsOf: repeatElement(filler, count: end - result.count))
        }
        for stretch in stretches() {
            fill(upTo: stretch.newStart)
            result.append(contentsOf: values[stretch.oldIndexes])
        }
        fill(upTo: newCount)
        return result
    }
}
