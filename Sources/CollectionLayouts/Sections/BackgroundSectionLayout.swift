/// Puts a decoration view behind a section that another layout lays out.
///
/// Use it for cards, tinted groups and the like; what else a section is decorated with is for an
/// arrangement of its own to place (``SectionArrangement/decorations``).
///
/// ```swift
/// layout.defaultLayout = FlowSectionLayout().background(
///     SupplementaryKind(rawValue: "card"),
///     insets: EdgeInsets(left: 8, right: 8)
/// )
/// ```
///
/// Shape: the background covers the whole section, header and footer included, but for the insets, which
/// are mirrored where content runs from right to left. Without an extent there is none. Where backgrounds
/// are put behind one another, the outermost has the number 0.
///
/// Threading: a value, usable anywhere.
///
/// Errors: insets that cannot be used count as zero and are reported.
///
/// Source: the background decorations of UICollectionViewCompositionalLayout.
public struct BackgroundSectionLayout: SectionLayout {
    /// How the section itself is laid out.
    public var base: any SectionLayout

    /// What kind of decoration view the background is.
    public var kind: SupplementaryKind

    /// What is left free around the background.
    public var insets: EdgeInsets

    /// What is higher is in front; cells are at 0, headers and footers at 10.
    public var zIndex: Int

    /// Makes a layout with a background, behind the cells by default.
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

    /// Has the section laid out, and puts the background behind it.
    public func prepare(_ input: SectionInput) -> any SectionArrangement {
        decorated(base.prepare(input), input)
    }

    /// Has the section brought up to date, and puts the background behind it.
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
    /// The layout with a decoration view behind the section.
    public func background(
        _ kind: SupplementaryKind,
        insets: EdgeInsets = .zero,
        zIndex: Int = -1
    ) -> BackgroundSectionLayout {
        BackgroundSectionLayout(self, kind: kind, insets: insets, zIndex: zIndex)
    }
}

/// An arrangement with one decoration more.
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
