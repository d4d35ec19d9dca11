/// A view that shows one element of a collection: a header, a footer or a decoration; cells are
/// ``CollectionViewCell``.
///
/// Subclass it and register the class with a ``SimulatedCollectionView``, which makes instances and uses
/// them again for other elements. A view without a screen draws nothing: what it holds is what it shows.
///
/// Threading: the main lane of its collection view.
///
/// Source: UICollectionReusableView.
open class CollectionReusableView {
    /// The name under which its class was registered.
    public internal(set) var reuseIdentifier = ""

    /// Where it is; nil before it was placed for the first time.
    public internal(set) var attributes: LayoutAttributes?

    /// The pipeline's element that it shows; nil where a data source of views filled it.
    public internal(set) var element: CollectionElement?

    /// The revision of the element that it shows.
    public internal(set) var content: ElementContent?

    /// Whether the element had a node when it was filled: where measuring is put off, that comes later.
    var hadNode = false

    /// Whether it was filled before the element was measured, and nobody has asked for that since.
    var wantsMeasuring = false

    /// Makes a view; the collection view does it.
    public required init() {}

    /// Where it is, in content coordinates; without extent before it was placed.
    public final var frame: Rect { attributes?.frame ?? .zero }

    /// Forgets what it showed: it is about to show another element. Not called for new views, nor where
    /// an element is reconfigured in place.
    open func prepareForReuse() {}

    /// Shows another element of a pipeline, or another revision of it, or the same once its node is there, where
    /// measuring was put off: ``content`` has it. Where a data source of views fills the view, that does so instead.
    open func contentDidChange() {}

    /// Takes on a place; called when the attributes are others than before.
    open func apply(_ attributes: LayoutAttributes) {}

    /// What it prefers, given what the layout supplied; by default the same, since elements of a pipeline are
    /// measured before they are shown.
    ///
    /// - Returns: `attributes`, with another size where it wants one.
    open func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes) -> LayoutAttributes {
        attributes
    }
}

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
