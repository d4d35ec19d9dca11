import CollectionLayouts

/// What a ``TestHost`` needs to know about a section.
protocol TestHostSection {
    var itemCount: Int { get }
    var context: (any SectionContext)? { get }
}

/// A view in name only: bounds, counts, contexts and measured sizes for layouts to ask about. Who answers
/// about metrics is for subclasses to say.
class TestHost<Section: TestHostSection>: LayoutHost {
    var sections: [Section]
    var bounds: Rect
    var adjustedContentInset = EdgeInsets.zero
    var safeAreaInsets = EdgeInsets.zero
    var layoutMargins = EdgeInsets.zero
    var isRightToLeft = false
    var displayScale = 1.0
    /// Override the counts, for bad ones.
    var claimedSectionCount: Int?
    var claimedItemCount: Int?
    var measured: [LayoutPlace: Size] = [:]
    private(set) var contexts: [LayoutInvalidationContext] = []

    init(_ sections: [Section] = [], width: Double = 320, height: Double = 480) {
        self.sections = sections
        bounds = Rect(x: 0, y: 0, width: width, height: height)
    }

    var layoutMetrics: AnyObject? { nil }

    var shape: HierarchyShape { HierarchyShape(sections.map(\.itemCount)) }

    var numberOfSections: Int { claimedSectionCount ?? sections.count }

    func numberOfItems(inSection section: Int) -> Int {
        claimedItemCount ?? (sections.indices.contains(section) ? sections[section].itemCount : 0)
    }

    func context(forSection section: Int) -> (any SectionContext)? {
        sections.indices.contains(section) ? sections[section].context : nil
    }

    func measuredSize(of place: LayoutPlace) -> Size? { measured[place] }

    func invalidateLayout(with context: LayoutInvalidationContext) { contexts.append(context) }

    /// The layout, prepared.
    func lay<Layout: CollectionLayout>(_ layout: Layout) -> Layout {
        layout.attach(to: self)
        layout.prepare()
        return layout
    }
}

extension CollectionLayout {
    /// Has a view prefer another size than it has, as a collection view does; nil where the layout does not
    /// give in.
    func prefer(_ size: Size, to original: LayoutAttributes) -> LayoutInvalidationContext? {
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
}
