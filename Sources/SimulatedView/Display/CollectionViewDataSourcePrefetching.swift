import CollectionChanges

/// Told which items may be needed soon, so that their data can be fetched.
///
/// Shape: paths are in the view's index space, of what it shows at that moment, and mean other items after the
/// next update; where a pipeline fills the view, `DataController.dataSourcePath(for:)` converts them.
///
/// Threading: the view's main lane.
///
/// Source: UICollectionViewDataSourcePrefetching.
public protocol CollectionViewDataSourcePrefetching: AnyObject {
    /// Items that may be needed soon, the most urgent first; never those that are needed at once.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        prefetchItemsAt paths: [ItemPath]
    )

    /// Items that were announced and are no longer likely to be needed. Does nothing by default.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        cancelPrefetchingForItemsAt paths: [ItemPath]
    )
}

extension CollectionViewDataSourcePrefetching {
    /// Nothing.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        cancelPrefetchingForItemsAt paths: [ItemPath]
    ) {}
}
