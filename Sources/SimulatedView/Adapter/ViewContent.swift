/// The content of a view at one moment: an element map of the pipeline, or the counts of a data
/// source of views. Main lane.
protocol ViewContent {
    var shape: HierarchyShape { get }

    func context(forSection section: Int) -> (any SectionContext)?

    /// Returns the measured size of an element; `nil` if it was not measured.
    func measuredSize(of place: LayoutPlace) -> Size?

    /// The result of a layout delegate for this content, if there is one.
    var preparedLayout: (any Sendable)? { get }

    /// The element map of the pipeline; `nil` if a data source of views fills the view.
    var pipelineMap: ElementMap? { get }

    /// Returns the element at a place; `nil` if a data source of views fills the view.
    func element(at place: LayoutPlace) -> CollectionElement?

    /// Dequeues and fills the view for an existing place; not for decorations.
    func makeView(
        for place: LayoutPlace,
        in view: SimulatedCollectionView
    ) throws(ViewError) -> CollectionReusableView

    /// Fills a view again after its element was, or may have been, reconfigured in place.
    ///
    /// - Parameter isReconfigured: Whether the element is known to have been reconfigured.
    /// - Returns: Whether the view changed.
    func refill(
        _ shown: CollectionReusableView,
        at place: LayoutPlace,
        isReconfigured: Bool,
        in view: SimulatedCollectionView
    ) throws(ViewError) -> Bool
}

extension ViewContent {
    /// The number of items in a section; 0 if the section does not exist.
    func numberOfItems(inSection section: Int) -> Int {
        shape.numberOfItems(inSection: section) ?? 0
    }

    func contains(_ place: LayoutPlace) -> Bool {
        place.category == .cell
            ? shape.contains(place.path)
            : place.path.section >= 0 && place.path.section < shape.numberOfSections
    }
}

/// Content that is an element map of the pipeline.
struct MapContent: ViewContent {
    let map: ElementMap
    /// The result of a layout delegate for the map.
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

/// Content that is read from a data source of views: its last counts, and the contexts of its
/// sections.
struct SourceContent: ViewContent {
    let shape: HierarchyShape
    let contexts: [(any SectionContext)?]
    private(set) weak var source: (any CollectionViewDataSource)?

    func context(forSection section: Int) -> (any SectionContext)? {
        contexts.indices.contains(section) ? contexts[section] : nil
    }

    func measuredSize(of place: LayoutPlace) -> Size? { nil }

    func element(at place: LayoutPlace) -> CollectionElement? { nil }

    var pipelineMap: ElementMap? { nil }

    var preparedLayout: (any Sendable)? { nil }

    func makeView(
        for place: LayoutPlace,
        in view: SimulatedCollectionView
    ) throws(ViewError) -> CollectionReusableView {
        let answer = try answer(for: place, in: view)
        guard view.takeDequeued(answer, for: place) else {
            throw ViewError(
                .notDequeued,
                "the view returned from -collectionView:\(place.selector) (\(type(of: answer))) was not"
                    + " retrieved by calling"
                    + " -dequeueReusable\(place.category == .cell ? "Cell" : "SupplementaryView")… for"
                    + " \(place) in that call",
                at: place
            )
        }
        return answer
    }

    private func answer(
        for place: LayoutPlace,
        in view: SimulatedCollectionView
    ) throws(ViewError) -> CollectionReusableView {
        guard let source else {
            throw ViewError(.noDataSource, "UICollectionView dataSource is not set", at: place)
        }
        view.note(.dataSource(.view(place)))
        do {
            return try view.callingDataSource { view in
                guard case .supplementary(let kind) = place.category else {
                    return try source.collectionView(view, cellForItemAt: place.path)
                }
                return try source.collectionView(
                    view,
                    viewForSupplementaryElementOfKind: kind,
                    at: place.path
                )
            }
        } catch let error as ViewError {
            throw error
        } catch {
            throw ViewError(.noView, "no view for \(place): \(error)", at: place)
        }
    }

    func refill(
        _ shown: CollectionReusableView,
        at place: LayoutPlace,
        isReconfigured: Bool,
        in view: SimulatedCollectionView
    ) throws(ViewError) -> Bool {
        guard isReconfigured else { return false }
        try view.reconfiguring(shown, at: place) { () throws(ViewError) in
            let answer = try answer(for: place, in: view)
            guard answer === shown else {
                throw ViewError(
                    .reconfiguration,
                    "UICollectionView dataSource returned a different cell from"
                        + " -collectionView:cellForItemAtIndexPath: than the cell being reconfigured, which"
                        + " is not allowed: \(place)",
                    at: place
                )
            }
        }
        return true
    }
}

extension LayoutPlace {
    fileprivate var selector: String {
        category == .cell
            ? "cellForItemAtIndexPath:" : "viewForSupplementaryElementOfKind:atIndexPath:"
    }
}
