import CollectionElements

/// How one section is laid out: rules as a value, without state.
///
/// A ``ComposedLayout`` hands ``prepare(_:)`` what there is to lay out and keeps the arrangement that comes
/// back, until something in the section changes. Different sections of one view may have different
/// layouts. For a layout that must see the whole collection at once, subclass ``CollectionLayout``.
///
/// ```swift
/// struct Stack: SectionLayout {
///     func prepare(_ input: SectionInput) -> any SectionArrangement {
///         StackArrangement(heights: (0..<input.itemCount).map { input.size(ofItem: $0)?.height ?? 44 })
///     }
/// }
/// ```
///
/// Shape: everything is relative to the section's upper left corner, and runs from left to right; the
/// composer mirrors where content runs from right to left.
///
/// Threading: main lane of the view; the value itself may be made and kept anywhere.
///
/// Source: the section layouts of ListKit (Zalando, 2017), with what they compute moved out of them into
/// an immutable value, so that it outlives edits elsewhere.
public protocol SectionLayout: Sendable {
    /// Lays out one section.
    ///
    /// It is called again when the section's items, sizes or surroundings change, and not when the
    /// section merely changes its place; so the answer must not depend on ``SectionInput/section`` except
    /// in asking someone about metrics.
    ///
    /// Complexity: that of the layout; linear in the items for those of this module.
    func prepare(_ input: SectionInput) -> any SectionArrangement

    /// Lays out a section again of which most is as it was; prepares it from nothing by default.
    ///
    /// The answer must be the one that ``prepare(_:)`` would give. It is called where the layout, the extent
    /// across and the scroll direction are those of the last answer; the metrics, and the extents of header
    /// and footer, may be others.
    ///
    /// - Parameters:
    ///   - arrangement: the last answer.
    ///   - spans: the items that came, went or changed since, ascending; the others are of the sizes that
    ///     they were, and need not be asked about.
    ///   - input: what there is to lay out now.
    func update(
        _ arrangement: any SectionArrangement,
        replacing spans: [ItemSpan],
        _ input: SectionInput
    ) -> any SectionArrangement
}

extension SectionLayout {
    /// Prepares from nothing.
    public func update(
        _ arrangement: any SectionArrangement,
        replacing spans: [ItemSpan],
        _ input: SectionInput
    ) -> any SectionArrangement { prepare(input) }
}

/// A section context that brings the layout of its section, wherever the section moves.
public protocol SectionLayoutProviding: SectionContext {
    /// How the section is laid out; asked for when the section is prepared for the first time, and
    /// again when everything is invalidated.
    var sectionLayout: any SectionLayout { get }
}

/// A decoration view that a ``SectionArrangement`` places: something to look at that is no element of the
/// data, such as a section's background.
///
/// Its path has the section and, as item, its number among the section's decorations of its kind.
///
/// Threading: a value, usable anywhere.
///
/// Source: the decoration views of UICollectionViewLayout.
public struct SectionDecoration: Hashable, Sendable {
    /// What kind of decoration it is.
    public var kind: SupplementaryKind

    /// Where it is, in section coordinates.
    public var frame: Rect

    /// What is higher is in front; cells are at 0, headers and footers at 10.
    public var zIndex: Int

    /// Makes a decoration, behind the cells by default; nothing is checked.
    public init(_ kind: SupplementaryKind, frame: Rect, zIndex: Int = -1) {
        self.kind = kind
        self.frame = frame
        self.zIndex = zIndex
    }
}
