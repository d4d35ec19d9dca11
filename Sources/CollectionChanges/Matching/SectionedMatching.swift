// From two sectioned sequences to what survives. The sections go side by side first, and what is left over of all of
// them goes through one table.

/// What is the same in two sectioned sequences of rows.
@usableFromInline
package struct SectionedMatching: Sendable {
    /// What survives, ascending by old path, in runs that are as long as they can be.
    @usableFromInline package var runs: [SurvivingRun] { compactRuns.map(\.plain) }

    /// The same in half of the memory.
    @usableFromInline let compactRuns: [CompactRun]

    /// The old paths of survivors whose contents are not what they were, ascending.
    @usableFromInline package let updated: [ItemPath]

    /// Matches rows by their identifiers: most of them by comparing, the rest by hashing.
    ///
    /// The rows of a section that is in `pairs` are looked for in its counterpart first; what is not found there is
    /// looked for everywhere. Equal identifiers are matched by occurrence.
    ///
    /// Memory beside the input: twelve bytes a run of survivors, and the row itself and some forty bytes for each that
    /// was not found opposite.
    ///
    /// Complexity: O(n) for n rows and sections, expected, with a hash for each row that was not found opposite.
    ///
    /// - Parameters:
    ///   - pairs: the sections that are the same, ascending by old index.
    ///   - isCancelled: asked every few thousand rows.
    /// - Throws: `tooManyItems`, `cancelled`.
    @inlinable
    package init<Rules: RowRules, OldItems: Collection, NewItems: Collection>(
        from old: [OldItems],
        to new: [NewItems],
        pairs: [SurvivingSection],
        rules: Rules,
        isCancelled: () -> Bool
    ) throws(DifferenceError) where OldItems.Element == Rules.Row, NewItems.Element == Rules.Row {
        let oldNumbers = try RowNumbers(old.map(\.count))
        let newNumbers = try RowNumbers(new.map(\.count))
        var matches = RowMatches()
        // Of sections too small to be asked about by themselves.
        var unasked = 0
        for pair in pairs {
            unasked +=
                oldNumbers.rows(pair.oldSection).count + newNumbers.rows(pair.newSection).count + 1
            if unasked >= SectionWalk<Rules>.batch {
                if isCancelled() { throw DifferenceError.cancelled }
                unasked = 0
            }
            let isFinished = withRows(of: old[pair.oldSection]) { oldRows in
                withRows(of: new[pair.newSection]) { newRows in
                    var walk = SectionWalk(
                        rules,
                        old: oldRows,
                        new: newRows,
                        oldBase: oldNumbers.starts[pair.oldSection],
                        newBase: newNumbers.starts[pair.newSection]
                    )
                    return walk.run(&matches, isCancelled: isCancelled)
                }
            }
            guard isFinished else { throw DifferenceError.cancelled }
        }
        let matched = matches.count
        var oldRest = ResidualRows<Rules.Row>(capacity: oldNumbers.total - matched)
        matches.withEveryOldGap(oldNumbers) { section, range in
            withRows(of: old[section]) {
                oldRest.append(range, of: $0, base: oldNumbers.starts[section])
            }
        }
        var newRest = ResidualRows<Rules.Row>(capacity: newNumbers.total - matched)
        matches.withEveryNewGap(newNumbers, pairs, oldNumbers) { section, range in
            withRows(of: new[section]) {
                newRest.append(range, of: $0, base: newNumbers.starts[section])
            }
        }
        var table = ResidualTable(rules, old: oldRest, new: newRest)
        guard table.run(isCancelled: isCancelled) else { throw DifferenceError.cancelled }
        var assembler = RunAssembler(oldNumbers, newNumbers)
        assembler.append(matches, and: table.old.count, table.partners, table.old.numbers)
        compactRuns = assembler.runs
        updated = assembler.paths(ofOldRows: matches.updated, table.updated)
    }
}

/// Calls `body` with the rows in memory, copied only where the collection does not have them so.
@inlinable
func withRows<Items: Collection, Result>(
    of items: Items,
    _ body: (UnsafeBufferPointer<Items.Element>) -> Result
) -> Result {
    if let result = items.withContiguousStorageIfAvailable(body) { return result }
    return ContiguousArray(items).withUnsafeBufferPointer(body)
}

/// Whether ``withRows(of:_:)`` copies nothing.
@inlinable
func areInMemory<Items: Collection>(_ sections: [Items]) -> Bool {
    sections.allSatisfy { $0.withContiguousStorageIfAvailable { _ in } != nil }
}
