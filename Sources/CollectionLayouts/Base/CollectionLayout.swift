/// The base class of layouts, which compute the places of the elements in a collection view.
///
/// The view calls the members in a fixed order: ``prepare()``, ``collectionViewContentSize``, then
/// the queries for attributes, by rectangle or for single elements, with rectangles of any size and
/// any number of times. Before the view changes its bounds, it calls
/// ``shouldInvalidateLayout(forBoundsChange:)`` with the new bounds. For an update, the view
/// invalidates the counts, then calls ``prepare(applying:)`` and ``collectionViewContentSize``
/// again, then ``prepare(forCollectionViewUpdates:)``, queries, and
/// ``finalizeCollectionViewUpdates()``. In between, ``initialLayoutAttributes(forAppearing:)`` and
/// ``finalLayoutAttributes(forDisappearing:)`` return the attributes from which appearing views
/// start and at which disappearing views end.
///
/// Shape: paths are in the view's index space, frames in content coordinates. A path that does not
/// exist has no attributes.
///
/// Threading: main lane of the view that owns the layout. A layout belongs to one view.
///
/// Source: UICollectionViewLayout.
open class CollectionLayout {
    /// The view that the layout is attached to, if any.
    public private(set) weak var host: (any LayoutHost)?

    /// The work and the errors so far; the code that performs the layout adds its own.
    final var notes = LayoutNotes()

    /// The work of the layout so far.
    package final var work: LayoutWork { notes.work }

    /// The classes of decoration views by kind; the view that shows the layout interprets them.
    package var decorationClasses: [SupplementaryKind: AnyClass] = [:]

    /// The update in progress, from before it is applied until it is complete.
    private(set) var updateInProgress: UpdateInProgress?

    /// Creates a layout that places no elements.
    public init() {}

    /// Attaches the layout to a view, or detaches it; called by the view.
    public func attach(to host: (any LayoutHost)?) { self.host = host }

    // MARK: Errors

    /// The errors since everything was last laid out, oldest first; at most 64, because one mistake
    /// usually affects every item. ``errorCount`` is the total number.
    public final var errors: [LayoutError] { notes.diagnostics.errors }

    /// The number of errors since everything was last laid out.
    public final var errorCount: Int { notes.diagnostics.count }

    /// Adds an error to ``errors``; for subclasses.
    public final func report(_ error: LayoutError) { notes.diagnostics.report(error) }

    /// Removes all errors. Subclasses call this method when they begin to lay out everything. The
    /// layouts of this module do so themselves.
    public final func clearErrors() { notes.diagnostics = LayoutDiagnostics() }

    // MARK: Preparing

    /// Computes the data for the queries. The view calls it after every invalidation, before any
    /// query.
    open func prepare() {}

    /// Computes the data for the queries after an update. The view calls it instead of
    /// ``prepare()`` if an update invalidated the counts; the counts are already the new ones.
    ///
    /// The default implementation remembers the visible attributes and calls ``prepare()``. An
    /// override that processes the update itself first calls
    /// ``CollectionLayout/noteUpdate(_:attributesBefore:)``.
    open func prepare(applying update: ValidatedChangeSet) {
        noteUpdate(update)
        prepare()
    }

    /// Records an update before it is applied, so that ``initialLayoutAttributes(forAppearing:)``
    /// and ``finalLayoutAttributes(forDisappearing:)`` know the previous places of views. A reload
    /// of all data moves nothing.
    ///
    /// - Parameters:
    ///   - update: The update.
    ///   - attributesBefore: A closure that returns the attributes that a view had before the
    ///     update, given its place at that time; retained until the update is complete. If it is
    ///     `nil`, the layout remembers the attributes that are visible now.
    public final func noteUpdate(
        _ update: ValidatedChangeSet,
        attributesBefore: ((_ oldPlace: LayoutPlace) -> LayoutAttributes?)? = nil
    ) {
        updateInProgress = nil
        guard !update.isReloadData, let host else { return }
        if let attributesBefore {
            updateInProgress = UpdateInProgress(update: update, attributesBefore: attributesBefore)
            return
        }
        let shown = shownAttributes(of: host)
        updateInProgress = UpdateInProgress(update: update) { shown[$0] }
    }

    /// Records an update together with a snapshot of the layout, which returns earlier attributes.
    /// The attributes that a subclass returns for visible elements are remembered, because the
    /// snapshot does not know them.
    final func noteUpdate(
        _ update: ValidatedChangeSet,
        of layoutClass: CollectionLayout.Type,
        snapshot: @escaping (_ oldPlace: LayoutPlace) -> LayoutAttributes?
    ) {
        guard type(of: self) != layoutClass, let host else {
            return noteUpdate(update, attributesBefore: snapshot)
        }
        let shown = shownAttributes(of: host)
        noteUpdate(update) { shown[$0] ?? snapshot($0) }
    }

    private func shownAttributes(of host: any LayoutHost) -> [LayoutPlace: LayoutAttributes] {
        Dictionary(
            layoutAttributesForElements(in: host.bounds).map { ($0.place, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The size of the content.
    open var collectionViewContentSize: Size { .zero }

    /// The axis along which the content extends. An inverted view mirrors the content along this
    /// axis. Vertical by default, even for content that scrolls along both axes or neither.
    open var scrollDirection: ScrollDirection { .vertical }

    /// The size range for measuring elements that have none of their own. By default, an element is
    /// at most as wide as the view and has any height.
    open var elementSizeRange: SizeRange {
        .across(0, to: availableExtentAcross(.vertical), .vertical)
    }

    /// Returns the extent of the bounds across `direction`, within the content inset; 0 without a
    /// view.
    final func availableExtentAcross(_ direction: ScrollDirection) -> Double {
        guard let host else { return 0 }
        let room = host.bounds.size.across(direction) - host.adjustedContentInset.across(direction)
        return room > 0 && room.isFinite ? room : 0
    }

    // MARK: Queries

    /// Returns the attributes of all elements in `rect`, and possibly of others, in any order.
    ///
    /// The result must reflect the last ``prepare()``, even if properties have changed since:
    /// before a change takes effect, the view queries the current places, so that the visible
    /// content keeps its position.
    open func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] { [] }

    /// Returns the attributes of an item.
    open func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? { nil }

    /// Returns the attributes of a supplementary view.
    open func layoutAttributesForSupplementaryView(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    )
        -> LayoutAttributes?
    { nil }

    /// Returns the attributes of a decoration view.
    open func layoutAttributesForDecorationView(ofKind kind: SupplementaryKind, at path: ItemPath)
        -> LayoutAttributes?
    { nil }

    /// Returns the attributes of any view.
    public final func layoutAttributes(for place: LayoutPlace) -> LayoutAttributes? {
        switch place.category {
        case .cell: layoutAttributesForItem(at: place.path)
        case .supplementary(let kind):
            layoutAttributesForSupplementaryView(ofKind: kind, at: place.path)
        case .decoration(let kind): layoutAttributesForDecorationView(ofKind: kind, at: place.path)
        }
    }

    // MARK: Invalidation

    /// The class of the invalidation contexts that the layout makes and understands.
    open class var invalidationContextClass: LayoutInvalidationContext.Type {
        LayoutInvalidationContext.self
    }

    /// Invalidates the entire layout.
    public final func invalidateLayout() {
        invalidateLayout(with: Self.invalidationContextClass.init())
    }

    /// Records that parts of the layout are invalid; an override must call `super`. Any number of
    /// invalidations before the next pass of the view lead to one ``prepare()``.
    open func invalidateLayout(with context: LayoutInvalidationContext) {
        // From now on, the previous places are invalid, even during an update.
        if context.invalidatesEverything || context.invalidatesDataSourceCounts {
            updateInProgress = nil
        }
        host?.invalidateLayout(with: context)
    }

    /// Returns whether new bounds invalidate the layout; called before the bounds change. The
    /// default implementation returns `false`.
    open func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool { false }

    /// Returns the parts of the layout that new bounds invalidate; called before the bounds change.
    open func invalidationContext(forBoundsChange newBounds: Rect) -> LayoutInvalidationContext {
        Self.invalidationContextClass.init()
    }

    /// Returns whether a view's preferred size invalidates the layout. The default implementation
    /// returns `false`.
    ///
    /// - Parameters:
    ///   - preferred: The attributes that the view prefers.
    ///   - original: The attributes that the layout returned for it.
    open func shouldInvalidateLayout(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> Bool { false }

    /// Returns the parts of the layout that a view's preferred size invalidates; the layout records
    /// the size here.
    open func invalidationContext(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> LayoutInvalidationContext { Self.invalidationContextClass.init() }

    // MARK: Content offset

    /// Returns the content offset to scroll to after an update or an animated change, given the
    /// offset that the view proposes.
    open func targetContentOffset(forProposedContentOffset offset: Point) -> Point { offset }

    /// Returns the content offset where a fling ends, given the offset that the view proposes. The
    /// velocity is in units per millisecond.
    open func targetContentOffset(
        forProposedContentOffset offset: Point,
        withScrollingVelocity velocity: Point
    ) -> Point {
        targetContentOffset(forProposedContentOffset: offset)
    }

    // MARK: Updates

    /// Notifies the layout that an update was applied to the counts and that the layout's
    /// attributes will be queried.
    open func prepare(forCollectionViewUpdates updates: [LayoutUpdateItem]) {}

    /// Notifies the layout that the update's attributes were queried; an override must call
    /// `super`.
    open func finalizeCollectionViewUpdates() { updateInProgress = nil }

    /// Notifies the layout that the bounds are about to change in an animation.
    open func prepare(forAnimatedBoundsChange oldBounds: Rect) {}

    /// Notifies the layout that the bounds have changed in an animation.
    open func finalizeAnimatedBoundsChange() {}

    /// Notifies the layout that the view is about to change to another layout.
    open func prepareForTransition(to newLayout: CollectionLayout) {}

    /// Notifies the layout that the view is about to change from another layout to this one.
    open func prepareForTransition(from oldLayout: CollectionLayout) {}

    /// Notifies the layout that the view has changed its layout.
    open func finalizeLayoutTransition() {}

    /// Returns the attributes that a view had before the update in progress, given its place at
    /// that time; `nil` if they are not known or no update is in progress.
    public final func layoutAttributesBeforeUpdate(for oldPlace: LayoutPlace) -> LayoutAttributes? {
        updateInProgress?.attributesBefore(oldPlace)
    }

    /// Returns the attributes from which an appearing view starts in an update, given its new
    /// place. `nil` fades the view in at its place, as outside updates. Not called for views that
    /// an edit with `.none` names.
    ///
    /// By default, an existing view starts from its previous place, and an inserted or replaced
    /// view starts from the attributes that ``absentLayoutAttributes(for:animation:)`` returns for
    /// the option of the edit that inserted it.
    open func initialLayoutAttributes(forAppearing place: LayoutPlace) -> LayoutAttributes? {
        guard let updateInProgress else { return nil }
        let update = updateInProgress.update
        let before = update.formerPlace(of: place).flatMap(updateInProgress.attributesBefore)
        return before?.at(place)
            ?? absent(layoutAttributes(for: place), update.animation(ofNew: place))
    }

    /// Returns the attributes at which a disappearing view ends in an update, given its old place.
    /// `nil` fades the view out at its place, as outside updates. Not called for views that an edit
    /// with `.none` names.
    ///
    /// By default, a surviving view ends at its current place, and a deleted or replaced view ends
    /// at the attributes that ``absentLayoutAttributes(for:animation:)`` returns for the option of
    /// the edit that removed it.
    open func finalLayoutAttributes(forDisappearing place: LayoutPlace) -> LayoutAttributes? {
        guard let updateInProgress else { return nil }
        let update = updateInProgress.update
        let now = update.survivingPlace(of: place).flatMap { layoutAttributes(for: $0) }
        let before = updateInProgress.attributesBefore
        return now?.at(place) ?? absent(before(place), update.animation(ofOld: place))
    }

    private func absent(_ attributes: LayoutAttributes?, _ animation: AnimationOption?)
        -> LayoutAttributes?
    { attributes.map { absentLayoutAttributes(for: $0, animation: animation ?? .automatic) } }

    /// Returns the attributes of a view before it appears and after it disappears, given its
    /// attributes while it is present. They define the effect of an `AnimationOption`. Override
    /// this method to give an application's own option numbers a meaning.
    ///
    /// By default, `.leading`, `.trailing`, `.top` and `.bottom` shift the view towards that edge
    /// by its own extent, `.none` leaves it as it is, and all other options, including `.automatic`
    /// and `.fade`, make it invisible in its place. The leading edge is the right one if content
    /// runs from right to left.
    ///
    /// - Parameters:
    ///   - attributes: The attributes of an item, or of its headers, footers or decorations, while
    ///     they are present.
    ///   - animation: The option of the edit that names the item, otherwise of the edit that names
    ///     its section; `.automatic` if there is none.
    open func absentLayoutAttributes(for attributes: LayoutAttributes, animation: AnimationOption)
        -> LayoutAttributes
    { attributes.absent(by: animation, isRightToLeft: host?.isRightToLeft ?? false) }

    /// Returns the paths of supplementary or decoration views that an update inserted.
    open func indexPathsToInsert(for category: ElementCategory) -> [ItemPath] { [] }

    /// Returns the old paths of supplementary or decoration views that an update deleted.
    open func indexPathsToDelete(for category: ElementCategory) -> [ItemPath] { [] }
}
