import CollectionElements

/// What a composed layout has laid out.
struct ComposedState: Sendable {
    let direction: ScrollDirection
    var sections = SectionStack<ComposedSection>()
    /// The extent across the scroll direction that they were laid out for; 0 before.
    var acrossExtent = 0.0

    var contentSize: Size {
        guard acrossExtent > 0 else { return .zero }
        return Size(along: sections.extent, across: acrossExtent, direction)
    }

    /// A section with where it is; nil without room.
    func placedSection(at index: Int) -> PlacedSection? {
        guard acrossExtent > 0, let section = sections.element(at: index) else { return nil }
        return PlacedSection(index: index, section: section, offset: sections.start(of: index))
    }

    /// A section that is looked at.
    struct PlacedSection {
        let index: Int
        let section: ComposedSection
        /// Where it begins, along the scroll direction from the first section on.
        let offset: Double
    }
}

/// What a composed layout has laid out, as a view shows it and features rewrite it.
///
/// It answers alike of the newest state and of the one before an update.
struct ComposedScene {
    typealias PlacedSection = ComposedState.PlacedSection

    let state: ComposedState
    let viewport: Viewport
    /// How wide the content is in which everything is mirrored where it runs from right to left.
    let mirroredWidth: Double
    let features: [any LayoutFeature]

    /// What the view shows of the content, as features see it.
    struct Viewport {
        let bounds: Rect
        let visibleRect: Rect
        let isRightToLeft: Bool
        let displayScale: Double

        init(_ bounds: Rect, in host: (any LayoutHost)?) {
            self.bounds = bounds
            visibleRect = bounds.inset(by: host?.adjustedContentInset ?? .zero)
            isRightToLeft = host?.isRightToLeft ?? false
            let scale = host?.displayScale ?? 1
            displayScale = scale.isFinite && scale > 0 ? scale : 1
        }
    }

    /// From content coordinates that run from left to right to those of the view, or back.
    func mirrored(_ rect: Rect) -> Rect {
        guard viewport.isRightToLeft else { return rect }
        return Rect(origin: Point(x: mirroredWidth - rect.maxX, y: rect.minY), size: rect.size)
    }

    /// Where an element of a section is, in coordinates of the view.
    func rect(_ element: SectionElement, in placed: PlacedSection) -> Rect {
        var frame = AxisRect(element.frame, state.direction)
        frame.along += placed.offset
        return mirrored(frame.rect(state.direction))
    }

    /// What features know about a section.
    func surroundings(of placed: PlacedSection) -> LayoutSurroundings {
        let direction = state.direction
        let arrangement = placed.section.arrangement
        let frame = AxisRect(
            along: placed.offset,
            across: 0,
            alongExtent: placed.section.extent,
            acrossExtent: state.acrossExtent
        )
        return LayoutSurroundings(
            sectionFrame: mirrored(frame.rect(direction)),
            headerExtent: arrangement.headerFrame?.size.along(direction) ?? 0,
            footerExtent: arrangement.footerFrame?.size.along(direction) ?? 0,
            bounds: viewport.bounds,
            visibleRect: viewport.visibleRect,
            scrollDirection: direction,
            isRightToLeft: viewport.isRightToLeft,
            displayScale: viewport.displayScale
        )
    }

    /// The attributes of an element of a section, as features have them.
    func attributes(
        of element: SectionElement,
        in placed: PlacedSection,
        _ surroundings: LayoutSurroundings
    ) -> LayoutAttributes {
        var rect = rect(element, in: placed)
        rect.origin.x = surroundings.pixelAligned(rect.origin.x)
        rect.origin.y = surroundings.pixelAligned(rect.origin.y)
        var attributes = LayoutAttributes(element.place, frame: rect)
        attributes.zIndex = element.zIndex
        return features.reduce(attributes) { $1.rewrite($0, in: surroundings) }
    }

    func attributes(for place: LayoutPlace) -> LayoutAttributes? {
        guard let placed = state.placedSection(at: place.path.section),
            let element = placed.section.element(at: place)
        else { return nil }
        return attributes(of: element, in: placed, surroundings(of: placed))
    }
}

// MARK: - By rectangle

extension ComposedScene {
    /// - Parameter visitedSections: how many sections were looked at, steps of searches included, added up.
    func elements(in rect: Rect, _ visitedSections: inout Int) -> [LayoutAttributes] {
        guard let asked = SearchedRect(rect, in: self) else { return [] }
        var found: [LayoutAttributes] = []
        forEachSection(in: asked, &visitedSections) { placed in
            let surroundings = surroundings(of: placed)
            for element in items(in: placed, asked)
                + placed.section.surroundings(ofSection: placed.index)
            {
                let attributes = attributes(of: element, in: placed, surroundings)
                if attributes.frame.intersects(rect) { found.append(attributes) }
            }
        }
        return found
    }

    /// A rectangle with what may come to lie in it, in coordinates that run from left to right.
    struct SearchedRect {
        var rect: AxisRect

        /// Nil where the rectangle is none.
        init?(_ rect: Rect, in scene: ComposedScene) {
            // Infinite rectangles ask for everything; further out than this there is nothing.
            let edge = 1e18
            let (left, right) = (max(-edge, rect.minX), min(edge, rect.maxX))
            let (top, bottom) = (max(-edge, rect.minY), min(edge, rect.maxY))
            guard left <= right, top <= bottom, scene.state.acrossExtent > 0 else { return nil }
            let finite = Rect(x: left, y: top, width: right - left, height: bottom - top)
            self.rect = AxisRect(scene.mirrored(finite), scene.state.direction)
            let content = scene.state.contentSize
            // Aligning to pixels moves by half of one, and sums are rounded; a rectangle is kept by its
            // lower edges, so the upper ones have the digits of the larger numbers.
            let edges = max(abs(left), abs(right), abs(top), abs(bottom))
            let sums = max(edges, content.width, content.height)
            let rounding = 1 / scene.viewport.displayScale + sums * 0x1p-47
            let reach = scene.features.reduce(rounding) { sum, feature in
                sum + min(edge, max(0, feature.reach))
            }
            self.rect.along -= reach
            self.rect.alongExtent += 2 * reach
            self.rect.across -= rounding
            self.rect.acrossExtent += 2 * rounding
        }
    }

    func forEachSection(
        in asked: SearchedRect,
        _ visitedSections: inout Int,
        _ body: (PlacedSection) -> Void
    ) {
        guard let interval = ClosedRange.checked(asked.rect.along, asked.rect.alongEnd) else {
            return
        }
        visitedSections += 1
        state.sections.visit(interval) { index, section, start in
            visitedSections += 1
            body(PlacedSection(index: index, section: section, offset: start))
        }
    }

    func items(in placed: PlacedSection, _ asked: SearchedRect) -> [SectionElement] {
        var local = asked.rect
        local.along -= placed.offset
        return placed.section.items(in: local.rect(state.direction), ofSection: placed.index)
    }
}

/// What a composed layout keeps about one section; nothing in it depends on where the section is.
struct ComposedSection: LaidOutSection {
    let layout: any SectionLayout
    let itemCount: Int
    let preferred: PreferredSizes
    let arrangement: any SectionArrangement
    /// The arrangement's extent, if it can be used.
    let extent: Double
}
