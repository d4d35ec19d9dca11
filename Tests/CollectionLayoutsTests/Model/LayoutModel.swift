@testable import CollectionLayouts

/// Everything that a layout says.
struct Picture {
    var contentSize = Size.zero
    var attributes: [LayoutPlace: LayoutAttributes] = [:]
    var sections: [Rect] = []
    /// What a rectangle finds only where it meets the section too.
    var pinned: Set<LayoutPlace> = []
}

/// What is known of a section as it was laid out: the identities in it.
struct LaidSection: Hashable {
    let id: Int
    var items: [Int]

    init(_ section: WorldSection) { (id, items) = (section.id, section.items.map(\.id)) }
}

/// What is stale, by identities.
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

    /// Notes the lists of a context.
    mutating func list(_ context: LayoutInvalidationContext, _ laid: [LaidSection]) {
        for path in context.invalidatedItemIndexPaths {
            items.insert(laid[path.section].items[path.item])
        }
        for (kind, paths) in context.invalidatedSupplementaryIndexPaths {
            supplements[kind, default: []].formUnion(paths.map { laid[$0.section].id })
        }
        for paths in context.invalidatedDecorationIndexPaths.values {
            decorations.formUnion(paths.map { laid[$0.section].id })
        }
    }

    /// The stale kinds of a section.
    func kinds(of section: Int) -> Set<SupplementaryKind> {
        Set(supplements.filter { $0.value.contains(section) }.keys)
    }
}

/// What a view's wish for a size comes to.
struct PreferenceModel {
    /// Nil where the layout does not give in.
    var places: Set<LayoutPlace>?
    var oldFrame = Rect.zero
    var keeps = Rect.zero
    var direction = ScrollDirection.vertical
    /// Whether what is first lies at the far end.
    var isReversed = false
}

/// An obvious layout beside the real one: what it has asked it keeps in dictionaries by identity, and every
/// frame is computed from the beginning. Subclasses are the kinds of layouts.
class LayoutModel {
    let world: World
    let layout: CollectionLayout
    var draw: Draw { world.draw }

    /// What is laid out; nil where nothing is.
    var laid: [LaidSection]?
    var stale = StaleModel()
    /// What is asked in the step.
    var questions: Set<Question> = []
    /// The errors that there must be, and those that there may be.
    var errors: Set<String> = []
    var possibleErrors: Set<String> = []

    /// The update that is under way, and where things were before it.
    var underWay: (update: WorldUpdate, before: () -> Picture)?

    init(_ world: World, _ layout: CollectionLayout) {
        (self.world, self.layout) = (world, layout)
        layout.attach(to: world)
    }

    var shape: [Int]? { laid?.map(\.items.count) }

    // MARK: For subclasses

    /// Everything, of what is laid out, as the view shows it now.
    var picture: Picture { Picture() }

    /// The layout was invalidated.
    func invalidated(_ context: LayoutInvalidationContext) {}

    /// The layout prepared, in an update or without one.
    func prepared(_ update: WorldUpdate?) {}

    /// The layout takes note of an update.
    func noted(_ update: WorldUpdate) {}

    /// Whether other bounds invalidate the layout, and what is listed at least and at most.
    func boundsChange(to bounds: Rect) -> (
        needs: Bool, least: Set<LayoutPlace>, most: Set<LayoutPlace>
    ) {
        (false, [], [])
    }

    /// Takes a wish for a size.
    func preferred(_ size: Size, by original: LayoutAttributes) -> PreferenceModel {
        PreferenceModel()
    }

    /// The layout has made a context of a wish, which it will know again.
    func settle(_ context: LayoutInvalidationContext) {}

    /// Sets some property of the layout.
    func setProperty() {}

    /// Changes something about the view that the layout finds out when it prepares.
    func changeView() { world.adjustedContentInset = draw.insets(20) }

    // MARK: Contexts

    func invalidate(_ context: LayoutInvalidationContext) {
        if context.invalidatesEverything || context.invalidatesDataSourceCounts { underWay = nil }
        invalidated(context)
    }

    /// Notes what the layout itself has told the view.
    func noteOwnContext() {
        if let context = world.contexts.last { invalidate(context) }
    }

    // MARK: Values

    /// How many items there were is how many there are.
    func precedes(_ update: WorldUpdate?) -> Bool {
        guard let update else { return false }
        return shape == update.update.oldShape.itemCounts
    }

    func ask(_ question: Question) { if world.answers { questions.insert(question) } }

    func report(_ code: LayoutError.Code, _ place: LayoutPlace) {
        errors.insert("\(code.rawValue) \(place)")
    }

    func report(_ code: LayoutError.Code, section: Int) {
        errors.insert("\(code.rawValue) in \(section)")
    }

    /// A section with items that are larger than its lines. Where some of its lines are as before, nobody may
    /// look at those.
    func reportOversize(section: Int, isCertain: Bool) {
        let error = "\(LayoutError.Code.itemExceedsLine.rawValue) in \(section)"
        possibleErrors.insert(error)
        if isCertain { errors.insert(error) }
    }

    /// An error as the model has it: its code, and the place or else the section of the message.
    static func key(_ error: LayoutError) -> String {
        if let place = error.place { return "\(error.code.rawValue) \(place)" }
        guard let match = error.message.firstMatch(of: /section (\d+)/) else {
            return error.code.rawValue
        }
        return "\(error.code.rawValue) in \(match.output.1)"
    }
}
