// Who has the new state has no edits: here they are found. Every form ends in the last one of this file.

extension ValidatedChangeSet {
    /// Makes the update that turns some identifiers, as the items of one section, into others.
    ///
    /// ```swift
    /// let update = try ValidatedChangeSet(fromIdentifiers: [1, 2, 3, 4], to: [2, 3, 9, 1])
    /// Array(update.edits)   // 0 - 0 moves to 0 - 3; 0 - 3 is deleted, 0 - 2 inserted
    /// ```
    ///
    /// Like the form with sections otherwise, which says all of it.
    @inlinable
    public init<Old: Collection, New: Collection>(
        fromIdentifiers old: Old,
        to new: New,
        options: DifferenceOptions = DifferenceOptions(),
        isCancelled: () -> Bool = { false }
    ) throws(DifferenceError) where Old.Element: Hashable, New.Element == Old.Element {
        try self.init(
            [old],
            [new],
            [SurvivingSection(oldSection: 0, newSection: 0)],
            IdentifierRules<Old.Element>(),
            options,
            isCancelled
        )
    }

    /// Makes the update that turns some sections with the identifiers of their items into others.
    ///
    /// ```swift
    /// let update = try ValidatedChangeSet(
    ///     fromIdentifiers: [("inbox", [1, 2, 3]), ("sent", [4])],
    ///     to: [("inbox", [2, 3]), ("archive", [1]), ("sent", [4, 5])]
    /// )
    /// ```
    ///
    /// Use it where the new state is had whole, as rows from a database or a parsed response; who knows what was
    /// changed records that in a ``HierarchyChangeSet``, which costs less. An identifier is looked for in all sections,
    /// so that items move between them. There are as few moves as there can be: of the items whose section survives,
    /// and of the sections, as many stay in place as possible. Sections are recognised by their identifiers too.
    ///
    /// The result is one update, valid in the profile of the options. Where UIKit would need two, since it cannot place
    /// a reload beside certain moves, cannot move items out of deleted sections or into inserted ones in every release,
    /// and miscounts moves between two sections of which one has now the number of the other, `standard` does it in one
    /// all the same; `strict` gives a delete and an insert in place of that reload or move.
    ///
    /// Paths of the result are old ones for removals and new ones for insertions. The sides may have up to 2³¹ items.
    ///
    /// Threading: a pure function, callable from anywhere; for long lists that is a worker.
    ///
    /// Retained is nothing. Complexity: O(n) comparisons where most is the same in order, with a hash for each item that
    /// is not found near its place, and O(m log m) at worst for m runs of items that moved. Memory beside the input
    /// follows the result, not the input.
    ///
    /// Source: Paul Heckel, A technique for isolating differences between files (1978), turned about: what can be
    /// compared in place is not hashed.
    ///
    /// - Parameters:
    ///   - old: the sections before, each with its identifier and those of its items.
    ///   - new: the sections after.
    ///   - options: what is made of duplicates and of new contents, and in which profile the result is valid.
    ///   - isCancelled: asked whether to give up, every few thousand items that are matched.
    /// - Throws: with `refuse` the first duplicate found; `tooManyItems`; `cancelled`.
    @inlinable
    public init<SectionID: Hashable, OldItems: Collection, NewItems: Collection>(
        fromIdentifiers old: some Collection<(SectionID, OldItems)>,
        to new: some Collection<(SectionID, NewItems)>,
        options: DifferenceOptions = DifferenceOptions(),
        isCancelled: () -> Bool = { false }
    ) throws(DifferenceError)
    where OldItems.Element: Hashable, NewItems.Element == OldItems.Element {
        let pairs = try SurvivingSection.matching(
            old.map { $0.0 },
            new.map { $0.0 },
            options.duplicates,
            isCancelled
        )
        let rules = IdentifierRules<OldItems.Element>()
        try self.init(old.map { $0.1 }, new.map { $0.1 }, pairs, rules, options, isCancelled)
    }

    /// Makes the update that turns some rows, as the items of one section, into others.
    ///
    /// Rows are the same where their `id` is; where rows that are the same are not equal, the item is updated in place
    /// or reloaded, as the options say. Like the form with sections of identifiers otherwise.
    @inlinable
    public init<Old: Collection, New: Collection>(
        from old: Old,
        to new: New,
        options: DifferenceOptions = DifferenceOptions(),
        isCancelled: () -> Bool = { false }
    ) throws(DifferenceError)
    where Old.Element: Identifiable & Equatable, New.Element == Old.Element {
        try self.init(
            [old],
            [new],
            [SurvivingSection(oldSection: 0, newSection: 0)],
            IdentifiableRules<Old.Element>(),
            options,
            isCancelled
        )
    }

    /// Makes the update that turns some sections of rows into others.
    ///
    /// Rows are the same where their `id` is; where rows that are the same are not equal, the item is updated in place
    /// or reloaded, as the options say. Like the form with sections of identifiers otherwise.
    @inlinable
    public init<SectionID: Hashable, OldItems: Collection, NewItems: Collection>(
        from old: some Collection<(SectionID, OldItems)>,
        to new: some Collection<(SectionID, NewItems)>,
        options: DifferenceOptions = DifferenceOptions(),
        isCancelled: () -> Bool = { false }
    ) throws(DifferenceError)
    where OldItems.Element: Identifiable & Equatable, NewItems.Element == OldItems.Element {
        let pairs = try SurvivingSection.matching(
            old.map { $0.0 },
            new.map { $0.0 },
            options.duplicates,
            isCancelled
        )
        let rules = IdentifiableRules<OldItems.Element>()
        try self.init(old.map { $0.1 }, new.map { $0.1 }, pairs, rules, options, isCancelled)
    }

    /// Makes the update between sections of which is known which are the same.
    ///
    /// - Parameter pairs: ascending by old index.
    @inlinable
    package init<Rules: RowRules, OldItems: Collection, NewItems: Collection>(
        _ old: [OldItems],
        _ new: [NewItems],
        _ pairs: [SurvivingSection],
        _ rules: Rules,
        _ options: DifferenceOptions,
        _ isCancelled: () -> Bool
    ) throws(DifferenceError) where OldItems.Element == Rules.Row, NewItems.Element == Rules.Row {
        guard areInMemory(old), areInMemory(new) else {
            // Once, since every part of it is gone through several times.
            let (old, new) = (old.map { ContiguousArray($0) }, new.map { ContiguousArray($0) })
            try self.init(old, new, pairs, rules, options, isCancelled)
            return
        }
        if options.duplicates == .refuse {
            let oldRows = try DuplicateFinder(rules, old)
            if let found = try oldRows.firstDuplicate(isCancelled: isCancelled) {
                throw .duplicateItem(found.id, found.first, found.second, isOld: true)
            }
            let newRows = try DuplicateFinder(rules, new)
            if let found = try newRows.firstDuplicate(isCancelled: isCancelled) {
                throw .duplicateItem(found.id, found.first, found.second, isOld: false)
            }
        }
        let matching = try SectionedMatching(
            from: old,
            to: new,
            pairs: pairs,
            rules: rules,
            isCancelled: isCancelled
        )
        self.init(
            matching,
            pairs,
            from: HierarchyShape(old.map(\.count)),
            to: HierarchyShape(new.map(\.count)),
            options
        )
    }

    /// Makes the update that leaves what `matching` found.
    @usableFromInline
    init(
        _ matching: SectionedMatching,
        _ pairs: [SurvivingSection],
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape,
        _ options: DifferenceOptions
    ) {
        let isReload = options.contentUpdates == .reload
        self.init(
            SurvivorPlan(
                matching.compactRuns,
                pairs,
                replaced: isReload ? matching.updated : [],
                from: oldShape,
                to: newShape,
                options.profile.survivalRules
            ),
            from: oldShape,
            to: newShape,
            reconfigured: isReload ? [] : matching.updated,
            options.animation
        )
    }
}
