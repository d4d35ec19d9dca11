extension ValidatedChangeSet {
    /// The update that does what this one and then `next` do, and no more than is needed.
    ///
    /// Applying it equals applying both in turn, with the same items and sections surviving. It
    /// is minimal; ``ChangeSetComposition`` says what that means, and does the same for any number of updates.
    ///
    /// ```swift
    /// let sum = try first.composed(with: second)
    /// // Nothing is left of what came and went.
    /// try first.composed(with: first.inverted).edits.isEmpty   // for inserts and moves
    /// ```
    ///
    /// Composing is associative, but for animation options of what moves and for which of two neighbours moves
    /// past the other, both of which also depend on what happened on the way, as does whether an item that was reloaded, moved
    /// and moved back is a reload or a delete and an insert. An update that edits nothing
    /// is the identity on either side.
    ///
    /// Threading: a pure function. Complexity: O((k + m) log (k + m) + s) for k and m edits and s sections,
    /// whatever the number of items.
    ///
    /// - Parameter next: an update from this one's new shape.
    /// - Throws: `sectionCount` or `itemCount` where `next` starts from another shape.
    public func composed(
        with next: ValidatedChangeSet
    ) throws(HierarchyUpdateError) -> ValidatedChangeSet {
        var composition = ChangeSetComposition(from: oldShape)
        try composition.append(self)
        try composition.append(next)
        return composition.update
    }

    /// The update that does what all of `updates` do one after the other; nil where there are none.
    ///
    /// - Parameter updates: each from the new shape of the one before; walked once.
    /// - Throws: `sectionCount` or `itemCount` at the first that starts from another shape.
    public init?(
        composing updates: some Sequence<ValidatedChangeSet>
    ) throws(HierarchyUpdateError) {
        var composition: ChangeSetComposition?
        for update in updates {
            if composition == nil { composition = ChangeSetComposition(from: update.oldShape) }
            try composition!.append(update)
        }
        guard let composition else { return nil }
        self = composition.update
    }

    /// Checks that the update starts from `shape`.
    package func checkStart(_ shape: HierarchyShape) throws(HierarchyUpdateError) {
        if oldShape != shape { try checkStart(shape.itemCounts) }
    }

    /// Checks that the update starts from sections of so many items.
    func checkStart(_ itemCounts: [Int]) throws(HierarchyUpdateError) {
        let expected = oldShape.itemCounts
        guard itemCounts.count == expected.count else {
            let summary =
                "the update starts from \(expected.count) sections, but \(itemCounts.count) were given"
            throw HierarchyUpdateError(.sectionCount, summary, summary: summary)
                .between(oldShape, newShape)
        }
        for (section, (found, expected)) in zip(itemCounts, expected).enumerated()
        where found != expected {
            let summary =
                "the update starts from \(expected) items in section \(section), but \(found) were given"
            throw HierarchyUpdateError(
                .itemCount,
                summary,
                section: section,
                oldShape: oldShape,
                newShape: newShape,
                summary: summary
            )
        }
    }
}
