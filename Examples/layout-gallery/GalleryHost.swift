import CollectionLayouts
import PipelineTrace

/// The view that the gallery's layouts see: a collection, a viewport, and sizes from texts.
///
/// It only answers; ``GalleryStage`` is what calls a layout.
final class GalleryHost: LayoutHost {
    var sections: [GallerySection]
    var bounds: Rect
    var adjustedContentInset = EdgeInsets.zero
    var safeAreaInsets = EdgeInsets.zero
    var layoutMargins = EdgeInsets.zero
    var isRightToLeft = false
    let displayScale = 2.0
    /// Whether sizes are known before anything is shown, as the pipeline's measurements are.
    var isMeasured = true
    /// Who is asked for the range that sizes lie in.
    weak var layout: CollectionLayout?

    init(_ sections: [GallerySection], viewport: Size) {
        self.sections = sections
        bounds = Rect(origin: .zero, size: viewport)
    }

    var layoutMetrics: AnyObject? { nil }

    func numberOfSections() -> Int { sections.count }

    func numberOfItems(inSection section: Int) -> Int {
        sections.indices.contains(section) ? sections[section].items.count : 0
    }

    func context(forSection section: Int) -> (any SectionContext)? {
        sections.indices.contains(section) ? sections[section].context : nil
    }

    func invalidateLayout(with context: LayoutInvalidationContext) {}

    func measuredSize(of place: LayoutPlace) -> Size? {
        place.category == .cell && !isMeasured ? nil : wantedSize(of: place)
    }

    /// The size that an element needs for its text, within what the layout allows.
    func wantedSize(of place: LayoutPlace) -> Size? {
        guard let text = text(at: place) else { return .zero }
        let range = layout?.elementSizeRange
        let most = range?.maximum.width ?? bounds.size.width
        let own = place.category == .cell ? sections[place.path.section].itemWidth : nil
        var size = PictureText.size(of: text, width: min(own ?? most, most))
        size.width = max(own ?? 0, range?.minimum.width ?? 0, size.width)
        return size
    }

    /// What stands on an element; nil where there is none.
    func text(at place: LayoutPlace) -> String? {
        guard sections.indices.contains(place.path.section) else { return nil }
        let section = sections[place.path.section]
        switch place.category {
        case .cell:
            guard section.items.indices.contains(place.path.item) else { return nil }
            return section.items[place.path.item].text
        case .supplementary(.header): return section.title.isEmpty ? nil : section.title
        case .supplementary(.footer): return section.footer.isEmpty ? nil : section.footer
        case .supplementary, .decoration: return nil
        }
    }

    func key(at place: LayoutPlace) -> String? {
        guard place.category == .cell, let text = text(at: place) else { return nil }
        let item = sections[place.path.section].items[place.path.item]
        return item.key == text ? nil : item.key
    }
}
