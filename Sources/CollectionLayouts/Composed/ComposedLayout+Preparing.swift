import CollectionElements

/// What of a composed layout is to be laid out anew.
struct PendingLayout {
    /// Everything, and what views wanted is forgotten.
    var everything = false
    /// The numbers changed; nobody has said how, or it is about to be told edit by edit.
    var counts = false
    /// All sections; what views wanted is kept.
    var metrics = false
    /// There is other room, so that sizes that do not fit are no longer wanted.
    var forgetsWide = false
    /// These, by their index when that was noted.
    var sections: Set<Int> = []
    /// Items of sections that are else as they were, by the same.
    var items: [Int: Set<Int>] = [:]

    /// The sections in which something is to be laid out anew.
    var staleSections: Set<Int> { sections.union(items.keys) }
}

extension ComposedLayout {
    /// The extent across for the sections in such bounds; 0 where there is no room at all.
    func room(in bounds: Rect) -> Double {
        guard let host, !bounds.isEmpty else { return 0 }
        let room =
            bounds.size.across(scrollDirection)
            - host.adjustedContentInset.across(scrollDirection)
        return (0...ComposedLayout.largestExtent).contains(room) ? room : 0
    }

    func changesRoom(_ newBounds: Rect) -> Bool { room(in: newBounds) != acrossExtent }

    func layOutPending() {
        guard let host else { return }
        let room = room(in: host.bounds)
        if room != acrossExtent {
            pending.metrics = true
            pending.forgetsWide = true
        }
        acrossExtent = room
        if askedInsets.contains(where: { hostInsets(of: $0.key) != $0.value }) {
            pending.metrics = true
        }
        if pending.everything || pending.counts {
            layOutEverything(of: host, keepingPreferred: false)
        } else if pending.metrics {
            layOutEverything(of: host, keepingPreferred: true)
        } else {
            layOutStaleSections(of: host)
        }
        pending = PendingLayout()
    }

    private func layOutEverything(of host: any LayoutHost, keepingPreferred: Bool) {
        errorLog.removeAll()
        askedInsets = [:]
        guard acrossExtent > 0 else {
            // Sizes are not known to be wrong merely because the view is closed for a moment.
            if !keepingPreferred { sections = ComposedSections() }
            return
        }
        let before = sections
        let count = errorLog.usable(host.numberOfSections(), as: .sectionCount)
        sections = ComposedSections(count: count) { section in
            let itemCount = self.itemCount(ofSection: section, host)
            var preferred = PreferredSizes()
            if keepingPreferred, section < before.count, before[section].itemCount == itemCount {
                preferred = before[section].preferred
                if pending.forgetsWide {
                    preferred.removeItems(thatFill: acrossExtent, scrollDirection)
                }
            }
            return layOut(section, resolveLayout(ofSection: section), itemCount, preferred)
        }
    }

    /// Lays out sections with their layouts and preferred sizes as they are.
    private func layOutStaleSections(of host: any LayoutHost) {
        guard acrossExtent > 0 else { return }
        var transaction = sections.transaction()
        for section in pending.staleSections.sorted() where sections.indices.contains(section) {
            let old = transaction[section]
            let itemCount = self.itemCount(ofSection: section, host)
            var changes: SectionChanges?
            if let items = pending.items[section], !pending.sections.contains(section) {
                let existing = items.sorted().filter { (0..<old.itemCount).contains($0) }
                changes = SectionChanges(old, spans: ItemSpan.spans(changed: existing))
            }
            transaction.replace(
                at: section,
                with: layOut(section, old.layout, itemCount, old.preferred, changes)
            )
        }
        sections = transaction.commit()
    }

    private func itemCount(ofSection section: Int, _ host: any LayoutHost) -> Int {
        let count = host.numberOfItems(inSection: section)
        return errorLog.usable(count, as: .itemCount, section: section)
    }

    func resolveLayout(ofSection section: Int) -> any SectionLayout {
        let context = host?.context(forSection: section)
        if let providing = context as? any SectionLayoutProviding { return providing.sectionLayout }
        return layoutProvider?(section, context) ?? defaultLayout
    }

    /// A section as it was laid out, and the items in which it is another now.
    struct SectionChanges {
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
    func layOut(
        _ section: Int,
        _ layout: any SectionLayout,
        _ itemCount: Int,
        _ preferred: PreferredSizes,
        _ changes: SectionChanges? = nil
    ) -> ComposedSection {
        preparedSections += 1
        let input = input(section, itemCount, preferred)
        let arrangement =
            if let changes, changes.itemCount == itemCount {
                layout.update(changes.former.arrangement, replacing: changes.spans, input)
            } else {
                layout.prepare(input)
            }
        let extent = errorLog.usable(arrangement.extent, as: .sectionExtent, section: section)
        return ComposedSection(
            layout,
            itemCount: itemCount,
            preferred: preferred,
            arrangement: arrangement,
            extent: extent
        )
    }

    private func input(
        _ section: Int,
        _ itemCount: Int,
        _ preferred: PreferredSizes
    ) -> SectionInput {
        let answerer = host?.layoutMetrics as? any SectionMetrics
        let metrics = answerer?.metrics(ofSection: section) ?? SectionMetricValues()
        return SectionInput(
            section: section,
            scrollDirection: scrollDirection,
            acrossExtent: acrossExtent,
            itemCount: itemCount,
            metrics: metrics,
            headerExtent: preferred.header?.along(scrollDirection) ?? metrics.headerExtent
                ?? host?.measuredSize(of: .header(section))?.along(scrollDirection),
            footerExtent: preferred.footer?.along(scrollDirection) ?? metrics.footerExtent
                ?? host?.measuredSize(of: .footer(section))?.along(scrollDirection),
            preferredSizes: preferred.items,
            offeredSize: { [host] item in
                let path = ItemPath(section: section, item: item)
                return answerer?.size(ofItemAt: path) ?? host?.measuredSize(of: .cell(path))
            },
            insetsOfReference: { [self] in insetsOfReference($0) },
            errors: errorLog
        )
    }

    // MARK: Insets

    private func hostInsets(of reference: SectionInsetReference) -> EdgeInsets {
        switch reference {
        case .contentInset: .zero
        case .safeArea: host?.safeAreaInsets ?? .zero
        case .layoutMargins: host?.layoutMargins ?? .zero
        }
    }

    /// In section coordinates: sections are mirrored where content runs from right to left, while the
    /// view's edges are not.
    private func insetsOfReference(_ reference: SectionInsetReference) -> EdgeInsets {
        var insets = hostInsets(of: reference)
        // Not the newest answer but the first: that is what other sections were laid out with.
        if askedInsets[reference] == nil { askedInsets[reference] = insets }
        if host?.isRightToLeft == true { swap(&insets.left, &insets.right) }
        return insets
    }
}
