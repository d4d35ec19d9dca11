import CollectionPipeline

/// The counts of a data source of views, as they were read last, and the contexts of its sections.
struct SourceContent: ViewContent {
    let shape: HierarchyShape
    let contexts: [(any SectionContext)?]
    private(set) weak var source: (any CollectionViewDataSource)?

    init(
        shape: HierarchyShape,
        contexts: [(any SectionContext)?],
        source: (any CollectionViewDataSource)?
    ) {
        self.shape = shape
        self.contexts = contexts
        self.source = source
    }

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
            return try view.askingSource { view in
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
