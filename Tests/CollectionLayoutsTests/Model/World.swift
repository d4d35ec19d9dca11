import CollectionElements

@testable import CollectionLayouts

/// One item that a layout may place, and the sources of its size.
struct WorldItem {
    /// A reload makes a new item; a move or an update in place does not.
    let id: Int
    /// The size from the view's metrics, if the view has metrics.
    var provided: Size?
    var measured: Size?
}

/// One section that a layout may place.
struct WorldSection {
    let id: Int
    var items: [WorldItem] = []
    var provided = SectionMetrics()
    var context: (any SectionContext)?
    var measuredHeader: Size?
    var measuredFooter: Size?
    /// The rules from the layout provider of a composed layout.
    var rules: SectionRules?
}

/// A context that provides the layout of its section.
final class WorldContext: SectionMetricsProviding, SectionLayoutProviding {
    let sectionMetrics: SectionMetrics
    let rules: SectionRules

    init(_ metrics: SectionMetrics, _ rules: SectionRules) {
        (sectionMetrics, self.rules) = (metrics, rules)
    }

    var sectionLayout: any SectionLayout { rules.layout }
}

/// A context that provides only metrics.
final class WorldMetricsContext: SectionMetricsProviding {
    let sectionMetrics: SectionMetrics

    init(_ metrics: SectionMetrics) { sectionMetrics = metrics }
}

/// The layout of a section, with the values that apply if no other source has any.
struct SectionRules: Sendable {
    /// `nil` for lines.
    var columnCount: Int?
    var itemSize = Size(width: 50, height: 50)
    var line = 10.0
    var interitem = 10.0
    var insets = EdgeInsets.zero
    var reference = SectionInsetReference.fromContentInset
    var header = 0.0
    var footer = 0.0
    /// The insets of the background, if there is one.
    var background: EdgeInsets?

    var layout: any SectionLayout {
        var layout: any SectionLayout
        if let columnCount {
            var masonry = MasonrySectionLayout(columnCount: columnCount)
            masonry.itemExtent = itemSize.height
            (masonry.lineSpacing, masonry.interitemSpacing) = (line, interitem)
            (masonry.insets, masonry.insetReference) = (insets, reference)
            (masonry.headerExtent, masonry.footerExtent) = (header, footer)
            layout = masonry
        } else {
            var flow = FlowSectionLayout()
            flow.itemSize = itemSize
            (flow.lineSpacing, flow.interitemSpacing) = (line, interitem)
            (flow.insets, flow.insetReference) = (insets, reference)
            (flow.headerExtent, flow.footerExtent) = (header, footer)
            layout = flow
        }
        if let background { layout = layout.background(.background, insets: background) }
        return layout
    }
}

/// The queries that a layout makes of the view's metrics.
enum HostQuery: Hashable {
    case metrics(Int)
    case size(ItemPath)
}

/// A stand-in for a view, whose items and sections have identities.
final class World: LayoutHost, LayoutMetrics {
    let draw: Draw
    var sections: [WorldSection] = []
    /// Whether the world has layout metrics.
    let hasMetrics: Bool
    /// Whether some values are invalid.
    private let hasBadValues: Bool
    private let commonSize: Size
    private var lastID = 0
    var queries: Set<HostQuery> = []
    private(set) var contexts: [LayoutInvalidationContext] = []

    var bounds: Rect
    var adjustedContentInset = EdgeInsets.zero
    var safeAreaInsets = EdgeInsets.zero
    var layoutMargins = EdgeInsets.zero
    var isRightToLeft: Bool
    var displayScale: Double

    init(_ draw: Draw) {
        self.draw = draw
        hasMetrics = draw.chance(0.8)
        hasBadValues = draw.chance(0.3)
        commonSize = Size(width: draw.quarters(90) + 1, height: draw.quarters(40) + 1)
        isRightToLeft = draw.chance(0.3)
        displayScale = draw.one(of: [1, 2, 4])
        bounds = Rect(
            x: 0,
            y: 0,
            width: 100 + draw.quarters(250),
            height: 80 + draw.quarters(250)
        )
        if draw.chance(0.4) { adjustedContentInset = draw.insets(20) }
        safeAreaInsets = draw.insets(15)
        layoutMargins = draw.insets(15)
        sections = (0..<draw.below(5)).map { _ in makeSection() }
    }

    // MARK: Content

    private func nextID() -> Int {
        lastID += 1
        return lastID
    }

    private func maybeBad(_ value: Double) -> Double {
        hasBadValues && draw.chance(0.04) ? draw.one(of: [-1, .nan, .infinity]) : value
    }

    private func drawSize() -> Size {
        if draw.chance(0.4) { return commonSize }
        let size = draw.chance(0.1) ? draw.size(500, 20) : draw.size()
        return Size(width: maybeBad(size.width), height: maybeBad(size.height))
    }

    func makeItem() -> WorldItem {
        var item = WorldItem(id: nextID())
        change(&item)
        return item
    }

    /// Changes the sizes of an item; a layout notices when it queries them.
    func change(_ item: inout WorldItem) {
        item.provided = draw.chance(0.8) ? drawSize() : nil
        // A pipeline measures only valid sizes.
        item.measured = draw.chance(0.5) ? draw.size() : nil
    }

    private func drawMetrics() -> SectionMetrics {
        var metrics = SectionMetrics()
        if draw.chance(0.1) { metrics.itemSize = draw.size() }
        if draw.chance(0.4) { metrics.insets = draw.insets(16) }
        if draw.chance(0.1) { metrics.insets?.top = maybeBad(3) }
        if draw.chance(0.4) { metrics.lineSpacing = maybeBad(draw.quarters(12)) }
        if draw.chance(0.4) { metrics.interitemSpacing = maybeBad(draw.quarters(12)) }
        if draw.chance(0.5) { metrics.headerExtent = maybeBad(draw.quarters(30)) }
        if draw.chance(0.4) { metrics.footerExtent = maybeBad(draw.quarters(30)) }
        return metrics
    }

    func drawRules() -> SectionRules {
        var rules = SectionRules()
        if draw.chance(0.4) { rules.columnCount = 1 + draw.below(4) }
        rules.itemSize = draw.size(60, 60)
        if draw.chance(0.5) { rules.line = draw.quarters(12) }
        if draw.chance(0.5) { rules.interitem = draw.quarters(12) }
        if draw.chance(0.3) { rules.insets = draw.insets(12) }
        if draw.chance(0.3) { rules.reference = draw.one(of: SectionInsetReference.allCases) }
        if draw.chance(0.3) { rules.header = draw.quarters(20) }
        if draw.chance(0.3) { rules.footer = draw.quarters(20) }
        if draw.chance(0.4) { rules.background = draw.insets(6) }
        return rules
    }

    func makeSection() -> WorldSection {
        var section = WorldSection(id: nextID())
        section.items = (0..<draw.below(12)).map { _ in makeItem() }
        switch draw.below(4) {
        case 0: section.context = WorldContext(drawMetrics(), drawRules())
        case 1: section.context = WorldMetricsContext(drawMetrics())
        default: break
        }
        change(&section)
        return section
    }

    /// Changes the metrics, measured sizes and rules of a section.
    func change(_ section: inout WorldSection) {
        section.provided = drawMetrics()
        section.measuredHeader = draw.chance(0.4) ? draw.size(30, 30) : nil
        section.measuredFooter = draw.chance(0.4) ? draw.size(30, 30) : nil
        section.rules = draw.chance(0.6) ? drawRules() : nil
    }

    /// Changes some elements without notifying the layout.
    func changeQuietly() {
        for section in sections.indices {
            if draw.chance(0.3) { change(&sections[section]) }
            for item in sections[section].items.indices where draw.chance(0.2) {
                change(&sections[section].items[item])
            }
        }
    }

    // MARK: Queries of layouts

    var layoutMetrics: (any LayoutMetrics)? { hasMetrics ? self : nil }

    var numberOfSections: Int { sections.count }

    func numberOfItems(inSection section: Int) -> Int {
        sections.indices.contains(section) ? sections[section].items.count : 0
    }

    func context(forSection section: Int) -> (any SectionContext)? {
        sections.indices.contains(section) ? sections[section].context : nil
    }

    func measuredSize(of place: LayoutPlace) -> Size? {
        guard sections.indices.contains(place.path.section) else { return nil }
        let section = sections[place.path.section]
        switch place.category {
        case .cell: return section.items[place.path.item].measured
        case .supplementary(.header): return section.measuredHeader
        case .supplementary(.footer): return section.measuredFooter
        case .supplementary, .decoration: return nil
        }
    }

    func invalidateLayout(with context: LayoutInvalidationContext) { contexts.append(context) }

    func metrics(ofSection section: Int) -> SectionMetrics {
        queries.insert(.metrics(section))
        return sections[section].provided
    }

    func size(ofItemAt path: ItemPath) -> Size? {
        queries.insert(.size(path))
        return sections[path.section].items[path.item].provided
    }

    /// Returns the metrics of a section: those of the world, otherwise those of its context.
    func ownMetrics(of section: WorldSection) -> SectionMetrics {
        let provided = hasMetrics ? section.provided : SectionMetrics()
        let context = (section.context as? any SectionMetricsProviding)?.sectionMetrics
        return SectionMetrics(
            itemSize: provided.itemSize ?? context?.itemSize,
            insets: provided.insets ?? context?.insets,
            lineSpacing: provided.lineSpacing ?? context?.lineSpacing,
            interitemSpacing: provided.interitemSpacing ?? context?.interitemSpacing,
            headerExtent: provided.headerExtent ?? context?.headerExtent,
            footerExtent: provided.footerExtent ?? context?.footerExtent
        )
    }
}

/// The random source of one run; its seed determines the whole run.
final class Draw {
    var numbers: SeededNumbers

    init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }

    func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &numbers) < probability
    }

    func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }

    func subset<Value>(of values: [Value], _ probability: Double) -> [Value] {
        values.filter { _ in chance(probability) }
    }

    func shuffled<Value>(_ values: [Value]) -> [Value] { values.shuffled(using: &numbers) }

    /// Returns a multiple of a quarter, so that sums are exact in any order.
    func quarters(_ limit: Int) -> Double { Double(below(limit * 4)) / 4 }

    func size(_ width: Int = 120, _ height: Int = 60) -> Size {
        Size(width: quarters(width), height: quarters(height))
    }

    func insets(_ limit: Int) -> EdgeInsets {
        EdgeInsets(
            top: quarters(limit),
            left: quarters(limit),
            bottom: quarters(limit),
            right: quarters(limit)
        )
    }

    func option() -> AnimationOption {
        let known: [AnimationOption] = [
            .automatic, .none, .fade, .leading, .trailing, .top, .bottom,
        ]
        return chance(0.1) ? AnimationOption(rawValue: 42) : one(of: known)
    }
}

extension SupplementaryKind {
    static let background = SupplementaryKind(rawValue: "background")
    /// A kind that no layout places.
    static let badge = SupplementaryKind(rawValue: "badge")
}

extension LayoutPlace {
    static func background(_ section: Int, _ number: Int = 0) -> LayoutPlace {
        LayoutPlace(.decoration(.background), ItemPath(section: section, item: number))
    }
}

/// Practically unbounded, and still exact to a quarter.
let everywhere = Rect(x: -1e6, y: -1e6, width: 2e6, height: 2e6)
