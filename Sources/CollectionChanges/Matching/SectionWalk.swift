// Walks the old and the new rows of a section in parallel. Most edits are local, so comparing rows
// at nearby positions finds most matches, in memory order and without hashing.

/// Matches the rows of one section that stay in order. A walk is made for one section and dropped
/// afterwards.
///
/// The matches ascend on both sides. The walk need not find all matches; the table finds those
/// between its runs later.
///
/// Source: the prototype measured for this project; windows and anchors are those of line-based
/// file comparison.
@usableFromInline
struct SectionWalk<Rules: RowRules>: ~Copyable {
    @usableFromInline let rules: Rules
    @usableFromInline let old: UnsafeBufferPointer<Rules.Row>
    @usableFromInline let new: UnsafeBufferPointer<Rules.Row>
    /// The numbers of the first rows.
    @usableFromInline let oldBase: Int
    @usableFromInline let newBase: Int

    // The next row on either side, and the start of the common suffix.
    @usableFromInline var oldNext = 0
    @usableFromInline var newNext = 0
    @usableFromInline var oldEnd: Int
    @usableFromInline var newEnd: Int

    /// The anchors, made when first needed.
    @usableFromInline var anchors: AnchorTable<Rules>?
    /// The number of rows to leave to the table the next time no anchor is found.
    @usableFromInline var skipLength = 1024
    /// Whether the walk skipped rows that may match the rows at the opposite positions.
    @usableFromInline var hasSkipped = false
    /// The number of rows that may still be looked up as anchors. It bounds the total cost of all
    /// searches.
    @usableFromInline var budget: Int

    /// The maximum distance at which to search for the counterpart of a row before stepping
    /// forward.
    @usableFromInline static var window: Int { 6 }
    /// The number of consecutive rows without a counterpart after which to search for an anchor.
    @usableFromInline static var anchorThreshold: Int { 12 }
    /// The number of unconfirmed anchors that end a search.
    @usableFromInline static var failedAnchorLimit: Int { 64 }
    /// The number of rows to compare between two cancellation checks.
    @usableFromInline static var batch: Int { 4096 }

    @inlinable
    init(
        _ rules: Rules,
        old: UnsafeBufferPointer<Rules.Row>,
        new: UnsafeBufferPointer<Rules.Row>,
        oldBase: Int,
        newBase: Int
    ) {
        self.rules = rules
        self.old = old
        self.new = new
        self.oldBase = oldBase
        self.newBase = newBase
        oldEnd = old.count
        newEnd = new.count
        budget = new.count
    }

    /// Walks the section. Returns `false` if it was cancelled.
    @inlinable
    mutating func run(_ matches: inout RowMatches, isCancelled: () -> Bool) -> Bool {
        guard matchStretch(&matches, isCancelled) else { return false }
        guard trimSuffix(isCancelled), walk(&matches, isCancelled) else { return false }
        // The trimmed suffix is the same on both sides.
        (oldNext, newNext) = (oldEnd, newEnd)
        match(old.count - oldEnd, &matches)
        return true
    }

    @inlinable @inline(__always)
    func areSame(_ oldRow: Int, _ newRow: Int) -> Bool {
        rules.id(of: old[oldRow]) == rules.id(of: new[newRow])
    }

    @inlinable
    mutating func trimSuffix(_ isCancelled: () -> Bool) -> Bool {
        while true {
            let limit = min(oldEnd - oldNext, newEnd - newNext, Self.batch)
            var count = 0
            while count < limit, areSame(oldEnd - 1 - count, newEnd - 1 - count) { count += 1 }
            oldEnd -= count
            newEnd -= count
            if count < Self.batch { return true }
            if isCancelled() { return false }
        }
    }

    /// Matches rows from the current position on for as long as they are the same.
    @inlinable
    mutating func matchStretch(_ matches: inout RowMatches, _ isCancelled: () -> Bool) -> Bool {
        while true {
            let limit = min(oldEnd - oldNext, newEnd - newNext, Self.batch)
            var count = 0
            while count < limit, areSame(oldNext + count, newNext + count) { count += 1 }
            match(count, &matches)
            if count < Self.batch { return true }
            if isCancelled() { return false }
        }
    }

    /// Records that the next `count` rows are the same, and advances past them.
    @inlinable @inline(__always)
    mutating func match(_ count: Int, _ matches: inout RowMatches) {
        if count == 0 { return }
        matches.append(old: oldBase + oldNext, new: newBase + newNext, count: count)
        if rules.comparesContents {
            for offset in 0..<count
            where !rules.haveEqualContents(old[oldNext + offset], new[newNext + offset]) {
                matches.updated.append(UInt32(truncatingIfNeeded: oldBase + oldNext + offset))
            }
        }
        oldNext += count
        newNext += count
    }

    @inlinable
    mutating func walk(_ matches: inout RowMatches, _ isCancelled: () -> Bool) -> Bool {
        var failures = 0
        var steps = 0
        while oldNext < oldEnd, newNext < newEnd {
            steps += 1
            if steps % Self.batch == 0, isCancelled() { return false }
            if areSame(oldNext, newNext) {
                if hasSkipped { extendBackwards(to: matches.last(oldBase, newBase)) }
                hasSkipped = false
                guard matchStretch(&matches, isCancelled) else { return false }
                failures = 0
                continue
            }
            if skipToCounterpart() { continue }
            oldNext += 1
            newNext += 1
            failures += 1
            guard failures == Self.anchorThreshold else { continue }
            failures = 0
            guard searchAnchor(after: matches.last(oldBase, newBase)) else { return true }
            if isCancelled() { return false }
        }
        return true
    }

    /// Skips the fewest rows on one side after which the opposite rows are the same.
    @inlinable @inline(__always)
    mutating func skipToCounterpart() -> Bool {
        for skipped in 1...Self.window {
            if newNext + skipped < newEnd, areSame(oldNext, newNext + skipped) {
                newNext += skipped
                return true
            }
            if oldNext + skipped < oldEnd, areSame(oldNext + skipped, newNext) {
                oldNext += skipped
                return true
            }
        }
        return false
    }
}

// Finds the position at which a walk continues after a block was inserted, deleted or reordered.

extension SectionWalk {
    /// Advances to a stretch of matching rows, or, if none is found, to a position from which
    /// another attempt is worthwhile.
    ///
    /// New rows are looked up in stretches, with growing gaps between them. A long inserted block
    /// is then crossed in a few dozen stretches. Matching rows within a gap are found by walking
    /// backwards.
    ///
    /// - Parameter last: The end of the last match on either side.
    /// - Returns: Whether to continue the walk. If `false`, no more matches will be found.
    @inlinable
    mutating func searchAnchor(after last: (old: Int, new: Int)) -> Bool {
        guard oldEnd - oldNext >= 4 * AnchorTable<Rules>.distance, budget > 0 else { return false }
        if anchors == nil { anchors = AnchorTable(rules, old, from: oldNext) }
        var failedAnchors = 0
        var newRow = newNext
        var left = 0
        while newRow < newEnd, budget > 0 {
            let oldRow = anchors!.row(of: rules.id(of: new[newRow]))
            budget -= 1
            if oldRow >= oldNext, oldRow < oldEnd {
                if isConfirmed(oldRow, newRow) {
                    (oldNext, newNext) = (oldRow, newRow)
                    extendBackwards(to: last)
                    return true
                }
                failedAnchors += 1
                if failedAnchors == Self.failedAnchorLimit { return skipAhead() }
            }
            newRow += 1
            left += 1
            if left % (2 * AnchorTable<Rules>.distance) == 0 { newRow += (newRow - newNext) / 4 }
        }
        return false
    }

    /// Returns whether enough rows around the given ones match to continue the walk there.
    ///
    /// At least one neighbour must match too. A block that moved forward a long way is a bad place
    /// to continue, because all rows that were passed would be left to the table. The matching
    /// stretch must therefore be at least an eighth as long as the rows passed.
    @inlinable
    func isConfirmed(_ oldRow: Int, _ newRow: Int) -> Bool {
        let wanted = max(2, (oldRow - oldNext) / 8)
        var (first, end) = (0, 0)
        while end - first < wanted, oldRow + end < oldEnd, newRow + end < newEnd,
            areSame(oldRow + end, newRow + end)
        {
            end += 1
        }
        while end - first < wanted, oldRow + first > oldNext, newRow + first > newNext,
            areSame(oldRow + first - 1, newRow + first - 1)
        {
            first -= 1
        }
        return end - first >= wanted
    }

    @inlinable
    mutating func extendBackwards(to last: (old: Int, new: Int)) {
        while oldNext > last.old, newNext > last.new, areSame(oldNext - 1, newNext - 1) {
            oldNext -= 1
            newNext -= 1
        }
    }

    /// Leaves some rows to the table, twice as many each time, because the rows after them may be
    /// in order again.
    @inlinable
    mutating func skipAhead() -> Bool {
        let skipped = min(skipLength, oldEnd - oldNext, newEnd - newNext)
        oldNext += skipped
        newNext += skipped
        skipLength *= 2
        hasSkipped = true
        return true
    }
}
