import PipelineTrace
import SimulatedView

/// An item of the gallery's collections: a text with a key.
struct GalleryItem: Hashable {
    /// The identity of the item, wherever it moves.
    var key: String
    var text: String

    init(_ key: String, _ text: String) {
        self.key = key
        self.text = text
    }

    /// Creates an item whose key is its text.
    init(_ text: String) { self.init(text, text) }

    /// The key; `nil` if it equals the text.
    var ownName: String? { key != text ? key : nil }
}

/// A section of items with a title.
struct GallerySection: Sendable {
    /// The text of the header. There is no header if it is empty.
    var title: String
    /// The text of the footer. There is no footer if it is empty.
    var footer = ""
    var items: [GalleryItem]
    /// The width at which texts are wrapped; `nil` for the maximum that the layout allows.
    var itemWidth: Double?
    /// The estimated size of the items until they are shown; `nil` if they are measured in advance.
    var estimate: Size?
    var context: (any SectionContext)?

    init(_ title: String, _ items: [GalleryItem], itemWidth: Double? = nil, footer: String = "") {
        self.title = title
        self.items = items
        self.itemWidth = itemWidth
        self.footer = footer
    }
}

/// Measures a text with the metrics of pictures.
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

    /// Returns the size that the text needs.
    func textSize(in range: SizeRange) -> Size {
        let most = range.maximum.width
        var size = PictureText.size(of: item.text, width: min(width ?? most, most))
        if let width { size.width = max(width, size.width) }
        return range.clamp(size)
    }
}

/// The data source of a stage.
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
