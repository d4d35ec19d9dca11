import CollectionChanges
import CollectionElements

/// A layout that places sections one after the other, each laid out by its own ``SectionLayout``.
///
/// The layout of a section is the first of these that exists: the layout from its context
/// (``SectionLayoutProviding``), the layout from ``layoutProvider``, and ``defaultLayout``.
/// Sections are laid out when they are inserted and when something in them changes; edits in other
/// sections and scrolling only shift them. Use a subclass of ``CollectionLayout`` instead if the
/// frames of one section depend on another.
///
/// ```swift
/// let layout = ComposedLayout()
/// layout.layoutProvider = { section, _ in
///     section == 0 ? MasonrySectionLayout(columnCount: 3) : nil
/// }
/// layout.features = [StickyHeaders()]
/// ```
///
/// Sizes and metrics are taken from the first of these sources that defines them: the preferred
/// sizes of views, the view's ``LayoutMetrics``, the section's context if it is
/// ``SectionMetricsProviding``, the pipeline's measurement, and the section's layout.
///
/// Shape: sections and paths are in the view's index space, frames in content coordinates. Sections
/// fill the view's bounds across the scroll direction, within its content insets; if there is no
/// space, there are no attributes. Origins are aligned to pixels, sizes are not. If content runs
/// from right to left, vertical sections are mirrored within their width, and horizontal ones as a
/// whole.
///
/// Threading: main lane of the view.
///
/// Errors: invalid values count as zero and are reported in ``CollectionLayout/errors``.
///
/// Retains: the layouts and arrangements of all sections, by version, shared between versions; the
/// version before an update until ``CollectionLayout/finalizeCollectionViewUpdates()``.
///
/// Complexity: for n sections, a change of k sections costs O(k log n) plus the layout of these
/// sections, which costs less than a full layout if their layouts can update
/// (``SectionLayout/update(_:replacing:_:)``). A query by rectangle costs O(log² n), O(log n) for
/// each section in it, and the queries of the sections' arrangements. Scrolling costs the visible
/// pinned headers.
///
/// Source: the composing layout of ListKit, with sums in a tree instead of a pass over all
/// sections.
open class ComposedLayout: CollectionLayout {
    /// The largest extent that the layout supports, in the unit of ``Size``. Sums over any
    /// collection that fits in memory stay finite.
    public static let largestExtent = 1e15

    /// The largest number of sections, or of items in a section, that the layout supports: the
    /// default limits of the pipeline.
    public static let largestCount = 1 << 24

    /// The axis along which sections follow each other.
    public override var scrollDirection: ScrollDirection { state.direction }

    /// The layout of sections for which no other source defines one.
    public var defaultLayout: any SectionLayout

    /// A function that returns the layout of a section. If it is `nil` or returns `nil`, the
    /// section uses ``defaultLayout``. A new function does not affect sections that are already
    /// laid out until everything is invalidated.
    public var layoutProvider:
        ((_ section: Int, _ sectionContext: (any SectionContext)?) -> (any SectionLayout)?)?

    /// The features that rewrite attributes, in this order. A change invalidates all visible
    /// elements.
    public var features: [any LayoutFeature] = [] {
        didSet { invalidateShown() }
    }

    /// The result of the last layout.
    var state: ComposedState

    var staleness = LayoutStaleness()

    /// The view's insets that sections have read since everything was last laid out.
    var usedInsets: [SectionInsetReference: EdgeInsets] = [:]

    /// Creates a layout; by default, sections are laid out in lines.
    public init(
        scrollDirection: ScrollDirection = .vertical,
        defaultLayout: any SectionLayout = FlowSectionLayout()
    ) {
        self.defaultLayout = defaultLayout
        state = ComposedState(direction: scrollDirection)
        super.init()
    }

    // MARK: Preparing

    /// Lays out the invalid parts: none, single sections, or everything.
    open override func prepare() { layOutStale() }

    /// Moves sections and preferred sizes to their new places, and lays out only the sections and
    /// items that the update touches.
    ///
    /// Complexity: the update of the touched sections, and O(k log n) for k edits.
    open override func prepare(applying update: ValidatedChangeSet) { layOut(applying: update) }

    /// The size of the content: the available extent across the scroll direction, and the sum of
    /// the sections' extents along it.
    open override var collectionViewContentSize: Size { state.contentSize }

    /// The class of the layout's invalidation contexts: ``ComposedInvalidationContext``.
    open override class var invalidationContextClass: LayoutInvalidationContext.Type {
        ComposedInvalidationContext.self
    }

    /// The size range for measuring elements: any extent along the scroll direction, and at most
    /// the available extent across it.
    open override var elementSizeRange: SizeRange {
        .across(0, to: availableExtentAcross(scrollDirection), scrollDirection)
    }

    // MARK: Queries

    /// The laid-out state as the view currently shows it.
    var scene: ComposedScene { scene(of: state) }

    /// Returns a state as the view shows it, in its current bounds or in new ones.
    ///
    /// - Parameter contentWidth: The width of the content at that time, for an earlier state.
    func scene(
        of state: ComposedState,
        bounds: Rect? = nil,
        contentWidth: Double? = nil
    ) -> ComposedScene {
        let viewport = ComposedScene.Viewport(bounds ?? host?.bounds ?? .zero, in: host)
        return ComposedScene(
            state: state,
            viewport: viewport,
            // The layout's property, not the state's, because a subclass may override it.
            mirroredWidth: viewport.isRightToLeft
                ? contentWidth ?? collectionViewContentSize.width : 0,
            features: features
        )
    }

    func elements(in rect: Rect) -> [LayoutAttributes] {
        // A local variable counts, because features may query the layout meanwhile.
        var visitedSections = 0
        defer { notes.work.visitedSections += visitedSections }
        return scene.elements(in: rect, &visitedSections)
    }

    /// Returns the attributes of all elements whose final frame intersects `rect`, by section:
    /// items, then the header and footer, then decorations.
    open override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        elements(in: rect)
    }

    /// Returns the attributes of an item.
    open override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        scene.attributes(for: .cell(path))
    }

    /// Returns the attributes of a header or footer, which are at item 0 of their section.
    open override func layoutAttributesForSupplementaryView(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> LayoutAttributes? {
        scene.attributes(for: LayoutPlace(.supplementary(kind), path))
    }

    /// Returns the attributes of a decoration view that the section's arrangement places.
    open override func layoutAttributesForDecorationView(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> LayoutAttributes? {
        scene.attributes(for: LayoutPlace(.decoration(kind), path))
    }

    /// Returns the frame of a section, with its header, insets and footer, over the whole extent
    /// across the scroll direction; `nil` if there is no such section or no space. Features do not
    /// move it.
    ///
    /// Complexity: O(log n).
    public final func frame(ofSection section: Int) -> Rect? {
        guard let placed = state.placedSection(at: section) else { return nil }
        let environment = scene.environment(of: placed)
        var frame = environment.sectionFrame
        frame.origin.x = environment.pixelAligned(frame.minX)
        frame.origin.y = environment.pixelAligned(frame.minY)
        return frame
    }

    // MARK: Invalidation

    /// Records the invalid parts.
    open override func invalidateLayout(with context: LayoutInvalidationContext) {
        note(context)
        super.invalidateLayout(with: context)
    }

    /// Returns `true` if the available extent across the scroll direction changes, or if a feature
    /// moves an element.
    open override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
        changesAvailableExtent(newBounds) || !placesMoved(byBoundsChange: newBounds).isEmpty
    }

    /// Returns a context that invalidates everything if the available extent across the scroll
    /// direction changes; otherwise only the elements that features move.
    open override func invalidationContext(forBoundsChange newBounds: Rect)
        -> LayoutInvalidationContext
    {
        let context = super.invalidationContext(forBoundsChange: newBounds)
        guard let own = context as? ComposedInvalidationContext, !changesAvailableExtent(newBounds)
        else {
            return context
        }
        own.isSettled = true
        own.list(placesMoved(byBoundsChange: newBounds))
        return own
    }

    /// Returns `true` if the size differs by at least half a pixel from the element's current size
    /// and from the size that it preferred before. An invalid size is reported and changes nothing.
    open override func shouldInvalidateLayout(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> Bool { takesPreferred(preferred.size, of: original.place) }

    /// Lays out the element's section immediately with the size. The context lists the visible
    /// elements from that section on, the growth of the content, and the adjustment of the content
    /// offset.
    ///
    /// Complexity: the update of one section, plus O(log n), plus the number of visible elements.
    open override func invalidationContext(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> LayoutInvalidationContext {
        let context = super.invalidationContext(
            forPreferredLayoutAttributes: preferred,
            withOriginalAttributes: original
        )
        if let own = context as? ComposedInvalidationContext {
            resize(original.place, to: preferred.size, own)
        }
        return context
    }
}
