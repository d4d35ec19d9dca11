import CollectionLayouts

/// The least view that a layout can be asked about: a collection, and no scrolling.
final class FramesView: LayoutHost, LayoutMetrics {
    private let request: FramesRequest

    init(_ request: FramesRequest) { self.request = request }

    var bounds: Rect {
        // How much of it is seen at once makes no difference to where everything is, so that it may be as
        // much in one direction as in the other.
        Rect(origin: .zero, size: Size(width: request.width, height: request.width))
    }

    var adjustedContentInset: EdgeInsets { .zero }
    var safeAreaInsets: EdgeInsets { .zero }
    var layoutMargins: EdgeInsets { .zero }
    var isRightToLeft: Bool { false }
    var displayScale: Double { request.scale }

    var numberOfSections: Int { request.sections.count }

    func numberOfItems(inSection section: Int) -> Int { request.sections[section].items.count }

    func context(forSection section: Int) -> (any SectionContext)? { nil }

    func measuredSize(of place: LayoutPlace) -> Size? { nil }

    var layoutMetrics: (any LayoutMetrics)? { self }

    func invalidateLayout(with context: LayoutInvalidationContext) {}

    // MARK: Metrics

    func metrics(ofSection section: Int) -> SectionMetrics { request.sections[section].metrics }

    func size(ofItemAt path: ItemPath) -> Size? { request.sections[path.section].items[path.item] }
}
