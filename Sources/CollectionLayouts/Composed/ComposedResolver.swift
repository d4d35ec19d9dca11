import CollectionChanges
import CollectionElements
import PersistentTrees

/// Has sections laid out while a composed layout prepares, and says what could not be used.
///
/// A class, since section layouts ask it through their ``SectionInput``. Main lane; it lives as long as one
/// preparation.
final class ComposedResolver: SectionResolver {
    static let keepsReconfigured = true

    private let layout: ComposedLayout
    private let acrossExtent: Double
    private let host: (any LayoutHost)?
    private let metrics: (any LayoutMetrics)?
    private let errors = SectionErrorReporter()
    /// What the view's insets were that sections have asked for, since everything was last laid out.
    private(set) var askedInsets: [SectionInsetReference: EdgeInsets]
    private var work = LayoutWork()

    /// - Parameter askedInsets: those that sections were laid out with that stay as they are.
    init(
        _ layout: ComposedLayout,
        acrossExtent: Double,
        askedInsets: [SectionInsetReference: EdgeInsets]
    ) {
        self.layout = layout
        self.acrossExtent = acrossExtent
        self.askedInsets = askedInsets
        host = layout.host
        metrics = host?.layoutMetrics
    }

    /// What was done and found.
    var notes: LayoutNotes { LayoutNotes(diagnostics: errors.diagnostics, work: work) }

    /// All sections, from nothing but what views preferred.
    ///
    /// - Parameter preferred: what the views of a section preferred of so many items.
    func everything(
        of host: any LayoutHost,
        _ preferred: (_ section: Int, _ itemCount: Int) -> PreferredSizes
    ) -> SectionStack<ComposedSection> {
        let count = errors.usable(host.numberOfSections, as: .sectionCount)
        let counts = (0..<count).map { host.numberOfItems(inSection: $0) }
        return SectionStack(counts) { section, counted in
            let itemCount = errors.usable(counted, as: .itemCount, section: section)
            return layOut(section, nil, itemCount, preferred(section, itemCount))
        }
    }

    func known(of item: Int, in section: ComposedSection) -> Size? {
        section.preferred.items.element(at: item) ?? nil
    }

    /// Lays out a section, with what its views preferred where they are now.
    func lay(_ change: SectionChange<ComposedSection, Size>) -> ComposedSection {
        let index = change.index
        let itemCount = errors.usable(change.itemCount, as: .itemCount, section: index)
        var preferred = change.former?.preferred ?? PreferredSizes()
        if change.isUpdate {
            preferred.replaceItems(change.spans, known: change.known, count: itemCount)
            // The views of others have preferred nothing yet.
            if change.kinds.contains(.header) { preferred.header = nil }
            if change.kinds.contains(.footer) { preferred.footer = nil }
        }
        guard let former = change.former else {
            return layOut(index, nil, itemCount, preferred)
        }
        let changes = change.isWhole ? nil : FormerSection(former, spans: change.spans)
        return layOut(index, former.layout, itemCount, preferred, changes)
    }

    private func resolveLayout(
        ofSection section: Int,
        _ context: (any SectionContext)?
    ) -> any SectionLayout {
        if let providing = context as? any SectionLayoutProviding { return providing.sectionLayout }
        return layout.layoutProvider?(section, context) ?? layout.defaultLayout
    }

    // MARK: One section

    /// A section as it was laid out, and the items in which it is another now.
    struct FormerSection {
        let former: ComposedSection
        let spans: [ItemSpan]

        init(_ former: ComposedSection, spans: [ItemSpan]) {
            self.former = former
            self.spans = spans
        }

        /// How many items there are if that is all.
        var itemCount: Int {
            spans.reduce(former.itemCount) { $0 + $1.new.count - $1.old.count }
        }
    }

    /// Lays out one section: from nothing, or from what it was.
    ///
    /// - Parameter known: the section's layout, if it has one already.
    func layOut(
        _ section: Int,
        _ known: (any SectionLayout)?,
        _ itemCount: Int,
        _ preferred: PreferredSizes,
        _ changes: FormerSection? = nil
    ) -> ComposedSection {
        work.laidOutSections += 1
        let context = host?.context(forSection: section)
        let sectionLayout = known ?? resolveLayout(ofSection: section, context)
        let input = input(section, context, itemCount, preferred)
        let arrangement =
            if let changes, changes.itemCount == itemCount {
                sectionLayout.update(changes.former.arrangement, replacing: changes.spans, input)
            } else {
                sectionLayout.prepare(input)
            }
        return ComposedSection(
            layout: sectionLayout,
            itemCount: itemCount,
            preferred: preferred,
            arrangement: arrangement,
            extent: errors.usable(arrangement.extent, as: .sectionExtent, section: section)
        )
    }

    private func input(
        _ section: Int,
        _ context: (any SectionContext)?,
        _ itemCount: Int,
        _ preferred: PreferredSizes
    ) -> SectionInput {
        let own = (metrics?.metrics(ofSection: section) ?? SectionMetrics())
            .completed(by: context)
        let direction = layout.scrollDirection
        return SectionInput(
            section: section,
            scrollDirection: direction,
            acrossExtent: acrossExtent,
            itemCount: itemCount,
            context: context,
            metrics: own,
            headerExtent: preferred.header?.along(direction) ?? own.headerExtent
                ?? host?.measuredSize(of: .header(section))?.along(direction),
            footerExtent: preferred.footer?.along(direction) ?? own.footerExtent
                ?? host?.measuredSize(of: .footer(section))?.along(direction),
            preferredSizes: preferred.items,
            offeredSize: { [metrics, host, itemSize = own.itemSize] item in
                let path = ItemPath(section: section, item: item)
                return metrics?.size(ofItemAt: path) ?? itemSize
                    ?? host?.measuredSize(of: .cell(path))
            },
            insetsOfReference: { [self] in insets(of: $0) },
            errors: errors
        )
    }

    /// In section coordinates: sections are mirrored where content runs from right to left, while the
    /// view's edges are not.
    private func insets(of reference: SectionInsetReference) -> EdgeInsets {
        guard let host else { return .zero }
        var insets = host.insets(of: reference)
        // Not the newest answer but the first: that is what other sections were laid out with.
        if askedInsets[reference] == nil { askedInsets[reference] = insets }
        if host.isRightToLeft { swap(&insets.left, &insets.right) }
        return insets
    }
}

extension LayoutHost {
    /// What the view keeps free beyond the content inset.
    func insets(of reference: SectionInsetReference) -> EdgeInsets {
        switch reference {
        case .fromContentInset: .zero
        case .fromSafeArea: safeAreaInsets
        case .fromLayoutMargins: layoutMargins
        }
    }
}
