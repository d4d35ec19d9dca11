@testable import CollectionLayouts

/// A section as a test wants it; nil is what the layout says.
struct ScriptedSection {
    var items: [Size?] = []
    var inset: EdgeInsets?
    var line: Double?
    var interitem: Double?
    var header: Double?
    var footer: Double?
    var context: (any SectionContext)?

    static func uniform(_ count: Int, _ width: Double, _ height: Double) -> ScriptedSection {
        ScriptedSection(
            items: Array(repeating: Size(width: width, height: height), count: count)
        )
    }
}

/// A view in name only, which answers the questions of any layout from arrays.
final class ScriptedHost: LayoutHost, LayoutMetrics {
    var sections: [ScriptedSection]
    var bounds: Rect
    var adjustedContentInset = EdgeInsets.zero
    var safeAreaInsets = EdgeInsets.zero
    var layoutMargins = EdgeInsets.zero
    var isRightToLeft = false
    var displayScale = 1.0
    /// Whether somebody answers about metrics.
    var answers = true
    /// In place of the counts, for bad ones; those of items by section, first to last.
    var claimedSectionCount: Int?
    var claimedItemCounts: [Int: [Int]] = [:]
    private(set) var contexts: [LayoutInvalidationContext] = []
    /// The sections and items that were asked about, in order.
    var questions: [String] = []
    /// Called with every question about an item.
    var onSize: (() -> Void)?

    init(_ sections: [ScriptedSection] = [], width: Double = 320, height: Double = 480) {
        self.sections = sections
        bounds = Rect(x: 0, y: 0, width: width, height: height)
    }

    var shape: HierarchyShape { HierarchyShape(sections.map(\.items.count)) }
    var layoutMetrics: (any LayoutMetrics)? { answers ? self : nil }
    var numberOfSections: Int { claimedSectionCount ?? sections.count }

    func numberOfItems(inSection section: Int) -> Int {
        if claimedItemCounts[section]?.isEmpty == false {
            return claimedItemCounts[section]?.removeFirst() ?? 0
        }
        return sections.indices.contains(section) ? sections[section].items.count : 0
    }

    func context(forSection section: Int) -> (any SectionContext)? {
        sections.indices.contains(section) ? sections[section].context : nil
    }

    func measuredSize(of place: LayoutPlace) -> Size? { nil }

    func invalidateLayout(with context: LayoutInvalidationContext) { contexts.append(context) }

    func metrics(ofSection section: Int) -> SectionMetrics {
        questions.append("\(section)")
        guard sections.indices.contains(section) else { return SectionMetrics() }
        return SectionMetrics(
            insets: sections[section].inset,
            lineSpacing: sections[section].line,
            interitemSpacing: sections[section].interitem,
            headerExtent: sections[section].header,
            footerExtent: sections[section].footer
        )
    }

    func size(ofItemAt path: ItemPath) -> Size? {
        questions.append("\(path)")
        onSize?()
        return sections[path.section].items[path.item]
    }

    /// The layout, prepared.
    func lay<Layout: CollectionLayout>(_ layout: Layout) -> Layout {
        layout.attach(to: self)
        layout.prepare()
        return layout
    }
}

/// The layouts that set rows and lines alike, for tests of what they have in common.
enum LayoutEngine: CaseIterable {
    case flow
    case composed
    case list

    /// - Parameter direction: lists are vertical in any case.
    func make(_ direction: ScrollDirection = .vertical) -> CollectionLayout {
        switch self {
        case .flow:
            let layout = FlowLayout()
            layout.scrollDirection = direction
            return layout
        case .composed: return ComposedLayout(scrollDirection: direction)
        case .list: return ListLayout()
        }
    }
}

extension CollectionLayout {
    /// The frames of a section's items, in order.
    func frames(ofSection section: Int = 0) -> [Rect] {
        var frames: [Rect] = []
        while let item = layoutAttributesForItem(at: ItemPath(section: section, item: frames.count))
        {
            frames.append(item.frame)
        }
        return frames
    }

    func frame(_ place: LayoutPlace) -> Rect? { layoutAttributes(for: place)?.frame }

    /// Everything that a layout has, by place.
    var everything: [LayoutPlace: LayoutAttributes] {
        let all = layoutAttributesForElements(in: everywhere)
        return Dictionary(all.map { ($0.place, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func invalidate(_ change: (LayoutInvalidationContext) -> Void) {
        let context = type(of: self).invalidationContextClass.init()
        change(context)
        invalidateLayout(with: context)
    }

    /// Has a view prefer another size than it has; nil where the layout does not give in.
    @discardableResult
    func prefer(_ size: Size, to place: LayoutPlace) -> LayoutInvalidationContext? {
        guard let original = layoutAttributes(for: place) else { return nil }
        var preferred = original
        preferred.size = size
        guard
            shouldInvalidateLayout(
                forPreferredLayoutAttributes: preferred,
                withOriginalAttributes: original
            )
        else { return nil }
        let context = invalidationContext(
            forPreferredLayoutAttributes: preferred,
            withOriginalAttributes: original
        )
        invalidateLayout(with: context)
        prepare()
        return context
    }

    /// Does what a view does in an update of its host's sections.
    func update(
        _ host: ScriptedHost,
        to sections: [ScriptedSection],
        _ record: (inout HierarchyChangeSet) -> Void
    ) throws {
        var changes = HierarchyChangeSet()
        record(&changes)
        let shape = HierarchyShape(sections.map(\.items.count))
        let update = try changes.validated(from: host.shape, to: shape)
        host.sections = sections
        invalidate { $0.invalidatesDataSourceCounts = true }
        prepare(applying: update)
    }
}
