import CollectionChanges
import CollectionLayouts

/// A data source that fills a collection view with views, without a pipeline, as in UIKit.
///
/// ```swift
/// func collectionView(_ view: SimulatedCollectionView, cellForItemAt path: ItemPath) throws
///     -> CollectionViewCell
/// {
///     let cell = try view.dequeueReusableCell(withReuseIdentifier: "city", for: path)
///     (cell as? CityCell)?.name = cities[path.item]
///     return cell
/// }
/// ```
///
/// Shape: paths and sections are in the view's index space, for the state that it shows or is about
/// to show.
///
/// Threading: the adapter's lane, from within the view's passes.
///
/// Source: UICollectionViewDataSource.
public protocol CollectionViewDataSource: AnyObject {
    /// Returns the number of sections; 1 by default. Called when the view loads, reloads or
    /// updates, and at no other time.
    func numberOfSections(in collectionView: SimulatedCollectionView) -> Int

    /// Returns the number of items in a section.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        numberOfItemsInSection section: Int
    ) -> Int

    /// Returns the cell of an item, dequeued for this path in this call. If the method throws, the
    /// view reports the error and does not show the item.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        cellForItemAt path: ItemPath
    ) throws -> CollectionViewCell

    /// Returns a supplementary view, dequeued for this path in this call. Called for each place at
    /// which the layout puts one. The default implementation throws.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        viewForSupplementaryElementOfKind kind: SupplementaryKind,
        at path: ItemPath
    ) throws -> CollectionReusableView

    /// Returns the context of a section, which stays with the section when it moves. Called when
    /// the section is inserted. The default implementation returns `nil`.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        contextForSection section: Int
    ) -> (any SectionContext)?
}

extension CollectionViewDataSource {
    /// Returns 1.
    public func numberOfSections(in collectionView: SimulatedCollectionView) -> Int { 1 }

    /// Throws `noView`.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        viewForSupplementaryElementOfKind kind: SupplementaryKind,
        at path: ItemPath
    ) throws -> CollectionReusableView {
        throw ViewError(
            .noView,
            "the layout placed a supplementary view of kind \(kind) at \(path), but"
                + " \(type(of: self)) has none",
            at: LayoutPlace(.supplementary(kind), path)
        )
    }

    /// Returns `nil`.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        contextForSection section: Int
    ) -> (any SectionContext)? { nil }
}

/// A data source that is notified of items that may be needed soon, so that it can fetch their
/// data.
///
/// Shape: paths are in the view's index space, for the state that it shows at that moment, and may
/// refer to other items after the next update. If a pipeline fills the view,
/// `DataController.dataSourcePath(for:)` converts them.
///
/// Threading: the view's main lane.
///
/// Source: UICollectionViewDataSourcePrefetching.
public protocol CollectionViewDataSourcePrefetching: AnyObject {
    /// Announces items that may be needed soon, the most urgent first; never items that are needed
    /// immediately.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        prefetchItemsAt paths: [ItemPath]
    )

    /// Revokes items that were announced and are no longer likely to be needed. Does nothing by
    /// default.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        cancelPrefetchingForItemsAt paths: [ItemPath]
    )
}

extension CollectionViewDataSourcePrefetching {
    /// Does nothing.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        cancelPrefetchingForItemsAt paths: [ItemPath]
    ) {}
}
