import PipelineTestSupport
import SimulatedView

/// Rows below one another with nothing left to chance: as high as is said here, invalidated only where it
/// is said, and able to answer what no layout should.
class RowLayout: CollectionLayout {
    var rowHeight = 10.0
    /// Sections have headers where this is not 0.
    var headerHeight = 0.0
    /// A kind of decoration behind each section; its views are registered by the test.
    var decorationKind: SupplementaryKind?
    /// Whether every change of bounds invalidates all.
    var invalidatesForBounds = false
    /// Whether rows take the heights that their views want.
    var takesWishes = false
    /// Heights that are other than `rowHeight`; they follow their items through updates.
    var heights: [ItemPath: Double] = [:]

    // MARK: Odd answers

    /// The item that has no place.
    var lost: Int?
    /// Called at the end of every `prepare()`.
    var onPrepare: (RowLayout) -> Void = { _ in }
    /// What becomes of each answer to `layoutAttributesForElements(in:)`.
    var altered: ([LayoutAttributes]) -> [LayoutAttributes] = { $0 }
    /// What becomes of the content size.
    var alteredSize: (Size) -> Size = { $0 }
    /// Where to scroll instead of to what is proposed.
    var target: (Point) -> Point = { $0 }
    var deletedPaths: [ElementCategory: [ItemPath]] = [:]
    var insertedPaths: [ElementCategory: [ItemPath]] = [:]
    var appearing: (LayoutPlace) -> LayoutAttributes? = { _ in nil }
    var disappearing: (LayoutPlace) -> LayoutAttributes? = { _ in nil }

    // MARK: What was asked

    /// The bounds that the view still had when it asked about others.
    private(set) var boundsWhenAsked: [Rect] = []
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
            path.item != lost
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
        if let host { boundsWhenAsked.append(host.bounds) }
        return invalidatesForBounds
    }

    override func shouldInvalidateLayout(
        forPreferredLayoutAttributes preferred: LayoutAttributes,
        withOriginalAttributes original: LayoutAttributes
    ) -> Bool {
        takesWishes && preferred.representedElementCategory == .cell
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

/// Rows as wide as is said here, and wider than the viewport, so that content scrolls both ways.
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
