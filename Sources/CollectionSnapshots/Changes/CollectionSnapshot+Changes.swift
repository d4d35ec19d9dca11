public import CollectionChanges

extension CollectionSnapshot {
    /// The update that turns `old` into this snapshot, with the fewest moves.
    ///
    /// ```swift
    /// var next = current
    /// try next.insertItems([9], afterItem: 3)
    /// let update = try next.changes(from: current)
    /// ```
    ///
    /// Sections and items are the same where their identifiers are; items also move between sections.
    /// What is marked in this snapshot, and was there in `old`, becomes part of the update: a reloaded
    /// section is replaced with all items that stay in it, a reloaded item by a fresh one, and a
    /// reconfigured item is updated in place. Marks of `old` do not matter. As in UIKit, reloading wins.
    /// Where UIKit would need more than one update, the difference of identifiers of `ValidatedChangeSet` says what is
    /// given instead.
    ///
    /// Shape: old paths for removals, new ones for insertions.
    ///
    /// Threading: a pure function, callable from anywhere; for unrelated snapshots that are long, that
    /// is a worker.
    ///
    /// Complexity: O(k log n + sections) for snapshots that are k edits apart; O(n) for those made one by
    /// one where most is the same in order, as for any two sequences of identifiers.
    ///
    /// - Parameters:
    ///   - old: the snapshot that the update starts from.
    ///   - profile: the update is valid in it.
    ///   - animation: how to animate every edit.
    ///   - isCancelled: asked every few thousand items whether to give up.
    /// - Throws: `cancelled`, or `tooManyItems` beyond 2³¹.
    @inlinable
    public func changes(
        from old: Self,
        profile: ValidationProfile = .standard,
        animation: AnimationOption = .automatic,
        isCancelled: () -> Bool = { false }
    ) throws(DifferenceError) -> ValidatedChangeSet {
        let difference = SnapshotDifference(from: old, to: self)
        return ValidatedChangeSet(
            survivors: try difference.survivors(isCancelled: isCancelled),
            sections: difference.sections,
            from: old.shape,
            to: shape,
            reconfigured: difference.oldPaths(of: reconfiguredItems),
            replaced: difference.oldPaths(of: reloadedItems),
            animation: animation,
            profile: profile
        )
    }
}
