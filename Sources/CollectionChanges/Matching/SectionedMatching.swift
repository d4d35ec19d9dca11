// Finds what survives between two sectioned sequences. Sections are first compared in pairs; the
// remaining rows of all sections then go through one table.

/// The rows that are the same in two sectioned sequences.
@usableFromInline
package struct SectionedMatching: Sendable {
    /// The survivors, ascending by old path, in runs that are as long as possible.
    @usableFromInline package var runs: [SurvivingRun] { compactRuns.map(\.plain) }

    /// The survivors in half the memory.
    @usableFromInline let compactRuns: [CompactRun]

    /// The old paths of survivors whose contents have changed, ascending.
    @usableFromInline package let updated: [ItemPath]

    /// Matches rows by their identifiers: most of them by comparing, the rest by hashing.
    ///
    /// The rows of a section in `pairs` are first searched for in its counterpart, and otherwise in
    /// all sections. Equal identifiers are matched by occurrence.
    ///
    /// Memory in addition to the input: twelve bytes for each run of survivors, and the row plus
    /// about forty bytes for each row that was not found in the counterpart.
    ///
    /// Complexity: O(n) expected for n rows and sections, with a hash for each row that was not
    /// found in the counterpart.
    ///
    /// - Parameters:
    ///   - old: The rows of the old sections.
    ///   - new: The rows of the new sections.
    ///   - pairs: The sections that are the same, ascending by old index.
    ///   - rules: The comparison of rows.
    ///   - isCancelled: A closure that returns whether to cancel; called every few thousand rows.
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
        // The number of rows since the last cancellation check, in sections too small to check on
        // their own.
        var uncheckedRowCount = 0
        for pair in pairs {
            uncheckedRowCount +=
                oldNumbers.rows(pair.oldSection).count + newNumbers.rows(pair.newSection).count + 1
            if uncheckedRowCount >= SectionWalk<Rules>.batch {
                if isCancelled() { throw DifferenceError.cancelled }
                uncheckedRowCount = 0
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
        var oldRest = UnmatchedRows<Rules.Row>(capacity: oldNumbers.total - matched)
        matches.withEveryOldGap(oldNumbers) { section, range in
            withRows(of: old[section]) {
                oldRest.append(range, of: $0, base: oldNumbers.starts[section])
            }
        }
        var newRest = UnmatchedRows<Rules.Row>(capacity: newNumbers.total - matched)
        matches.withEveryNewGap(newNumbers, pairs, oldNumbers) { section, range in
            withRows(of: new[section]) {
                newRest.append(range, of: $0, base: newNumbers.starts[section])
            }
        }
        var table = UnmatchedRowTable(rules, old: oldRest, new: newRest)
        guard table.run(isCancelled: isCancelled) else { throw DifferenceError.cancelled }
        var assembler = RunAssembler(oldNumbers, newNumbers)
        assembler.append(matches, and: table.old.count, table.partners, table.old.numbers)
        compactRuns = assembler.runs
        updated = assembler.paths(ofOldRows: matches.updated, table.updated)
    }
}

/// Calls `body` with the rows in contiguous memory. They are copied only if the collection does not
/// store them contiguously.
@inlinable
func withRows<Items: Collection, Result>(
    of items: Items,
    _ body: (UnsafeBufferPointer<Items.Element>) -> Result
) -> Result {
    if let result = items.withContiguousStorageIfAvailable(body) { return result }
    return ContiguousArray(items).withUnsafeBufferPointer(body)
}

/// Returns whether ``withRows(of:_:)`` copies nothing.
@inlinable
func areInMemory<Items: Collection>(_ sections: [Items]) -> Bool {
    sections.allSatisfy { $0.withContiguousStorageIfAvailable { _ in } != nil }
}
