import PersistentTrees

extension ElementMap {
    /// The map after `update`, which must start from this map's shape (or reload everything).
    ///
    /// Complexity: O(k log n) for k edits, fresh items and reconfigurations.
    package func applying(
        _ update: ValidatedChangeSet,
        _ change: ElementMapChange,
        generation: Int
    ) -> ElementMap {
        var editor = Editor(storage.entries, isReloadData: update.isReloadData)
        // None where everything is reloaded.
        editor.removeItems(update.itemRemovals)
        let carried = update.isReloadData ? [:] : editor.removeSections(update.sectionRemovals)
        editor.insertSections(update.sectionInsertions, carried, change.freshSections)
        editor.insertItems(update.itemInsertions, change.insertedItems, from: storage.entries)
        editor.replaceContents(
            zip(update.reconfigurations, change.reconfiguredContents)
                .map { ($0.newPath, $1) }
        )
        editor.replaceSupplementaries(change.supplementaries)
        return with(editor.entries.commit(), shape: update.newShape, generation: generation)
    }

    /// The same places with other contents; those of supplementary elements by section, and within it
    /// by kind.
    ///
    /// Fastest where contents of one section stand together.
    package func replacingContents(
        _ contents: [(path: ItemPath, content: ElementContent)],
        supplementaries: [(place: ElementPlace, content: ElementContent)],
        generation: Int
    ) -> ElementMap {
        var editor = Editor(storage.entries, isReloadData: false)
        editor.replaceContents(contents)
        editor.replaceSupplementaryContents(supplementaries)
        return with(editor.entries.commit(), shape: storage.shape, generation: generation)
    }
}
