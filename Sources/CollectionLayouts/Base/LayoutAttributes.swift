import CollectionChanges

/// The position and appearance of one view.
///
/// A value: attributes that a layout has returned do not change. Two values are equal if all their
/// properties are equal; a view does not apply attributes that equal its own.
///
/// Source: UICollectionViewLayoutAttributes.
public struct LayoutAttributes: Hashable, Sendable {
    /// The identity of the placed view: its category and its path.
    public var place: LayoutPlace

    /// The centre of the view in content coordinates.
    public var center: Point

    /// The size of the view before the transform.
    public var size: Size

    /// The size before the transform as a rectangle with an origin of zero; setting it sets only
    /// the size.
    public var bounds: Rect {
        get { Rect(origin: .zero, size: size) }
        set { size = newValue.size }
    }

    /// The transform of the view around its centre.
    public var transform = AffineTransform.identity

    /// The opacity, from 0 (invisible) to 1.
    public var alpha = 1.0

    /// The front-to-back order: views with higher values are in front; views with equal values are
    /// in the order of paths.
    public var zIndex = 0

    /// Whether the view is hidden; the collection view need not create a hidden view.
    public var isHidden = false

    /// Creates attributes without checking them.
    public init(_ place: LayoutPlace, frame: Rect) {
        self.place = place
        center = frame.center
        size = frame.size
    }

    /// The frame of the view in content coordinates. With a transform, it is the box around the
    /// transformed view; setting it sets the centre and the size.
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

    /// The path of the item; for other views, the section and the number of the view in it.
    public var indexPath: ItemPath { place.path }

    /// The category of the placed view.
    public var representedElementCategory: ElementCategory { place.category }

    /// The kind of a supplementary or decoration view; `nil` for cells.
    public var representedElementKind: SupplementaryKind? {
        switch place.category {
        case .cell: nil
        case .supplementary(let kind), .decoration(let kind): kind
        }
    }

    /// Returns whether `other` is in front: by z-index, then by path, and at the same path by
    /// category.
    package func isBehind(_ other: LayoutAttributes) -> Bool {
        if zIndex != other.zIndex { return zIndex < other.zIndex }
        if indexPath != other.indexPath { return indexPath < other.indexPath }
        return place.category.depth < other.place.category.depth
    }
}

extension ElementCategory {
    /// The order at the same path from back to front: decorations, then cells, then their
    /// supplementary views.
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

// Changes of attributes during an update.

extension LayoutAttributes {
    /// Returns the same attributes for another place.
    func at(_ place: LayoutPlace) -> LayoutAttributes {
        var attributes = self
        attributes.place = place
        return attributes
    }

    /// Returns the attributes of the view before it appears or after it disappears, for the options
    /// that this package defines.
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

/// The category of a view that a layout places; there are exactly three.
public enum ElementCategory: Hashable, Sendable {
    /// The cell of an item.
    case cell
    /// A supplementary view, such as a header, which the data source provides.
    case supplementary(SupplementaryKind)
    /// A decoration view, which only the layout knows.
    case decoration(SupplementaryKind)
}

extension ElementCategory: CustomStringConvertible {
    /// The category as text, such as `cell`, `header` or `decoration background`.
    public var description: String {
        switch self {
        case .cell: "cell"
        case .supplementary(let kind): "\(kind)"
        case .decoration(let kind): "decoration \(kind)"
        }
    }
}

extension ElementCategory {
    /// The sort order: cells first, decorations last.
    var rank: Int {
        switch self {
        case .cell: 0
        case .supplementary: 1
        case .decoration: 2
        }
    }
}
