/// Asks for heights while a list prepares.
struct ListAsking {
    let layout: ListLayout
    let host: any LayoutHost
    private let metrics: (any ListLayoutMetrics)?

    init(_ layout: ListLayout, _ host: any LayoutHost) {
        self.layout = layout
        self.host = host
        metrics = host.layoutMetrics as? any ListLayoutMetrics
    }

    func section(_ index: Int, _ carried: [ItemPath: Double] = [:]) -> ListSection {
        let header = header(index)
        let count = max(0, host.numberOfItems(inSection: index))
        let rows = rows(0..<count, inSection: index, carried)
        return ListSection(header: header, footer: footer(index), rows: rows)
    }

    /// - Parameter carried: the heights of rows that moved, by new path.
    func rows(
        _ rows: Range<Int>,
        inSection section: Int,
        _ carried: [ItemPath: Double]
    ) -> RowHeights {
        var heights = RowHeights.Builder()
        for row in rows {
            let path = ItemPath(section: section, item: row)
            heights.append(carried[path] ?? self.row(path))
        }
        return heights.tree()
    }

    func row(_ path: ItemPath) -> Double {
        layout.askedHeights += 1
        let fixed = layout.hasOwnRowHeight ? layout.rowHeight : nil
        let height =
            metrics?.listLayout(layout, heightForRowAt: path) ?? fixed
            ?? host.measuredSize(of: .cell(path))?.height ?? layout.rowHeight
        return checked(height, .cell(path))
    }

    func header(_ section: Int) -> Double {
        supplement(
            metrics?.listLayout(layout, heightForHeaderOfSection: section),
            layout.sectionHeaderHeight,
            .header(section)
        )
    }

    func footer(_ section: Int) -> Double {
        supplement(
            metrics?.listLayout(layout, heightForFooterOfSection: section),
            layout.sectionFooterHeight,
            .footer(section)
        )
    }

    private func supplement(_ answer: Double?, _ own: Double, _ place: LayoutPlace) -> Double {
        let measured = own == 0 ? host.measuredSize(of: place)?.height : nil
        return checked(answer ?? measured ?? own, place)
    }

    private func checked(_ height: Double, _ place: LayoutPlace) -> Double {
        if height >= 0, height < .infinity { return height }
        let (code, name): (LayoutError.Code, String) =
            switch place.category {
            case .cell: (.itemSize, "row")
            case .supplementary(let kind), .decoration(let kind):
                (.supplementarySize, kind.rawValue)
            }
        layout.errorLog.report(
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
