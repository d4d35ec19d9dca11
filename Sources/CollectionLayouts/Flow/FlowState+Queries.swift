// Where everything is. A state answers alike whether it is the newest or the one before an update; what
// headers and footers are held in is said by who asks.

extension FlowState {
    /// The attributes of everything that lies in `rect`: items, then headers, then footers.
    ///
    /// - Parameter visitedItems: how many items were looked at, added up.
    func elements(
        in rect: Rect,
        _ viewport: Viewport?,
        _ visitedItems: inout Int
    ) -> [LayoutAttributes] {
        guard let along = along(rect), let across = across(rect) else { return [] }
        var found: [LayoutAttributes] = []
        visitSections(along) { index, section, start in
            guard
                let local = ClosedRange.checked(along.lowerBound - start, along.upperBound - start)
            else { return }
            section.visitItems(along: local, across: across) { item, frame in
                visitedItems += 1
                var frame = frame
                frame.along += start
                let path = ItemPath(section: index, item: item)
                let attributes = LayoutAttributes(.cell(path), frame: self.rect(frame))
                // Their frame, which comes back from the middle, is what everybody sees; in the last
                // digit it may be another than the one they were made of.
                if attributes.frame.intersects(rect) { found.append(attributes) }
            }
        }
        for kind in [SupplementaryKind.header, .footer] {
            found += supplements(kind, ofSectionsIn: rect, viewport: viewport)
                .map(\.attributes).filter { $0.frame.intersects(rect) }
        }
        return found
    }

    func attributes(for place: LayoutPlace, _ viewport: Viewport?) -> LayoutAttributes? {
        switch place.category {
        case .cell: frame(ofItem: place.path).map { LayoutAttributes(place, frame: $0) }
        case .supplementary(let kind): supplement(kind, at: place.path, viewport)?.attributes
        case .decoration: nil
        }
    }

    func frame(ofItem path: ItemPath) -> Rect? {
        guard let section = sections.element(at: path.section),
            var frame = section.frame(ofItem: path.item)
        else { return nil }
        frame.along += start(ofSection: path.section)
        return rect(frame)
    }

    func frame(ofSection section: Int) -> Rect? {
        sections.element(at: section).map {
            rect(along: start(ofSection: section), extent: $0.extent)
        }
    }

    func supplement(
        _ kind: SupplementaryKind,
        at path: ItemPath,
        _ viewport: Viewport?
    ) -> FlowSupplement? {
        guard path.item == 0, kind == .header || kind == .footer,
            let section = sections.element(at: path.section)
        else { return nil }
        let start = start(ofSection: path.section)
        let frame =
            kind == .header
            ? header(of: section, at: start, in: viewport)
            : footer(of: section, at: start, in: viewport)
        return frame.map { FlowSupplement(section: path.section, kind: kind, frame: $0) }
    }
}

extension FlowSupplement {
    var attributes: LayoutAttributes {
        let place = LayoutPlace(.supplementary(kind), ItemPath(section: section, item: 0))
        var attributes = LayoutAttributes(place, frame: frame)
        attributes.zIndex = 10
        return attributes
    }
}
