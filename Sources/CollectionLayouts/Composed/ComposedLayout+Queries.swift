import CollectionElements

extension ComposedLayout {
    /// What the view shows of the content, as features see it.
    struct Viewport {
        let bounds: Rect
        let visibleRect: Rect
        let isRightToLeft: Bool
        let displayScale: Double
    }

    func viewport(_ bounds: Rect? = nil) -> Viewport {
        let bounds = bounds ?? host?.bounds ?? .zero
        let scale = host?.displayScale ?? 1
        return Viewport(
            bounds: bounds,
            visibleRect: bounds.inset(by: host?.adjustedContentInset ?? .zero),
            isRightToLeft: host?.isRightToLeft ?? false,
            displayScale: scale.isFinite && scale > 0 ? scale : 1
        )
    }

    /// A section that is looked at.
    struct PlacedSection {
        let index: Int
        let section: ComposedSection
        /// Where it begins, along the scroll direction from the first section on.
        let offset: Double
    }

    /// From content coordinates that run from left to right to those of the view, or back.
    func mirrored(_ rect: Rect, _ viewport: Viewport) -> Rect {
        guard viewport.isRightToLeft else { return rect }
        return Rect(
            origin: Point(x: contentSize.width - rect.maxX, y: rect.minY),
            size: rect.size
        )
    }

    func frame(of placed: PlacedSection, _ viewport: Viewport) -> Rect {
        let frame = AxisRect(
            along: placed.offset,
            across: 0,
            alongExtent: placed.section.extent,
            acrossExtent: acrossExtent
        )
        return mirrored(frame.rect(scrollDirection), viewport)
    }

    /// What features know about a section.
    func surroundings(of placed: PlacedSection, _ viewport: Viewport) -> LayoutSurroundings {
        let arrangement = placed.section.arrangement
        return LayoutSurroundings(
            sectionFrame: frame(of: placed, viewport),
            headerExtent: arrangement.headerFrame?.size.along(scrollDirection) ?? 0,
            footerExtent: arrangement.footerFrame?.size.along(scrollDirection) ?? 0,
            bounds: viewport.bounds,
            visibleRect: viewport.visibleRect,
            scrollDirection: scrollDirection,
            isRightToLeft: viewport.isRightToLeft,
            displayScale: viewport.displayScale
        )
    }

    /// The attributes of an element of a section, as features have them.
    func attributes(
        of element: SectionElement,
        in placed: PlacedSection,
        _ surroundings: LayoutSurroundings,
        _ viewport: Viewport
    ) -> LayoutAttributes {
        var frame = AxisRect(element.frame, scrollDirection)
        frame.along += placed.offset
        var rect = mirrored(frame.rect(scrollDirection), viewport)
        rect.origin.x = surroundings.pixelAligned(rect.origin.x)
        rect.origin.y = surroundings.pixelAligned(rect.origin.y)
        var attributes = LayoutAttributes(element.place, frame: rect)
        attributes.zIndex = element.zIndex
        return features.reduce(attributes) { $1.rewrite($0, in: surroundings) }
    }

    func placedSection(at index: Int) -> PlacedSection? {
        guard sections.indices.contains(index), acrossExtent > 0 else { return nil }
        return PlacedSection(
            index: index,
            section: sections[index],
            offset: sections.offset(of: index)
        )
    }

    func finalAttributes(of place: LayoutPlace) -> LayoutAttributes? {
        guard let placed = placedSection(at: place.path.section),
            let element = placed.section.element(at: place)
        else { return nil }
        let viewport = viewport()
        return attributes(of: element, in: placed, surroundings(of: placed, viewport), viewport)
    }

    // MARK: By rectangle

    func elements(in rect: Rect) -> [LayoutAttributes] {
        let viewport = viewport()
        guard let asked = SearchedRect(rect, in: self, viewport) else { return [] }
        var found: [LayoutAttributes] = []
        forEachSection(in: asked) { placed in
            let surroundings = surroundings(of: placed, viewport)
            for element in items(in: placed, asked)
                + placed.section.surroundings(ofSection: placed.index)
            {
                let attributes = attributes(of: element, in: placed, surroundings, viewport)
                if attributes.frame.intersects(rect) { found.append(attributes) }
            }
        }
        return found
    }

    /// A rectangle with what may come to lie in it, in coordinates that run from left to right.
    struct SearchedRect {
        var rect: AxisRect

        /// Nil where the rectangle is none.
        init?(_ rect: Rect, in layout: ComposedLayout, _ viewport: Viewport) {
            // Infinite rectangles ask for everything; further out than this there is nothing.
            let edge = 1e18
            let (left, right) = (max(-edge, rect.minX), min(edge, rect.maxX))
            let (top, bottom) = (max(-edge, rect.minY), min(edge, rect.maxY))
            guard left <= right, top <= bottom, layout.acrossExtent > 0 else { return nil }
            let finite = Rect(x: left, y: top, width: right - left, height: bottom - top)
            self.rect = AxisRect(
                layout.mirrored(finite, viewport),
                layout.scrollDirection
            )
            let content = layout.contentSize
            // Aligning to pixels moves by half of one, and sums are rounded; a rectangle is kept by its
            // lower edges, so the upper ones have the digits of the larger numbers.
            let edges = max(abs(left), abs(right), abs(top), abs(bottom))
            let sums = max(edges, content.width, content.height)
            let rounding = 1 / viewport.displayScale + sums * 0x1p-47
            let reach = layout.features.reduce(rounding) { sum, feature in
                sum + min(edge, max(0, feature.reach))
            }
            self.rect.along -= reach
            self.rect.alongExtent += 2 * reach
            self.rect.across -= rounding
            self.rect.acrossExtent += 2 * rounding
        }
    }

    func forEachSection(in asked: SearchedRect, _ body: (PlacedSection) -> Void) {
        // Sections that end where the rectangle begins may still touch it.
        let first = sections.firstPosition { $0.sum >= asked.rect.along }
        var (position, before) = (first.position, first.before)
        visitedSections += 1
        var iterator = sections.makeIterator(from: position)
        while before.sum <= asked.rect.alongEnd, let section = iterator.next() {
            visitedSections += 1
            body(PlacedSection(index: position, section: section, offset: before.sum))
            before = before.combined(with: SectionExtents(of: section))
            position += 1
        }
    }

    func items(in placed: PlacedSection, _ asked: SearchedRect) -> [SectionElement] {
        var local = asked.rect
        local.along -= placed.offset
        return placed.section.items(in: local.rect(scrollDirection), ofSection: placed.index)
    }
}
