import SimulatedView

/// A layout of overlapping cards on a mat, like a hand of cards: rotated, scaled and fading.
///
/// It shows the layout attributes that a custom layout may set in addition to frames.
final class FanLayout: CollectionLayout {
    private let card = Size(width: 96, height: 130)
    private let mat = SupplementaryKind(rawValue: "mat")
    private var count = 0

    override init() {
        super.init()
        register(CollectionReusableView.self, forDecorationViewOfKind: mat)
    }

    override func prepare() { count = host?.numberOfItems(inSection: 0) ?? 0 }

    override var collectionViewContentSize: Size { host?.bounds.size ?? .zero }

    override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        let path = ItemPath(section: 0, item: 0)
        let cards = (0..<count).compactMap {
            layoutAttributesForItem(at: ItemPath(section: 0, item: $0))
        }
        let decoration = layoutAttributesForDecorationView(ofKind: mat, at: path)
        return ((decoration.map { [$0] } ?? []) + cards).filter { $0.frame.intersects(rect) }
    }

    override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        guard path.section == 0, path.item >= 0, path.item < count else { return nil }
        let middle = Double(count - 1) / 2
        let distance = Double(path.item) - middle
        let frame = Rect(
            x: collectionViewContentSize.width / 2 - card.width / 2 + distance * 62,
            y: 40 + distance.magnitude * 10,
            width: card.width,
            height: card.height
        )
        var attributes = LayoutAttributes(.cell(path), frame: frame)
        // A shear is close enough to a rotation for such small angles.
        let slope = distance * 0.09
        let scale = 1 - distance.magnitude * 0.04
        attributes.transform = AffineTransform(
            a: scale,
            b: scale * slope,
            c: -scale * slope,
            d: scale,
            tx: 0,
            ty: 0
        )
        attributes.alpha = 1 - distance.magnitude * 0.15
        attributes.zIndex = 100 - Int(distance.magnitude * 2)
        return attributes
    }

    override func layoutAttributesForDecorationView(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    )
        -> LayoutAttributes?
    {
        guard kind == mat, count > 0 else { return nil }
        let place = LayoutPlace(.decoration(kind), path)
        let frame = Rect(
            x: 12,
            y: 110,
            width: collectionViewContentSize.width - 24,
            height: collectionViewContentSize.height - 122
        )
        return LayoutAttributes(place, frame: frame)
    }
}

/// A flow layout that sets its own item size: columns of equal width, as many as fit.
///
/// It computes the columns in every `prepare()` from the width inside the margins and bars, so that
/// it adapts to a new width automatically.
final class ColumnFlowLayout: FlowLayout {
    /// The minimum width of a column.
    let leastColumnWidth: Double
    let rowHeight: Double

    init(leastColumnWidth: Double, rowHeight: Double) {
        self.leastColumnWidth = leastColumnWidth
        self.rowHeight = rowHeight
        super.init()
    }

    override func prepare() {
        defer { super.prepare() }
        guard let host else { return }
        let margins = host.layoutMargins
        sectionInset = EdgeInsets(
            top: minimumInteritemSpacing,
            left: margins.left,
            bottom: minimumInteritemSpacing,
            right: margins.right
        )
        let covered = host.adjustedContentInset
        let room =
            host.bounds.size.width - covered.left - covered.right - margins.left - margins.right
        let spacing = minimumInteritemSpacing
        let columns = max(1, ((room + spacing) / (leastColumnWidth + spacing)).rounded(.down))
        // Round down to pixels: if rounding errors made the sum of widths too large, the line would
        // break.
        let scale = host.displayScale
        let width = ((room - (columns - 1) * spacing) / columns * scale).rounded(.down) / scale
        itemSize = Size(width: max(0, width), height: rowHeight)
    }
}
