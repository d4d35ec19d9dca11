/// A sequence of consecutive updates that is combined into one update.
///
/// Use it if a consumer missed many updates and needs only their sum: a view that reconnects, a
/// replica that resumes, or a record of everything that happened since the last save. To combine
/// exactly two updates, call ``ValidatedChangeSet/composed(with:)``.
///
/// ```swift
/// var composition = ChangeSetComposition(from: shape)
/// for update in missed { try composition.append(update) }
/// view.apply(composition.update)
/// ```
///
/// The composed update is minimal. It omits an item that was inserted and later deleted. An item
/// that moved twice moves once, or not at all if the other items can stay around it. An item that
/// was reconfigured and later deleted is deleted. Precisely, an item of the first state
///
/// - is deleted, by itself or with its section, if it is gone at the end;
/// - is reloaded if it was reloaded at some point and can stay in its place; if it cannot stay, it
///   is deleted and another item is inserted;
/// - is moved if it is in another section at the end, or out of order among the items that stay;
/// - and is reconfigured if it was reconfigured at some point.
///
/// Every other item of the last state is inserted, by itself or with its section. The same rules
/// apply to sections. The numbers of moved sections, and of moved items in each section, are the
/// lowest possible. If several updates edit the same item or section, the animation option of the
/// latest edit is used. A `reloadData` among the updates makes their composition a `reloadData`.
/// Updates without edits have no effect: if only one update has edits, the result is that update,
/// edit by edit.
///
/// The result equals what validation returns for it in the `standard` profile, which lets items
/// move out of deleted sections and into inserted ones. An item or section that exists throughout
/// therefore keeps its identity. The `strict` profile may reject the result.
///
/// Threading: a value type; it can be used from any thread, by one thread at a time.
///
/// Memory: proportional to the differences between the start and now, plus a small entry for each
/// section and for each animation option that occurred. It does not depend on the number of
/// updates.
///
/// Complexity: for updates with few edits each, a small constant for each update while few
/// stretches of items are out of place; at most O(r + k) for k edits and r such stretches.
///
/// Source: the composition of patches in version control, and of deltas in operational
/// transformation.
public struct ChangeSetComposition: Sendable {
    /// The shape before the first update.
    public let oldShape: HierarchyShape

    /// The current shape. The next update must start from it.
    public private(set) var newShape: HierarchyShape

    // At most one of these three is set; none is set if nothing has changed. A single update is
    // returned as it is.
    private var single: ValidatedChangeSet?
    private var traced: TracedState?
    private var reloadData: AnimationOption?

    /// Creates a composition that contains no updates yet.
    public init(from shape: HierarchyShape) {
        oldShape = shape
        newShape = shape
    }

    /// Appends `update` to the composition.
    ///
    /// - Throws: `sectionCount` or `itemCount` if `update` does not start from ``newShape``. The
    ///   composition is then unchanged.
    public mutating func append(_ update: ValidatedChangeSet) throws(HierarchyUpdateError) {
        try update.checkStart(newShape)
        guard update.changesSomething else { return }
        newShape = update.newShape
        if update.isReloadData {
            (single, traced, reloadData) = (nil, nil, update.reloadDataAnimation)
        } else if reloadData != nil {
            // The `reloadData` already covers this update.
        } else if traced != nil {
            traced!.apply(update)
        } else if let first = single {
            single = nil
            traced = TracedState(at: oldShape)
            traced!.apply(first)
            traced!.apply(update)
        } else {
            single = update
        }
    }

    /// The composition of all updates appended so far.
    ///
    /// Complexity: O(r log r + e + s) for r stretches of items that are out of place, e edits of
    /// the result and s sections.
    public var update: ValidatedChangeSet {
        if let reloadData {
            return .reloadingData(from: oldShape, to: newShape, animation: reloadData)
        }
        return traced?.changeSet() ?? single ?? .unchanged(newShape)
    }
}

extension ValidatedChangeSet {
    /// Returns one minimal update that has the effect of this update followed by `next`.
    ///
    /// Applying the result equals applying both updates in turn, with the same items and sections
    /// surviving. ``ChangeSetComposition`` defines minimality and does the same for any number of
    /// updates.
    ///
    /// ```swift
    /// let sum = try first.composed(with: second)
    /// // Edits that cancel each other out leave no edits.
    /// try first.composed(with: first.inverted).edits.isEmpty   // for inserts and moves
    /// ```
    ///
    /// Composition is associative, with three exceptions that also depend on the intermediate
    /// states: the animation options of moves, which of two neighbours moves past the other, and
    /// whether an item that was reloaded, moved and moved back is reloaded or is deleted and
    /// inserted. An update without edits is the identity on either side.
    ///
    /// Threading: a pure function.
    ///
    /// Complexity: O((k + m) log (k + m) + s) for k and m edits and s sections, independent of the
    /// number of items.
    ///
    /// - Parameter next: An update that starts from this update's new shape.
    /// - Throws: `sectionCount` or `itemCount` if `next` starts from another shape.
    public func composed(
        with next: ValidatedChangeSet
    ) throws(HierarchyUpdateError) -> ValidatedChangeSet {
        var composition = ChangeSetComposition(from: oldShape)
        try composition.append(self)
        try composition.append(next)
        return composition.update
    }

    /// Creates one update that has the effect of all `updates` in order, or returns `nil` if there
    /// are none.
    ///
    /// - Parameter updates: Updates that each start from the new shape of the previous one; the
    ///   sequence is iterated once.
    /// - Throws: `sectionCount` or `itemCount` at the first update that starts from another shape.
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

    /// Checks that the update starts from sections with these item counts.
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
