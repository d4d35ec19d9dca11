import CollectionChanges
import CollectionLayouts

/// Fills a collection view with views, without a pipeline: the way a UIKit data source does.
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
/// Shape: paths and sections are in the view's index space: of what it shows, or is taking in.
///
/// Threading: the adapter's lane, from within the view's passes.
///
/// Source: UICollectionViewDataSource.
public protocol CollectionViewDataSource: AnyObject {
    /// How many sections there are; 1 by default. Asked when the view is loaded, reloaded or updated, and
    /// at no other time.
    func numberOfSections(in collectionView: SimulatedCollectionView) -> Int

    /// How many items a section has.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        numberOfItemsInSection section: Int
    ) -> Int

    /// The cell of an item, dequeued for this path in this call. What it throws is reported, and the
    /// item is not shown.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        cellForItemAt path: ItemPath
    ) throws -> CollectionViewCell

    /// A supplementary view, dequeued for this path in this call; asked for where the layout places one.
    /// Throws by default.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        viewForSupplementaryElementOfKind kind: SupplementaryKind,
        at path: ItemPath
    ) throws -> CollectionReusableView

    /// What is to be known of a section wherever it moves; asked when the section comes. nil by
    /// default.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        contextForSection section: Int
    ) -> (any SectionContext)?
}

extension CollectionViewDataSource {
    /// One section.
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

    /// None.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        contextForSection section: Int
    ) -> (any SectionContext)? { nil }
}
