import PipelineTestSupport
import SimulatedView

/// Rows as wide as is said here, and wider than the viewport, so that content scrolls both ways.
final class SheetLayout: RowLayout {
    var rowWidth = 300.0

    override var collectionViewContentSize: Size {
        Size(width: rowWidth, height: super.collectionViewContentSize.height)
    }

    override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        super.layoutAttributesForItem(at: path).map { attributes in
            var frame = attributes.frame
            frame.size.width = rowWidth
            return LayoutAttributes(attributes.place, frame: frame)
        }
    }
}

extension Bench where Layout == SheetLayout {
    convenience init(
        _ sections: [[String]],
        size: Size = Size(width: 100, height: 30),
        isRightToLeft: Bool = false
    ) throws {
        try self.init(sections, SheetLayout(), size: size)
        view.isRightToLeft = isRightToLeft
    }
}
