import PersistentTrees

/// Requests heights while a list prepares, and reports those that are invalid.
struct ListResolver: SectionResolver {
    static let keepsReconfigured = false

    let layout: ListLayout
    let host: any LayoutHost
    private let metrics: (any LayoutMetrics)?
    private(set) var notes = LayoutNotes()

    init(_ layout: ListLayout, _ host: any LayoutHost) {
        self.layout = layout
        self.host = host
        metrics = host.layoutMetrics
    }

    /// Lays out all sections from scratch.
    mutating func everything() -> SectionStack<ListSection> {
        SectionStack(host.itemCounts) {
            lay(SectionChange(index: $0, itemCount: $1, former: nil))
        }
    }

    func known(of row: Int, in section: ListSection) -> Double? { section.rows.element(at: row) }

    mutating func lay(_ change: SectionChange<ListSection, Double>) -> ListSection {
        let index = change.index
        var section = change.former ?? ListSection()
        var kinds = change.kinds.intersection([.header, .footer])
        if change.former == nil || change.isUpdate && !change.kinds.isEmpty {
            section = ListSection(rows: section.rows)
            kinds = [.header, .footer]
        }
        // Moved rows keep their heights; the heights of inserted or listed rows are requested.
        let spans =
            change.former == nil ? [ItemSpan(old: 0..<0, new: 0..<change.itemCount)] : change.spans
        if kinds.isEmpty, spans.isEmpty { return section }
        let own = host.metrics(ofSection: index, by: metrics)
        if kinds.contains(.header) {
            section.answer(
                header: extent(own.headerExtent, layout.sectionHeaderHeight, .header(index))
            )
        }
        let fixed = own.itemSize?.height ?? (layout.hasOwnRowHeight ? layout.rowHeight : nil)
        section.rows = section.rows.replacing(
            spans,
            withEach: {
                change.known[$0] ?? row(ItemPath(section: index, item: $0), fixed)
            }
        )
        if kinds.contains(.footer) {
            section.answer(
                footer: extent(own.footerExtent, layout.sectionFooterHeight, .footer(index))
            )
        }
        return section
    }

    /// - Parameter fixed: The height of every row of the section, if one is defined.
    private mutating func row(_ path: ItemPath, _ fixed: Double?) -> Double {
        notes.work.requestedSizes += 1
        let height =
            metrics?.size(ofItemAt: path)?.height ?? fixed
            ?? host.measuredSize(of: .cell(path))?.height ?? layout.rowHeight
        return checked(height, .cell(path))
    }

    private mutating func extent(_ answer: Double?, _ own: Double, _ place: LayoutPlace)
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
