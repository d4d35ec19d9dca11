import CollectionLayouts

/// A view that says what a test wants, and answers a flow layout's questions from arrays.
final class ScriptedHost: LayoutHost {
    var bounds: Rect
    var adjustedContentInset = EdgeInsets.zero
    var safeAreaInsets = EdgeInsets.zero
    var layoutMargins = EdgeInsets.zero
    var isRightToLeft = false
    var displayScale = 1.0
    var sections: [ScriptedSection]
    /// Without one, nobody answers about metrics.
    var metrics: ScriptedMetrics?
    var measured: [LayoutPlace: Size] = [:]
    private(set) var contexts: [LayoutInvalidationContext] = []

    init(_ sections: [ScriptedSection] = [], width: Double = 320, height: Double = 480) {
        self.sections = sections
        bounds = Rect(x: 0, y: 0, width: width, height: height)
        metrics = ScriptedMetrics()
        metrics?.host = self
    }

    var layoutMetrics: AnyObject? { metrics }

    func numberOfSections() -> Int { sections.count }

    func numberOfItems(inSection section: Int) -> Int {
        sections.indices.contains(section) ? sections[section].items.count : 0
    }

    func context(forSection section: Int) -> (any SectionContext)? { sections[section].context }

    func measuredSize(of place: LayoutPlace) -> Size? { measured[place] }

    func invalidateLayout(with context: LayoutInvalidationContext) { contexts.append(context) }

    /// The layout, prepared.
    func lay<Layout: CollectionLayout>(_ layout: Layout) -> Layout {
        layout.attach(to: self)
        layout.prepare()
        return layout
    }
}

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

/// Answers from the host's sections, and writes down what it was asked.
final class ScriptedMetrics: FlowLayoutMetrics {
    unowned var host: ScriptedHost?
    private(set) var questions: [String] = []
    var isWritingDown = false
    /// Called with every question about an item.
    var onSize: (() -> Void)?

    private func section(_ index: Int, _ question: String) -> ScriptedSection? {
        if isWritingDown { questions.append(question) }
        return host?.sections[index]
    }

    func flowLayout(_ layout: FlowLayout, sizeForItemAt path: ItemPath) -> Size? {
        onSize?()
        return section(path.section, "size \(path)")?.items[path.item]
    }

    func flowLayout(_ layout: FlowLayout, insetForSection section: Int) -> EdgeInsets? {
        self.section(section, "inset \(section)")?.inset
    }

    func flowLayout(_ layout: FlowLayout, minimumInteritemSpacingForSection section: Int)
        -> Double?
    { self.section(section, "interitem \(section)")?.interitem }

    func flowLayout(_ layout: FlowLayout, minimumLineSpacingForSection section: Int) -> Double? {
        self.section(section, "line \(section)")?.line
    }

    func flowLayout(_ layout: FlowLayout, headerReferenceSizeForSection section: Int) -> Size? {
        self.section(section, "header \(section)")?.header.map { Size(width: $0, height: $0) }
    }

    func flowLayout(_ layout: FlowLayout, footerReferenceSizeForSection section: Int) -> Size? {
        self.section(section, "footer \(section)")?.footer.map { Size(width: $0, height: $0) }
    }
}
