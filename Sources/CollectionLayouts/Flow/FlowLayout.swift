/// A layout that places items on lines, one after the other, like words in text.
///
/// A line is full when the next item does not fit; full lines are justified to both edges. Sections
/// follow one another, each with its header, insets, lines and footer. Use it for grids and for
/// lists of mixed sizes; ``ListLayout`` has rows of full width, and needs less input.
///
/// ```swift
/// let layout = FlowLayout()
/// layout.itemSize = Size(width: 100, height: 100)
/// layout.sectionInset = EdgeInsets(top: 8, left: 8, bottom: 8, right: 8)
/// ```
///
/// Sizes and spacings are taken from the first of these sources that defines them: the view's
/// ``LayoutMetrics``, the section's context if it is ``SectionMetricsProviding``, the properties of
/// this class, and, for items, headers and footers, the pipeline's measurement
/// (``LayoutHost/measuredSize(of:)``). An ``itemSize`` that was never set does not count as
/// defined; its default is used if no other source defines the size. If ``estimatedItemSize`` is
/// set, the estimate and the sizes that views prefer replace ``itemSize``. A subclass may set any
/// property in its own ``prepare()``, preferably before it calls `super`; a property that is set
/// afterwards causes a second preparation in the same pass.
///
/// Shape: paths are in the view's index space, frames in content coordinates. The origin is that of
/// the first section (the farther one, for content that runs from right to left). Origins are
/// aligned to pixels, sizes are unchanged. Headers and footers have the item index 0 and the
/// z-index 10.
///
/// Threading: the view's main lane. Errors: nothing traps or throws; invalid values are reported in
/// ``CollectionLayout/errors``.
///
/// Complexity: the first preparation requests n sizes and breaks them into lines, O(n). After k
/// changed sizes or k edits it takes O(k log n), plus the lines until a line begins where one began
/// before. Queries take O(log n), plus the items of the lines that they visit.
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

    /// The minimum distance between lines.
    public var minimumLineSpacing = 10.0 {
        didSet { propertyChanged(minimumLineSpacing != oldValue) }
    }

    /// The minimum distance between items on a line; justified lines may have more.
    public var minimumInteritemSpacing = 10.0 {
        didSet { propertyChanged(minimumInteritemSpacing != oldValue) }
    }

    /// The size of items for which no other size is defined.
    public var itemSize = Size(width: 50, height: 50) {
        didSet {
            hasOwnItemSize = true
            propertyChanged(itemSize != oldValue)
        }
    }

    /// The size of items that have not been shown yet; zero (the default) if sizes are known in
    /// advance. ``automaticSize`` uses the mean of the sizes that have been measured so far.
    public var estimatedItemSize = Size.zero {
        didSet { propertyChanged(estimatedItemSize != oldValue, everything: true) }
    }

    /// The size of headers; only the extent along the scroll direction is used.
    public var headerReferenceSize = Size.zero {
        didSet { propertyChanged(headerReferenceSize != oldValue) }
    }

    /// The size of footers; only the extent along the scroll direction is used.
    public var footerReferenceSize = Size.zero {
        didSet { propertyChanged(footerReferenceSize != oldValue) }
    }

    /// The space around the lines of a section, between its header and its footer.
    public var sectionInset = EdgeInsets.zero {
        didSet { propertyChanged(sectionInset != oldValue) }
    }

    /// The reference that ``sectionInset`` is relative to.
    public var sectionInsetReference = SectionInsetReference.fromContentInset {
        didSet { propertyChanged(sectionInsetReference != oldValue) }
    }

    /// Whether a header stays at the start of the viewport while its section scrolls.
    public var sectionHeadersPinToVisibleBounds = false {
        didSet { pinningChanged(sectionHeadersPinToVisibleBounds != oldValue) }
    }

    /// Whether a footer stays at the end of the viewport while its section scrolls.
    public var sectionFootersPinToVisibleBounds = false {
        didSet { pinningChanged(sectionFootersPinToVisibleBounds != oldValue) }
    }

    /// A value for ``estimatedItemSize`` that uses the mean of the measured sizes.
    public static let automaticSize = Size(
        width: .greatestFiniteMagnitude,
        height: .greatestFiniteMagnitude
    )

    /// Whether ``itemSize`` has ever been set.
    var hasOwnItemSize = false
    /// The laid-out sections; `nil` while nothing can be laid out.
    var state: FlowState?
    var staleness = LayoutStaleness()
    /// The token of the newest prepared layout that this layout has seen.
    var seenPrepared: PreparedFlow.Token?
    /// Whether no part has been invalidated since ``prepare()``.
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

    /// The size range for measuring elements: any extent along the scroll direction, and at most
    /// the available extent across it.
    open override var elementSizeRange: SizeRange {
        .across(0, to: availableExtentAcross(scrollDirection), scrollDirection)
    }

    // MARK: Queries

    /// Returns the attributes of all elements in `rect`: items, then headers, then footers. A
    /// pinned header or footer has its pinned position, and is included only if its section also
    /// lies in `rect`.
    open override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        guard let state else { return [] }
        return state.elements(in: rect, viewport(in: state), &notes.work.visitedItems)
    }

    open override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        frame(ofItem: path).map { LayoutAttributes(.cell(path), frame: $0) }
    }

    /// Returns the attributes of a header or footer; `nil` for other kinds, and for extents of 0.
    open override func layoutAttributesForSupplementaryView(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> LayoutAttributes? { supplement(kind, at: path)?.attributes }

    /// Returns the exact frame of an item; attributes store the centre and the size instead.
    ///
    /// Complexity: O(log n) and the items of a line.
    public final func frame(ofItem path: ItemPath) -> Rect? { state?.frame(ofItem: path) }

    /// Returns the exact frame of a header or footer; a pinned one has its pinned position.
    ///
    /// Complexity: O(log n).
    public final func frame(ofSupplementary kind: SupplementaryKind, at path: ItemPath) -> Rect? {
        supplement(kind, at: path)?.frame
    }

    func supplement(_ kind: SupplementaryKind, at path: ItemPath) -> FlowSupplement? {
        state.flatMap { $0.supplement(kind, at: path, viewport(in: $0)) }
    }

    /// Returns the frame of a section, with its header, insets and footer, over the whole extent
    /// across the scroll direction; `nil` if there is no such section or nothing can be laid out.
    ///
    /// Complexity: O(log n).
    public final func frame(ofSection section: Int) -> Rect? { state?.frame(ofSection: section) }

    // MARK: Invalidation

    /// Records the invalid parts; the context should be a ``FlowLayoutInvalidationContext``.
    open override func invalidateLayout(with context: LayoutInvalidationContext) {
        note(context)
        super.invalidateLayout(with: context)
    }

    /// Returns `true` if new bounds affect a pinned header or footer, or if the extent or origin
    /// across the scroll direction changes. A pinned header or footer is affected if it lies in the
    /// old or the new bounds, or if it moves and its section lies in or between them.
    open override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
        boundsChange(to: newBounds).isRelevant
    }

    /// Returns a context that lists pinned headers and footers. It keeps all sizes, and all lines
    /// too unless the extent or origin across the scroll direction changes.
    open override func invalidationContext(
        forBoundsChange newBounds: Rect
    ) -> LayoutInvalidationContext {
        context(for: boundsChange(to: newBounds))
    }

    /// Returns whether the layout estimates sizes and a cell prefers a different one. An invalid
    /// size is reported in ``CollectionLayout/errors``.
    open override func shouldInvalidateLayout(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> Bool { accepts(preferred, original) }

    /// Records the size, and returns a context with the adjustments that it causes.
    open override func invalidationContext(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> LayoutInvalidationContext { context(forPreferredLayoutAttributes: preferred) }
}
