import CollectionElements

/// An element of a section, in coordinates of the section that nobody has mirrored yet.
struct SectionElement {
    let place: LayoutPlace
    let frame: Rect
    let zIndex: Int

    /// In front of the cells, pinned or not, as UIKit has headers and footers.
    static let supplementaryZIndex = 10

    init(_ place: LayoutPlace, _ frame: Rect, zIndex: Int = 0) {
        self.place = place
        self.frame = frame.usable
        self.zIndex = zIndex
    }
}

extension ComposedSection {
    func element(at place: LayoutPlace) -> SectionElement? {
        let item = place.path.item
        switch place.category {
        case .cell:
            guard (0..<itemCount).contains(item) else { return nil }
            return arrangement.frame(ofItem: item).map { SectionElement(place, $0) }
        case .supplementary(let kind): return item == 0 ? supplementary(kind, place) : nil
        case .decoration(let kind):
            guard item >= 0 else { return nil }
            return arrangement.decorations.lazy.filter { $0.kind == kind }.dropFirst(item).first
                .map { SectionElement(place, $0.frame, zIndex: $0.zIndex) }
        }
    }

    private func supplementary(_ kind: SupplementaryKind, _ place: LayoutPlace) -> SectionElement? {
        let frame: Rect? =
            switch kind {
            case .header: arrangement.headerFrame
            case .footer: arrangement.footerFrame
            default: nil
            }
        return frame.map {
            SectionElement(place, $0, zIndex: SectionElement.supplementaryZIndex)
        }
    }

    /// The items that reach into `rect`, and perhaps neighbours.
    func items(in rect: Rect, ofSection index: Int) -> [SectionElement] {
        var found: [SectionElement] = []
        arrangement.forEachItem(in: rect) { item, frame in
            guard (0..<itemCount).contains(item) else { return }
            found.append(SectionElement(.cell(ItemPath(section: index, item: item)), frame))
        }
        return found
    }

    /// Header, footer and decorations, as far as there are any.
    func surroundings(ofSection index: Int) -> [SectionElement] {
        let path = ItemPath(section: index, item: 0)
        var found = [SupplementaryKind.header, .footer].compactMap {
            supplementary($0, LayoutPlace(.supplementary($0), path))
        }
        var numbers: [SupplementaryKind: Int] = [:]
        for decoration in arrangement.decorations {
            let number = numbers[decoration.kind, default: 0]
            numbers[decoration.kind] = number + 1
            let place = LayoutPlace(
                .decoration(decoration.kind),
                ItemPath(section: index, item: number)
            )
            found.append(SectionElement(place, decoration.frame, zIndex: decoration.zIndex))
        }
        return found
    }
}

extension Rect {
    /// With numbers that cannot be used as zero; an arrangement may come from anyone.
    fileprivate var usable: Rect {
        let limit = ComposedLayout.largestExtent
        func position(_ value: Double) -> Double { abs(value) <= limit ? value : 0 }
        func extent(_ value: Double) -> Double { (0...limit).contains(value) ? value : 0 }
        return Rect(
            x: position(minX),
            y: position(minY),
            width: extent(size.width),
            height: extent(size.height)
        )
    }
}
