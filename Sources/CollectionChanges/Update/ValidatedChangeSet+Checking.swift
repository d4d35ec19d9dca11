// Edits that did not come from validation: built by hand, or decoded. Nothing about them is
// believed; only what validation would have given for the same change comes through.

extension ValidatedChangeSet {
    /// Makes an update from edits that someone else put in order, if they are exactly those that
    /// validation would give.
    ///
    /// Use it for edits that crossed a process or were written by hand; whoever has a record of
    /// operations validates that instead, which sorts. Three things are checked, one after the
    /// other over the whole sequence: that the edits stand in the fixed order, strictly descending
    /// or ascending within each of the four runs; that each has a role which its run can have, with
    /// the two halves of reloads and moves naming each other and sections arriving with the right
    /// number of fresh items; and that the change is valid in the `standard` profile and amounts to
    /// these edits, no fewer and no others. The first fault is thrown.
    ///
    /// ```swift
    /// let edits: [HierarchyEdit] = [
    ///     .removeItem(ItemEdit(path: ItemPath(section: 0, item: 2), role: .delete)),
    ///     .insertSection(SectionEdit(section: 1, role: .insert, freshItemCount: 5)),
    /// ]
    /// let update = try ValidatedChangeSet(checking: edits, from: [3, 1], to: [2, 5, 1])
    /// ```
    ///
    /// Removals have old paths and insertions new ones; any integers may come in. Reconfigurations
    /// and reloads of supplementary elements are not edits, so the update has none. The edits of a
    /// whole reload come through as deletes and inserts of all sections.
    ///
    /// Threading: a pure function, callable from anywhere.
    ///
    /// Complexity: O(k log k + s) for k edits and s sections.
    ///
    /// - Parameters:
    ///   - edits: the edits; walked once, up to the first that is out of order.
    ///   - oldShape: the shape before the update.
    ///   - newShape: the shape after the update.
    ///   - limits: how large both shapes may be.
    /// - Throws: `editOutOfOrder`, `editUnlinked`, any fault of validation, or `editMismatch`;
    ///   `operationIndex` is the index of the edit at fault in `edits`.
    public init(
        checking edits: some Sequence<HierarchyEdit>,
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape,
        limits: ShapeLimits = ShapeLimits()
    ) throws(HierarchyUpdateError) {
        do {
            let outside = try OutsideEdits(inFixedOrder: edits)
            try limits.check(oldShape)
            try limits.check(newShape)
            try outside.checkLinks(freshIn: newShape)
            self = try outside.validated(from: oldShape, to: newShape, limits: limits)
        } catch {
            throw error.between(oldShape, newShape)
        }
    }
}
