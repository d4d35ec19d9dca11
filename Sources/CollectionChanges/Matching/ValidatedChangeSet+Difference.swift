// Computes the edits for a caller that has the new state but not the edits. Every initializer ends
// in the last one of this extension.

extension ValidatedChangeSet {
    /// Creates the update that turns one list of item identifiers, as a single section, into
    /// another.
    ///
    /// ```swift
    /// let update = try ValidatedChangeSet(fromIdentifiers: [1, 2, 3, 4], to: [2, 3, 9, 1])
    /// Array(update.edits)   // 0 - 0 moves to 0 - 3; 0 - 3 is deleted, 0 - 2 inserted
    /// ```
    ///
    /// Otherwise it behaves like the initializer that takes sections, which is documented in full.
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

    /// Creates the update that turns one list of sections, with the identifiers of their items,
    /// into another.
    ///
    /// ```swift
    /// let update = try ValidatedChangeSet(
    ///     fromIdentifiers: [("inbox", [1, 2, 3]), ("sent", [4])],
    ///     to: [("inbox", [2, 3]), ("archive", [1]), ("sent", [4, 5])]
    /// )
    /// ```
    ///
    /// Use it if you have the complete new state, such as rows from a database or a parsed
    /// response. If you know what changed, record that in a ``HierarchyChangeSet``, which costs
    /// less. An identifier is searched for in all sections, so items can move between sections.
    /// Sections are also matched by their identifiers. The number of moves is minimal: as many
    /// sections as possible stay in place, and so do as many items as possible of sections that
    /// survive.
    ///
    /// The result is one update, valid in the profile of the options. In some cases UIKit would
    /// need two updates. It cannot combine a reload with certain moves. Some releases cannot move
    /// items out of deleted sections or into inserted ones. It miscounts moves between two sections
    /// if one now has the other's number. `standard` does all this in one update; `strict` replaces
    /// such a reload or move with a delete and an insert.
    ///
    /// Paths of the result are old paths for removals and new paths for insertions. Each side may
    /// have up to 2³¹ items.
    ///
    /// Threading: a pure function, callable from any thread. For long lists, call it on a worker.
    ///
    /// Nothing is retained. Complexity: O(n) comparisons if most items are the same and in the same
    /// order, plus a hash for each item that is not found near its position, and O(m log m) in the
    /// worst case for m runs of items that moved. Memory in addition to the input is proportional
    /// to the result, not to the input.
    ///
    /// Source: Paul Heckel, A technique for isolating differences between files (1978), in reverse:
    /// items that can be compared in place are not hashed.
    ///
    /// - Parameters:
    ///   - old: The sections before the change, each with its identifier and those of its items.
    ///   - new: The sections after the change.
    ///   - options: The treatment of duplicates and of changed contents, and the profile in which
    ///     the result is valid.
    ///   - isCancelled: A closure that returns whether to cancel; called once for every few
    ///     thousand items that are matched.
    /// - Throws: With `reject`, the first duplicate found; `tooManyItems`; `cancelled`.
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

    /// Creates the update that turns one list of rows, as a single section, into another.
    ///
    /// Rows with the same `id` are the same row. If such rows are not equal, the item is updated in
    /// place or reloaded, as the options specify. Otherwise it behaves like the initializer that
    /// takes sections of identifiers.
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

    /// Creates the update that turns one list of sections of rows into another.
    ///
    /// Rows with the same `id` are the same row. If such rows are not equal, the item is updated in
    /// place or reloaded, as the options specify. Otherwise it behaves like the initializer that
    /// takes sections of identifiers.
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

    /// Creates the update between two lists of sections whose matching sections are known.
    ///
    /// - Parameter pairs: The sections that survive, ascending by old index.
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
            // Copied once here, because every part is read several times.
            let (old, new) = (old.map { ContiguousArray($0) }, new.map { ContiguousArray($0) })
            try self.init(old, new, pairs, rules, options, isCancelled)
            return
        }
        if options.duplicates == .reject {
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

    /// Creates the update in which exactly the rows that `matching` found survive.
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

/// Options for computing and expressing a difference between two states.
public struct DifferenceOptions: Hashable, Sendable {
    /// The treatment of items that survive with changed contents.
    @nonexhaustive
    public enum ContentUpdates: Hashable, Sendable {
        /// The items are updated in place.
        case reconfigure
        /// The items are replaced by new ones.
        case reload
    }

    /// The treatment of identifiers that occur more than once on one side.
    public var duplicates: DuplicatePolicy

    /// The treatment of items that survive with changed contents.
    public var contentUpdates: ContentUpdates

    /// The profile in which the result is valid.
    public var profile: ValidationProfile

    /// The animation of every edit.
    public var animation: AnimationOption

    /// Creates options.
    public init(
        duplicates: DuplicatePolicy = .automatic,
        contentUpdates: ContentUpdates = .reconfigure,
        profile: ValidationProfile = .standard,
        animation: AnimationOption = .automatic
    ) {
        self.duplicates = duplicates
        self.contentUpdates = contentUpdates
        self.profile = profile
        self.animation = animation
    }
}

/// The treatment of identifiers that occur more than once on one side of a difference.
@nonexhaustive
public enum DuplicatePolicy: Hashable, Sendable {
    /// Behaves like ``reject`` when states are applied to a controller, and like ``byOccurrence``
    /// in a standalone difference.
    ///
    /// An identifier that occurs twice in a displayed list is most likely a mistake, which would
    /// only show later as a row in the wrong place. In a difference of plain values, such as lines
    /// of text, equal values are normal.
    case automatic

    /// Distinguishes equal identifiers by their occurrence.
    ///
    /// As many items survive as occur on both sides. Items that are found by comparing both sides
    /// in order are matched first. Among the others, the first old item is matched with the first
    /// new one, the second with the second, and so on.
    case byOccurrence

    /// Reports a second occurrence on one side, in any section, as an error that contains both
    /// paths.
    ///
    /// Every identifier must be hashed to show that there are no duplicates. If most items are the
    /// same, this takes several times as long as the difference itself.
    case reject
}
