import CollectionElements
import CollectionSnapshots

/// A snapshot is a state: its items are shown by their identifiers.
///
/// What is marked in it decides what is reloaded and reconfigured, not ``DifferenceOptions/contentUpdates``; its
/// identifiers are unique.
extension CollectionSnapshot: CollectionState {
    /// The identifiers of the items.
    public func models(at items: Range<Int>, inSection section: Int) -> [ItemID] {
        items.compactMap { itemIdentifier(at: ItemPath(section: section, item: $0)) }
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
