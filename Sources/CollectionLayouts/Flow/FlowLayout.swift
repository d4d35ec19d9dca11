/// Places items on lines, one after the other, as text is set.
///
/// A line is full when the next item does not fit; full lines are justified to both edges. Sections
/// follow one another, each with its header, insets, lines and footer. It is the layout for grids and
/// for lists of mixed sizes; ``ListLayout`` has rows of full width, and is simpler to feed.
///
/// ```swift
/// let layout = FlowLayout()
/// layout.itemSize = Size(width: 100, height: 100)
/// layout.sectionInset = EdgeInsets(top: 8, left: 8, bottom: 8, right: 8)
/// ```
///
/// Sizes and spacings come from, in this order: the view's ``LayoutMetrics``, the section's context if
/// it is ``SectionMetricsProviding``, the properties here, and, for items and for headers and
/// footers of which none of them says anything, the pipeline's measurement
/// (``LayoutHost/measuredSize(of:)``). An ``itemSize`` that was never set says nothing; where nobody
/// else does either, it is the default. With an ``estimatedItemSize``, it and what views asked for take
/// the place of ``itemSize``. A subclass may set any property in its own ``prepare()``, best before it calls
/// this one's: what it sets afterwards has the layout prepared once more within the same pass.
///
/// Shape: paths are in the view's index space, frames in content coordinates, whose origin is that of
/// the first section (the farther one, for content that runs from right to left). Origins fall on pixels,
/// sizes are as given. Headers and footers have the item index 0 and the z-index 10.
///
/// Threading: the view's main lane. Errors: nothing traps and nothing is thrown; what was not usable is
/// in ``CollectionLayout/errors``.
///
/// Complexity: preparing asks for n sizes and breaks them into lines, O(n); with k sizes changed, or k
/// edits applied, O(k log n) and the lines up to where they are as before again. Queries take O(log n)
/// and the items of the lines that they answer from.
///
/// Source: UICollectionViewFlowLayout.
open class FlowLayout: CollectionLayout {
    /// The axis along which lines follow one another.
    public override var scrollDirection: ScrollDirection {
        get { direction }
        set { direction = newValue }
    }

    private var direction = ScrollDirection.vertical {
        didSet { propertyChanged(direction != oldValue) }
    }

    /// The distance of lines.
    public var minimumLineSpacing = 10.0 {
        didSet { propertyChanged(minimumLineSpacing != oldValue) }
    }

    /// The least distance of items on a line; justified lines have more.
    public var minimumInteritemSpacing = 10.0 {
        didSet { propertyChanged(minimumInteritemSpacing != oldValue) }
    }

    /// The size of items of which nobody says more.
    public var itemSize = Size(width: 50, height: 50) {
        didSet {
            hasOwnItemSize = true
            propertyChanged(itemSize != oldValue)
        }
    }

    /// The size of items that were not yet shown, or zero, the default, if sizes are known beforehand.
    /// ``automaticSize`` takes the mean of the sizes that were measured so far.
    public var estimatedItemSize = Size.zero {
        didSet { propertyChanged(estimatedItemSize != oldValue, everything: true) }
    }

    /// The size of headers, of which only the extent along the scroll direction counts.
    public var headerReferenceSize = Size.zero {
        didSet { propertyChanged(headerReferenceSize != oldValue) }
    }

    /// The size of footers, of which only the extent along the scroll direction counts.
    public var footerReferenceSize = Size.zero {
        didSet { propertyChanged(footerReferenceSize != oldValue) }
    }

    /// What is left free around the lines of a section, between its header and its footer.
    public var sectionInset = EdgeInsets.zero {
        didSet { propertyChanged(sectionInset != oldValue) }
    }

    /// What ``sectionInset`` is measured from.
    public var sectionInsetReference = SectionInsetReference.fromContentInset {
        didSet { propertyChanged(sectionInsetReference != oldValue) }
    }

    /// Whether a header stays at the viewport's start while its section scrolls by.
    public var sectionHeadersPinToVisibleBounds = false {
        didSet { pinningChanged(sectionHeadersPinToVisibleBounds != oldValue) }
    }

    /// Whether a footer stays at the viewport's end while its section scrolls by.
    public var sectionFootersPinToVisibleBounds = false {
        didSet { pinningChanged(sectionFootersPinToVisibleBounds != oldValue) }
    }

    /// Stands for an estimate that follows what was measured.
    public static let automaticSize = Size(
        width: .greatestFiniteMagnitude,
        height: .greatestFiniteMagnitude
    )

    /// Whether ``itemSize`` was ever set.
    var hasOwnItemSize = false
    /// nil while nothing could be laid out.
    var state: FlowState?
    var staleness = LayoutStaleness()
    /// The newest of what was prepared that the layout knows of.
    var seenPrepared: PreparedFlow.Token?
    /// Whether nothing was invalidated since ``prepare()``.
    var isPrepared = false
    var isPreparing = false
    /// The update that the view is about to prepare for.
    var pendingUpdate: ValidatedChangeSet?
    var preferredSizes = PreferredSizeMean()

    // MARK: Preparing

    open override class var invalidationContextClass: LayoutInvalidationContext.Type {
        FlowLayoutInvalidationContext.self
    }

    open override func prepare() { layOut() }

    open override func prepare(applying update: ValidatedChangeSet) {
        if let state, state.sections.shape == update.oldShape {
            noteUpdate(update, of: FlowLayout.self) { [unowned self] in
                state.attributes(for: $0, viewport(in: state))
            }
        }
        pendingUpdate = update
        prepare()
        pendingUpdate = nil
    }

    open override var collectionViewContentSize: Size { state?.contentSize ?? .zero }

    /// As much across the scroll direction as there is room, and any extent along it.
    open override var elementSizeRange: SizeRange {
        .across(0, to: roomAcross(scrollDirection), scrollDirection)
    }

    // MARK: Queries

    /// The attributes of everything that lies in `rect`: items, then headers, then footers. Pinned ones
    /// are where they are held, provided that their section lies in `rect` too.
    open override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        guard let state else { return [] }
        return state.elements(in: rect, viewport(in: state), &notes.work.visitedItems)
    }

    open override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        frame(ofItem: path).map { LayoutAttributes(.cell(path), frame: $0) }
    }

    /// The attributes of a header or footer; nil for other kinds, and for extents of 0.
    open override func layoutAttributesForSupplementaryView(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> LayoutAttributes? { supplement(kind, at: path)?.attributes }

    /// Where an item is, exactly; the attributes have the middle and the size instead.
    ///
    /// Complexity: O(log n) and the items of a line.
    public final func frame(ofItem path: ItemPath) -> Rect? { state?.frame(ofItem: path) }

    /// Where a header or footer is, exactly; pinned ones are where they are held.
    ///
    /// Complexity: O(log n).
    public final func frame(ofSupplementary kind: SupplementaryKind, at path: ItemPath) -> Rect? {
        supplement(kind, at: path)?.frame
    }

    func supplement(_ kind: SupplementaryKind, at path: ItemPath) -> FlowSupplement? {
        state.flatMap { $0.supplement(kind, at: path, viewport(in: $0)) }
    }

    /// Where a section is, with its header, insets and footer, over the whole extent across; nil where there is
    /// no such section, and without room.
    ///
    /// Complexity: O(log n).
    public final func frame(ofSection section: Int) -> Rect? { state?.frame(ofSection: section) }

    // MARK: Invalidation

    /// Takes note of what is no longer right; the context should be a ``FlowLayoutInvalidationContext``.
    open override func invalidateLayout(with context: LayoutInvalidationContext) {
        note(context)
        super.invalidateLayout(with: context)
    }

    /// Whether a pinned header or footer lies in the old or the new bounds, or moves within a section
    /// there or between, or the extent or origin across the scroll direction changes.
    open override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
        boundsChange(to: newBounds).isRelevant
    }

    /// Lists pinned headers and footers; keeps all sizes, and all lines too unless the extent or origin
    /// across the scroll direction changes.
    open override func invalidationContext(
        forBoundsChange newBounds: Rect
    ) -> LayoutInvalidationContext {
        context(for: boundsChange(to: newBounds))
    }

    /// Whether the layout estimates sizes, and a cell prefers another than it has; a size that cannot be
    /// used is noted in ``CollectionLayout/errors``.
    open override func shouldInvalidateLayout(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> Bool { accepts(preferred, original) }

    /// Takes note of the size; the adjustments are those of the layout with it.
    open override func invalidationContext(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> LayoutInvalidationContext { context(forPreferredLayoutAttributes: preferred) }
}
