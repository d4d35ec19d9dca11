// Walks a section as it was and as it is side by side. Edits are local, so comparing rows with those opposite finds
// most of what is the same, in order of memory and without hashing.

/// Matches the rows of one section that stay in order; made for one section and dropped afterwards.
///
/// What it finds ascends on both sides. It need not find all: what lies between its runs is matched by the table later.
///
/// Source: the prototype measured for this project; windows and anchors are those of line-based file comparison.
@usableFromInline
struct SectionWalk<Rules: RowRules>: ~Copyable {
    @usableFromInline let rules: Rules
    @usableFromInline let old: UnsafeBufferPointer<Rules.Row>
    @usableFromInline let new: UnsafeBufferPointer<Rules.Row>
    /// The numbers of the first rows.
    @usableFromInline let oldBase: Int
    @usableFromInline let newBase: Int

    // What is next on either side, and where the part begins that is the same up to the end.
    @usableFromInline var oldNext = 0
    @usableFromInline var newNext = 0
    @usableFromInline var oldEnd: Int
    @usableFromInline var newEnd: Int

    /// Made when first needed.
    @usableFromInline var anchors: AnchorTable<Rules>?
    /// How many rows to leave to the table the next time that no anchor is found.
    @usableFromInline var leap = 1024
    /// Whether rows were left that may be the same as those opposite.
    @usableFromInline var hasLeapt = false
    /// How many rows may still be looked up as anchors, so that there is a bound on all searches together.
    @usableFromInline var budget: Int

    /// How far to look for the counterpart of a row before stepping on.
    @usableFromInline static var window: Int { 6 }
    /// After how many rows in a row without a counterpart it is time for an anchor.
    @usableFromInline static var patience: Int { 12 }
    /// How many anchors that come to nothing end a search.
    @usableFromInline static var disappointments: Int { 64 }
    /// How many rows are compared between two questions whether to go on.
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

    /// - Returns: whether the walk came to its end.
    @inlinable
    mutating func run(_ matches: inout RowMatches, isCancelled: () -> Bool) -> Bool {
        guard matchStretch(&matches, isCancelled) else { return false }
        guard trimSuffix(isCancelled), walk(&matches, isCancelled) else { return false }
        // What was trimmed is the same to the end.
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

    /// Matches rows from here on for as long as they are the same.
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

    /// Notes that so many rows from here on are the same, and goes on behind them.
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
                if hasLeapt { goBack(to: matches.last(oldBase, newBase)) }
                hasLeapt = false
                guard matchStretch(&matches, isCancelled) else { return false }
                failures = 0
                continue
            }
            if skipToCounterpart() { continue }
            oldNext += 1
            newNext += 1
            failures += 1
            guard failures == Self.patience else { continue }
            failures = 0
            guard searchAnchor(after: matches.last(oldBase, newBase)) else { return true }
            if isCancelled() { return false }
        }
        return true
    }

    /// Skips the fewest rows of one side after which the rows opposite each other are the same.
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
