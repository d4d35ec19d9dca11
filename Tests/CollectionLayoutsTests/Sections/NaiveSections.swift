import CollectionLayouts

/// Sections laid out the long way: everything from scratch, by the letter of the rules, in coordinates
/// along and across.
struct NaiveSections {
    enum Rules {
        case flow(FlowSectionLayout)
        case masonry(MasonrySectionLayout)
    }

    struct Box {
        var along: Double
        var across: Double
        var alongExtent: Double
        var acrossExtent: Double
    }

    var direction: ScrollDirection
    var isRightToLeft = false
    var scale = 4.0
    var acrossExtent: Double
    private(set) var attributes: [LayoutAttributes] = []
    private(set) var sectionFrames: [Rect] = []
    private(set) var contentExtent = 0.0

    /// - Parameter backgrounds: the insets of the backgrounds of those sections that have one.
    init(
        _ host: SectionTestHost,
        _ direction: ScrollDirection,
        backgrounds: (Int) -> EdgeInsets? = { _ in nil },
        _ rules: (Int) -> Rules
    ) {
        self.direction = direction
        isRightToLeft = host.isRightToLeft
        scale = host.displayScale
        acrossExtent =
            host.bounds.size.across(direction) - host.adjustedContentInset.across(direction)
        var boxes: [(LayoutPlace, Box)] = []
        var sections: [Box] = []
        for (index, section) in host.sections.enumerated() {
            let start = contentExtent
            contentExtent += place(section, index, rules(index), &boxes)
            sections.append(full(start, contentExtent - start))
            if let insets = backgrounds(index) {
                background(insets, index, sections[index], &boxes)
            }
        }
        sectionFrames = sections.map { rect($0, aligned: false) }
        attributes = boxes.map { place, box in
            var attributes = LayoutAttributes(place, frame: rect(box, aligned: true))
            attributes.zIndex =
                switch place.category {
                case .cell: 0
                case .supplementary: 10
                case .decoration: -1
                }
            return attributes
        }
    }

    /// Places a section behind what there is already, and returns how long it is.
    private func place(
        _ section: TestSection,
        _ index: Int,
        _ rules: Rules,
        _ boxes: inout [(LayoutPlace, Box)]
    ) -> Double {
        // The layouts of the tests have neither insets nor headers of their own.
        let insets = section.values.insets ?? .zero
        let header = section.values.headerExtent ?? 0
        let footer = section.values.footerExtent ?? 0
        let items =
            switch rules {
            case .flow(let layout): flow(section, layout, insets)
            case .masonry(let layout): masonry(section, layout, insets)
            }
        let top = contentExtent + header + insets.leading(direction)
        for (item, box) in items.boxes.enumerated() {
            var box = box
            box.along += top
            boxes.append((.cell(ItemPath(section: index, item: item)), box))
        }
        let end = top + items.extent + insets.trailing(direction)
        if header > 0 { boxes.append((.header(index), full(contentExtent, header))) }
        if footer > 0 { boxes.append((.footer(index), full(end, footer))) }
        return end + footer - contentExtent
    }

    private func background(
        _ insets: EdgeInsets,
        _ index: Int,
        _ section: Box,
        _ boxes: inout [(LayoutPlace, Box)]
    ) {
        var box = section
        box.along += insets.leading(direction)
        box.alongExtent -= insets.leading(direction) + insets.trailing(direction)
        box.across += insets.acrossLeading(direction)
        box.acrossExtent -= insets.across(direction)
        guard box.alongExtent > 0, box.acrossExtent > 0 else { return }
        boxes.append((.background(index), box))
    }

    private func full(_ along: Double, _ extent: Double) -> Box {
        Box(along: along, across: 0, alongExtent: extent, acrossExtent: acrossExtent)
    }

    private func rect(_ box: Box, aligned: Bool) -> Rect {
        var rect =
            direction == .vertical
            ? Rect(
                x: box.across,
                y: box.along,
                width: box.acrossExtent,
                height: box.alongExtent
            )
            : Rect(
                x: box.along,
                y: box.across,
                width: box.alongExtent,
                height: box.acrossExtent
            )
        if isRightToLeft {
            let width = direction == .vertical ? acrossExtent : contentExtent
            rect.origin.x = width - rect.minX - rect.size.width
        }
        if aligned {
            rect.origin.x = (rect.minX * scale).rounded() / scale
            rect.origin.y = (rect.minY * scale).rounded() / scale
        }
        return rect
    }

    // MARK: Sections

    func flow(_ section: TestSection, _ layout: FlowSectionLayout, _ insets: EdgeInsets)
        -> (boxes: [Box], extent: Double)
    {
        NaiveLines(
            sizes: section.items.map {
                ($0.size.along(direction), $0.size.across(direction))
            },
            total: acrossExtent,
            before: insets.acrossLeading(direction),
            both: insets.across(direction),
            line: section.values.lineSpacing ?? layout.lineSpacing,
            interitem: section.values.interitemSpacing ?? layout.interitemSpacing
        ).boxes()
    }

    func masonry(_ section: TestSection, _ layout: MasonrySectionLayout, _ insets: EdgeInsets)
        -> (boxes: [Box], extent: Double)
    {
        let line = section.values.lineSpacing ?? layout.lineSpacing
        let between = section.values.interitemSpacing ?? layout.interitemSpacing
        let count = Double(layout.columnCount)
        let room = acrossExtent - insets.across(direction) - between * (count - 1)
        let width = max(0, room) / count
        var ends = Array(repeating: 0.0, count: layout.columnCount)
        var boxes: [Box] = []
        for item in section.items {
            let shortest = ends.min() ?? 0
            let column = ends.firstIndex(of: shortest) ?? 0
            let extent = item.size.along(direction)
            boxes.append(
                Box(
                    along: shortest,
                    across: insets.acrossLeading(direction) + Double(column) * (width + between),
                    alongExtent: extent,
                    acrossExtent: width
                )
            )
            ends[column] = shortest + extent + line
        }
        return (boxes, boxes.map { $0.along + $0.alongExtent }.max() ?? 0)
    }

    // MARK: Pinning

    /// The attributes with headers and footers pinned, by the letter.
    func pinned(in visible: Rect) -> [LayoutAttributes] {
        attributes.map { attributes in
            let section = attributes.indexPath.section
            func extent(_ place: LayoutPlace) -> Double {
                self.attributes.first { $0.place == place }?.size.along(direction) ?? 0
            }
            let (header, footer) = (extent(.header(section)), extent(.footer(section)))
            // Positions from the first section on.
            let flips = direction == .horizontal && isRightToLeft
            func low(_ rect: Rect) -> Double {
                let low = rect.origin.along(direction)
                return flips ? contentExtent - low - rect.size.along(direction) : low
            }
            func high(_ rect: Rect) -> Double { low(rect) + rect.size.along(direction) }
            let frame = sectionFrames[section]
            var position: Double
            var natural = attributes.frame
            if attributes.place == .header(section) {
                position = max(low(natural), low(visible))
                if position + header + footer > high(frame) {
                    position = high(frame) - footer - header
                }
            } else if attributes.place == .footer(section) {
                position = min(low(natural), high(visible) - footer)
                if position - header < low(frame) { position = low(frame) + header }
            } else {
                return attributes
            }
            if flips { position = contentExtent - position - natural.size.along(direction) }
            position = (position * scale).rounded() / scale
            if direction == .vertical {
                natural.origin.y = position
            } else {
                natural.origin.x = position
            }
            var result = attributes
            result.frame = natural
            return result
        }
    }
}

extension LayoutPlace {
    /// The background of a section, in these tests.
    static func background(_ section: Int, _ number: Int = 0) -> LayoutPlace {
        LayoutPlace(.decoration(.background), ItemPath(section: section, item: number))
    }
}

extension SupplementaryKind {
    static let background = SupplementaryKind(rawValue: "background")
}
