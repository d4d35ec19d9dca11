/// Rows of full width, one below the other, in sections with headers and footers: the table.
///
/// ``FlowLayout`` with items as wide as the view gives the same rows; this one asks for heights only.
///
/// ```swift
/// let layout = ListLayout()
/// layout.rowHeight = 60
/// layout.sectionHeaderHeight = 28
/// ```
///
/// Heights come from, in this order: the view's ``LayoutMetrics``, the section's context if it is
/// ``SectionMetricsProviding``, the properties here as far as they were set, the pipeline's measurement
/// (``LayoutHost/measuredSize(of:)``), and the properties' defaults.
/// With ``estimatesHeights``, a row then takes the height that its view asks for.
///
/// Shape: paths are in the view's index space, frames in content coordinates. Origins fall on pixels.
/// Headers and footers have the item index 0 and the z-index 10; those of no height do not exist.
///
/// Threading: the view's main lane. Errors: nothing traps; what is no height counts as zero and is
/// found in ``CollectionLayout/errors``.
///
/// Complexity: preparing is O(n) for n rows; k changed heights, or k edits applied, are O(k log n);
/// queries O(log n) and their answer.
///
/// Source: UITableView.
open class ListLayout: CollectionLayout {
    /// The height of rows, 44 by default.
    public var rowHeight = 44.0 {
        didSet {
            hasOwnRowHeight = true
            if rowHeight != oldValue { changed() }
        }
    }

    /// The height of headers; none by default.
    public var sectionHeaderHeight = 0.0 {
        didSet { if sectionHeaderHeight != oldValue { changed() } }
    }

    /// The height of footers; none by default.
    public var sectionFooterHeight = 0.0 {
        didSet { if sectionFooterHeight != oldValue { changed() } }
    }

    /// Whether rows, headers and footers take the heights that their views ask for.
    public var estimatesHeights = false

    var hasOwnRowHeight = false
    /// nil before everything was asked for.
    var state: ListState?
    var staleness = LayoutStaleness()
    var isPreparing = false
    /// The update that the view is about to prepare for.
    var pendingUpdate: ValidatedChangeSet?
    /// The context of a height that a view asked for, until the layout is invalidated with it.
    var notedContext: LayoutInvalidationContext?

    private func changed() {
        staleness.everything = true
        if !isPreparing { invalidateLayout() }
    }

    // MARK: Preparing

    open override func prepare() { layOut() }

    open override func prepare(applying update: ValidatedChangeSet) {
        if let state, state.sections.shape == update.oldShape {
            noteUpdate(update, of: ListLayout.self) { state.attributes(for: $0) }
        }
        pendingUpdate = update
        prepare()
        pendingUpdate = nil
    }

    open override var collectionViewContentSize: Size { state?.contentSize ?? .zero }

    /// The full width, and any height.
    open override var elementSizeRange: SizeRange {
        let room = roomAcross(.vertical)
        return .across(room, to: room, .vertical)
    }

    // MARK: Queries

    open override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        state?.elements(in: rect, &notes.work.visitedItems) ?? []
    }

    open override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        state?.attributes(for: .cell(path))
    }

    /// The attributes of a header or footer; nil for other kinds, and for heights of 0.
    open override func layoutAttributesForSupplementaryView(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> LayoutAttributes? { state?.attributes(for: LayoutPlace(.supplementary(kind), path)) }

    /// Where a section is, with its header and footer, over the whole width; nil where there is no such section.
    ///
    /// Complexity: O(log n).
    public final func frame(ofSection section: Int) -> Rect? { state?.frame(ofSection: section) }

    // MARK: Invalidation

    open override func invalidateLayout(with context: LayoutInvalidationContext) {
        if context === notedContext {
            // The height is known; to ask for it again would lose it.
            notedContext = nil
        } else if context.isPartial {
            staleness.note(listedBy: context, decorations: false)
        } else if context.invalidatesDataSourceCounts, !context.invalidatesEverything {
            staleness.counts = true
        } else {
            staleness.everything = true
        }
        super.invalidateLayout(with: context)
    }

    /// Whether the width changes.
    open override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
        host.map { $0.bounds.size.width != newBounds.size.width } ?? false
    }

    /// Whether heights are estimated, and a view prefers another than it has.
    open override func shouldInvalidateLayout(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> Bool {
        guard estimatesHeights else { return false }
        guard preferred.size.isValid else {
            let (width, height) = (preferred.size.width, preferred.size.height)
            let message =
                "expected a preferred size, found \(width) × \(height) for \(preferred.place); it is"
                + " ignored"
            report(LayoutError(.preferredSize, at: preferred.place, message: message))
            return false
        }
        return preferred.size.height != original.size.height
    }

    /// Takes note of the height; the adjustments are those of the layout with it.
    open override func invalidationContext(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> LayoutInvalidationContext { context(forPreferredLayoutAttributes: preferred) }
}
