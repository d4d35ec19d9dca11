import CollectionElements

/// The result of a composed layout.
struct ComposedState: Sendable {
    let direction: ScrollDirection
    var sections = SectionStack<ComposedSection>()
    /// The extent across the scroll direction that the sections were laid out for; 0 before the
    /// first layout.
    var acrossExtent = 0.0

    var contentSize: Size {
        guard acrossExtent > 0 else { return .zero }
        return Size(along: sections.extent, across: acrossExtent, direction)
    }

    /// Returns a section with its offset; `nil` if there is no such section or no space.
    func placedSection(at index: Int) -> PlacedSection? {
        guard acrossExtent > 0, let section = sections.element(at: index) else { return nil }
        return PlacedSection(index: index, section: section, offset: sections.start(of: index))
    }

    /// A section with its index and offset.
    struct PlacedSection {
        let index: Int
        let section: ComposedSection
        /// The start of the section along the scroll direction, relative to the first section.
        let offset: Double
    }
}

/// The result of a composed layout as a view shows it, after features have rewritten it.
///
/// It works in the same way for the newest state and for the state before an update.
struct ComposedScene {
    typealias PlacedSection = ComposedState.PlacedSection

    let state: ComposedState
    let viewport: Viewport
    /// The width of the content, in which everything is mirrored if it runs from right to left.
    let mirroredWidth: Double
    let features: [any LayoutFeature]

    /// The view's bounds and properties that features use.
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

    /// Converts from left-to-right content coordinates to those of the view, or back.
    func mirrored(_ rect: Rect) -> Rect {
        guard viewport.isRightToLeft else { return rect }
        return Rect(origin: Point(x: mirroredWidth - rect.maxX, y: rect.minY), size: rect.size)
    }

    /// Returns the frame of a section's element in the coordinates of the view.
    func rect(_ element: SectionElement, in placed: PlacedSection) -> Rect {
        var frame = AxisRect(element.frame, state.direction)
        frame.along += placed.offset
        return mirrored(frame.rect(state.direction))
    }

    /// Returns the information about a section that features receive.
    func environment(of placed: PlacedSection) -> LayoutEnvironment {
        let direction = state.direction
        let arrangement = placed.section.arrangement
        let frame = AxisRect(
            along: placed.offset,
            across: 0,
            alongExtent: placed.section.extent,
            acrossExtent: state.acrossExtent
        )
        return LayoutEnvironment(
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

    /// Returns the attributes of a section's element after all features.
    func attributes(
        of element: SectionElement,
        in placed: PlacedSection,
        _ environment: LayoutEnvironment
    ) -> LayoutAttributes {
        var rect = rect(element, in: placed)
        rect.origin.x = environment.pixelAligned(rect.origin.x)
        rect.origin.y = environment.pixelAligned(rect.origin.y)
        var attributes = LayoutAttributes(element.place, frame: rect)
        attributes.zIndex = element.zIndex
        return features.reduce(attributes) { $1.rewrite($0, in: environment) }
    }

    func attributes(for place: LayoutPlace) -> LayoutAttributes? {
        guard let placed = state.placedSection(at: place.path.section),
            let element = placed.section.element(at: place)
        else { return nil }
        return attributes(of: element, in: placed, environment(of: placed))
    }

    // MARK: By rectangle

    /// - Parameter visitedSections: A counter that increases by the number of visited sections,
    ///   including search steps.
    func elements(in rect: Rect, _ visitedSections: inout Int) -> [LayoutAttributes] {
        guard let searched = SearchedRect(rect, in: self) else { return [] }
        var found: [LayoutAttributes] = []
        forEachSection(in: searched, &visitedSections) { placed in
            let environment = environment(of: placed)
            for element in items(in: placed, searched)
                + placed.section.boundaryElements(ofSection: placed.index)
            {
                let attributes = attributes(of: element, in: placed, environment)
                if attributes.frame.intersects(rect) { found.append(attributes) }
            }
        }
        return found
    }

    /// A query rectangle in left-to-right coordinates, enlarged by the distance by which elements
    /// may be moved into it.
    struct SearchedRect {
        var rect: AxisRect

        /// Creates a searched rectangle; returns `nil` if the rectangle is invalid.
        init?(_ rect: Rect, in scene: ComposedScene) {
            // Infinite rectangles cover everything; no element lies farther away than this.
            let edge = 1e18
            let (left, right) = (max(-edge, rect.minX), min(edge, rect.maxX))
            let (top, bottom) = (max(-edge, rect.minY), min(edge, rect.maxY))
            guard left <= right, top <= bottom, scene.state.acrossExtent > 0 else { return nil }
            let finite = Rect(x: left, y: top, width: right - left, height: bottom - top)
            self.rect = AxisRect(scene.mirrored(finite), scene.state.direction)
            let content = scene.state.contentSize
            // Pixel alignment moves elements by up to half a pixel, and sums are rounded. A
            // rectangle stores its lower edges, so the upper edges have the precision of the
            // largest number.
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
        in searched: SearchedRect,
        _ visitedSections: inout Int,
        _ body: (PlacedSection) -> Void
    ) {
        guard let interval = ClosedRange.checked(searched.rect.along, searched.rect.alongEnd) else {
            return
        }
        visitedSections += 1
        state.sections.visit(interval) { index, section, start in
            visitedSections += 1
            body(PlacedSection(index: index, section: section, offset: start))
        }
    }

    func items(in placed: PlacedSection, _ searched: SearchedRect) -> [SectionElement] {
        var local = searched.rect
        local.along -= placed.offset
        return placed.section.items(in: local.rect(state.direction), ofSection: placed.index)
    }
}

/// The data that a composed layout keeps for one section; it does not depend on the section's
/// place.
struct ComposedSection: LaidOutSection {
    let layout: any SectionLayout
    let itemCount: Int
    let preferred: PreferredSizes
    let arrangement: any SectionArrangement
    /// The arrangement's extent, or 0 if that is invalid.
    let extent: Double
}
