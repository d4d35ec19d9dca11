extension FlowLayout {
    func elements(in rect: Rect) -> [LayoutAttributes] {
        guard let state, let along = state.along(rect), let across = state.across(rect) else {
            return []
        }
        var items: [LayoutAttributes] = []
        state.visitSections(along) { index, section, start in
            guard
                let local = ClosedRange.checked(along.lowerBound - start, along.upperBound - start)
            else { return }
            section.visitItems(along: local, across: across) { item, frame in
                work.visitedItems += 1
                var frame = frame
                frame.along += start
                let path = ItemPath(section: index, item: item)
                let attributes = LayoutAttributes(.cell(path), frame: state.rect(frame))
                // Their frame, which comes back from the middle, is what everybody sees; in the last
                // digit it may be another than the one they were made of.
                if attributes.frame.intersects(rect) { items.append(attributes) }
            }
        }
        let viewport = viewport(in: state, bounds: host?.bounds)
        for kind in [SupplementaryKind.header, .footer] {
            let supplements = state.supplements(kind, ofSectionsIn: rect, viewport: viewport)
            for supplement in supplements.map(attributes)
            where supplement.frame.intersects(rect) {
                items.append(supplement)
            }
        }
        return items
    }

    func itemFrame(at path: ItemPath) -> Rect? {
        guard let state, let section = state.sections.element(at: path.section),
            var frame = section.frame(ofItem: path.item)
        else { return nil }
        frame.along += state.start(ofSection: path.section)
        return state.rect(frame)
    }

    func sectionFrame(_ section: Int) -> Rect? {
        guard let state, let found = state.sections.element(at: section) else { return nil }
        return state.rect(along: state.start(ofSection: section), extent: found.extent)
    }

    func supplement(_ kind: SupplementaryKind, at path: ItemPath) -> FlowSupplement? {
        guard let state, path.item == 0, kind == .header || kind == .footer,
            let section = state.sections.element(at: path.section)
        else { return nil }
        let start = state.start(ofSection: path.section)
        let viewport = viewport(in: state, bounds: host?.bounds)
        let frame =
            kind == .header
            ? state.header(of: section, at: start, in: viewport)
            : state.footer(of: section, at: start, in: viewport)
        return frame.map { FlowSupplement(section: path.section, kind: kind, frame: $0) }
    }

    func attributes(_ supplement: FlowSupplement) -> LayoutAttributes {
        let place = LayoutPlace(
            .supplementary(supplement.kind),
            ItemPath(section: supplement.section, item: 0)
        )
        var attributes = LayoutAttributes(place, frame: supplement.frame)
        attributes.zIndex = 10
        return attributes
    }

    /// What headers and footers are held in; nil where none are.
    func viewport(in state: FlowState, bounds: Rect?) -> FlowState.Viewport? {
        guard pinsSectionHeaders || pinsSectionFooters, let bounds, let host else { return nil }
        let visible = bounds.inset(by: host.adjustedContentInset)
        let direction = state.environment.direction
        var low = visible.origin.along(direction)
        var high = low + visible.size.along(direction)
        if state.environment.mirrorsSections {
            (low, high) = (state.contentExtent - high, state.contentExtent - low)
        }
        return ClosedRange.checked(low, high).map {
            FlowState.Viewport(
                interval: $0,
                pinsHeaders: pinsSectionHeaders,
                pinsFooters: pinsSectionFooters
            )
        }
    }
}
