// How a walk finds its way again after a block came, went, or was put into another order.

extension SectionWalk {
    /// Goes on to where a stretch of rows is the same, or, where none is found, to where it is worth another try.
    ///
    /// New rows are looked up in stretches, between which more and more are left out: a long inserted block is then
    /// crossed in a few dozen stretches, and what was left out in vain is found by going backwards.
    ///
    /// - Parameter last: where the rows before it are matched on either side.
    /// - Returns: whether to walk on; nothing more is found if not.
    @inlinable
    mutating func searchAnchor(after last: (old: Int, new: Int)) -> Bool {
        guard oldEnd - oldNext >= 4 * AnchorTable<Rules>.distance, budget > 0 else { return false }
        if anchors == nil { anchors = AnchorTable(rules, old, from: oldNext) }
        var disappointments = 0
        var newRow = newNext
        var left = 0
        while newRow < newEnd, budget > 0 {
            let oldRow = anchors!.row(of: rules.id(of: new[newRow]))
            budget -= 1
            if oldRow >= oldNext, oldRow < oldEnd {
                if isConfirmed(oldRow, newRow) {
                    (oldNext, newNext) = (oldRow, newRow)
                    goBack(to: last)
                    return true
                }
                disappointments += 1
                if disappointments == Self.disappointments { return giveUpForNow() }
            }
            newRow += 1
            left += 1
            if left % (2 * AnchorTable<Rules>.distance) == 0 { newRow += (newRow - newNext) / 4 }
        }
        return false
    }

    /// Whether enough rows around there are the same to go on there.
    ///
    /// A neighbour must be the same too. And a block that was taken forward a long way is no place to go on: all that
    /// was passed would be left to the table, so it must be as long as an eighth of that.
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
    mutating func goBack(to last: (old: Int, new: Int)) {
        while oldNext > last.old, newNext > last.new, areSame(oldNext - 1, newNext - 1) {
            oldNext -= 1
            newNext -= 1
        }
    }

    /// Leaves some rows to the table, twice as many each time, because order may begin again behind them.
    @inlinable
    mutating func giveUpForNow() -> Bool {
        let skipped = min(leap, oldEnd - oldNext, newEnd - newNext)
        oldNext += skipped
        newNext += skipped
        leap *= 2
        hasLeapt = true
        return true
    }
}
