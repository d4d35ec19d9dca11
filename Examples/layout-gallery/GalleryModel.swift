import SimulatedView

/// What the gallery's collections are made of: texts with names.
struct GalleryItem: Hashable {
    /// Who it is, wherever it goes.
    var key: String
    var text: String

    init(_ key: String, _ text: String) {
        self.key = key
        self.text = text
    }

    /// An item that is its own name.
    init(_ text: String) { self.init(text, text) }

    /// The name, where it is another than the text.
    var ownName: String? { key != text ? key : nil }
}

/// Some items under a title.
struct GallerySection: Sendable {
    /// On the header; without one there is no header.
    var title: String
    /// On the footer; without one there is no footer.
    var footer = ""
    var items: [GalleryItem]
    /// The width that texts are wrapped to; nil for as wide as the layout lets them.
    var itemWidth: Double?
    /// What items are taken for until they are shown; nil where they are measured beforehand.
    var estimate: Size?
    var context: (any SectionContext)?

    init(_ title: String, _ items: [GalleryItem], itemWidth: Double? = nil, footer: String = "") {
        self.title = title
        self.items = items
        self.itemWidth = itemWidth
        self.footer = footer
    }
}
