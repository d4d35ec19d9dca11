/// Whose verdicts validation gives.
@nonexhaustive
public enum ValidationProfile: String, Hashable, Sendable, CaseIterable {
    /// The verdicts of today's UICollectionView, with duplicate deletes and inserts refused, every
    /// path bounds-checked, and no verdict that depends on what happens to be visible.
    case standard

    /// `standard`, and everything that any release of UICollectionView is known to raise for. Some updates that this
    /// accepts are reported to have gone wrong on some releases: a section that moves to where it is while an item of it
    /// does, and reloads of sections that also change their counts. Avoid them in lists that are shown on a device.
    case strict

    /// The verdicts of Texture: a move is a delete and an insert, its order of checks, edits in
    /// deleted, inserted and reloaded sections absorbed unchecked, duplicates counted and applied
    /// once. For those who port from it.
    case texture
}

extension ValidationProfile {
    /// Whether a mistake is looked for behind a rejection. The original's hints are its own.
    fileprivate var seeksMistakes: Bool { self != .texture }

    /// What may survive an update.
    var survivalRules: SurvivalRules {
        SurvivalRules(
            movesAtAll: self != .texture,
            movesAcrossFreshSections: self == .standard,
            movesBetweenEqualNumbers: self == .standard,
            reloadsBesideMoves: self == .standard,
            reloads: self != .texture
        )
    }
}

extension HierarchyChangeSet {
    /// Checks the record against the shapes before and after it, and gives its edits in order.
    ///
    /// The first fault is reported, in UIKit's precedence: reload conflicts, deletes descending,
    /// inserts ascending, moves, in-place updates, the number of sections, the numbers of items.
    /// An empty record is checked like any other: the shapes must then be equal. With `reloadData`
    /// in the record all else in it is dropped, and only the limits are checked.
    ///
    /// Threading: a pure function, callable from anywhere.
    ///
    /// Complexity: O(k log k + s) for k recorded edits and s sections, whatever the number of items;
    /// reconfigured sections count with their items. In `standard` and `strict`, sections without
    /// edits are only compared, as memory, and not even that where both shapes share their counts.
    ///
    /// - Throws: the first fault; nothing else happens.
    public func validated(
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape,
        profile: ValidationProfile = .standard,
        limits: ShapeLimits = ShapeLimits()
    ) throws(HierarchyUpdateError) -> ValidatedChangeSet {
        do {
            try limits.check(oldShape)
            try limits.check(newShape)
            // Nothing recorded and nothing changed, which every profile accepts.
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
                return try TextureValidator(operations, from: oldShape, to: newShape).validate()
            }
        } catch {
            throw error.between(oldShape, newShape)
                .explained(by: self, seekingMistakes: profile.seeksMistakes)
        }
    }
}
