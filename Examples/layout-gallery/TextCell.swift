import SimulatedView

/// A cell that wants the size that its text needs, whatever it was taken for.
final class TextCell: CollectionViewCell {
    override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes)
        -> LayoutAttributes
    {
        guard let content, let node = content.element.nodeIfAllocated as? GalleryNode else {
            return attributes
        }
        var preferred = attributes
        preferred.size = node.textSize(in: content.sizeRange)
        return preferred
    }
}
