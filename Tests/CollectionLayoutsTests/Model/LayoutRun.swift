@testable import CollectionLayouts

/// A layout beside its model through one random life.
struct LayoutRun {
    private let world: World
    private let model: LayoutModel
    private var layout: CollectionLayout { model.layout }
    private var draw: Draw { world.draw }
    /// What was done, to be read where something is wrong.
    private(set) var story: [String] = []
    private var isReplaced = false

    init(_ seed: UInt64, _ make: (World) -> LayoutModel) {
        world = World(Draw(seed: seed))
        model = make(world)
    }

    /// Goes on for some steps.
    ///
    /// - Returns: the first difference between the layout and the model.
    mutating func go(_ steps: Int) throws -> String? {
        prepare(nil)
        if let fault = difference() { return fault }
        for step in 0..<steps {
            story.append("step \(step)")
            // Several reasons may be pending at once.
            while draw.chance(0.55) {
                if let fault = disturb() { return fault }
            }
            if draw.chance(0.5) { try update() } else { prepare(nil) }
            if let fault = difference() ?? transitionFault() { return fault }
            if draw.chance(0.8) {
                layout.finalizeCollectionViewUpdates()
                model.underWay = nil
                if let fault = transitionFault() { return "finalized: \(fault)" }
            }
        }
        return nil
    }

    // MARK: What happens

    private mutating func disturb() -> String? {
        let event = draw.below(8)
        story.append("event \(event)")
        switch event {
        case 0: world.changeQuietly()
        case 1: model.changeView()
        case 2: model.setProperty()
        case 3, 4: invalidate()
        case 5: return changeBounds()
        default: return prefer()
        }
        return nil
    }

    private mutating func invalidate() {
        let layoutClass = type(of: layout).invalidationContextClass
        let isForeign = layoutClass != LayoutInvalidationContext.self && draw.chance(0.1)
        let context = isForeign ? LayoutInvalidationContext() : layoutClass.init()
        switch draw.below(8) {
        case 0: context.invalidatesEverything = true
        case 1:
            context.invalidatesDataSourceCounts = true
            replace()
        case 2: break
        default: if !isReplaced { list(context) }
        }
        if draw.chance(0.2), let flow = context as? FlowLayoutInvalidationContext {
            flow.invalidatesFlowLayoutDelegateMetrics = draw.chance(0.5)
            flow.invalidatesFlowLayoutAttributes = draw.chance(0.5)
        }
        story.append("\(context.places.sorted())")
        layout.invalidateLayout(with: context)
        model.invalidate(context)
    }

    private func list(_ context: LayoutInvalidationContext) {
        for (index, section) in (model.laid ?? []).enumerated() {
            let paths = section.items.indices.map { ItemPath(section: index, item: $0) }
            context.invalidateItems(at: draw.subset(of: paths, 0.1))
            for kind in [SupplementaryKind.header, .footer, .badge] where draw.chance(0.2) {
                let path = ItemPath(section: index, item: 0)
                context.invalidateSupplementaryElements(ofKind: kind, at: [path])
            }
            if draw.chance(0.05) {
                let path = ItemPath(section: index, item: 0)
                context.invalidateDecorationElements(ofKind: .background, at: [path])
            }
        }
    }

    /// Other content, and nobody says how it came about.
    private mutating func replace() {
        // With other counts: a layout may believe an update that begins with the counts that it knows.
        world.sections = (0..<draw.below(5)).map { _ in world.makeSection() }
        while world.sections.map(\.items.count) == model.shape ?? [] {
            world.sections.append(world.makeSection())
        }
        isReplaced = true
    }

    private func changeBounds() -> String? {
        var new = world.bounds
        if draw.chance(0.7) {
            // In sight, near, far, or somewhat outside.
            let content = layout.collectionViewContentSize
            new.origin.x += draw.one(of: [0, 0, 7.5, -30, content.width / 4.rounded()])
            new.origin.y = draw.quarters(Int(min(content.height, 1e4)) + 60) - 30
            if draw.chance(0.4) {
                new.origin.x = draw.quarters(Int(min(content.width, 1e4)) + 60) - 30
            }
        }
        if draw.chance(0.3) {
            new.size = Size(width: 60 + draw.quarters(300), height: 60 + draw.quarters(300))
            if draw.chance(0.1) { new.size.width = 0 }
        }
        let expected = model.boundsChange(to: new)
        let needs = layout.shouldInvalidateLayout(forBoundsChange: new)
        let mayNeed = expected.needs || !expected.most.isEmpty
        guard needs ? mayNeed : !expected.needs else { return "needs \(needs) at \(new)" }
        let context = layout.invalidationContext(forBoundsChange: new)
        guard context.places.isSuperset(of: expected.least),
            context.places.isSubset(of: expected.most)
        else { return "bounds list \(context.places), expected \(expected.least)" }
        if needs {
            if type(of: layout) == ComposedLayout.self, context.isPartial { model.settle(context) }
            layout.invalidateLayout(with: context)
            model.invalidate(context)
        }
        world.bounds = new
        return nil
    }

    /// A view wants another size than it has, or perhaps none.
    private mutating func prefer() -> String? {
        let shown = model.picture.attributes.values.sorted { $0.place < $1.place }
        guard !isReplaced, !shown.isEmpty else { return nil }
        // Headers and footers are few among the cells.
        let others = shown.filter { $0.place.category != .cell }
        let original = draw.one(of: !others.isEmpty && draw.chance(0.4) ? others : shown)
        let wishes = [
            original.size, .zero, Size(width: -1, height: .nan), draw.size(), draw.size(90, 90),
        ]
        var preferred = original
        preferred.size = draw.chance(0.2) ? draw.one(of: wishes) : draw.size(110, 70)
        if draw.chance(0.1) { preferred.size.height = original.size.height + 0.125 }
        story.append("\(original.place) wants \(preferred.size)")
        let before = layout.collectionViewContentSize
        let expected = model.preferred(preferred.size, by: original)
        let isTaken = layout.shouldInvalidateLayout(
            forPreferredLayoutAttributes: preferred,
            withOriginalAttributes: original
        )
        guard isTaken == (expected.places != nil) else { return "taken: \(isTaken)" }
        guard let places = expected.places else { return nil }
        let context = layout.invalidationContext(
            forPreferredLayoutAttributes: preferred,
            withOriginalAttributes: original
        )
        let now = layout.collectionViewContentSize
        let growth = Size(width: now.width - before.width, height: now.height - before.height)
        let offset = offset(for: growth, expected)
        guard context.places == places, context.contentSizeAdjustment == growth,
            context.contentOffsetAdjustment == offset
        else {
            return "wish: \(context.places) \(context.contentSizeAdjustment)"
                + " \(context.contentOffsetAdjustment), expected \(places) \(growth) \(offset)"
        }
        model.settle(context)
        layout.invalidateLayout(with: context)
        model.invalidate(context)
        return nil
    }

    /// How far to scroll so that what is shown stays where it is.
    private func offset(for growth: Size, _ wish: PreferenceModel) -> Point {
        let direction = wish.direction
        let old = AxisRect(wish.oldFrame, direction)
        let shown = AxisRect(wish.keeps, direction)
        let moves = wish.isReversed ? old.along < shown.alongEnd : old.alongEnd <= shown.along
        return moves ? Point(along: growth.along(direction), across: 0, direction) : .zero
    }

    // MARK: Preparing

    private mutating func prepare(_ update: WorldUpdate?) {
        world.questions = []
        if let update {
            layout.prepare(applying: update.update)
        } else {
            layout.prepare()
        }
        model.questions = []
        model.prepared(update)
        isReplaced = false
    }

    private mutating func update() throws {
        let update = try WorldUpdate(of: world)
        story.append("\(update.update.edits)")
        world.sections = update.sections
        let context = type(of: layout).invalidationContextClass.init()
        context.invalidatesDataSourceCounts = true
        layout.invalidateLayout(with: context)
        model.invalidate(context)
        model.noted(update)
        prepare(update)
        layout.prepare(forCollectionViewUpdates: [])
    }

    // MARK: Comparing

    /// What the layout says otherwise than the model.
    private func difference() -> String? {
        if world.questions != model.questions {
            return "asked \(world.questions.symmetricDifference(model.questions))"
        }
        let picture = model.picture
        if layout.collectionViewContentSize != picture.contentSize {
            return "content \(layout.collectionViewContentSize), expected \(picture.contentSize)"
        }
        for place in places(of: world.sections) {
            let found = layout.layoutAttributes(for: place)
            if found != picture.attributes[place] {
                return "\(place) \(text(found)), expected \(text(picture.attributes[place]))"
            }
        }
        if let frame = frameOfSection {
            for index in -1...world.sections.count {
                let isThere = picture.sections.indices.contains(index)
                let expected = isThere ? picture.sections[index] : nil
                if frame(index) != expected {
                    return "section \(index), expected \(text(expected))"
                }
            }
        }
        let keys = Set(layout.errors.map(LayoutModel.key))
        let allowed = model.errors.union(model.possibleErrors)
        if layout.errorCount <= 64,
            !keys.isSuperset(of: model.errors) || !keys.isSubset(of: allowed)
        {
            return "errors \(keys.sorted()), expected \(model.errors.sorted())"
        }
        return rectangleFault(picture)
    }

    private var frameOfSection: ((Int) -> Rect?)? {
        switch layout {
        case let layout as FlowLayout: layout.frame(ofSection:)
        case let layout as ListLayout: layout.frame(ofSection:)
        case let layout as ComposedLayout: layout.frame(ofSection:)
        default: nil
        }
    }

    /// Every place that there may be, and some that there cannot be.
    private func places(of sections: [WorldSection]) -> [LayoutPlace] {
        var places: [LayoutPlace] = [.header(-1), .cell(ItemPath(section: -1, item: 0))]
        let kinds: [ElementCategory] = [
            .supplementary(.header), .supplementary(.footer), .supplementary(.badge),
            .decoration(.background),
        ]
        for index in 0...sections.count {
            let count = index < sections.count ? sections[index].items.count : 0
            places += (-1...count).map { .cell(ItemPath(section: index, item: $0)) }
            places += kinds.flatMap { kind in
                [0, 1].map { LayoutPlace(kind, ItemPath(section: index, item: $0)) }
            }
        }
        return places
    }

    /// What a rectangle finds is what a scan of all finds.
    private func rectangleFault(_ picture: Picture) -> String? {
        let content = picture.contentSize
        var rects = [everywhere, world.bounds]
        for _ in 0..<3 {
            rects.append(
                Rect(
                    x: draw.quarters(Int(min(content.width, 1e4)) + 60) - 30,
                    y: draw.quarters(Int(min(content.height, 1e4)) + 60) - 30,
                    width: draw.quarters(120),
                    height: draw.quarters(120)
                )
            )
        }
        for rect in rects {
            let expected = picture.attributes.filter { place, attributes in
                attributes.frame.intersects(rect)
                    && (!picture.pinned.contains(place)
                        || picture.sections[place.path.section].intersects(rect))
            }
            let found = layout.layoutAttributesForElements(in: rect)
            if found.count != expected.count || Set(found) != Set(expected.values) {
                let other = Set(found).symmetricDifference(expected.values).map(\.place)
                return "\(rect) finds \(found.count) and not \(expected.count): \(other)"
            }
        }
        return nil
    }

    /// Where everything comes from and goes to in the update that is under way.
    private func transitionFault() -> String? {
        let (update, before) = (model.underWay?.update, model.underWay?.before())
        let now = model.picture
        for place in places(of: world.sections) {
            var expected: LayoutAttributes?
            if let update {
                if let former = update.formerPlace(of: place) {
                    expected = before?.attributes[former]
                }
                expected?.place = place
                if expected == nil {
                    expected = absent(now.attributes[place], update.option(new: place))
                }
            }
            let found = layout.initialLayoutAttributes(forAppearing: place)
            if found != expected { return "\(place) from \(text(found)) not \(text(expected))" }
        }
        let old = Set(before?.attributes.keys ?? [:].keys).union(
            model.underWay == nil ? [.header(0)] : []
        )
        for place in old.sorted() {
            var expected: LayoutAttributes?
            if let update {
                if let next = update.survivingPlace(of: place) { expected = now.attributes[next] }
                expected?.place = place
                if expected == nil {
                    expected = absent(before?.attributes[place], update.option(old: place))
                }
            }
            let found = layout.finalLayoutAttributes(forDisappearing: place)
            if found != expected { return "\(place) to \(text(found)) not \(text(expected))" }
            let past = layout.layoutAttributesBeforeUpdate(for: place)
            if past != before?.attributes[place] { return "\(place) was \(text(past))" }
        }
        return nil
    }

    /// What an option looks like.
    private func absent(_ attributes: LayoutAttributes?, _ option: AnimationOption?)
        -> LayoutAttributes?
    {
        guard var absent = attributes else { return nil }
        let width = world.isRightToLeft ? -absent.size.width : absent.size.width
        switch option ?? .automatic {
        case .none: break
        case .leading: absent.center.x -= width
        case .trailing: absent.center.x += width
        case .top: absent.center.y -= absent.size.height
        case .bottom: absent.center.y += absent.size.height
        default: absent.alpha = 0
        }
        return absent
    }

    private func text(_ attributes: LayoutAttributes?) -> String {
        attributes.map { "\($0.frame) z \($0.zIndex) alpha \($0.alpha)" } ?? "none"
    }

    private func text(_ rect: Rect?) -> String { rect.map { "\($0)" } ?? "none" }
}
