import CollectionChanges
import CollectionElements
import PersistentTrees

/// Lays out sections while a composed layout prepares, and reports invalid values.
///
/// A class, because section layouts call it through their ``SectionInput``. Main lane; it lives as
/// long as one preparation.
final class ComposedResolver: SectionResolver {
    static let keepsReconfigured = true

    private let layout: ComposedLayout
    private let acrossExtent: Double
    private let host: (any LayoutHost)?
    private let metrics: (any LayoutMetrics)?
    private let errors = SectionErrorReporter()
    /// The view's insets that sections have read since everything was last laid out.
    private(set) var usedInsets: [SectionInsetReference: EdgeInsets]
    private var work = LayoutWork()

    /// - Parameter usedInsets: The insets that the unchanged sections were laid out with.
    init(
        _ layout: ComposedLayout,
        acrossExtent: Double,
        usedInsets: [SectionInsetReference: EdgeInsets]
    ) {
        self.layout = layout
        self.acrossExtent = acrossExtent
        self.usedInsets = usedInsets
        host = layout.host
        metrics = host?.layoutMetrics
    }

    /// The work and the errors so far.
    var notes: LayoutNotes { LayoutNotes(diagnostics: errors.diagnostics, work: work) }

    /// Lays out all sections, using only the preferred sizes of views.
    ///
    /// - Parameter preferred: A closure that returns the preferred sizes of a section with this
    ///   number of items.
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

    /// Lays out a section, with the preferred sizes of its views at their new places.
    func lay(_ change: SectionChange<ComposedSection, Size>) -> ComposedSection {
        let index = change.index
        let itemCount = errors.usable(change.itemCount, as: .itemCount, section: index)
        var preferred = change.former?.preferred ?? PreferredSizes()
        if change.isUpdate {
            preferred.replaceItems(change.spans, known: change.known, count: itemCount)
            // The new header and footer views have no preferred sizes yet.
            if change.kinds.contains(.header) { preferred.header = nil }
            if change.kinds.contains(.footer) { preferred.footer = nil }
        }
        guard let former = change.former else {
            return layOut(index, nil, itemCount, preferred)
        }
        let changes = change.isWhole ? nil : FormerSection(former: former, spans: change.spans)
        return layOut(index, former.layout, itemCount, preferred, changes)
    }

    private func resolveLayout(
        ofSection section: Int,
        _ sectionContext: (any SectionContext)?
    ) -> any SectionLayout {
        if let providing = sectionContext as? any SectionLayoutProviding {
            return providing.sectionLayout
        }
        return layout.layoutProvider?(section, sectionContext) ?? layout.defaultLayout
    }

    // MARK: One section

    /// The previous version of a section, and the items that have changed since.
    struct FormerSection {
        let former: ComposedSection
        let spans: [ItemSpan]

        /// The number of items after these changes.
        var itemCount: Int {
            spans.reduce(former.itemCount) { $0 + $1.new.count - $1.old.count }
        }
    }

    /// Lays out one section, either completely or by updating its previous version.
    ///
    /// - Parameter known: The section's layout, if it has one already.
    func layOut(
        _ section: Int,
        _ known: (any SectionLayout)?,
        _ itemCount: Int,
        _ preferred: PreferredSizes,
        _ changes: FormerSection? = nil
    ) -> ComposedSection {
        work.laidOutSections += 1
        let sectionContext = host?.context(forSection: section)
        let sectionLayout = known ?? resolveLayout(ofSection: section, sectionContext)
        let input = input(section, sectionContext, itemCount, preferred)
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
        _ sectionContext: (any SectionContext)?,
        _ itemCount: Int,
        _ preferred: PreferredSizes
    ) -> SectionInput {
        let own = (metrics?.metrics(ofSection: section) ?? SectionMetrics())
            .completed(by: sectionContext)
        let direction = layout.scrollDirection
        return SectionInput(
            section: section,
            scrollDirection: direction,
            acrossExtent: acrossExtent,
            itemCount: itemCount,
            sectionContext: sectionContext,
            metrics: own,
            headerExtent: preferred.header?.along(direction) ?? own.headerExtent
                ?? host?.measuredSize(of: .header(section))?.along(direction),
            footerExtent: preferred.footer?.along(direction) ?? own.footerExtent
                ?? host?.measuredSize(of: .footer(section))?.along(direction),
            preferredSizes: preferred.items,
            defaultSize: { [metrics, host, itemSize = own.itemSize] item in
                let path = ItemPath(section: section, item: item)
                return metrics?.size(ofItemAt: path) ?? itemSize
                    ?? host?.measuredSize(of: .cell(path))
            },
            insetsOfReference: { [self] in insets(of: $0) },
            errors: errors
        )
    }

    /// Returns the insets in section coordinates: sections are mirrored if content runs from right
    /// to left, while the view's edges are not.
    private func insets(of reference: SectionInsetReference) -> EdgeInsets {
        guard let host else { return .zero }
        var insets = host.insets(of: reference)
        // The first value is kept, not the newest, because the other sections were laid out with
        // the first one.
        if usedInsets[reference] == nil { usedInsets[reference] = insets }
        if host.isRightToLeft { swap(&insets.left, &insets.right) }
        return insets
    }
}

extension LayoutHost {
    /// Returns the insets of the view in addition to the content inset.
    func insets(of reference: SectionInsetReference) -> EdgeInsets {
        switch reference {
        case .fromContentInset: .zero
        case .fromSafeArea: safeAreaInsets
        case .fromLayoutMargins: layoutMargins
        }
    }
}

/// An element of a section, in section coordinates before mirroring.
struct SectionElement {
    let place: LayoutPlace
    let frame: Rect
    let zIndex: Int

    /// The z-index of headers and footers: in front of the cells, pinned or not, as in UIKit.
    static let supplementaryZIndex = 10

    init(_ place: LayoutPlace, _ frame: Rect, zIndex: Int = 0) {
        self.place = place
        self.frame = frame.usable
        self.zIndex = zIndex
    }
}

extension ComposedSection {
    func element(at place: LayoutPlace) -> SectionElement? {
        let item = place.path.item
        switch place.category {
        case .cell:
            guard (0..<itemCount).contains(item) else { return nil }
            return arrangement.frame(ofItem: item).map { SectionElement(place, $0) }
        case .supplementary(let kind): return item == 0 ? supplementary(kind, place) : nil
        case .decoration(let kind):
            guard item >= 0 else { return nil }
            return arrangement.decorations.lazy.filter { $0.kind == kind }.dropFirst(item).first
                .map { SectionElement(place, $0.frame, zIndex: $0.zIndex) }
        }
    }

    private func supplementary(_ kind: SupplementaryKind, _ place: LayoutPlace) -> SectionElement? {
        let frame: Rect? =
            switch kind {
            case .header: arrangement.headerFrame
            case .footer: arrangement.footerFrame
            default: nil
            }
        return frame.map {
            SectionElement(place, $0, zIndex: SectionElement.supplementaryZIndex)
        }
    }

    /// Returns the items that overlap `rect`, and possibly adjacent items.
    func items(in rect: Rect, ofSection index: Int) -> [SectionElement] {
        var found: [SectionElement] = []
        arrangement.forEachItem(in: rect) { item, frame in
            guard (0..<itemCount).contains(item) else { return }
            found.append(SectionElement(.cell(ItemPath(section: index, item: item)), frame))
        }
        return found
    }

    /// Returns the header, footer and decorations that exist.
    func boundaryElements(ofSection index: Int) -> [SectionElement] {
        let path = ItemPath(section: index, item: 0)
        var found = [SupplementaryKind.header, .footer].compactMap {
            supplementary($0, LayoutPlace(.supplementary($0), path))
        }
        var numbers: [SupplementaryKind: Int] = [:]
        for decoration in arrangement.decorations {
            let number = numbers[decoration.kind, default: 0]
            numbers[decoration.kind] = number + 1
            let place = LayoutPlace(
                .decoration(decoration.kind),
                ItemPath(section: index, item: number)
            )
            found.append(SectionElement(place, decoration.frame, zIndex: decoration.zIndex))
        }
        return found
    }
}

extension Rect {
    /// The rectangle with invalid numbers replaced by zero; a custom arrangement may return any
    /// numbers.
    fileprivate var usable: Rect {
        let limit = ComposedLayout.largestExtent
        func position(_ value: Double) -> Double { abs(value) <= limit ? value : 0 }
        func extent(_ value: Double) -> Double { (0...limit).contains(value) ? value : 0 }
        return Rect(
            x: position(minX),
            y: position(minY),
            width: extent(size.width),
            height: extent(size.height)
        )
    }
}
