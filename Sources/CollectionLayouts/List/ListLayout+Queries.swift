extension ListLayout {
    func frame(_ y: Double, _ height: Double) -> Rect {
        let pixels = (y * scale).rounded() / scale
        return Rect(x: 0, y: pixels.isFinite ? pixels : y, width: width, height: height)
    }

    func elements(in rect: Rect) -> [LayoutAttributes] {
        // A pixel more, since what is found is rounded afterwards.
        guard
            let reach = ClosedRange.searched(
                rect.minY,
                rect.maxY,
                pixel: 1 / scale,
                within: sections.summary.height
            )
        else { return [] }
        var found: [LayoutAttributes] = []
        var place = sections.place { _, summary in summary.height >= reach.lowerBound }
        var cursor = sections.cursor(from: place.index)
        while let section = cursor.next(), place.before.height <= reach.upperBound {
            let start = place.before.height
            found += [
                header(of: section, place.index, start), footer(of: section, place.index, start),
            ].compactMap(\.self)
            appendRows(of: section, place.index, start + section.header, reach, to: &found)
            place.index += 1
            place.before = place.before.combined(with: ListSectionSummary(of: section))
        }
        return found.filter { $0.frame.intersects(rect) }
    }

    private func appendRows(
        of section: ListSection,
        _ index: Int,
        _ start: Double,
        _ reach: ClosedRange<Double>,
        to found: inout [LayoutAttributes]
    ) {
        var place = section.rows.place { _, summary in start + summary.height >= reach.lowerBound }
        var cursor = section.rows.cursor(from: place.index)
        while let height = cursor.next(), start + place.before.height <= reach.upperBound {
            visitedRows += 1
            let path = ItemPath(section: index, item: place.index)
            let frame = frame(start + place.before.height, height)
            found.append(LayoutAttributes(.cell(path), frame: frame))
            place.index += 1
            place.before = place.before.combined(with: RowSummary(of: height))
        }
    }

    /// The header of a section, or nil if it has none.
    ///
    /// - Parameter start: where the section begins.
    func header(of section: ListSection, _ index: Int, _ start: Double) -> LayoutAttributes? {
        supplement(.header(index), start, section.header)
    }

    /// The footer of a section, or nil if it has none.
    func footer(of section: ListSection, _ index: Int, _ start: Double) -> LayoutAttributes? {
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
