/// The sum that did not come out: before, plus and minus the edits, against after.
public struct CountArithmetic: Hashable, Sendable {
    /// The count before the update.
    public let before: Int
    /// The count that the data source reported after it.
    public let after: Int
    /// How many were inserted.
    public let inserted: Int
    /// How many were deleted.
    public let deleted: Int
    /// How many items came from other sections.
    public let movedIn: Int
    /// How many items went to other sections.
    public let movedOut: Int

    /// What `after` should have been; `Int.max` or `Int.min` where an `Int` cannot hold it.
    public var expected: Int {
        // A set of sections may have as many members as an `Int` can count.
        let (gain, gainOverflows) = inserted.addingReportingOverflow(movedIn)
        let (loss, lossOverflows) = deleted.addingReportingOverflow(movedOut)
        let (rest, restOverflows) = before.subtractingReportingOverflow(loss)
        if lossOverflows || restOverflows { return Int.min }
        let (sum, sumOverflows) = rest.addingReportingOverflow(gain)
        return gainOverflows || sumOverflows ? Int.max : sum
    }

    package init(
        before: Int,
        after: Int,
        inserted: Int,
        deleted: Int,
        movedIn: Int = 0,
        movedOut: Int = 0
    ) {
        self.before = before
        self.after = after
        self.inserted = inserted
        self.deleted = deleted
        self.movedIn = movedIn
        self.movedOut = movedOut
    }
}

extension CountArithmetic: CustomStringConvertible {
    /// The sum, such as `3 before + 1 inserted - 0 deleted = 4, but there are 5`; moves are in it where
    /// there are some.
    public var description: String {
        let moves =
            movedIn == 0 && movedOut == 0 ? "" : " + \(movedIn) moved in - \(movedOut) moved out"
        let rest = after == expected ? "" : ", but there are \(after)"
        return "\(before) before + \(inserted) inserted - \(deleted) deleted\(moves) = \(expected)"
            + rest
    }
}
