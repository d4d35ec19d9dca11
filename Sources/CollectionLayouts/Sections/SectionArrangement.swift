/// Where everything in one section is, in section coordinates: the answer of a ``SectionLayout``.
///
/// Shape: the origin is the section's upper left corner. Items are numbered by their place in the section.
/// What lies outside of 0 to ``extent`` along the scroll direction may not be found.
///
/// Threading: an immutable value, readable anywhere.
public protocol SectionArrangement: Sendable {
    /// The section's extent along the scroll direction, header and footer included.
    var extent: Double { get }

    /// Where the header is; nil where there is none.
    var headerFrame: Rect? { get }

    /// Where the footer is; nil where there is none.
    var footerFrame: Rect? { get }

    /// How many items are placed.
    var itemCount: Int { get }

    /// Where an item is; nil where there is no such item.
    func frame(ofItem item: Int) -> Rect?

    /// The items whose frames intersect `rect`, ascending.
    ///
    /// The default looks at every item; arrangements that are sorted in some way search instead.
    func items(in rect: Rect) -> [Int]

    /// Calls `body` with the items whose frames intersect `rect`, ascending, and perhaps with neighbours.
    ///
    /// Asks ``items(in:)`` and ``frame(ofItem:)`` by default; for arrangements that find both at once.
    func forEachItem(in rect: Rect, _ body: (_ item: Int, _ frame: Rect) -> Void)

    /// The decoration views, none by default. There should be few: queries look at each of them.
    var decorations: [SectionDecoration] { get }
}

extension SectionArrangement {
    /// None.
    public var decorations: [SectionDecoration] { [] }

    /// Calls `body` with what ``items(in:)`` finds.
    public func forEachItem(in rect: Rect, _ body: (_ item: Int, _ frame: Rect) -> Void) {
        for item in items(in: rect) {
            if let frame = frame(ofItem: item) { body(item, frame) }
        }
    }

    /// The items whose frames intersect `rect`, found by looking at every item.
    ///
    /// Complexity: O(n).
    public func items(in rect: Rect) -> [Int] {
        (0..<max(0, itemCount)).filter { frame(ofItem: $0)?.intersects(rect) ?? false }
    }
}
