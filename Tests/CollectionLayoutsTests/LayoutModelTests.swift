import TestSupport
import Testing

@testable import CollectionLayouts

/// Compares every layout with a model that computes each frame from scratch: through updates of all
/// kinds, invalidations, new bounds, properties, insets and preferred sizes, with several changes
/// pending at a time. Compares all attributes, the content size, rectangle queries, sections,
/// queries of the host, errors, contexts, and the attributes of appearing and disappearing views.
@Suite("Layouts, compared with layouts from scratch")
struct LayoutModelTests {
    enum Kind: CaseIterable, Sendable {
        case flow, list, composed, pager

        func model(_ world: World) -> LayoutModel {
            switch self {
            case .flow: FlowModel(world)
            case .list: ListModel(world)
            case .composed: ComposedModel(world)
            case .pager: PagerModel(world)
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func anyRunOfChangesGivesTheSameLayoutAsFromScratch(_ kind: Kind) throws {
        let usual = kind == .pager ? 30 : kind == .list ? 60 : 90
        // A later seed has a tie: rounding errors of sums decide on the pixel.
        for seed in 0..<UInt64(Effort.number(500, usually: usual)) {
            var run = LayoutRun(seed, kind.model)
            if let fault = try run.advance(14) {
                let log = run.log.suffix(12).joined(separator: "\n")
                Issue.record("seed \(seed): \(fault)\n\(log)")
                return
            }
        }
    }
}

/// A layout and its model in one random run.
struct LayoutRun {
    private let world: World
    private let model: LayoutModel
    private var layout: CollectionLayout { model.layout }
    private var draw: Draw { world.draw }
    /// The events of the run, for failure reports.
    private(set) var log: [String] = []
    private var isReplaced = false

    init(_ seed: UInt64, _ make: (World) -> LayoutModel) {
        world = World(Draw(seed: seed))
        model = make(world)
    }

    /// Runs some steps.
    ///
    /// - Returns: the first difference between the layout and the model.
    mutating func advance(_ steps: Int) throws -> String? {
        prepare(nil)
        if let fault = difference() { return fault }
        for step in 0..<steps {
            log.append("step \(step)")
            // Several changes may be pending at a time.
            while draw.chance(0.55) {
                if let fault = performEvent() { return fault }
            }
            if draw.chance(0.5) { try update() } else { prepare(nil) }
            if let fault = difference() ?? transitionFault() { return fault }
            if draw.chance(0.8) {
                layout.finalizeCollectionViewUpdates()
                model.currentUpdate = nil
                if let fault = transitionFault() { return "finalized: \(fault)" }
            }
        }
        return nil
    }

    // MARK: Events

    private mutating func performEvent() -> String? {
        let event = draw.below(8)
        log.append("event \(event)")
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
        log.append("\(context.places.sorted())")
        layout.invalidateLayout(with: context)
        model.invalidate(context)
    }

    private func list(_ context: LayoutInvalidationContext) {
        for (index, section) in (model.laidOut ?? []).enumerated() {
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

    /// Replaces the content without an update.
    private mutating func replace() {
        // Changes the counts, because a layout may trust an update that starts from the counts that
        // it knows.
        world.sections = (0..<draw.below(5)).map { _ in world.makeSection() }
        while world.sections.map(\.items.count) == model.shape ?? [] {
            world.sections.append(world.makeSection())
        }
        isReplaced = true
    }

    private func changeBounds() -> String? {
        var new = world.bounds
        if draw.chance(0.7) {
            // Visible, near, far, or slightly outside.
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

    /// Sends the preferred size of a view, which may be its current or an invalid size.
    private mutating func prefer() -> String? {
        let shown = model.picture.attributes.values.sorted { $0.place < $1.place }
        guard !isReplaced, !shown.isEmpty else { return nil }
        // Headers and footers are few among the cells.
        let others = shown.filter { $0.place.category != .cell }
        let original = draw.one(of: !others.isEmpty && draw.chance(0.4) ? others : shown)
        let preferences = [
            original.size, .zero, Size(width: -1, height: .nan), draw.size(), draw.size(90, 90),
        ]
        var preferred = original
        preferred.size = draw.chance(0.2) ? draw.one(of: preferences) : draw.size(110, 70)
        if draw.chance(0.1) { preferred.size.height = original.size.height + 0.125 }
        log.append("\(original.place) prefers \(preferred.size)")
        let before = layout.collectionViewContentSize
        let expected = model.preferred(preferred.size, by: original)
        let isAccepted = layout.shouldInvalidateLayout(
            forPreferredLayoutAttributes: preferred,
            withOriginalAttributes: original
        )
        guard isAccepted == (expected.places != nil) else { return "accepted: \(isAccepted)" }
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
            return "preference: \(context.places) \(context.contentSizeAdjustment)"
                + " \(context.contentOffsetAdjustment), expected \(places) \(growth) \(offset)"
        }
        model.settle(context)
        layout.invalidateLayout(with: context)
        model.invalidate(context)
        return nil
    }

    /// Returns the distance to scroll so that visible elements stay at their positions.
    private func offset(for growth: Size, _ preference: PreferenceModel) -> Point {
        let direction = preference.direction
        let old = AxisRect(preference.oldFrame, direction)
        let shown = AxisRect(preference.visibleRect, direction)
        let moves = preference.isReversed ? old.along < shown.alongEnd : old.alongEnd <= shown.along
        return moves ? Point(along: growth.along(direction), across: 0, direction) : .zero
    }

    // MARK: Preparing

    private mutating func prepare(_ update: WorldUpdate?) {
        world.queries = []
        if let update {
            layout.prepare(applying: update.update)
        } else {
            layout.prepare()
        }
        model.queries = []
        model.prepared(update)
        isReplaced = false
    }

    private mutating func update() throws {
        let update = try WorldUpdate(of: world)
        log.append("\(update.update.edits)")
        world.sections = update.sections
        let context = type(of: layout).invalidationContextClass.init()
        context.invalidatesDataSourceCounts = true
        layout.invalidateLayout(with: context)
        model.invalidate(context)
        model.willApply(update)
        prepare(update)
        layout.prepare(forCollectionViewUpdates: [])
    }

    // MARK: Comparing

    /// Returns the first difference between the layout and the model.
    private func difference() -> String? {
        if world.queries != model.queries {
            return "queried \(world.queries.symmetricDifference(model.queries))"
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
                let exists = picture.sections.indices.contains(index)
                let expected = exists ? picture.sections[index] : nil
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

    /// Returns every possible place, and some that cannot exist.
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

    /// Returns a fault if a rectangle query does not match a scan of all attributes.
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
                return "\(rect) finds \(found.count), not \(expected.count): \(other)"
            }
        }
        return nil
    }

    /// Returns the first fault in the attributes of appearing and disappearing views in the current
    /// update.
    private func transitionFault() -> String? {
        let (update, before) = (model.currentUpdate?.update, model.currentUpdate?.before())
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
            if found != expected { return "\(place) from \(text(found)), not \(text(expected))" }
        }
        let old = Set(before?.attributes.keys ?? [:].keys).union(
            model.currentUpdate == nil ? [.header(0)] : []
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
            if found != expected { return "\(place) to \(text(found)), not \(text(expected))" }
            let past = layout.layoutAttributesBeforeUpdate(for: place)
            if past != before?.attributes[place] { return "\(place) was \(text(past))" }
        }
        return nil
    }

    /// Returns the attributes of an absent view for an option.
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
