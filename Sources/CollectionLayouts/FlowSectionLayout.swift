import CollectionElements

/// Lines of items, the default layout of a section: as many a line as fit, justified, each line as tall
/// as its tallest item, with the others centred in it.
///
/// Its values hold where neither ``SectionMetrics`` nor a measurement says otherwise. The rules are those
/// of a flow layout for one section: items of exactly equal size stand in a grid, of which the last
/// line keeps the spacing; others are broken item by item, and the last line keeps to the least
/// spacing. A line with a single item is centred. Header and footer fill the whole extent across, outside
/// of the insets; without an extent they do not exist.
///
/// Shape: values in the unit of ``Size``; negative and infinite ones count as 0 and are reported.
///
/// Threading: a value, usable anywhere.
///
/// Complexity: O(n) to prepare n items; a query by rectangle costs its answer and O(log n).
///
/// Source: UICollectionViewFlowLayout; ListKit's section flow layout, but with exact lines.
public struct FlowSectionLayout: SectionLayout, Hashable {
    /// The size of items of which nothing else is known.
    public var itemSize = Size(width: 50, height: 50)

    /// The exact space between lines.
    public var lineSpacing = 10.0

    /// The least space between the items of a line.
    public var interitemSpacing = 10.0

    /// The free space around the items.
    public var insets = EdgeInsets.zero

    /// The extent of the header along the scroll direction; 0 for none.
    public var headerExtent = 0.0

    /// The extent of the footer along the scroll direction; 0 for none.
    public var footerExtent = 0.0

    /// Makes a layout with UIKit's default values.
    public init() {}

    /// Reads every size once and breaks the lines.
    public func prepare(_ input: SectionInput) -> any SectionArrangement {
        let direction = input.scrollDirection
        let ownSize = Size(
            width: input.usable(itemSize.width, as: .itemSize),
            height: input.usable(itemSize.height, as: .itemSize)
        )
        let sizes = (0..<input.itemCount).map { item in
            let size = input.size(ofItem: item) ?? ownSize
            return FlowItemSize(along: size.along(direction), across: size.across(direction))
        }
        let frame = SectionFrame(
            input,
            insets: insets,
            headerExtent: headerExtent,
            footerExtent: footerExtent
        )
        let interitem = input.metrics.interitemSpacing ?? interitemSpacing
        let rules = FlowLineRules(
            acrossExtent: input.acrossExtent,
            acrossLeading: frame.insets.acrossLeading(direction),
            acrossTrailing: frame.insets.across(direction) - frame.insets.acrossLeading(direction),
            lineSpacing: input.usable(input.metrics.lineSpacing ?? lineSpacing, as: .spacing),
            interitemSpacing: input.usable(interitem, as: .spacing)
        )
        return FlowSectionArrangement(frame: frame, lines: JustifiedLines(sizes, rules))
    }
}

/// The lines of a section, with what is around them.
struct FlowSectionArrangement: SectionArrangement {
    let frame: SectionFrame
    let lines: JustifiedLines

    var extent: Double { frame.extent(aroundContent: lines.extent) }
    var headerFrame: Rect? { frame.header }
    var footerFrame: Rect? { frame.footer(belowContent: lines.extent) }
    var itemCount: Int { lines.frames.count }

    func frame(ofItem item: Int) -> Rect? {
        guard lines.frames.indices.contains(item) else { return nil }
        var place = lines.frames[item]
        place.along += frame.contentStart
        return place.rect(frame.direction)
    }

    func items(in rect: Rect) -> [Int] { search(rect).items }

    func search(_ rect: Rect) -> (items: [Int], visits: Int) {
        var place = AxisRect(rect, frame.direction)
        place.along -= frame.contentStart
        return lines.items(in: place)
    }
}
