import CollectionLayouts

/// What a layout looks like at one moment: the viewport, the content, and the elements of it.
///
/// It is a value to be drawn, with ``svg(style:)``, or to be compared with another in an
/// ``UpdatePicture``. Of a `SimulatedCollectionView`, ``init(of:title:area:text:key:)`` takes it; elsewhere
/// whoever takes the picture decides which elements are in it: mostly the answer of a layout for the part
/// of the content that ``area`` names.
///
/// ```swift
/// var picture = LayoutPicture(bounds: host.bounds, contentSize: layout.collectionViewContentSize)
/// let everything = Rect(origin: .zero, size: layout.collectionViewContentSize)
/// picture.elements = layout.layoutAttributesForElements(in: everything).map { attributes in
///     PicturedElement(attributes, lines: ["\(attributes.indexPath)"])
/// }
/// let text = picture.svg()
/// ```
///
/// Shape: rectangles are in content coordinates, also of a view that is inverted; elements come in any order, and at
/// most one for a place.
/// Any numbers may come in: what cannot be drawn is left out and counted below the picture.
///
/// Threading: a value, usable anywhere.
public struct LayoutPicture: Hashable, Sendable {
    /// What stands above it; nothing if it is empty.
    public var title = ""

    /// The viewport.
    public var bounds: Rect

    /// What the view keeps free within the viewport, for bars say; drawn as a dotted line.
    public var insets = EdgeInsets.zero

    /// How large the content is.
    public var contentSize: Size

    /// The part to draw; nil for the viewport and the content, as far as ``largestExtent`` allows.
    public var area: Rect?

    /// The elements, in any order.
    public var elements: [PicturedElement]

    /// The ranges around the viewport; nil, the default, for none.
    public var ranges: PicturedRanges?

    /// Whether text begins at the right edge.
    public var isRightToLeft = false

    /// The axis along which it is drawn from its other end, with each element upright, as a reader sees an
    /// inverted view; nil, the default, for none.
    public var invertedAxis: ScrollDirection?

    /// The largest width and height that are drawn, in the unit of layouts: a picture is to be looked at,
    /// and a browser shows no larger one. The part around the middle of the viewport is drawn of what is
    /// larger.
    public static let largestExtent = 8000.0

    /// Makes a picture; nothing is checked.
    public init(bounds: Rect, contentSize: Size, elements: [PicturedElement] = []) {
        self.bounds = bounds
        self.contentSize = contentSize
        self.elements = elements
    }
}

extension LayoutPicture {
    /// The picture as an SVG document without an XML declaration, so that it may be a file as well as
    /// a part of a page.
    ///
    /// The same picture gives the same bytes everywhere. The viewport is outlined, and what is beyond it is
    /// pale; elements that are in front are drawn in front, with their transforms and opacities; what
    /// cannot be drawn, or is hidden, is left out and counted below. Ranges are outlined too, where there are any,
    /// and what is in them is not pale; an element shows how near it is, and is crossed out while it has no
    /// node. Nothing depends on colours alone.
    ///
    /// Errors: none, and nothing traps; any text and any number may be in it.
    ///
    /// Complexity: O(n log n) for n elements, and the text that is seen of them.
    public func svg(style: PictureStyle = PictureStyle()) -> String {
        PictureSheet(title: title, panels: [PicturePanel(self)], arrows: [], style: style).svg()
    }
}
