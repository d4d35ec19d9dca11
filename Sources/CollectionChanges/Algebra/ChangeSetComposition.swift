/// Any number of updates one after the other, on their way to becoming one.
///
/// Use it where many updates were missed and only their sum matters: a view that was away and comes back, a
/// replica that resumes, a record of what happened since the last save. For two at hand there is
/// ``ValidatedChangeSet/composed(with:)``.
///
/// ```swift
/// var composition = ChangeSetComposition(from: shape)
/// for update in missed { try composition.append(update) }
/// view.apply(composition.update)
/// ```
///
/// The composition is minimal. What was inserted and then deleted does not appear; what moved twice moves once,
/// and not at all where the rest can stay around it; what was reconfigured and then deleted is deleted. Precisely,
/// an item of the first state
///
/// - that is gone at the end is deleted, or goes with its section;
/// - that was reloaded on the way is reloaded if it can stay in its place, else deleted and another inserted;
/// - that is in another section at the end, or out of order among those that stay, is moved;
/// - and was reconfigured on the way, is reconfigured;
///
/// and what else is there at the end is inserted, or comes with its section. Sections likewise. The numbers of moved
/// sections, and of moved items in each section, are the lowest possible. Where both updates had an edit
/// for the same thing, the later one's animation option counts. A `reloadData` among the updates makes
/// their composition a `reloadData`. Updates that edit nothing change nothing: with one
/// other among them, the result is that one, edit by edit.
///
/// The result is what validation gives for it in the `standard` profile, which lets items move out of
/// deleted sections and into inserted ones: so nothing loses its identity that had it all the way, though
/// `strict` may not take the result.
///
/// A value; threading as that. Memory: what is different between the start and now, and a small entry for each
/// section and each animation option that occurred; not the number of updates.
///
/// Complexity: for updates of few edits each, a small constant each while few stretches of items are out of place;
/// O(r + k) at most for k edits and r such stretches.
///
/// Source: the composition of patches in version control, and of deltas in operational transformation.
public struct ChangeSetComposition: Sendable {
    /// The shape at the start.
    public let oldShape: HierarchyShape

    /// The shape now, from which the next update must start.
    public private(set) var newShape: HierarchyShape

    // Of these at most one is there. None: nothing happened. An update by itself stays what it is.
    private var single: ValidatedChangeSet?
    private var traced: TracedState?
    private var reloadData: AnimationOption?

    /// Starts a composition, of no updates so far.
    public init(from shape: HierarchyShape) {
        oldShape = shape
        newShape = shape
    }

    /// Goes on by `update`.
    ///
    /// - Throws: `sectionCount` or `itemCount` where `update` starts from another shape than that of now; the
    ///   composition is then as before.
    public mutating func append(_ update: ValidatedChangeSet) throws(HierarchyUpdateError) {
        try update.checkStart(newShape)
        guard update.changesSomething else { return }
        newShape = update.newShape
        if update.isReloadData {
            (single, traced, reloadData) = (nil, nil, update.reloadDataAnimation)
        } else if reloadData != nil {
            // Everything is new anyway.
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

    /// All updates so far as one.
    ///
    /// Complexity: O(r log r + e + s) for r stretches of items that are out of place, e edits of the result and s
    /// sections.
    public var update: ValidatedChangeSet {
        if let reloadData {
            return .reloadingData(from: oldShape, to: newShape, animation: reloadData)
        }
        return traced?.changeSet() ?? single ?? .unchanged(newShape)
    }
}
