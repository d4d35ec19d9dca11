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
            found += supplements(of: section, place.index, start)
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
            let path = ItemPath(section: index, item: place.index)
            let frame = frame(start + place.before.height, height)
            found.append(LayoutAttributes(.cell(path), frame: frame))
            place.index += 1
            place.before = place.before.combined(with: RowSummary(of: height))
        }
    }

    func supplements(of section: ListSection, _ index: Int, _ start: Double) -> [LayoutAttributes] {
        var found: [LayoutAttributes] = []
        if section.header > 0 {
            found.append(LayoutAttributes(.header(index), frame: frame(start, section.header)))
        }
        if section.footer > 0 {
            let y = start + section.header + section.rows.summary.height
            found.append(LayoutAttributes(.footer(index), frame: frame(y, section.footer)))
        }
        for index in found.indices { found[index].zIndex = 10 }
        return found
    }
}
