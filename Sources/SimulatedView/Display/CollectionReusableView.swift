import CollectionChanges
import CollectionLayouts

/// A view that shows one element of a collection: a header, a footer or a decoration. Cells are
/// instances of ``CollectionViewCell``.
///
/// Subclass it and register the class with a ``SimulatedCollectionView``, which makes instances and
/// reuses them for other elements. Without a screen, a view draws nothing; its properties represent
/// what it shows.
///
/// Threading: the main lane of its collection view.
///
/// Source: UICollectionReusableView.
open class CollectionReusableView {
    /// The identifier under which its class was registered.
    public internal(set) var reuseIdentifier = ""

    /// The attributes that were applied last; `nil` before the view is placed for the first time.
    public internal(set) var attributes: LayoutAttributes?

    /// The pipeline's element that the view shows; `nil` if a data source of views filled it.
    public internal(set) var element: CollectionElement?

    /// The revision of the element that the view shows.
    public internal(set) var content: ElementContent?

    /// Whether the element had a node when the view was filled. With deferred measuring, the node
    /// is created later.
    var hadNode = false

    /// Whether the view was filled before its element was measured, and the measurement is still to
    /// be requested.
    var wantsMeasuring = false

    /// Creates a view; only the collection view calls it.
    public required init() {}

    /// The frame in content coordinates; zero before the view is placed.
    public final var frame: Rect { attributes?.frame ?? .zero }

    /// Prepares the view for another element. Not called for new views, nor if an element is
    /// reconfigured in place.
    open func prepareForReuse() {}

    /// Shows ``content``, which is another element of a pipeline or another revision of the same
    /// element. With deferred measuring, it may also be the same revision after its node was
    /// created. Not called if a data source of views fills the view.
    open func contentDidChange() {}

    /// Applies new attributes; called if they differ from the current ones.
    open func apply(_ attributes: LayoutAttributes) {}

    /// Returns the attributes that the view prefers, given those from the layout. The default
    /// implementation returns `attributes`, since elements of a pipeline are measured before they
    /// are shown.
    ///
    /// - Returns: `attributes`, with another size if the view prefers one.
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
    /// Whether the cell's item is selected; the collection view sets it.
    open internal(set) var isSelected = false

    /// Whether a touch highlights the cell; the collection view sets it.
    open internal(set) var isHighlighted = false
}

/// A view in the viewport, or about to enter it, with its place. Main lane.
final class ShownView {
    let view: CollectionReusableView
    fileprivate(set) var place: LayoutPlace
    /// The place before the newest update, until the view is laid out after it.
    fileprivate var oldPlace: LayoutPlace?
    /// The attributes that were applied last.
    var attributes: LayoutAttributes
    /// Whether `willDisplay` was called for the view.
    var isAnnounced = false
    /// Whether the view must be queried for its preferred size.
    var needsPreferred = true

    init(_ view: CollectionReusableView, _ attributes: LayoutAttributes) {
        self.view = view
        self.attributes = attributes
        place = attributes.place
    }

    /// Restores the place before the current update.
    func returnToOldPlace() {
        place = attributes.place
        oldPlace = nil
    }

    /// Records that the view is laid out at its new place.
    func settled() { oldPlace = nil }

    /// The last place at which the view was shown, in the index space of that time.
    var lastPlace: LayoutPlace { oldPlace ?? place }
}

/// The visible views, ascending by place: cells, then supplementary views, then decorations.
///
/// Complexity: look-ups take O(log v) for v views; so does inserting at the end, as passes usually
/// do.
struct ShownViews {
    private(set) var all: [ShownView] = []

    subscript(place: LayoutPlace) -> ShownView? {
        all.sortedPosition(of: place) { $0.place }.map { all[$0] }
    }

    /// Returns the view at a place.
    ///
    /// - Parameter index: The index at which it probably is.
    func view(at place: LayoutPlace, near index: Int) -> ShownView? {
        all.sortedPosition(of: place, near: index) { $0.place }.map { all[$0] }
    }

    /// The visible cells.
    var cells: ArraySlice<ShownView> {
        all[..<partitionPoint(all.count) { all[$0].place.category != .cell }]
    }

    mutating func insert(_ view: ShownView) {
        all.insert(view, at: partitionPoint(all.count) { all[$0].place >= view.place })
    }

    mutating func remove(_ place: LayoutPlace) -> ShownView? {
        all.sortedPosition(of: place) { $0.place }.map { all.remove(at: $0) }
    }

    /// Gives every view its new place, and removes and returns the views without a new place.
    mutating func rekey(_ newPlace: (LayoutPlace) -> LayoutPlace?) -> [ShownView] {
        var gone: [ShownView] = []
        var kept: [ShownView] = []
        for view in all {
            if let place = newPlace(view.place) {
                (view.place, view.oldPlace) = (place, view.place)
                kept.append(view)
            } else {
                view.oldPlace = nil
                gone.append(view)
            }
        }
        all = kept.sorted { $0.place < $1.place }
        return gone
    }
}

/// The views that wait for reuse, last in, first out, and the registered classes.
struct ReusePool {
    struct Key: Hashable {
        let category: ElementCategory
        let identifier: String
    }

    /// The maximum number of waiting views of each class: most viewports show fewer. Larger
    /// viewports make the remaining views again.
    static let limit = 256

    private var classes: [Key: CollectionReusableView.Type] = [:]
    private var waiting: [Key: [CollectionReusableView]] = [:]
    /// The number of views that have been made so far; for tests and statistics.
    private(set) var madeViews = 0

    /// - Parameter viewClass: The class; `nil` to unregister.
    /// - Returns: The waiting views of the former class, which the caller releases outside of this
    ///   mutation.
    mutating func register(
        _ viewClass: CollectionReusableView.Type?,
        _ key: Key
    ) -> [CollectionReusableView] {
        classes[key] = viewClass
        return waiting.removeValue(forKey: key) ?? []
    }

    func registeredClass(_ key: Key) -> CollectionReusableView.Type? { classes[key] }

    /// The number of all waiting views.
    var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

    /// Returns a waiting view; `nil` if the caller must make one. The pool does not make views
    /// itself, since that runs application code, which may query the pool.
    mutating func take(
        _ key: Key,
        of viewClass: CollectionReusableView.Type
    ) -> CollectionReusableView? {
        // Decoration classes belong to the layout, and the layout may have been replaced.
        while let view = waiting[key]?.popLast() {
            if type(of: view) == viewClass { return view }
        }
        madeViews += 1
        return nil
    }

    /// Keeps a view for reuse, unless enough views wait or its class is no longer registered.
    mutating func put(
        _ view: CollectionReusableView,
        _ category: ElementCategory,
        _ current: CollectionReusableView.Type?
    ) {
        view.element = nil
        view.content = nil
        view.attributes = nil
        guard let current, type(of: view) == current else { return }
        let key = Key(category: category, identifier: view.reuseIdentifier)
        guard waiting[key, default: []].count < Self.limit else { return }
        waiting[key, default: []].append(view)
    }
}
