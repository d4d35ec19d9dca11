import CollectionChanges
import CollectionElements

/// Puts sections one behind the other, each laid out by a ``SectionLayout`` of its own, and answers for the
/// whole.
///
/// A section's layout is, first to last: the one that its context brings (``SectionLayoutProviding``), the one
/// that ``layoutProvider`` names, and ``defaultLayout``. Sections are laid out when they come and when
/// something in them changes; edits elsewhere and scrolling only shift them. Use a ``CollectionLayout``
/// subclass instead where one section's frames depend on another's.
///
/// ```swift
/// let layout = ComposedLayout()
/// layout.layoutProvider = { section, _ in
///     section == 0 ? MasonrySectionLayout(columnCount: 3) : nil
/// }
/// layout.features = [StickyHeaders()]
/// ```
///
/// Sizes and metrics come from, in this order: what views prefer, the view's ``LayoutMetrics``, the section's
/// context if it is ``SectionMetricsProviding``, the pipeline's measurement, and the section's layout.
///
/// Shape: sections and paths are in the view's index space, frames in content coordinates. Sections fill the
/// view's bounds across the scroll direction, within its content insets; without room there are no
/// attributes. Origins are aligned to pixels, sizes are not. Where content runs from right to left,
/// vertical sections are mirrored within their width, and horizontal ones as a whole.
///
/// Threading: main lane of the view.
///
/// Errors: values that cannot be used count as zero and are found in ``CollectionLayout/errors``.
///
/// Retains: the layouts and arrangements of all sections, by version, shared between versions; the version
/// before an update until ``CollectionLayout/finalizeCollectionViewUpdates()``.
///
/// Complexity: for n sections, a change of k sections costs O(k log n) and their layout, which is less than
/// from nothing where theirs can update (``SectionLayout/update(_:replacing:_:)``); a query by rectangle
/// O(log² n), O(log n) a section in it, and what the sections' arrangements need; scrolling the pinned
/// headers in sight.
///
/// Source: the composing layout of ListKit, with sums in a tree in place of a pass over all sections.
open class ComposedLayout: CollectionLayout {
    /// The largest extent that is laid out, in the unit of ``Size``: sums over any collection that fits in
    /// memory stay finite.
    public static let largestExtent = 1e15

    /// The largest number of sections, or of items in a section, that is laid out: what the pipeline's
    /// limits allow by default.
    public static let largestCount = 1 << 24

    /// The axis along which sections follow each other.
    public override var scrollDirection: ScrollDirection { state.direction }

    /// How sections are laid out of which nobody else says.
    public var defaultLayout: any SectionLayout

    /// Names the layout of a section; nil, also as an answer, for ``defaultLayout``. Changing it has no
    /// effect on sections that are laid out already until everything is invalidated.
    public var layoutProvider:
        ((_ section: Int, _ context: (any SectionContext)?) -> (any SectionLayout)?)?

    /// What attributes pass through, in this order. Changing it invalidates whatever is shown.
    public var features: [any LayoutFeature] = [] {
        didSet { invalidateShown() }
    }

    /// What was laid out last.
    var state: ComposedState

    var staleness = LayoutStaleness()

    /// What the view's insets were that sections have asked for, since everything was last laid out.
    var askedInsets: [SectionInsetReference: EdgeInsets] = [:]

    /// Makes a layout; where nothing else is said, sections are laid out as lines.
    public init(
        scrollDirection: ScrollDirection = .vertical,
        defaultLayout: any SectionLayout = FlowSectionLayout()
    ) {
        self.defaultLayout = defaultLayout
        state = ComposedState(direction: scrollDirection)
        super.init()
    }

    // MARK: Preparing

    /// Lays out what is invalid: nothing, single sections, or everything.
    open override func prepare() { layOutStale() }

    /// Takes sections and preferred sizes along to where they are now, and lays out the sections that were
    /// touched, as far as they were.
    ///
    /// Complexity: the update of the touched sections, and O(k log n) for k edits.
    open override func prepare(applying update: ValidatedChangeSet) { layOut(applying: update) }

    /// The extent across, and the sum of the sections' extents.
    open override var collectionViewContentSize: Size { state.contentSize }

    /// The class is ``ComposedInvalidationContext``.
    open override class var invalidationContextClass: LayoutInvalidationContext.Type {
        ComposedInvalidationContext.self
    }

    /// As much across the scroll direction as there is room, and any extent along it.
    open override var elementSizeRange: SizeRange {
        .across(0, to: roomAcross(scrollDirection), scrollDirection)
    }

    // MARK: Queries

    /// What was laid out, as the view shows it now.
    var scene: ComposedScene { scene(of: state) }

    /// A state as the view shows it, in the bounds that it has or is to have.
    ///
    /// - Parameter contentWidth: how wide the content was then, if that is past.
    func scene(
        of state: ComposedState,
        bounds: Rect? = nil,
        contentWidth: Double? = nil
    ) -> ComposedScene {
        let viewport = ComposedScene.Viewport(bounds ?? host?.bounds ?? .zero, in: host)
        return ComposedScene(
            state: state,
            viewport: viewport,
            // A subclass may say otherwise than the state; nobody else is asked.
            mirroredWidth: viewport.isRightToLeft
                ? contentWidth ?? collectionViewContentSize.width : 0,
            features: features
        )
    }

    func elements(in rect: Rect) -> [LayoutAttributes] {
        // Counted aside, since features may ask the layout in between.
        var visitedSections = 0
        defer { notes.work.visitedSections += visitedSections }
        return scene.elements(in: rect, &visitedSections)
    }

    /// The attributes of everything whose final frame intersects `rect`, by section: items, then header and
    /// footer, then decorations.
    open override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        elements(in: rect)
    }

    /// The attributes of an item.
    open override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        scene.attributes(for: .cell(path))
    }

    /// The attributes of a header or footer, which are at item 0 of their section.
    open override func layoutAttributesForSupplementaryView(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> LayoutAttributes? {
        scene.attributes(for: LayoutPlace(.supplementary(kind), path))
    }

    /// The attributes of a decoration view that the section's arrangement places.
    open override func layoutAttributesForDecorationView(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> LayoutAttributes? {
        scene.attributes(for: LayoutPlace(.decoration(kind), path))
    }

    /// Where a section is, with its header, insets and footer, over the whole extent across; nil where there is
    /// no such section, and without room. Features do not move it.
    ///
    /// Complexity: O(log n).
    public final func frame(ofSection section: Int) -> Rect? {
        guard let placed = state.placedSection(at: section) else { return nil }
        let surroundings = scene.surroundings(of: placed)
        var frame = surroundings.sectionFrame
        frame.origin.x = surroundings.pixelAligned(frame.minX)
        frame.origin.y = surroundings.pixelAligned(frame.minY)
        return frame
    }

    // MARK: Invalidation

    /// Notes what is to be laid out again.
    open override func invalidateLayout(with context: LayoutInvalidationContext) {
        note(context)
        super.invalidateLayout(with: context)
    }

    /// Yes where the room across changes, and where a feature moves something.
    open override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
        changesRoom(newBounds) || !placesMoved(byBoundsChange: newBounds).isEmpty
    }

    /// Everything where the room across changes; else just the elements that features move.
    open override func invalidationContext(forBoundsChange newBounds: Rect)
        -> LayoutInvalidationContext
    {
        let context = super.invalidationContext(forBoundsChange: newBounds)
        guard let own = context as? ComposedInvalidationContext, !changesRoom(newBounds) else {
            return context
        }
        own.isSettled = true
        own.list(placesMoved(byBoundsChange: newBounds))
        return own
    }

    /// Yes where the size differs by half a pixel from the one that the element has and from the one that
    /// it preferred before. Unusable sizes are reported and change nothing.
    open override func shouldInvalidateLayout(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> Bool { takesPreferred(preferred.size, of: original.place) }

    /// Lays out the element's section with the size, at once; lists what is shown from there on; and fills
    /// in by how much the content grew, and whether the content offset has to follow.
    ///
    /// Complexity: the update of one section, O(log n), and what is shown.
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
