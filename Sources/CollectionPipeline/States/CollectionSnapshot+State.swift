import CollectionElements
import CollectionSnapshots

/// A snapshot is a state: its items are shown by their identifiers.
///
/// What is marked in it decides what is reloaded and reconfigured, not ``DifferenceOptions/contentUpdates``; its
/// identifiers are unique.
extension CollectionSnapshot: CollectionState {
    /// The identifiers of the items.
    public func models(at items: Range<Int>, inSection section: Int) -> [ItemID] {
        itemIdentifiers(at: items, inSectionAt: section)
    }

    /// This snapshot with the marks of an older one too, as far as what they name is still there.
    public func superseding(_ older: Self) -> Self { takingOverMarks(of: older) }

    /// The snapshot without marks: what they ask for is done.
    public var accepted: Self {
        var snapshot = self
        snapshot.removeAllMarks()
        return snapshot
    }

    /// The update that turns `old` into this snapshot, in time that follows the edits where one was made of the other.
    public func changes(
        from old: Self,
        options: DifferenceOptions,
        isCancelled: () -> Bool
    ) throws(DifferenceError) -> ValidatedChangeSet {
        try changes(
            from: old,
            profile: options.profile,
            animation: options.animation,
            isCancelled: isCancelled
        )
    }
}
