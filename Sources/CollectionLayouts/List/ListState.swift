import PersistentTrees

/// What a list has laid out: everything that its queries look at.
struct ListState: Sendable {
    var sections = SectionStack<ListSection>()
    let width: Double
    /// How many pixels a unit has.
    let scale: Double

    init(width: Double, host: any LayoutHost) {
        self.width = width
        scale = host.displayScale > 0 && host.displayScale.isFinite ? host.displayScale : 1
    }

    var contentSize: Size { Size(width: width, height: sections.extent) }

    /// The attributes of a row, a header or a footer; nil for what there is not.
    func attributes(for place: LayoutPlace) -> LayoutAttributes? {
        let (index, item) = (place.path.section, place.path.item)
        guard let section = sections.element(at: index) else { return nil }
        let start = sections.start(of: index)
        switch place.category {
        case .cell:
            guard let height = section.rows.element(at: item) else { return nil }
            let y = start + section.header + section.rows.summary(before: item).height
            return LayoutAttributes(place, frame: frame(y, height))
        case .supplementary(.header): return item == 0 ? header(of: section, index, start) : nil
        case .supplementary(.footer): return item == 0 ? footer(of: section, index, start) : nil
        case .supplementary, .decoration: return nil
        }
    }

    func frame(ofSection section: Int) -> Rect? {
        sections.element(at: section).map { frame(sections.start(of: section), $0.extent) }
    }

    /// - Parameter visitedRows: how many rows were looked at, added up.
    func elements(in rect: Rect, _ visitedRows: inout Int) -> [LayoutAttributes] {
        // A pixel more, since what is found is rounded afterwards.
        guard
            let reach = ClosedRange.searched(
                rect.minY,
                rect.maxY,
                pixel: 1 / scale,
                within: sections.extent
            )
        else { return [] }
        var found: [LayoutAttributes] = []
        sections.visit(reach) { index, section, start in
            found += [header(of: section, index, start), footer(of: section, index, start)]
                .compactMap(\.self)
            let rows = start + section.header
            var place = section.rows.place { _, summary in
                rows + summary.height >= reach.lowerBound
            }
            var cursor = section.rows.makeIterator(from: place.index)
            while let height = cursor.next(), rows + place.before.height <= reach.upperBound {
                visitedRows += 1
                let path = ItemPath(section: index, item: place.index)
                let frame = frame(rows + place.before.height, height)
                found.append(LayoutAttributes(.cell(path), frame: frame))
                place.index += 1
                place.before = place.before.combined(with: RowSummary(of: height))
            }
        }
        return found.filter { $0.frame.intersects(rect) }
    }

    private func frame(_ y: Double, _ height: Double) -> Rect {
        let pixels = (y * scale).rounded() / scale
        return Rect(x: 0, y: pixels.isFinite ? pixels : y, width: width, height: height)
    }

    /// The header of a section, or nil if it has none.
    ///
    /// - Parameter start: where the section begins.
    private func header(of section: ListSection, _ index: Int, _ start: Double)
        -> LayoutAttributes?
    { supplement(.header(index), start, section.header) }

    /// The footer of a section, or nil if it has none.
    private func footer(of section: ListSection, _ index: Int, _ start: Double)
        -> LayoutAttributes?
    {
        let y = start + section.header + section.rows.summary.height
        return supplement(.footer(index), y, section.footer)
    }

    private func supplement(
        _ place: LayoutPlace,
        _ y: Double,
        _ height: Double
    ) -> LayoutAttributes? {
        guard height > 0 else { return nil }
        var attributes = LayoutAttributes(place, frame: frame(y, height))
        attributes.zIndex = 10
        return attributes
    }
}
