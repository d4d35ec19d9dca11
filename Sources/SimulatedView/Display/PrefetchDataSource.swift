import CollectionChanges

/// Told which items may be needed soon, so that their data can be fetched.
///
/// Threading: the view's main lane.
///
/// Source: UICollectionViewDataSourcePrefetching.
public protocol PrefetchDataSource: AnyObject {
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

extension PrefetchDataSource {
    /// Nothing.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        cancelPrefetchingForItemsAt paths: [ItemPath]
    ) {}
}
