import PipelineTrace
import SimulatedView

/// Measures a text as pictures set it.
final class GalleryNode: CollectionNode {
    let item: GalleryItem
    private let width: Double?
    private let estimate: Size?

    init(_ item: GalleryItem, width: Double? = nil, estimate: Size? = nil) {
        self.item = item
        self.width = width
        self.estimate = estimate
    }

    func measure(in range: SizeRange) -> Size { estimate ?? textSize(in: range) }

    /// The size that the text needs.
    func textSize(in range: SizeRange) -> Size {
        let most = range.maximum.width
        var size = PictureText.size(of: item.text, width: min(width ?? most, most))
        if let width { size.width = max(width, size.width) }
        return range.clamp(size)
    }
}

/// The collection of a stage.
final class GallerySource: CollectionDataSource {
    var sections: [GallerySection]

    init(_ sections: [GallerySection]) { self.sections = sections }

    func numberOfSections() -> Int { sections.count }

    func numberOfItems(inSection section: Int) -> Int { sections[section].items.count }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        let section = sections[path.section]
        let item = section.items[path.item]
        return { GalleryNode(item, width: section.itemWidth, estimate: section.estimate) }
    }

    func context(forSection section: Int) -> (any SectionContext)? { sections[section].context }

    func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] {
        [.header, .footer].filter { !text(ofKind: $0, inSection: section).isEmpty }
    }

    func supplementaryNodeProvider(ofKind kind: SupplementaryKind, at path: ItemPath)
        -> NodeProvider
    {
        let text = text(ofKind: kind, inSection: path.section)
        return { GalleryNode(GalleryItem(text)) }
    }

    private func text(ofKind kind: SupplementaryKind, inSection section: Int) -> String {
        kind == .header ? sections[section].title : sections[section].footer
    }
}
