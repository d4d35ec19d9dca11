@testable import CollectionLayouts

/// All output of a layout.
struct Picture {
    var contentSize = Size.zero
    var attributes: [LayoutPlace: LayoutAttributes] = [:]
    var sections: [Rect] = []
    /// Elements that a rectangle finds only if it intersects their section too.
    var pinned: Set<LayoutPlace> = []
}

/// The identities in a section when it was laid out.
struct LaidSection: Hashable {
    let id: Int
    var items: [Int]

    init(_ section: WorldSection) { (id, items) = (section.id, section.items.map(\.id)) }
}

/// The invalidated parts, by identity.
struct StaleModel {
    var everything = false
    var counts = false
    var metrics = false
    var places = false
    var sections: Set<Int> = []
    var items: Set<Int> = []
    var supplements: [SupplementaryKind: Set<Int>] = [:]
    var decorations: Set<Int> = []
    var hasForeignContext = false

    /// Records the lists of a context.
    mutating func list(_ context: LayoutInvalidationContext, _ laidOut: [LaidSection]) {
        for path in context.invalidatedItemIndexPaths {
            items.insert(laidOut[path.section].items[path.item])
        }
        for (kind, paths) in context.invalidatedSupplementaryIndexPaths {
            supplements[kind, default: []].formUnion(paths.map { laidOut[$0.section].id })
        }
        for paths in context.invalidatedDecorationIndexPaths.values {
            decorations.formUnion(paths.map { laidOut[$0.section].id })
        }
    }

    /// The stale kinds of a section.
    func kinds(of section: Int) -> Set<SupplementaryKind> {
        Set(supplements.filter { $0.value.contains(section) }.keys)
    }
}

/// The expected effect of a view's preferred size.
struct PreferenceModel {
    /// `nil` if the layout rejects the size.
    var places: Set<LayoutPlace>?
    var oldFrame = Rect.zero
    var visibleRect = Rect.zero
    var direction = ScrollDirection.vertical
    /// Whether the first element is at the far end.
    var isReversed = false
}

/// A model of a layout that is obviously correct: it keeps the results of its queries in
/// dictionaries by identity and computes every frame from scratch. Each kind of layout has a
/// subclass.
class LayoutModel {
    let world: World
    let layout: CollectionLayout
    var draw: Draw { world.draw }

    /// The sections that are laid out, or `nil`.
    var laidOut: [LaidSection]?
    var stale = StaleModel()
    /// The expected queries of the current step.
    var queries: Set<HostQuery> = []
    /// The errors that must occur, and those that may.
    var errors: Set<String> = []
    var possibleErrors: Set<String> = []

    /// The current update, and the picture before it.
    var currentUpdate: (update: WorldUpdate, before: () -> Picture)?

    init(_ world: World, _ layout: CollectionLayout) {
        (self.world, self.layout) = (world, layout)
        layout.attach(to: world)
    }

    var shape: [Int]? { laidOut?.map(\.items.count) }

    // MARK: For subclasses

    /// The laid-out sections as the view shows them now.
    var picture: Picture { Picture() }

    /// Called when the layout was invalidated.
    func invalidated(_ context: LayoutInvalidationContext) {}

    /// Called when the layout has prepared, with or without an update.
    func prepared(_ update: WorldUpdate?) {}

    /// Called before the layout prepares an update.
    func willApply(_ update: WorldUpdate) {}

    /// Returns whether new bounds invalidate the layout, and the smallest and largest lists of
    /// places.
    func boundsChange(to bounds: Rect) -> (
        needs: Bool, least: Set<LayoutPlace>, most: Set<LayoutPlace>
    ) {
        (false, [], [])
    }

    /// Applies the preferred size of a view.
    func preferred(_ size: Size, by original: LayoutAttributes) -> PreferenceModel {
        PreferenceModel()
    }

    /// Called with the layout's context for a preferred size, which the layout recognizes later.
    func settle(_ context: LayoutInvalidationContext) {}

    /// Sets a property of the layout.
    func setProperty() {}

    /// Changes a property of the view that the layout notices when it prepares.
    func changeView() { world.adjustedContentInset = draw.insets(20) }

    // MARK: Contexts

    func invalidate(_ context: LayoutInvalidationContext) {
        if context.invalidatesEverything || context.invalidatesDataSourceCounts {
            currentUpdate = nil
        }
        invalidated(context)
    }

    /// Applies the context that the layout itself sent to the view.
    func applyOwnContext() {
        if let context = world.contexts.last { invalidate(context) }
    }

    // MARK: Values

    /// Whether the update starts from the counts that are laid out.
    func precedes(_ update: WorldUpdate?) -> Bool {
        guard let update else { return false }
        return shape == update.update.oldShape.itemCounts
    }

    func expectQuery(_ query: HostQuery) { if world.hasMetrics { queries.insert(query) } }

    func report(_ code: LayoutError.Code, _ place: LayoutPlace) {
        errors.insert("\(code.rawValue) \(place)")
    }

    func report(_ code: LayoutError.Code, section: Int) {
        errors.insert("\(code.rawValue) in \(section)")
    }

    /// Records a section with items that are larger than its lines. A layout need not check the
    /// lines that did not change.
    func reportOversize(section: Int, isCertain: Bool) {
        let error = "\(LayoutError.Code.itemExceedsLine.rawValue) in \(section)"
        possibleErrors.insert(error)
        if isCertain { errors.insert(error) }
    }

    /// Returns the key of an error in the model: its code, and its place or the section in its
    /// message.
    static func key(_ error: LayoutError) -> String {
        if let place = error.place { return "\(error.code.rawValue) \(place)" }
        guard let match = error.message.firstMatch(of: /section (\d+)/) else {
            return error.code.rawValue
        }
        return "\(error.code.rawValue) in \(match.output.1)"
    }
}
