import CollectionPipeline

/// What a view shows, as of one moment: a map of the pipeline, or the counts of a data source of
/// views. Main lane.
protocol ViewContent {
    var shape: HierarchyShape { get }

    func context(forSection section: Int) -> (any SectionContext)?

    /// nil where nobody measured.
    func measuredSize(of place: LayoutPlace) -> Size?

    /// What a layout delegate laid out of it, if there is one.
    var preparedLayout: (any Sendable)? { get }

    /// The pipeline's; nil where a data source of views fills the view.
    var pipelineMap: ElementMap? { get }

    /// Who is there, where elements have an identity.
    func element(at place: LayoutPlace) -> CollectionElement?

    /// Dequeues and fills the view for a place that exists, but for decorations.
    func makeView(
        for place: LayoutPlace,
        in view: SimulatedCollectionView
    ) throws(ViewError) -> CollectionReusableView

    /// Fills a view again whose element was reconfigured in place, or may have been.
    ///
    /// - Parameter isReconfigured: whether it is known to have been.
    /// - Returns: whether the view changed.
    func refill(
        _ shown: CollectionReusableView,
        at place: LayoutPlace,
        isReconfigured: Bool,
        in view: SimulatedCollectionView
    ) throws(ViewError) -> Bool
}

extension ViewContent {
    /// The number of items of a section; 0 where there is none.
    func numberOfItems(inSection section: Int) -> Int {
        shape.numberOfItems(inSection: section) ?? 0
    }

    func contains(_ place: LayoutPlace) -> Bool {
        place.category == .cell
            ? shape.contains(place.path)
            : place.path.section >= 0 && place.path.section < shape.numberOfSections
    }
}

/// A map of the pipeline.
struct MapContent: ViewContent {
    let map: ElementMap
    /// What a layout delegate laid out of it.
    var preparedLayout: (any Sendable)?

    var shape: HierarchyShape { map.shape }

    var pipelineMap: ElementMap? { map }

    func context(forSection section: Int) -> (any SectionContext)? {
        map.context(forSection: section)
    }

    func measuredSize(of place: LayoutPlace) -> Size? { map.content(at: place)?.knownSize }

    func element(at place: LayoutPlace) -> CollectionElement? { map.element(at: place) }

    func makeView(
        for place: LayoutPlace,
        in view: SimulatedCollectionView
    ) throws(ViewError) -> CollectionReusableView {
        guard let content = map.content(at: place) else {
            throw ViewError(
                .noView,
                "the layout placed \(place), but the data source has no such element",
                at: place
            )
        }
        let made = view.dequeueForElement(at: place)
        made.take(content)
        return made
    }

    func refill(
        _ shown: CollectionReusableView,
        at place: LayoutPlace,
        isReconfigured: Bool,
        in view: SimulatedCollectionView
    ) -> Bool {
        guard let content = map.content(at: place),
            shown.content != content
                || !shown.hadNode && content.element.nodeIfAllocated != nil
        else { return false }
        shown.take(content)
        return true
    }
}

extension CollectionReusableView {
    fileprivate func take(_ newContent: ElementContent) {
        element = newContent.element
        content = newContent
        hadNode = newContent.element.nodeIfAllocated != nil
        wantsMeasuring = newContent.isPending
        contentDidChange()
    }
}
