/// Asks for heights while a list prepares, and says what it could not use.
struct ListAsking {
    let layout: ListLayout
    let host: any LayoutHost
    private let metrics: (any ListLayoutMetrics)?
    private(set) var notes = LayoutNotes()

    init(_ layout: ListLayout, _ host: any LayoutHost) {
        self.layout = layout
        self.host = host
        metrics = host.layoutMetrics as? any ListLayoutMetrics
    }

    // MARK: Sections

    /// All sections, from nothing.
    mutating func sections() -> SectionStack<ListSection> {
        // What was asked for an update that did not fit is no longer of interest.
        notes.diagnostics = LayoutDiagnostics()
        return SectionStack(host.itemCounts) { section($0, itemCount: $1, [:]) }
    }

    /// The sections after an update; nil if it does not fit what the list has or the view says.
    mutating func applying(
        _ update: ValidatedChangeSet,
        to former: SectionStack<ListSection>
    ) -> SectionStack<ListSection>? {
        guard former.precedes(update),
            host.numberOfSections() == update.newShape.numberOfSections
        else { return nil }
        let plan = SectionEditPlan(update)
        let carried = update.carried(includesReconfigured: false) { path in
            former.element(at: path.section)?.rows.element(at: path.item)
        }
        return try? former.applying(update, layingOut: plan.touchedSections) { index, former in
            let count = update.newShape.itemCounts[index]
            guard host.numberOfItems(inSection: index) == count else { throw CountMismatch() }
            let heights = carried[index] ?? [:]
            guard var section = former else {
                return self.section(index, itemCount: count, heights)
            }
            section.rows = section.rows.replacing(plan.spans(inSection: index)) {
                rows($0, inSection: index, heights)
            }
            if plan.reloadedKinds[index] == nil { return section }
            let header = header(index)
            return ListSection(header: header, footer: footer(index), rows: section.rows)
        }
    }

    private struct CountMismatch: Error {}

    /// The same sections, with what was listed asked for again.
    mutating func refreshing(
        _ stale: LayoutStaleness,
        in former: SectionStack<ListSection>
    ) -> SectionStack<ListSection> {
        var sections = former
        let headers = stale.supplements[.header] ?? []
        let footers = stale.supplements[.footer] ?? []
        for index in headers.union(footers).sorted() {
            guard var section = sections.element(at: index) else { continue }
            if headers.contains(index) { section.answer(header: header(index)) }
            if footers.contains(index) { section.answer(footer: footer(index)) }
            sections.replace(at: index, with: section)
        }
        for index in stale.items.keys.sorted() {
            guard var section = sections.element(at: index) else { continue }
            for item in stale.items[index, default: []].sorted()
            where section.rows.element(at: item) != nil {
                let height = row(ItemPath(section: index, item: item))
                section.rows = section.rows.replacing(at: item, with: height)
            }
            sections.replace(at: index, with: section)
        }
        return sections
    }

    // MARK: Heights

    /// - Parameter carried: the heights of rows that moved, by item.
    private mutating func section(_ index: Int, itemCount: Int, _ carried: [Int: Double])
        -> ListSection
    {
        let header = header(index)
        let rows = rows(0..<itemCount, inSection: index, carried)
        return ListSection(header: header, footer: footer(index), rows: rows)
    }

    private mutating func rows(
        _ rows: Range<Int>,
        inSection section: Int,
        _ carried: [Int: Double]
    ) -> RowHeights {
        var heights = RowHeights.Builder()
        for row in rows {
            heights.append(carried[row] ?? self.row(ItemPath(section: section, item: row)))
        }
        return heights.tree()
    }

    private mutating func row(_ path: ItemPath) -> Double {
        notes.work.askedSizes += 1
        let fixed = layout.hasOwnRowHeight ? layout.rowHeight : nil
        let height =
            metrics?.listLayout(layout, heightForRowAt: path) ?? fixed
            ?? host.measuredSize(of: .cell(path))?.height ?? layout.rowHeight
        return checked(height, .cell(path))
    }

    private mutating func header(_ section: Int) -> Double {
        supplement(
            metrics?.listLayout(layout, heightForHeaderOfSection: section),
            layout.sectionHeaderHeight,
            .header(section)
        )
    }

    private mutating func footer(_ section: Int) -> Double {
        supplement(
            metrics?.listLayout(layout, heightForFooterOfSection: section),
            layout.sectionFooterHeight,
            .footer(section)
        )
    }

    private mutating func supplement(_ answer: Double?, _ own: Double, _ place: LayoutPlace)
        -> Double
    {
        let measured = own == 0 ? host.measuredSize(of: place)?.height : nil
        return checked(answer ?? measured ?? own, place)
    }

    private mutating func checked(_ height: Double, _ place: LayoutPlace) -> Double {
        if height >= 0, height < .infinity { return height }
        let (code, name): (LayoutError.Code, String) =
            switch place.category {
            case .cell: (.itemSize, "row")
            case .supplementary(let kind), .decoration(let kind):
                (.supplementarySize, kind.rawValue)
            }
        notes.diagnostics.report(
            LayoutError(
                code,
                at: place,
                message:
                    "expected a height for the \(name) at \(place.path), found \(height); it counts as zero"
            )
        )
        return 0
    }
}
