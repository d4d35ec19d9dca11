/// Decides where the elements of a collection view are: to be subclassed.
///
/// The view asks in a fixed order: ``prepare()``, ``collectionViewContentSize``, then attributes, by
/// rectangle or one by one, with rectangles of any size and any number of times. Before it changes its
/// bounds it asks whether that invalidates the layout, with the new bounds as argument. An update comes
/// as an invalidation of the counts, then ``prepare(applying:)`` and ``collectionViewContentSize`` again,
/// then ``prepare(forCollectionViewUpdates:)``, queries, and ``finalizeCollectionViewUpdates()``. Where
/// views come from and go to in between, ``initialLayoutAttributes(forAppearing:)`` and
/// ``finalLayoutAttributes(forDisappearing:)`` say.
///
/// Shape: paths are in the view's index space, frames in content coordinates. A path that does not
/// exist has no attributes.
///
/// Threading: main lane of the view that has the layout. A layout belongs to one view.
///
/// Source: UICollectionViewLayout.
open class CollectionLayout {
    /// The view, once the layout was given to one.
    public private(set) weak var host: (any LayoutHost)?

    /// What was done and found so far; who lays out hands in its own.
    final var notes = LayoutNotes()

    /// What was done so far.
    package final var work: LayoutWork { notes.work }

    /// The classes of decoration views by kind; who shows the layout knows what they are.
    package var decorationClasses: [SupplementaryKind: AnyClass] = [:]

    /// The update that is under way, from before it is applied until it is over.
    private(set) var updateUnderWay: UpdateUnderWay?

    /// Makes a layout that places nothing.
    public init() {}

    /// Gives the layout to a view, or takes it away; the view calls it.
    public func attach(to host: (any LayoutHost)?) { self.host = host }

    // MARK: Errors

    /// What could not be used since everything was last laid out, oldest first; at most 64, since one
    /// mistake mostly shows in every item. ``errorCount`` tells how many there were.
    public final var errors: [LayoutError] { notes.diagnostics.errors }

    /// How many errors there were since everything was last laid out.
    public final var errorCount: Int { notes.diagnostics.count }

    /// Takes note of something that the layout could not use, for ``errors``; for subclasses.
    public final func report(_ error: LayoutError) { notes.diagnostics.report(error) }

    /// Forgets the errors; for subclasses, when they begin to lay everything out. The layouts of this module
    /// do so themselves.
    public final func clearErrors() { notes.diagnostics = LayoutDiagnostics() }

    // MARK: Preparing

    /// Computes what the queries need; after every invalidation, before anything is asked.
    open func prepare() {}

    /// Computes what the queries need after an update, of which it may take advantage: called in place of
    /// ``prepare()`` where an update invalidated the counts, when they are already the new ones.
    ///
    /// By default it remembers what is shown, and calls ``prepare()``. An override that takes the update
    /// into account itself calls ``CollectionLayout/noteUpdate(_:attributesBefore:)`` first.
    open func prepare(applying update: ValidatedChangeSet) {
        noteUpdate(update)
        prepare()
    }

    /// Takes note of an update before it is applied, so that ``initialLayoutAttributes(forAppearing:)`` and
    /// ``finalLayoutAttributes(forDisappearing:)`` know where views were. A reload of all data moves nothing.
    ///
    /// - Parameters:
    ///   - update: the update.
    ///   - attributesBefore: the attributes that a view had before the update, given its place then; it is
    ///     kept until the update is over. What is shown now is remembered if nobody says more.
    public final func noteUpdate(
        _ update: ValidatedChangeSet,
        attributesBefore: ((_ oldPlace: LayoutPlace) -> LayoutAttributes?)? = nil
    ) {
        updateUnderWay = nil
        guard !update.isReloadData, let host else { return }
        if let attributesBefore {
            updateUnderWay = UpdateUnderWay(update: update, attributesBefore: attributesBefore)
            return
        }
        let shown = shownAttributes(of: host)
        updateUnderWay = UpdateUnderWay(update: update) { shown[$0] }
    }

    /// Takes note of an update that begins with a snapshot of the layout, which answers about the past. What
    /// a subclass says of its own about what is shown is remembered, since the snapshot does not know it.
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

    /// How large the content is.
    open var collectionViewContentSize: Size { .zero }

    /// The axis along which the content goes on and on, for who shows it from its other end. Vertical by
    /// default, as for what scrolls along both axes, or neither.
    open var scrollDirection: ScrollDirection { .vertical }

    /// The sizes that elements may take whose size nobody says; the pipeline measures with it. As wide as
    /// the view at most, and as high as they like, by default.
    open var elementSizeRange: SizeRange { .across(0, to: roomAcross(.vertical), .vertical) }

    /// The extent of the bounds across `direction`, within the content inset; 0 without a view.
    final func roomAcross(_ direction: ScrollDirection) -> Double {
        guard let host else { return 0 }
        let room = host.bounds.size.across(direction) - host.adjustedContentInset.across(direction)
        return room > 0 && room.isFinite ? room : 0
    }

    // MARK: Queries

    /// The attributes of everything that lies in `rect`, and perhaps of more; in any order.
    ///
    /// Answer as of the last ``prepare()``, whatever was set since: before a change takes effect, the view asks where
    /// everything is, so that what is read stays where it is.
    open func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] { [] }

    /// The attributes of an item.
    open func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? { nil }

    /// The attributes of a supplementary view.
    open func layoutAttributesForSupplementaryView(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    )
        -> LayoutAttributes?
    { nil }

    /// The attributes of a decoration view.
    open func layoutAttributesForDecorationView(ofKind kind: SupplementaryKind, at path: ItemPath)
        -> LayoutAttributes?
    { nil }

    /// The attributes of any view.
    public final func layoutAttributes(for place: LayoutPlace) -> LayoutAttributes? {
        switch place.category {
        case .cell: layoutAttributesForItem(at: place.path)
        case .supplementary(let kind):
            layoutAttributesForSupplementaryView(ofKind: kind, at: place.path)
        case .decoration(let kind): layoutAttributesForDecorationView(ofKind: kind, at: place.path)
        }
    }

    // MARK: Invalidation

    /// The class of the contexts that the layout makes and understands.
    open class var invalidationContextClass: LayoutInvalidationContext.Type {
        LayoutInvalidationContext.self
    }

    /// Asks for everything to be computed again.
    public final func invalidateLayout() {
        invalidateLayout(with: Self.invalidationContextClass.init())
    }

    /// Takes note that the layout is no longer right; a subclass calls this of its superclass too.
    /// Any number of invalidations before the next pass of the view lead to one ``prepare()``.
    open func invalidateLayout(with context: LayoutInvalidationContext) {
        // Whatever was under way, places before it mean something else from now on.
        if context.invalidatesEverything || context.invalidatesDataSourceCounts {
            updateUnderWay = nil
        }
        host?.invalidateLayout(with: context)
    }

    /// Whether other bounds make the layout wrong; asked before the bounds change. No by default.
    open func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool { false }

    /// What other bounds make wrong; asked before the bounds change.
    open func invalidationContext(forBoundsChange newBounds: Rect) -> LayoutInvalidationContext {
        Self.invalidationContextClass.init()
    }

    /// Whether the size that a view wants makes the layout wrong. No by default.
    ///
    /// - Parameters:
    ///   - preferred: what the view wants.
    ///   - original: what the layout gave it.
    open func shouldInvalidateLayout(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> Bool { false }

    /// What the size that a view wants makes wrong; the layout takes note of the size here.
    open func invalidationContext(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> LayoutInvalidationContext { Self.invalidationContextClass.init() }

    // MARK: Content offset

    /// Where to scroll after an update or an animated change, given where the view would.
    open func targetContentOffset(forProposedContentOffset offset: Point) -> Point { offset }

    /// Where a fling ends, given where it would. The velocity is in units a millisecond.
    open func targetContentOffset(
        forProposedContentOffset offset: Point,
        withScrollingVelocity velocity: Point
    ) -> Point {
        targetContentOffset(forProposedContentOffset: offset)
    }

    // MARK: Updates

    /// An update was applied to the counts; its attributes are about to be asked for.
    open func prepare(forCollectionViewUpdates updates: [LayoutUpdateItem]) {}

    /// The update's attributes were asked for; a subclass calls this of its superclass too.
    open func finalizeCollectionViewUpdates() { updateUnderWay = nil }

    /// The bounds are about to change in an animation.
    open func prepare(forAnimatedBoundsChange oldBounds: Rect) {}

    /// The bounds have changed in an animation.
    open func finalizeAnimatedBoundsChange() {}

    /// The view is about to change to another layout.
    open func prepareForTransition(to newLayout: CollectionLayout) {}

    /// The view is about to change from another layout.
    open func prepareForTransition(from oldLayout: CollectionLayout) {}

    /// The view has changed its layout.
    open func finalizeLayoutTransition() {}

    /// The attributes that a view had before the update that is under way, given its place then; nil where
    /// they are not known, and outside of updates.
    public final func layoutAttributesBeforeUpdate(for oldPlace: LayoutPlace) -> LayoutAttributes? {
        updateUnderWay?.attributesBefore(oldPlace)
    }

    /// Where a view starts from that appears in an update, given its place after it; nil to fade in at its
    /// place, as outside of updates. Not asked of what an edit with `.none` names.
    ///
    /// By default what was there before starts from where it was, and what came or was replaced is where
    /// ``absentLayoutAttributes(for:animation:)`` says for the option of the edit that brought it.
    open func initialLayoutAttributes(forAppearing place: LayoutPlace) -> LayoutAttributes? {
        guard let updateUnderWay else { return nil }
        let update = updateUnderWay.update
        let before = update.formerPlace(of: place).flatMap(updateUnderWay.attributesBefore)
        return before?.at(place)
            ?? absent(layoutAttributes(for: place), update.animation(ofNew: place))
    }

    /// Where a view goes that disappears in an update, given its place before it; nil to fade out at its
    /// place, as outside of updates. Not asked of what an edit with `.none` names.
    ///
    /// By default what is still there goes to where it is now, and what went or was replaced is where
    /// ``absentLayoutAttributes(for:animation:)`` says for the option of the edit that took it away.
    open func finalLayoutAttributes(forDisappearing place: LayoutPlace) -> LayoutAttributes? {
        guard let updateUnderWay else { return nil }
        let update = updateUnderWay.update
        let now = update.survivingPlace(of: place).flatMap { layoutAttributes(for: $0) }
        let before = updateUnderWay.attributesBefore
        return now?.at(place) ?? absent(before(place), update.animation(ofOld: place))
    }

    private func absent(_ attributes: LayoutAttributes?, _ animation: AnimationOption?)
        -> LayoutAttributes?
    { attributes.map { absentLayoutAttributes(for: $0, animation: animation ?? .automatic) } }

    /// Where a view is before it comes, and after it went, given where it is while it is there: what an
    /// `AnimationOption` looks like. Override it to give numbers of an application's own a meaning.
    ///
    /// By default `.leading`, `.trailing`, `.top` and `.bottom` shift it towards that edge by its own extent,
    /// `.none` leaves it as it is, and all others, `.automatic` and `.fade` among them, make it invisible in
    /// its place. The leading edge is the right one where content runs from right to left.
    ///
    /// - Parameters:
    ///   - attributes: of an item, its headers, footers or decorations while they are there.
    ///   - animation: the option of the edit that names the item, or else its section; `.automatic` where none
    ///     does.
    open func absentLayoutAttributes(for attributes: LayoutAttributes, animation: AnimationOption)
        -> LayoutAttributes
    { attributes.absent(by: animation, isRightToLeft: host?.isRightToLeft ?? false) }

    /// The paths of supplementary or decoration views that came with an update.
    open func indexPathsToInsert(for category: ElementCategory) -> [ItemPath] { [] }

    /// The paths, before the update, of supplementary or decoration views that went with it.
    open func indexPathsToDelete(for category: ElementCategory) -> [ItemPath] { [] }
}
