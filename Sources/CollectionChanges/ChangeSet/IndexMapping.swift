/// A mapping between the old and the new indexes of an array's elements, after some were removed
/// and others inserted.
///
/// A mapping stores only the edits, sorted. The new index of a survivor is a rank over the removed
/// indexes followed by a select over the inserted ones. Indexes outside `0..<oldCount` (or
/// `0..<newCount`) map to `nil`. A ``ValidatedChangeSet`` has such a mapping for its sections.
///
/// Complexity: O(log k) for a query and O(k) memory for k edits, for any counts.
public struct IndexMapping: Hashable, Sendable {
    /// The number of elements before the edits.
    public let oldCount: Int

    /// The number of elements after the edits.
    public let newCount: Int

    /// Old indexes whose elements were deleted or moved away, ascending and distinct.
    let removed: [Int]

    /// New indexes whose elements were inserted or moved there, ascending and distinct.
    let inserted: [Int]

    /// The elements that moved, ascending by old index.
    let moves: [Move]

    /// The elements that moved, ascending by new index.
    let movesByNewIndex: [Move]

    struct Move: Hashable, Sendable {
        let oldIndex: Int
        let newIndex: Int
    }

    /// Creates a mapping from checked edits: `oldCount - removed + inserted == newCount`.
    init(
        oldCount: Int,
        newCount: Int,
        removed: [Int] = [],
        inserted: [Int] = [],
        moves: [Move] = []
    ) {
        self.oldCount = oldCount
        self.newCount = newCount
        self.removed = removed
        self.inserted = inserted
        self.moves = moves
        self.movesByNewIndex = moves.isEmpty ? [] : moves.sorted { $0.newIndex < $1.newIndex }
    }

    /// Whether every element is at its old index.
    public var isIdentity: Bool { removed.isEmpty && inserted.isEmpty }

    /// Returns the new index of the element at `oldIndex`, or `nil` if it was removed or never
    /// existed.
    public func newIndex(for oldIndex: Int) -> Int? {
        guard oldIndex >= 0, oldIndex < oldCount else { return nil }
        let below = rank(of: oldIndex, among: removed.count) { removed[$0] }
        if below < removed.count, removed[below] == oldIndex {
            return moves.sortedPosition(of: oldIndex) { $0.oldIndex }.map { moves[$0].newIndex }
        }
        return unlistedInteger(rank: oldIndex - below, among: inserted.count) { inserted[$0] }
    }

    /// Returns the old index of the element at `newIndex`, or `nil` if it is new or does not exist.
    public func oldIndex(for newIndex: Int) -> Int? {
        guard newIndex >= 0, newIndex < newCount else { return nil }
        let below = rank(of: newIndex, among: inserted.count) { inserted[$0] }
        if below < inserted.count, inserted[below] == newIndex {
            return movesByNewIndex.sortedPosition(of: newIndex) { $0.newIndex }
                .map { movesByNewIndex[$0].oldIndex }
        }
        return unlistedInteger(rank: newIndex - below, among: removed.count) { removed[$0] }
    }

    /// A run of neighbours that stayed neighbours: the `count` elements from `oldStart` on are now,
    /// in the same order, the elements from `newStart` on.
    struct Stretch: Hashable {
        var oldStart: Int
        var newStart: Int
        var count: Int

        var oldIndexes: Range<Int> { oldStart..<(oldStart + count) }
    }

    /// Returns every element that exists before and after, in stretches ascending by new index. An
    /// element that moved is a stretch of its own.
    ///
    /// Complexity: O(k) for k edits, for any number of elements.
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

    /// Moves values from the old indexes of their elements to the new ones; new elements get
    /// `filler`.
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
