/// Asks for heights while a list prepares, and says what it could not use.
struct ListAsking: SectionAsking {
    static let keepsReconfigured = false

    let layout: ListLayout
    let host: any LayoutHost
    private let metrics: (any ListLayoutMetrics)?
    private(set) var notes = LayoutNotes()

    init(_ layout: ListLayout, _ host: any LayoutHost) {
        self.layout = layout
        self.host = host
        metrics = host.layoutMetrics as? any ListLayoutMetrics
    }

    /// All sections, from nothing.
    mutating func everything() -> SectionStack<ListSection> {
        SectionStack(host.itemCounts) {
            lay(SectionChange(index: $0, itemCount: $1, former: nil))
        }
    }

    func known(of row: Int, in section: ListSection) -> Double? { section.rows.element(at: row) }

    mutating func lay(_ change: SectionChange<ListSection, Double>) -> ListSection {
        let index = change.index
        var section = change.former ?? ListSection()
        var kinds = change.kinds
        if change.former == nil || change.isUpdate && !kinds.isEmpty {
            section = ListSection(rows: section.rows)
            kinds = [.header, .footer]
        }
        if kinds.contains(.header) { section.answer(header: header(index)) }
        // What moved takes its height along; what came, or was listed, is asked about.
        let spans =
            change.former == nil ? [ItemSpan(old: 0..<0, new: 0..<change.itemCount)] : change.spans
        section.rows = section.rows.replacing(
            spans,
            withEach: {
                change.known[$0] ?? row(ItemPath(section: index, item: $0))
            }
        )
        if kinds.contains(.footer) { section.answer(footer: footer(index)) }
        return section
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
