import CollectionLayouts

/// What stays where it is on the screen while the layout changes.
///
/// | the first of these that there is | of several |
/// |---|---|
/// | the content's beginning, if it is visible | |
/// | a visible cell that stays and whose beginning is visible, then one that is partly visible | the first by path |
/// | a visible cell that is reloaded, in the same order | the first by path |
/// | a visible supplementary view that stays or whose section is reloaded, in the same order | the first by place |
/// | what stays out of sight, no farther than the pages that the viewport touches | the nearest |
/// | a visible cell that the update moves, itself or with its section | the first by path |
enum ScrollAnchor: Hashable {
    /// The content's beginning is visible, and remains so.
    case beginning
    /// An element, and how far its leading corner is from that of the frame of reference.
    case element(LayoutPlace, distance: Point, isRightToLeft: Bool)

    /// What an update does to an element that exists before and after it.
    enum Fate { case stays, isReloaded, moves }

    /// What distances are measured from: the viewport, or the part of it that the insets leave free.
    struct Reference {
        let bounds: Rect
        let isRightToLeft: Bool

        fileprivate func distance(to frame: Rect) -> Point {
            let x = isRightToLeft ? frame.maxX - bounds.maxX : frame.minX - bounds.minX
            return Point(x: x, y: frame.minY - bounds.minY)
        }
    }

    /// The place of the element, if it is one.
    var place: LayoutPlace? {
        if case .element(let place, _, _) = self { place } else { nil }
    }

    /// Chooses the element that holds the reader's place; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - candidates: the attributes of elements in and around the viewport.
    ///   - reference: what the distance is measured from.
    ///   - visible: the viewport without what lies over it.
    ///   - fate: what happens to an element; `nil` if it is gone afterwards.
    init?(
        _ candidates: some Sequence<LayoutAttributes>,
        _ reference: Reference,
        visible: Rect,
        fate: (LayoutPlace) -> Fate?
    ) {
        var best: (order: (Int, Double), attributes: LayoutAttributes)?
        for attributes in candidates where !attributes.isHidden {
            let isRightToLeft = reference.isRightToLeft
            guard let fate = fate(attributes.place),
                let order = Self.order(attributes, fate, visible, isRightToLeft)
            else { continue }
            let isBetter =
                best.map { best in
                    order == best.order
                        ? attributes.place < best.attributes.place : order < best.order
                } ?? true
            if isBetter { best = (order, attributes) }
        }
        guard let found = best?.attributes else { return nil }
        self = .element(
            found.place,
            distance: reference.distance(to: found.frame),
            isRightToLeft: reference.isRightToLeft
        )
    }

    /// How soon an element is chosen: the least first, then the nearest; `nil` for never.
    private static func order(
        _ attributes: LayoutAttributes,
        _ fate: Fate,
        _ visible: Rect,
        _ isRightToLeft: Bool
    ) -> (Int, Double)? {
        let frame = attributes.frame
        if case .decoration = attributes.representedElementCategory { return nil }
        guard frame.intersects(visible) else {
            return fate == .stays ? (6, visible.distance(to: frame)) : nil
        }
        let isLeading = isRightToLeft ? frame.maxX <= visible.maxX : frame.minX >= visible.minX
        let part = isLeading && frame.minY >= visible.minY ? 0 : 1
        if attributes.representedElementCategory != .cell {
            return fate == .moves ? nil : (4 + part, 0)
        }
        return switch fate {
        case .stays: (part, 0)
        case .isReloaded: (2 + part, 0)
        case .moves: (7 + part, 0)
        }
    }

    /// The same after an update; `nil` if the element is gone.
    func moved(_ newPlace: (LayoutPlace) -> LayoutPlace?) -> ScrollAnchor? {
        guard case .element(let place, let distance, let isRightToLeft) = self else { return self }
        return newPlace(place).map {
            .element($0, distance: distance, isRightToLeft: isRightToLeft)
        }
    }

    /// The content offset that keeps the anchor where it was; `nil` if the element is nowhere.
    ///
    /// - Parameters:
    ///   - start: the offset at the content's beginning.
    ///   - reference: what distances are measured from, with the content offset at the origin.
    ///   - frame: where an element is now.
    func offset(start: Point, in reference: Rect, _ frame: (LayoutPlace) -> Rect?) -> Point? {
        switch self {
        case .beginning: start
        case .element(let place, let distance, let isRightToLeft):
            frame(place).map { frame in
                let new = Reference(bounds: reference, isRightToLeft: isRightToLeft)
                    .distance(to: frame)
                return Point(x: new.x - distance.x, y: new.y - distance.y)
            }
        }
    }
}

extension Rect {
    /// How far apart two rectangles are; 0 if they touch.
    fileprivate func distance(to other: Rect) -> Double {
        let x = max(0, other.minX - maxX, minX - other.maxX)
        let y = max(0, other.minY - maxY, minY - other.maxY)
        return x + y
    }
}
