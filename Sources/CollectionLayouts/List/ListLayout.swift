import PersistentTrees

/// A layout of full-width rows, one below the other, in sections with headers and footers, like a
/// table.
///
/// A ``FlowLayout`` with items as wide as the view gives the same rows; this layout requests only
/// heights.
///
/// ```swift
/// let layout = ListLayout()
/// layout.rowHeight = 60
/// layout.sectionHeaderHeight = 28
/// ```
///
/// Heights are taken from the first of these sources that defines them: the view's
/// ``LayoutMetrics``, the section's context if it is ``SectionMetricsProviding``, the properties of
/// this class if they were set, the pipeline's measurement (``LayoutHost/measuredSize(of:)``), and
/// the properties' defaults. With ``estimatesHeights``, a row then takes the height that its view
/// prefers.
///
/// Shape: paths are in the view's index space, frames in content coordinates. Origins are aligned
/// to pixels. Headers and footers have the item index 0 and the z-index 10; those with a height of
/// 0 do not exist.
///
/// Threading: the view's main lane. Errors: nothing traps; an invalid height counts as zero, an
/// invalid preferred height is ignored, and both are reported in ``CollectionLayout/errors``.
///
/// Complexity: the first preparation is O(n) for n rows; k changed heights or k edits cost O(k log
/// n); queries cost O(log n) plus their result.
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

    /// The height of headers; 0, the default, for no headers.
    public var sectionHeaderHeight = 0.0 {
        didSet { if sectionHeaderHeight != oldValue { changed() } }
    }

    /// The height of footers; 0, the default, for no footers.
    public var sectionFooterHeight = 0.0 {
        didSet { if sectionFooterHeight != oldValue { changed() } }
    }

    /// Whether rows, headers and footers take the heights that their views prefer.
    public var estimatesHeights = false

    var hasOwnRowHeight = false
    /// The laid-out sections; `nil` before the first layout.
    var state: ListState?
    var staleness = LayoutStaleness()
    var isPreparing = false
    /// The update that the view is about to prepare for.
    var pendingUpdate: ValidatedChangeSet?
    /// The context of a preferred height, until the layout is invalidated with it.
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

    /// The size range for measuring elements: exactly the available width, and any height.
    open override var elementSizeRange: SizeRange {
        let room = availableExtentAcross(.vertical)
        return .across(room, to: room, .vertical)
    }

    // MARK: Queries

    open override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        state?.elements(in: rect, &notes.work.visitedItems) ?? []
    }

    open override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        state?.attributes(for: .cell(path))
    }

    /// Returns the attributes of a header or footer; `nil` for other kinds, and for heights of 0.
    open override func layoutAttributesForSupplementaryView(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> LayoutAttributes? { state?.attributes(for: LayoutPlace(.supplementary(kind), path)) }

    /// Returns the frame of a section, with its header and footer, over the whole width; `nil` if
    /// there is no such section.
    ///
    /// Complexity: O(log n).
    public final func frame(ofSection section: Int) -> Rect? { state?.frame(ofSection: section) }

    // MARK: Invalidation

    open override func invalidateLayout(with context: LayoutInvalidationContext) {
        if context === notedContext {
            // The height is known; requesting it again would lose it.
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

    /// Returns whether the width changes.
    open override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
        host.map { $0.bounds.size.width != newBounds.size.width } ?? false
    }

    /// Returns whether heights are estimated and a view prefers a different one.
    open override func shouldInvalidateLayout(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> Bool {
        guard estimatesHeights else { return false }
        guard preferred.size.isValid else {
            let (width, height) = (preferred.size.width, preferred.size.height)
            let message =
                "expected a valid preferred size, found \(width) × \(height) for \(preferred.place);"
                + " it is ignored"
            report(LayoutError(.preferredSize, at: preferred.place, message: message))
            return false
        }
        return preferred.size.height != original.size.height
    }

    /// Records the height, and returns a context with the adjustments that it causes.
    open override func invalidationContext(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> LayoutInvalidationContext { context(forPreferredLayoutAttributes: preferred) }
}

extension ListLayout {
    /// Updates the list, requesting only the heights that were invalidated.
    func layOut() {
        guard !isPreparing, let host else { return }
        isPreparing = true
        defer { isPreparing = false }
        var stale = staleness
        staleness = LayoutStaleness()
        var resolver = ListResolver(self, host)
        var next = ListState(width: availableExtentAcross(.vertical), host: host)
        if let kept = sections(kept: &stale, &resolver) {
            next.sections = resolver.refreshing(stale, in: kept)
        } else {
            clearErrors()
            next.sections = resolver.everything()
        }
        state = next
        notes.add(resolver.notes)
    }

    /// Returns the sections that can be reused; `nil` if everything must be laid out.
    private func sections(kept stale: inout LayoutStaleness, _ resolver: inout ListResolver)
        -> SectionStack<ListSection>?
    {
        guard !stale.everything, let sections = state?.sections else { return nil }
        if let pendingUpdate { stale.follow(pendingUpdate) }
        guard stale.counts else { return sections }
        guard let pendingUpdate, sections.precedes(pendingUpdate) else { return nil }
        let plan = SectionEditPlan(pendingUpdate)
        let mismatch = resolver.host.mismatch(with: pendingUpdate, in: plan.touchedSections)
        return mismatch == nil ? resolver.applying(pendingUpdate, plan, to: sections) : nil
    }

    // MARK: Self-sizing

    func context(forPreferredLayoutAttributes preferred: LayoutAttributes)
        -> LayoutInvalidationContext
    {
        let context = Self.invalidationContextClass.init()
        let (place, height) = (preferred.place, preferred.size.height)
        guard preferred.size.isValid, let state, let old = layoutAttributes(for: place)?.frame,
            var section = state.sections.element(at: place.path.section)
        else { return context }
        switch place.category {
        case .cell:
            section.rows = section.rows.replacing(at: place.path.item, with: height)
            context.invalidateItems(at: [place.path])
        case .supplementary(let kind):
            section.prefer(height, asHeader: kind == .header)
            context.invalidateSupplementaryElements(ofKind: kind, at: [place.path])
        case .decoration: return context
        }
        var next = state
        next.sections.replace(at: place.path.section, with: section)
        self.state = next
        let growth = next.sections.extent - state.sections.extent
        context.adjust(by: growth, of: old, keeping: host?.visibleRect, .vertical)
        notedContext = context
        return context
    }
}
