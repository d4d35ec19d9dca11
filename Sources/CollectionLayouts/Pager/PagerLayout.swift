/// A layout with one item per page: every item is as large as the viewport, and scrolling ends at a
/// page.
///
/// Use it for content that is read page by page, such as pictures, chapters or cards. It never
/// requests a size. The items of all sections follow one another as in a single section; there are
/// no headers and footers.
///
/// ```swift
/// let layout = PagerLayout()
/// layout.scrollDirection = .horizontal
/// layout.pageSpacing = 20
/// ```
///
/// Shape: paths are in the view's index space, frames in content coordinates. A page is the bounds
/// without the content inset; if content runs from right to left, horizontal pages do too.
///
/// Threading: the view's main lane. Errors: nothing traps; an invalid spacing counts as zero.
///
/// Complexity: preparing is O(sections); queries are O(log sections) plus their result.
///
/// Source: UIPageViewController, and UIScrollView's paging.
open class PagerLayout: CollectionLayout {
    /// The axis along which pages follow one another.
    public override var scrollDirection: ScrollDirection {
        get { direction }
        set { direction = newValue }
    }

    private var direction = ScrollDirection.horizontal {
        didSet { if direction != oldValue { invalidateLayout() } }
    }

    /// The distance between pages.
    public var pageSpacing = 0.0 {
        didSet { if pageSpacing != oldValue { invalidateLayout() } }
    }

    /// The properties at the last preparation; later changes take effect at the next one.
    private var laidOut = (direction: ScrollDirection.horizontal, spacing: 0.0)
    /// The size of a page; unused if there are no pages.
    private var page = Size.zero
    private var isMirrored = false
    /// The number of items before each section, followed by the total number.
    private var starts = [0]

    open override func prepare() {
        starts = [0]
        laidOut = (direction, pageSpacing.isFinite ? max(0, pageSpacing) : 0)
        guard let host else { return }
        isMirrored = host.isRightToLeft && direction == .horizontal
        page = host.bounds.inset(by: host.adjustedContentInset).size
        // If a page has no extent, there are no pages.
        guard page.isValid, page.width > 0, page.height > 0 else { return }
        for section in 0..<max(0, host.numberOfSections) {
            starts.append(starts[section] + max(0, host.numberOfItems(inSection: section)))
        }
    }

    private var pageCount: Int { starts[starts.count - 1] }

    /// The distance from the start of one page to the start of the next.
    private var pitch: Double { page.along(laidOut.direction) + laidOut.spacing }

    open override var collectionViewContentSize: Size {
        guard pageCount > 0 else { return .zero }
        return Size(
            along: pitch * Double(pageCount) - laidOut.spacing,
            across: page.across(laidOut.direction),
            laidOut.direction
        )
    }

    /// The size range for measuring elements: exactly one page.
    open override var elementSizeRange: SizeRange {
        guard let host else { return SizeRange(minimum: .zero, maximum: .zero) }
        let page = host.bounds.inset(by: host.adjustedContentInset).size
        return page.isValid
            ? SizeRange(minimum: page, maximum: page) : SizeRange(minimum: .zero, maximum: .zero)
    }

    // MARK: Queries

    open override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        var low = rect.origin.along(laidOut.direction)
        var high = low + rect.size.along(laidOut.direction)
        if isMirrored {
            (low, high) = (
                collectionViewContentSize.width - high, collectionViewContentSize.width - low
            )
        }
        guard low <= high else { return [] }
        let limit = Double(pageCount)
        // One more page on either side, because division rounds.
        let first = min(limit, max(0, (low / pitch).rounded(.down) - 1))
        let end = min(limit, max(first, (high / pitch).rounded(.down) + 2))
        return (Int(first)..<Int(end)).compactMap { attributes(ofPage: $0) }
            .filter { $0.frame.intersects(rect) }
    }

    open override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        page(of: path).flatMap(attributes)
    }

    private func attributes(ofPage number: Int) -> LayoutAttributes? {
        guard let path = path(ofPage: number) else { return nil }
        let start = offset(ofPage: number)
        let origin = Point(along: start, across: 0, laidOut.direction)
        return LayoutAttributes(.cell(path), frame: Rect(origin: origin, size: page))
    }

    private func offset(ofPage number: Int) -> Double {
        pitch * Double(isMirrored ? pageCount - 1 - number : number)
    }

    // MARK: Bounds and offsets

    /// Returns whether the size of the bounds changes.
    open override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
        host.map { $0.bounds.size != newBounds.size } ?? false
    }

    /// Returns the offset of the nearest page.
    open override func targetContentOffset(forProposedContentOffset offset: Point) -> Point {
        snapped(offset) { $0.rounded() }
    }

    /// Returns the offset of the next page in the direction of the fling, or of the nearest page if
    /// there is no velocity.
    open override func targetContentOffset(
        forProposedContentOffset offset: Point,
        withScrollingVelocity velocity: Point
    ) -> Point {
        let direction = laidOut.direction
        let speed = velocity.along(direction)
        guard let host, pageCount > 0, speed > 0 || speed < 0 else {
            return targetContentOffset(forProposedContentOffset: offset)
        }
        // Starts from the current offset, not from the proposed one: a fling turns one page.
        let current = host.bounds.origin.along(direction)
        let start = Point(along: current, across: offset.across(direction), direction)
        let isBackwards = speed.sign == .minus
        return snapped(start) { isBackwards ? $0.rounded(.up) - 1 : $0.rounded(.down) + 1 }
    }

    private func snapped(_ offset: Point, _ page: (Double) -> Double) -> Point {
        guard let host, pageCount > 0 else { return offset }
        let inset = host.adjustedContentInset.leading(laidOut.direction)
        let position = (offset.along(laidOut.direction) + inset) / pitch
        guard position.isFinite else { return offset }
        let number = min(max(page(position), 0), Double(pageCount - 1))
        return Point(
            along: number * pitch - inset,
            across: offset.across(laidOut.direction),
            laidOut.direction
        )
    }
}

// MARK: Pages by number

extension PagerLayout {
    /// The number of pages at the last ``prepare()``; 0 if a page has no extent.
    public var numberOfPages: Int { pageCount }

    /// The page nearest to the current content offset; `nil` if there are no pages. Page 0 is that
    /// of the first item, even if pages run from right to left.
    public var currentPage: Int? {
        guard let host, pageCount > 0 else { return nil }
        let inset = host.adjustedContentInset.leading(laidOut.direction)
        let position = ((host.bounds.origin.along(laidOut.direction) + inset) / pitch).rounded()
        let place = Int(min(max(position, 0), Double(pageCount - 1)))
        return isMirrored ? pageCount - 1 - place : place
    }

    /// Returns the item of a page; `nil` if there is no such page.
    ///
    /// Complexity: O(log sections).
    public func path(ofPage number: Int) -> ItemPath? {
        guard number >= 0, number < pageCount else { return nil }
        // The last section that begins at this page or before it, which is therefore not empty.
        let section = partitionPoint(starts.count - 1) { starts[$0] > number } - 1
        return ItemPath(section: section, item: number - starts[section])
    }

    /// Returns the page of an item; `nil` if there is no such item.
    ///
    /// Complexity: O(1).
    public func page(of path: ItemPath) -> Int? {
        guard path.section >= 0, path.section < starts.count - 1, path.item >= 0,
            path.item < starts[path.section + 1] - starts[path.section]
        else { return nil }
        return starts[path.section] + path.item
    }
}
