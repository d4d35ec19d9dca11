import CollectionLayouts

/// A view that answers the questions of any layout from arrays.
final class ScriptedHost: TestHost<ScriptedSection> {
    /// Without one, nobody answers about metrics.
    var metrics: ScriptedMetrics?

    override init(_ sections: [ScriptedSection] = [], width: Double = 320, height: Double = 480) {
        super.init(sections, width: width, height: height)
        metrics = ScriptedMetrics()
        metrics?.host = self
    }

    override var layoutMetrics: AnyObject? { metrics }

    /// The attributes of every item, header and footer that a layout has, asked for one by one.
    func allAttributes(of layout: CollectionLayout) -> [LayoutAttributes] {
        sections.enumerated().flatMap { section, scripted in
            scripted.items.indices.compactMap {
                layout.layoutAttributesForItem(at: ItemPath(section: section, item: $0))
            }
                + [SupplementaryKind.header, .footer].compactMap {
                    layout.layoutAttributesForSupplementaryView(
                        ofKind: $0,
                        at: ItemPath(section: section, item: 0)
                    )
                }
        }
    }
}

/// A section as a test wants it; nil is what the layout says.
struct ScriptedSection: TestHostSection {
    var items: [Size?] = []
    var itemSize: Size?
    var inset: EdgeInsets?
    var line: Double?
    var interitem: Double?
    var header: Double?
    var footer: Double?
    var context: (any SectionContext)?

    var itemCount: Int { items.count }

    static func uniform(_ count: Int, _ width: Double, _ height: Double) -> ScriptedSection {
        ScriptedSection(
            items: Array(repeating: Size(width: width, height: height), count: count)
        )
    }
}

/// Answers from the host's sections, and writes down what it was asked.
final class ScriptedMetrics: LayoutMetrics {
    unowned var host: ScriptedHost?
    private(set) var questions: [String] = []
    var isWritingDown = false
    /// Called with every question about an item.
    var onSize: (() -> Void)?

    private func section(_ index: Int, _ question: String) -> ScriptedSection? {
        if isWritingDown { questions.append(question) }
        return host?.sections[index]
    }

    func metrics(ofSection section: Int) -> SectionMetrics {
        guard let section = self.section(section, "metrics \(section)") else {
            return SectionMetrics()
        }
        return SectionMetrics(
            itemSize: section.itemSize,
            insets: section.inset,
            lineSpacing: section.line,
            interitemSpacing: section.interitem,
            headerExtent: section.header,
            footerExtent: section.footer
        )
    }

    func size(ofItemAt path: ItemPath) -> Size? {
        onSize?()
        return section(path.section, "size \(path)")?.items[path.item]
    }
}
