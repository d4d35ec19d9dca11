/// A section layout that adds a background decoration view to a section that another layout lays
/// out.
///
/// Use it for cards, tinted groups and similar backgrounds; for other decorations, write an
/// arrangement that places them (``SectionArrangement/decorations``).
///
/// ```swift
/// layout.defaultLayout = FlowSectionLayout().background(
///     SupplementaryKind(rawValue: "card"),
///     insets: EdgeInsets(left: 8, right: 8)
/// )
/// ```
///
/// Shape: the background covers the whole section, including the header and footer, except for the
/// insets, which are mirrored if content runs from right to left. If it has no extent, there is no
/// background. If several backgrounds are nested, the outermost has the number 0.
///
/// Threading: a value, usable on any thread.
///
/// Errors: invalid insets count as zero and are reported.
///
/// Source: the background decorations of UICollectionViewCompositionalLayout.
public struct BackgroundSectionLayout: SectionLayout {
    /// The layout of the section itself.
    public var base: any SectionLayout

    /// The kind of the background's decoration view.
    public var kind: SupplementaryKind

    /// The space around the background.
    public var insets: EdgeInsets

    /// The front-to-back order: higher values are in front; cells have 0, headers and footers 10.
    public var zIndex: Int

    /// Creates a layout with a background, by default behind the cells.
    public init(
        _ base: any SectionLayout,
        kind: SupplementaryKind,
        insets: EdgeInsets = .zero,
        zIndex: Int = -1
    ) {
        self.base = base
        self.kind = kind
        self.insets = insets
        self.zIndex = zIndex
    }

    /// Lays out the section and adds the background.
    public func prepare(_ input: SectionInput) -> any SectionArrangement {
        decorated(base.prepare(input), input)
    }

    /// Updates the section and adds the background.
    public func update(
        _ arrangement: any SectionArrangement,
        replacing spans: [ItemSpan],
        _ input: SectionInput
    ) -> any SectionArrangement {
        guard let former = arrangement as? BackgroundSectionArrangement else {
            return prepare(input)
        }
        return decorated(base.update(former.base, replacing: spans, input), input)
    }

    private func decorated(
        _ arrangement: any SectionArrangement,
        _ input: SectionInput
    ) -> BackgroundSectionArrangement {
        let section = AxisRect(
            along: 0,
            across: 0,
            alongExtent: arrangement.extent,
            acrossExtent: input.acrossExtent
        ).rect(input.scrollDirection)
        let frame = section.inset(by: input.usable(insets))
        let background = SectionDecoration(kind, frame: frame, zIndex: zIndex)
        return BackgroundSectionArrangement(
            base: arrangement,
            background: frame.isEmpty ? nil : background
        )
    }
}

extension SectionLayout {
    /// Returns this layout with a background decoration view.
    public func background(
        _ kind: SupplementaryKind,
        insets: EdgeInsets = .zero,
        zIndex: Int = -1
    ) -> BackgroundSectionLayout {
        BackgroundSectionLayout(self, kind: kind, insets: insets, zIndex: zIndex)
    }
}

/// An arrangement with one additional decoration.
struct BackgroundSectionArrangement: SectionArrangement {
    let base: any SectionArrangement
    let background: SectionDecoration?

    var extent: Double { base.extent }
    var headerFrame: Rect? { base.headerFrame }
    var footerFrame: Rect? { base.footerFrame }
    var itemCount: Int { base.itemCount }
    var decorations: [SectionDecoration] { (background.map { [$0] } ?? []) + base.decorations }

    func frame(ofItem item: Int) -> Rect? { base.frame(ofItem: item) }

    func items(in rect: Rect) -> [Int] { base.items(in: rect) }

    func forEachItem(in rect: Rect, _ body: (_ item: Int, _ frame: Rect) -> Void) {
        base.forEachItem(in: rect, body)
    }
}
