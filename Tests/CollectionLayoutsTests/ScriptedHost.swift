@testable import CollectionLayouts

/// The properties of one section; `nil` uses the layout's default.
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

/// A stand-in for a view that gives layouts counts, metrics and sizes from arrays.
final class ScriptedHost: LayoutHost, LayoutMetrics {
    var sections: [ScriptedSection]
    var bounds: Rect
    var adjustedContentInset = EdgeInsets.zero
    var safeAreaInsets = EdgeInsets.zero
    var layoutMargins = EdgeInsets.zero
    var isRightToLeft = false
    var displayScale = 1.0
    /// Whether the host has layout metrics.
    var hasMetrics = true
    /// Invalid counts that replace the real ones; those of items by section, in the order of the
    /// calls.
    var claimedSectionCount: Int?
    var claimedItemCounts: [Int: [Int]] = [:]
    private(set) var contexts: [LayoutInvalidationContext] = []
    /// The sections and items that the layout queried, in order.
    var queries: [String] = []
    /// Called with every query about an item.
    var onSize: (() -> Void)?

    init(_ sections: [ScriptedSection] = [], width: Double = 320, height: Double = 480) {
        self.sections = sections
        bounds = Rect(x: 0, y: 0, width: width, height: height)
    }

    var shape: HierarchyShape { HierarchyShape(sections.map(\.items.count)) }
    var layoutMetrics: (any LayoutMetrics)? { hasMetrics ? self : nil }
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
        queries.append("\(section)")
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
        queries.append("\(path)")
        onSize?()
        return sections[path.section].items[path.item]
    }

    /// Attaches and prepares the layout.
    func lay<Layout: CollectionLayout>(_ layout: Layout) -> Layout {
        layout.attach(to: self)
        layout.prepare()
        return layout
    }
}

/// The layouts that place rows and lines alike, for tests of their common behaviour.
enum LayoutEngine: CaseIterable {
    case flow
    case composed
    case list

    /// - Parameter direction: ignored for lists, which are vertical.
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

    /// All attributes of the layout, by place.
    var everything: [LayoutPlace: LayoutAttributes] {
        let all = layoutAttributesForElements(in: everywhere)
        return Dictionary(all.map { ($0.place, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func invalidate(_ change: (LayoutInvalidationContext) -> Void) {
        let context = type(of: self).invalidationContextClass.init()
        change(context)
        invalidateLayout(with: context)
    }

    /// Passes the preferred size of a view to the layout; `nil` if the layout rejects it.
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

    /// Performs the calls of a view when its host's sections change.
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
