import CollectionLayouts
import SimulatedView

/// A picture of a layout at one moment: the viewport, the content, and its elements.
///
/// Draw it with ``svg(style:)``, or compare it with another one in an ``UpdatePicture``. For a
/// `SimulatedCollectionView`, use ``init(of:title:area:text:key:)``. Otherwise choose the elements
/// yourself; usually they are those that the layout returns for ``area``.
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
/// Shape: rectangles are in content coordinates, even if the view is inverted. The elements are in
/// any order, with at most one for each place. Any numbers are allowed: elements that cannot be
/// drawn are left out, and a note below the picture reports how many.
///
/// Threading: a value, usable anywhere.
public struct LayoutPicture: Hashable, Sendable {
    /// The title above the picture; no title if it is empty.
    public var title = ""

    /// The viewport.
    public var bounds: Rect

    /// The parts of the viewport that the view keeps free, for example for bars. Their inner edge
    /// is drawn as a dotted line.
    public var insets = EdgeInsets.zero

    /// The size of the content.
    public var contentSize: Size

    /// The part to draw; `nil` for the viewport and the content, as far as ``largestExtent``
    /// allows.
    public var area: Rect?

    /// The elements, in any order.
    public var elements: [PicturedElement]

    /// The ranges around the viewport; `nil`, the default, if there are none.
    public var ranges: PicturedRanges?

    /// Whether the layout is right-to-left, so that text begins at the right edge.
    public var isRightToLeft = false

    /// The axis along which the picture is mirrored, as an inverted view appears on the screen,
    /// with each element upright; `nil`, the default, if the view is not inverted.
    public var invertedAxis: ScrollDirection?

    /// The largest drawn width and height, in layout units, so that a browser can display the
    /// picture. If the picture is larger, only the part around the middle of the viewport is drawn.
    public static let largestExtent = 8000.0

    /// Creates a picture. Its values are not checked.
    public init(bounds: Rect, contentSize: Size, elements: [PicturedElement] = []) {
        self.bounds = bounds
        self.contentSize = contentSize
        self.elements = elements
    }

    /// Returns the picture as an SVG document without an XML declaration, so that it can be a file
    /// or a part of a page.
    ///
    /// The same picture gives the same bytes everywhere. The viewport and the ranges, if any, are
    /// outlined, and everything outside them is pale. Elements are drawn from back to front, with
    /// their transforms and opacities. Each shows its range, and is crossed out if it has no node.
    /// Elements that are hidden or cannot be drawn are left out, and a note below the picture
    /// reports how many. Nothing depends on colours alone.
    ///
    /// Errors: none; no input traps. Any text and any number is allowed.
    ///
    /// Complexity: O(n log n) for n elements, plus the length of their visible text.
    public func svg(style: PictureStyle = PictureStyle()) -> String {
        PictureSheet(title: title, panels: [PicturePanel(self)], arrows: [], style: style).svg()
    }
}

/// One element of a ``LayoutPicture``, with its position, identity and text.
public struct PicturedElement: Hashable, Sendable {
    /// The layout attributes of the element, as the layout returned them.
    public var attributes: LayoutAttributes

    /// The identity of the element, the same in every picture that shows it, regardless of its
    /// path; `nil` if it is unknown.
    public var key: String?

    /// The lines of text on the element, as ``PictureText`` wraps them. Text that does not fit is
    /// cut off.
    public var lines: [String]

    /// Whether the element is selected.
    public var isSelected: Bool

    /// The ranges that contain the element, as a range controller determined them; `nil`, the
    /// default, if they are unknown.
    public var interfaceState: InterfaceState?

    /// Whether the element has a node; `true` by default. An element without a node is crossed out.
    public var hasNode = true

    /// Creates an element. Its values are not checked.
    public init(
        _ attributes: LayoutAttributes,
        key: String? = nil,
        lines: [String] = [],
        isSelected: Bool = false
    ) {
        self.attributes = attributes
        self.key = key
        self.lines = lines
        self.isSelected = isSelected
    }
}

/// The extent of the ranges around the viewport of a ``LayoutPicture``.
///
/// Shape: rectangles are in content coordinates, as in a `RangeController`. An empty rectangle is
/// not drawn; the display range is empty if memory is low.
///
/// Threading: a value, usable anywhere.
public struct PicturedRanges: Hashable, Sendable {
    /// The mode that determines the extent of the ranges; a note below the picture names it.
    public var mode: RangeMode

    /// The range in which elements are ready to be displayed.
    public var display: Rect

    /// The range in which elements fetch their data.
    public var preload: Rect

    /// Creates ranges. Their values are not checked.
    public init(mode: RangeMode, display: Rect, preload: Rect) {
        self.mode = mode
        self.display = display
        self.preload = preload
    }

    /// Creates the ranges that a controller determined in its last update.
    ///
    /// Threading: the main lane of its view.
    public init(of controller: RangeController) {
        self.init(
            mode: controller.mode,
            display: controller.displayRect,
            preload: controller.preloadRect
        )
    }
}
