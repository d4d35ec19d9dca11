@testable import CollectionLayouts

/// One item that a layout may place, and what is said of its size, by whom.
struct WorldItem {
    /// A reload makes another item; a move or an update in place does not.
    let id: Int
    /// By the view's metrics, where those answer.
    var said: Size?
    var measured: Size?
}

/// One section that a layout may place.
struct WorldSection {
    let id: Int
    var items: [WorldItem] = []
    var said = SectionMetrics()
    var context: (any SectionContext)?
    var measuredHeader: Size?
    var measuredFooter: Size?
    /// What the layout provider of a composed layout says.
    var rules: SectionRules?
}

/// A context that says how its section is laid out.
final class WorldContext: SectionMetricsProviding, SectionLayoutProviding {
    let sectionMetrics: SectionMetrics
    let rules: SectionRules

    init(_ metrics: SectionMetrics, _ rules: SectionRules) {
        (sectionMetrics, self.rules) = (metrics, rules)
    }

    var sectionLayout: any SectionLayout { rules.layout }
}

/// A context that says nothing of layouts.
final class WorldMetricsContext: SectionMetricsProviding {
    let sectionMetrics: SectionMetrics

    init(_ metrics: SectionMetrics) { sectionMetrics = metrics }
}

/// Which section layout a section has, with what it says where nobody else does.
struct SectionRules: Sendable {
    /// Nil for lines.
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

/// What a layout may ask of who answers for the view.
enum Question: Hashable {
    case metrics(Int)
    case size(ItemPath)
}

/// A view in name only, of items and sections that have identities.
final class World: LayoutHost, LayoutMetrics {
    let draw: Draw
    var sections: [WorldSection] = []
    /// Whether the metrics are asked at all.
    let answers: Bool
    /// Whether some values are invalid.
    private let hasBadValues: Bool
    private let commonSize: Size
    private var lastID = 0
    var questions: Set<Question> = []
    private(set) var contexts: [LayoutInvalidationContext] = []

    var bounds: Rect
    var adjustedContentInset = EdgeInsets.zero
    var safeAreaInsets = EdgeInsets.zero
    var layoutMargins = EdgeInsets.zero
    var isRightToLeft: Bool
    var displayScale: Double

    init(_ draw: Draw) {
        self.draw = draw
        answers = draw.chance(0.8)
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

    /// Has other things said of an item, which a layout learns when it asks.
    func change(_ item: inout WorldItem) {
        item.said = draw.chance(0.8) ? drawSize() : nil
        // What pipelines measure is a size.
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

    /// Has other things said of a section.
    func change(_ section: inout WorldSection) {
        section.said = drawMetrics()
        section.measuredHeader = draw.chance(0.4) ? draw.size(30, 30) : nil
        section.measuredFooter = draw.chance(0.4) ? draw.size(30, 30) : nil
        section.rules = draw.chance(0.6) ? drawRules() : nil
    }

    /// Has other things said of some elements, without a word to the layout.
    func changeQuietly() {
        for section in sections.indices {
            if draw.chance(0.3) { change(&sections[section]) }
            for item in sections[section].items.indices where draw.chance(0.2) {
                change(&sections[section].items[item])
            }
        }
    }

    // MARK: What layouts ask

    var layoutMetrics: (any LayoutMetrics)? { answers ? self : nil }

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
        questions.insert(.metrics(section))
        return sections[section].said
    }

    func size(ofItemAt path: ItemPath) -> Size? {
        questions.insert(.size(path))
        return sections[path.section].items[path.item].said
    }

    /// The metrics of a section: those that the world sets, or else those of its context.
    func ownMetrics(of section: WorldSection) -> SectionMetrics {
        let said = answers ? section.said : SectionMetrics()
        let context = (section.context as? any SectionMetricsProviding)?.sectionMetrics
        return SectionMetrics(
            itemSize: said.itemSize ?? context?.itemSize,
            insets: said.insets ?? context?.insets,
            lineSpacing: said.lineSpacing ?? context?.lineSpacing,
            interitemSpacing: said.interitemSpacing ?? context?.interitemSpacing,
            headerExtent: said.headerExtent ?? context?.headerExtent,
            footerExtent: said.footerExtent ?? context?.footerExtent
        )
    }
}
