import CollectionChanges

/// How one view is placed and shown.
///
/// A value: what a layout returns is kept as it was returned. Two are equal when all that they say is,
/// and a view does not apply what equals what it has.
///
/// Source: UICollectionViewLayoutAttributes.
public struct LayoutAttributes: Hashable, Sendable {
    /// What is placed.
    public var place: LayoutPlace

    /// The middle, in content coordinates.
    public var center: Point

    /// The extents before the transform.
    public var size: Size

    /// The extents before the transform, from an origin of zero; setting it sets the size alone.
    public var bounds: Rect {
        get { Rect(origin: .zero, size: size) }
        set { size = newValue.size }
    }

    /// What happens to the view around its middle.
    public var transform = AffineTransform.identity

    /// From 0, invisible, to 1.
    public var alpha = 1.0

    /// What is higher is in front; equal ones are in the order of paths.
    public var zIndex = 0

    /// Whether the view is not shown; a hidden one may not even be made.
    public var isHidden = false

    /// Makes attributes; nothing is checked.
    public init(_ place: LayoutPlace, frame: Rect) {
        self.place = place
        center = frame.center
        size = frame.size
    }

    /// Where the view is, in content coordinates. With a transform, the box around the transformed view;
    /// setting it sets the middle and the size.
    public var frame: Rect {
        get {
            let (width, height) = (size.width, size.height)
            guard transform != .identity else {
                return Rect(
                    x: center.x - width / 2,
                    y: center.y - height / 2,
                    width: width,
                    height: height
                )
            }
            let boxWidth = abs(transform.a) * width + abs(transform.c) * height
            let boxHeight = abs(transform.b) * width + abs(transform.d) * height
            return Rect(
                x: center.x + transform.tx - boxWidth / 2,
                y: center.y + transform.ty - boxHeight / 2,
                width: boxWidth,
                height: boxHeight
            )
        }
        set {
            center = newValue.center
            size = newValue.size
        }
    }

    /// The item; for other views the section, and their number in it.
    public var indexPath: ItemPath { place.path }

    /// What kind of view is placed.
    public var representedElementCategory: ElementCategory { place.category }

    /// The kind of a supplementary or decoration view; nil for cells.
    public var representedElementKind: SupplementaryKind? {
        switch place.category {
        case .cell: nil
        case .supplementary(let kind), .decoration(let kind): kind
        }
    }
}

extension LayoutAttributes {
    /// Whether `other` is in front: by z-index, then by path, and at the same path by what the two are.
    package func isBehind(_ other: LayoutAttributes) -> Bool {
        if zIndex != other.zIndex { return zIndex < other.zIndex }
        if indexPath != other.indexPath { return indexPath < other.indexPath }
        return place.category.depth < other.place.category.depth
    }
}

extension ElementCategory {
    /// What lies behind what at the same path: decorations, then cells, then what belongs to them.
    fileprivate var depth: Int {
        switch self {
        case .decoration: 0
        case .cell: 1
        case .supplementary(.header): 2
        case .supplementary(.footer): 3
        case .supplementary: 4
        }
    }
}

// What changes about attributes around an update.

extension LayoutAttributes {
    /// The same of another place.
    func at(_ place: LayoutPlace) -> LayoutAttributes {
        var attributes = self
        attributes.place = place
        return attributes
    }

    /// The same of a view that is not there yet, or no longer, as the options that this package knows say.
    func absent(by animation: AnimationOption, isRightToLeft: Bool) -> LayoutAttributes {
        var absent = self
        let trailing = isRightToLeft ? -size.width : size.width
        switch animation {
        case .none: break
        case .leading: absent.center.x -= trailing
        case .trailing: absent.center.x += trailing
        case .top: absent.center.y -= size.height
        case .bottom: absent.center.y += size.height
        default: absent.alpha = 0
        }
        return absent
    }
}
