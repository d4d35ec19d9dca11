import CollectionElements
import PersistentTrees

/// A section layout that places items on lines, the default layout of a section. A line contains as
/// many items as fit and is justified; it is as tall as its tallest item, and the other items are
/// centred in it.
///
/// Its values apply if neither ``SectionInput/metrics`` nor a measurement defines others. The rules
/// are those of a flow layout with one section: items of exactly equal size form a grid, whose last
/// line keeps the spacing of the other lines; other items are broken into lines one by one, and the
/// last line has the minimum spacing. A line with a single item is centred. The header and footer
/// fill the whole extent across the scroll direction, outside the insets; if their extent is 0,
/// they do not exist.
///
/// Shape: values in the unit of ``Size``; negative and infinite ones count as 0 and are reported.
///
/// Threading: a value, usable on any thread.
///
/// Complexity: O(n) to prepare n items. Updating k of them costs O(k log n), plus the lines until a
/// line begins where one began before. A query by rectangle costs O(log n), plus the items of the
/// lines that it intersects.
///
/// Source: ListKit's section flow layout, with the lines of ``FlowLayout``.
public struct FlowSectionLayout: SectionLayout, Hashable {
    /// The size of items for which no other size is defined.
    public var itemSize = Size(width: 50, height: 50)

    /// The exact space between lines.
    public var lineSpacing = 10.0

    /// The minimum space between the items of a line.
    public var interitemSpacing = 10.0

    /// The space around the items.
    public var insets = EdgeInsets.zero

    /// The reference of the insets across the scroll direction. Along it, a section does not know
    /// whether it is the first or the last; use the view's content inset there.
    public var insetReference = SectionInsetReference.fromContentInset

    /// The extent of the header along the scroll direction; 0 for no header.
    public var headerExtent = 0.0

    /// The extent of the footer along the scroll direction; 0 for no footer.
    public var footerExtent = 0.0

    /// Creates a layout with UIKit's default values.
    public init() {}

    /// Reads every size once and breaks the items into lines.
    public func prepare(_ input: SectionInput) -> any SectionArrangement {
        arrangement(of: sizes(of: 0..<input.itemCount, input), input)
    }

    /// Reads the sizes of inserted and changed items, and breaks lines only until one begins where
    /// a line began before.
    ///
    /// Complexity: O(k log n) for k spans, plus the lines that are broken again.
    public func update(
        _ arrangement: any SectionArrangement,
        replacing spans: [ItemSpan],
        _ input: SectionInput
    ) -> any SectionArrangement {
        guard let former = (arrangement as? FlowSectionArrangement)?.section,
            input.contains(spans)
        else { return prepare(input) }
        let sizes = former.sizes.replacing(spans) { self.sizes(of: $0, input) }
        guard sizes.count == input.itemCount else { return prepare(input) }
        return self.arrangement(of: sizes, input, former, spans)
    }

    private func arrangement(
        of sizes: ItemSizes,
        _ input: SectionInput,
        _ former: FlowSection? = nil,
        _ spans: [ItemSpan] = []
    ) -> FlowSectionArrangement {
        let frame = frame(input)
        let rules = rules(frame, input)
        let section = FlowSection(sizes, rules: rules, former: former, spans: spans)
        if section.hasOversizeItem {
            input.errors.report(.oversizeItem(inSection: input.section, input.scrollDirection))
        }
        return FlowSectionArrangement(frame: frame, section: section)
    }

    private func frame(_ input: SectionInput) -> SectionFrame {
        SectionFrame(
            input,
            insets: insets,
            reference: insetReference,
            headerExtent: headerExtent,
            footerExtent: footerExtent
        )
    }

    private func rules(_ frame: SectionFrame, _ input: SectionInput) -> FlowRules {
        let interitem = input.metrics.interitemSpacing ?? interitemSpacing
        return FlowRules(
            environment: FlowEnvironment(
                ofSectionAlong: input.scrollDirection,
                dimension: input.acrossExtent
            ),
            metrics: FlowResolvedMetrics(
                inset: frame.insets,
                interitemSpacing: input.usable(interitem, as: .spacing),
                lineSpacing: input.usable(input.metrics.lineSpacing ?? lineSpacing, as: .spacing),
                header: frame.headerExtent,
                footer: frame.footerExtent
            )
        )
    }

    private func sizes(of items: Range<Int>, _ input: SectionInput) -> ItemSizes {
        let ownSize = Size(
            width: input.usable(itemSize.width, as: .itemSize),
            height: input.usable(itemSize.height, as: .itemSize)
        )
        var sizes = ItemSizes.Builder()
        for item in items {
            sizes.append(ItemSize(size: input.size(ofItem: item) ?? ownSize))
        }
        return sizes.tree()
    }
}

/// The lines of a section, with its insets, header and footer.
struct FlowSectionArrangement: SectionArrangement {
    let frame: SectionFrame
    let section: FlowSection

    var extent: Double { section.extent }
    var headerFrame: Rect? { frame.header }
    var footerFrame: Rect? { frame.footer(belowContent: section.linesExtent) }
    var itemCount: Int { section.sizes.count }

    func frame(ofItem item: Int) -> Rect? {
        section.frame(ofItem: item).map { $0.rect(frame.direction) }
    }

    func items(in rect: Rect) -> [Int] {
        var found: [Int] = []
        forEachItem(in: rect) { item, _ in found.append(item) }
        return found
    }

    func forEachItem(in rect: Rect, _ body: (_ item: Int, _ frame: Rect) -> Void) {
        let queried = AxisRect(rect, frame.direction)
        let environment = section.rules.environment
        guard
            let along = ClosedRange.searched(
                queried.along,
                queried.alongEnd,
                within: section.extent
            ),
            let across = ClosedRange.searched(
                queried.across,
                queried.acrossEnd,
                within: environment.dimension
            )
        else { return }
        section.visitItems(along: along, across: across) { item, place in
            let itemRect = place.rect(frame.direction)
            if itemRect.intersects(rect) { body(item, itemRect) }
        }
    }
}
