/// The framework whose rules validation applies.
@nonexhaustive
public enum ValidationProfile: String, Hashable, Sendable, CaseIterable {
    /// The rules of current UICollectionView releases. In addition, duplicate deletes and inserts
    /// are rejected, every path is bounds-checked, and no result depends on what happens to be
    /// visible.
    case standard

    /// `standard`, and every fault for which any release of UICollectionView is known to raise an
    /// exception. Some accepted updates are reported to have failed on some releases: moving a
    /// section to its own index while one of its items moves, and reloading sections whose counts
    /// also change. Avoid them in lists that are shown on a device.
    case strict

    /// The rules of Texture: a move is a delete and an insert; the checks run in Texture's order;
    /// edits in deleted, inserted and reloaded sections are ignored without a check; duplicates are
    /// counted and applied once. Use it to port code from Texture.
    case texture

    /// Whether to search for a mistake after a rejection. Texture has hints of its own.
    fileprivate var seeksMistakes: Bool { self != .texture }

    /// The kinds of survival that the profile allows.
    var survivalRules: SurvivalRules {
        SurvivalRules(
            movesAtAll: self != .texture,
            movesAcrossInsertedSections: self == .standard,
            movesBetweenEqualNumbers: self == .standard,
            reloadsBesideMoves: self == .standard,
            reloads: self != .texture
        )
    }
}

extension HierarchyChangeSet {
    /// Validates the record against the shapes before and after it, and returns its edits in order.
    ///
    /// The first fault is reported, in UIKit's order: reload conflicts, deletes descending, inserts
    /// ascending, moves, in-place updates, the number of sections, the numbers of items. An empty
    /// record is checked like any other: the shapes must then be equal. If the record contains
    /// `reloadData`, its other operations are ignored, and only the limits are checked.
    ///
    /// Threading: a pure function, callable from any thread.
    ///
    /// Complexity: O(k log k + s) for k recorded edits and s sections, for any number of items;
    /// reconfigured sections count with their items. In `standard` and `strict`, sections without
    /// edits are only compared as memory, and not at all if both shapes share their counts.
    ///
    /// - Throws: The first fault; nothing has changed then.
    public func validated(
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape,
        profile: ValidationProfile = .standard,
        limits: ShapeLimits = ShapeLimits()
    ) throws(HierarchyUpdateError) -> ValidatedChangeSet {
        do {
            try limits.check(oldShape)
            try limits.check(newShape)
            // Nothing is recorded and nothing has changed, which every profile accepts.
            if operations.isEmpty, oldShape == newShape { return .unchanged(newShape) }
            switch profile {
            case .standard, .strict:
                var validator = StandardValidator(
                    operations,
                    from: oldShape,
                    to: newShape,
                    raisesEarlyFaults: profile == .strict
                )
                return try validator.validate()
            case .texture:
                return try TextureValidator.validate(operations, from: oldShape, to: newShape)
            }
        } catch {
            throw error.between(oldShape, newShape)
                .explained(by: self, seekingMistakes: profile.seeksMistakes)
        }
    }
}
