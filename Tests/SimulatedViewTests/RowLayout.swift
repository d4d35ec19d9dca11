import PipelineTestSupport
import SimulatedView

/// Rows below one another with heights from the test. The layout invalidates only what the test
/// requests, and it can return results that no correct layout returns.
class RowLayout: CollectionLayout {
    var rowHeight = 10.0
    /// The height of the section headers; with 0 there are none.
    var headerHeight = 0.0
    /// The kind of the decoration in the background of each section; the test registers its views.
    var decorationKind: SupplementaryKind?
    /// Whether every change of bounds invalidates the whole layout.
    var invalidatesForBounds = false
    /// Whether rows have the preferred heights of their views.
    var acceptsPreferredHeights = false
    /// The heights that differ from `rowHeight`; they follow their items through updates.
    var heights: [ItemPath: Double] = [:]

    // MARK: Unusual results

    /// The item without layout attributes.
    var unplacedItem: Int?
    /// Called at the end of every `prepare()`.
    var onPrepare: (RowLayout) -> Void = { _ in }
    /// Changes every result of `layoutAttributesForElements(in:)`.
    var altered: ([LayoutAttributes]) -> [LayoutAttributes] = { $0 }
    /// Changes the content size.
    var alteredSize: (Size) -> Size = { $0 }
    /// Returns the offset to scroll to instead of the proposed one.
    var target: (Point) -> Point = { $0 }
    var deletedPaths: [ElementCategory: [ItemPath]] = [:]
    var insertedPaths: [ElementCategory: [ItemPath]] = [:]
    var appearing: (LayoutPlace) -> LayoutAttributes? = { _ in nil }
    var disappearing: (LayoutPlace) -> LayoutAttributes? = { _ in nil }

    // MARK: Recorded calls

    /// The bounds of the view at each call of `shouldInvalidateLayout(forBoundsChange:)`.
    private(set) var boundsAtCalls: [Rect] = []
    private(set) var numberOfPrepares = 0

    private var rows: [[Rect]] = []
    private var headers: [Rect] = []
    private var total = 0.0

    private var width: Double { host?.bounds.size.width ?? 0 }

    override func indexPathsToDelete(for category: ElementCategory) -> [ItemPath] {
        deletedPaths[category] ?? []
    }

    override func indexPathsToInsert(for category: ElementCategory) -> [ItemPath] {
        insertedPaths[category] ?? []
    }

    override func prepare() {
        numberOfPrepares += 1
        (rows, headers, total) = ([], [], 0)
        for section in 0..<(host?.numberOfSections ?? 0) {
            headers.append(take(headerHeight))
            let count = host?.numberOfItems(inSection: section) ?? 0
            rows.append(
                (0..<count).map { item in
                    take(heights[ItemPath(section, item)] ?? rowHeight)
                }
            )
        }
        onPrepare(self)
    }

    private func take(_ height: Double) -> Rect {
        defer { total += height }
        return Rect(x: 0, y: total, width: width, height: height)
    }

    override func prepare(applying update: ValidatedChangeSet) {
        var moved: [ItemPath: Double] = [:]
        for (path, height) in heights {
            if let path = update.newPath(for: path) { moved[path] = height }
        }
        heights = moved
        prepare()
    }

    override var collectionViewContentSize: Size { alteredSize(Size(width: width, height: total)) }

    override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        var found: [LayoutAttributes] = []
        for section in rows.indices {
            found += rows[section].indices.compactMap { item in
                layoutAttributesForItem(at: ItemPath(section, item))
            }
            let path = ItemPath(section, 0)
            found += [layoutAttributesForSupplementaryView(ofKind: .header, at: path)].compactMap(
                \.self
            )
            if let kind = decorationKind {
                found += [layoutAttributesForDecorationView(ofKind: kind, at: path)].compactMap(
                    \.self
                )
            }
        }
        return altered(found.filter { $0.frame.intersects(rect) })
    }

    override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        guard rows.indices.contains(path.section), rows[path.section].indices.contains(path.item),
            path.item != unplacedItem
        else { return nil }
        return LayoutAttributes(.cell(path), frame: rows[path.section][path.item])
    }

    override func layoutAttributesForSupplementaryView(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> LayoutAttributes? {
        guard kind == .header, headerHeight > 0, headers.indices.contains(path.section) else {
            return nil
        }
        return LayoutAttributes(.header(path.section), frame: headers[path.section])
    }

    override func layoutAttributesForDecorationView(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    )
        -> LayoutAttributes?
    {
        guard kind == decorationKind, headers.indices.contains(path.section) else { return nil }
        let frame = rows[path.section].reduce(headers[path.section]) { $0.union($1) }
        return LayoutAttributes(LayoutPlace(.decoration(kind), path), frame: frame)
    }

    override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
        if let host { boundsAtCalls.append(host.bounds) }
        return invalidatesForBounds
    }

    override func shouldInvalidateLayout(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> Bool {
        acceptsPreferredHeights && preferred.representedElementCategory == .cell
            && abs(preferred.size.height - original.size.height) > 0.25
    }

    override func invalidationContext(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> LayoutInvalidationContext {
        let path = preferred.indexPath
        let growth = preferred.size.height - original.size.height
        heights[path] = preferred.size.height
        let context = LayoutInvalidationContext()
        context.invalidateItems(at: rows[path.section].indices.map { ItemPath(path.section, $0) })
        context.contentSizeAdjustment = Size(width: 0, height: growth)
        if let host, original.frame.maxY <= host.bounds.minY {
            context.contentOffsetAdjustment = Point(x: 0, y: growth)
        }
        return context
    }

    override func targetContentOffset(forProposedContentOffset offset: Point) -> Point {
        target(offset)
    }

    override func initialLayoutAttributes(forAppearing place: LayoutPlace) -> LayoutAttributes? {
        appearing(place)
    }

    override func finalLayoutAttributes(forDisappearing place: LayoutPlace) -> LayoutAttributes? {
        disappearing(place)
    }
}

/// Rows with a width from the test, wider than the viewport, so that content scrolls both ways.
final class SheetLayout: RowLayout {
    var rowWidth = 300.0
    var hides: (ItemPath) -> Bool = { _ in false }
    private var preparedWidth = 0.0

    override func prepare() {
        preparedWidth = rowWidth
        super.prepare()
    }

    override var collectionViewContentSize: Size {
        Size(width: preparedWidth, height: super.collectionViewContentSize.height)
    }

    override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        super.layoutAttributesForItem(at: path).map { attributes in
            var frame = attributes.frame
            frame.size.width = preparedWidth
            var wide = LayoutAttributes(attributes.place, frame: frame)
            wide.isHidden = hides(path)
            return wide
        }
    }
}
