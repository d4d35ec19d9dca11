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
