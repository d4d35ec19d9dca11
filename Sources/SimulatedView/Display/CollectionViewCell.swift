/// The view of an item, which can be highlighted and selected.
///
/// Threading: the main lane of its collection view.
///
/// Source: UICollectionViewCell.
open class CollectionViewCell: CollectionReusableView {
    /// Whether its item is selected; the collection view sets it.
    open internal(set) var isSelected = false

    /// Whether a touch is on it; the collection view sets it.
    open internal(set) var isHighlighted = false
}
