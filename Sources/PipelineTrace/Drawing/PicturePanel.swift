import CollectionLayouts

/// One picture as a part of a sheet: what of it is drawn, and how it is marked.
struct PicturePanel {
    /// As it is seen.
    let picture: LayoutPicture
    let area: PictureArea
    /// What is drawn, from behind to in front.
    let elements: [PicturedElement]
    private(set) var leftOut = LeftOutElements()
    /// Where in `elements` a place is; looked up and never iterated, as are the marks.
    private let indexes: [LayoutPlace: Int]
    private(set) var marks: [LayoutPlace: (kind: EditMark, number: Int?)] = [:]
    private var kinds: Set<EditMark> = []
    /// What moved as a whole.
    private(set) var groups: [(frame: Rect, number: Int)] = []

    /// Room around the area for lines that run along its edge, and for badges.
    static let slack = 9.0

    init(_ picture: LayoutPicture) {
        let picture = picture.seen
        self.picture = picture
        area = PictureArea(picture)
        var elements: [PicturedElement] = []
        for element in picture.elements {
            switch Self.visibility(of: element.attributes, in: area.shown) {
            case .shown: elements.append(element)
            case .unusable: leftOut.unusable += 1
            case .hidden: leftOut.hidden += 1
            case .empty: leftOut.empty += 1
            case .outside: leftOut.outside += 1
            }
        }
        // Sorting is stable, but no one promises that it is.
        let sorted = elements.enumerated().sorted { left, right in
            let (first, second) = (left.element.attributes, right.element.attributes)
            if first.isBehind(second) { return true }
            return !second.isBehind(first) && left.offset < right.offset
        }.map(\.element)
        self.elements = sorted
        indexes = Dictionary(
            sorted.enumerated().map { ($0.element.attributes.place, $0.offset) },
            uniquingKeysWith: { $1 }
        )
    }

    // MARK: Elements

    private enum Visibility { case shown, unusable, hidden, empty, outside }

    private static func visibility(of attributes: LayoutAttributes, in area: Rect) -> Visibility {
        if attributes.isHidden { return .hidden }
        let (frame, map) = (attributes.frame, attributes.transform)
        let parts = [map.a, map.b, map.c, map.d]
        let untransformed = Rect(origin: attributes.center, size: attributes.size)
        guard PictureArea.isDrawable(frame), PictureArea.isDrawable(untransformed),
            parts.allSatisfy({ $0.magnitude <= 1e4 }), !attributes.alpha.isNaN
        else { return .unusable }
        if frame.isEmpty { return .empty }
        return frame.intersects(area) ? .shown : .outside
    }

    // MARK: Marks

    /// Marks an element; its frame, or nil if it is not drawn.
    mutating func mark(_ place: LayoutPlace, _ kind: EditMark, number: Int? = nil) -> Rect? {
        guard let index = indexes[place] else {
            leftOut.edits += 1
            return nil
        }
        marks[place] = (kind, number)
        kinds.insert(kind)
        return elements[index].attributes.frame
    }

    /// Marks a section that moved; the frame around its elements, or nil if none is drawn.
    mutating func markMove(ofSection section: Int, number: Int) -> Rect? {
        let frames = elements.map(\.attributes).filter { $0.indexPath.section == section }.map(
            \.frame
        )
        guard let first = frames.first else {
            leftOut.edits += 1
            return nil
        }
        let frame = frames.dropFirst().reduce(first) { $0.union($1) }
        groups.append((frame, number))
        kinds.insert(.moved)
        return frame
    }

    /// Marks what is in a section that was reloaded, but for what has a mark of its own; that may also come
    /// later, and then takes the place of this.
    mutating func markReload(ofSection section: Int) {
        for place in elements.map(\.attributes.place)
        where place.path.section == section && marks[place] == nil {
            marks[place] = (.reloaded, nil)
            kinds.insert(.reloaded)
        }
    }

    var isMarked: Bool { !kinds.isEmpty }

    /// Whether something is marked so.
    func shows(_ kind: EditMark) -> Bool { kinds.contains(kind) }
}
