import CollectionElements

/// The rules for laying out one section: a value without state.
///
/// A ``ComposedLayout`` passes an input to ``prepare(_:)`` and keeps the returned arrangement until
/// something in the section changes. Different sections of one view may have different layouts. For
/// a layout that must see the whole collection, subclass ``CollectionLayout``.
///
/// ```swift
/// struct Stack: SectionLayout {
///     func prepare(_ input: SectionInput) -> any SectionArrangement {
///         let sizes = (0..<input.itemCount).map { input.size(ofItem: $0) }
///         return StackArrangement(heights: sizes.map { $0?.height ?? 44 })
///     }
/// }
/// ```
///
/// Shape: everything is relative to the section's upper left corner, and runs from left to right.
/// The composed layout mirrors it if content runs from right to left.
///
/// Threading: main lane of the view; the value itself may be created and kept on any thread.
///
/// Source: the section layouts of ListKit (Zalando, 2017). Here, their results are in a separate,
/// immutable value, which stays valid during edits of other sections.
public protocol SectionLayout: Sendable {
    /// Lays out one section.
    ///
    /// Called again when the section's items, sizes or environment change, but not when only the
    /// section's place changes. The result must therefore not depend on ``SectionInput/section``,
    /// except for queries of metrics.
    ///
    /// Complexity: that of the layout; linear in the number of items for those of this module.
    func prepare(_ input: SectionInput) -> any SectionArrangement

    /// Updates the arrangement of a section that is mostly unchanged. The default implementation
    /// prepares the section from scratch.
    ///
    /// The result must equal that of ``prepare(_:)``. The method is called only if the layout, the
    /// scroll direction and the extent across it are the same as for the last arrangement; the
    /// metrics, and the extents of the header and footer, may differ.
    ///
    /// - Parameters:
    ///   - arrangement: The last arrangement.
    ///   - spans: The items that were inserted, deleted or changed since, ascending; the others
    ///     have their previous sizes, which need not be read again.
    ///   - input: The section to lay out now.
    func update(
        _ arrangement: any SectionArrangement,
        replacing spans: [ItemSpan],
        _ input: SectionInput
    ) -> any SectionArrangement
}

extension SectionLayout {
    /// Prepares the section from scratch.
    public func update(
        _ arrangement: any SectionArrangement,
        replacing spans: [ItemSpan],
        _ input: SectionInput
    ) -> any SectionArrangement { prepare(input) }
}

/// A section context that provides the layout of its section, wherever the section moves.
public protocol SectionLayoutProviding: SectionContext {
    /// The layout of the section. It is read when the section is prepared for the first time, and
    /// again when everything is invalidated.
    var sectionLayout: any SectionLayout { get }
}

/// A decoration view that a ``SectionArrangement`` places: a visual element without data, such as a
/// section's background.
///
/// Its path consists of the section and of its number among the section's decorations of the same
/// kind.
///
/// Threading: a value, usable on any thread.
///
/// Source: the decoration views of UICollectionViewLayout.
public struct SectionDecoration: Hashable, Sendable {
    /// The kind of the decoration.
    public var kind: SupplementaryKind

    /// The frame in section coordinates.
    public var frame: Rect

    /// The front-to-back order: higher values are in front; cells have 0, headers and footers 10.
    public var zIndex: Int

    /// Creates a decoration, by default behind the cells, without checking it.
    public init(_ kind: SupplementaryKind, frame: Rect, zIndex: Int = -1) {
        self.kind = kind
        self.frame = frame
        self.zIndex = zIndex
    }
}

/// The places of all elements in one section, in section coordinates: the result of a
/// ``SectionLayout``.
///
/// Shape: the origin is the section's upper left corner. Items are numbered by their place in the
/// section. Queries may miss elements outside 0 to ``extent`` along the scroll direction.
///
/// Threading: an immutable value, readable on any thread.
public protocol SectionArrangement: Sendable {
    /// The section's extent along the scroll direction, header and footer included.
    var extent: Double { get }

    /// The frame of the header; `nil` if there is none.
    var headerFrame: Rect? { get }

    /// The frame of the footer; `nil` if there is none.
    var footerFrame: Rect? { get }

    /// The number of placed items.
    var itemCount: Int { get }

    /// Returns the frame of an item; `nil` if there is no such item.
    func frame(ofItem item: Int) -> Rect?

    /// Returns the items whose frames intersect `rect`, ascending.
    ///
    /// The default implementation checks every item; arrangements with sorted items search instead.
    func items(in rect: Rect) -> [Int]

    /// Calls `body` with the items whose frames intersect `rect`, ascending, and possibly with
    /// adjacent items.
    ///
    /// The default implementation uses ``items(in:)`` and ``frame(ofItem:)``. Implement it if an
    /// arrangement finds both together.
    func forEachItem(in rect: Rect, _ body: (_ item: Int, _ frame: Rect) -> Void)

    /// The decoration views, none by default. There should be few, because every query checks each
    /// of them.
    var decorations: [SectionDecoration] { get }
}

extension SectionArrangement {
    /// The empty array.
    public var decorations: [SectionDecoration] { [] }

    /// Calls `body` with the items that ``items(in:)`` returns.
    public func forEachItem(in rect: Rect, _ body: (_ item: Int, _ frame: Rect) -> Void) {
        for item in items(in: rect) {
            if let frame = frame(ofItem: item) { body(item, frame) }
        }
    }

    /// Returns the items whose frames intersect `rect`, by checking every item.
    ///
    /// Complexity: O(n).
    public func items(in rect: Rect) -> [Int] {
        (0..<max(0, itemCount)).filter { frame(ofItem: $0)?.intersects(rect) ?? false }
    }
}
