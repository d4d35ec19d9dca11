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

    func makeView(
        for place: LayoutPlace,
        in view: SimulatedCollectionView
    ) throws(ViewError) -> CollectionReusableView {
        let answer = try answer(for: place, in: view)
        guard let index = view.supply.dequeued.firstIndex(where: { $0.view === answer }),
            view.supply.dequeued[index].place == place
        else {
            throw ViewError(
                .notDequeued,
                "the view returned from -collectionView:\(place.selector) (\(type(of: answer))) was not"
                    + " retrieved by calling"
                    + " -dequeueReusable\(place.category == .cell ? "Cell" : "SupplementaryView")… for"
                    + " \(place) in that call",
                at: place
            )
        }
        view.supply.dequeued.remove(at: index)
        return answer
    }

    private func answer(
        for place: LayoutPlace,
        in view: SimulatedCollectionView
    ) throws(ViewError) -> CollectionReusableView {
        guard let source else {
            throw ViewError(.noDataSource, "UICollectionView dataSource is not set", at: place)
        }
        view.log.append(.dataSource(.view(place)))
        do {
            if case .supplementary(let kind) = place.category {
                return try source.collectionView(
                    view,
                    viewForSupplementaryElementOfKind: kind,
                    at: place.path
                )
            }
            return try source.collectionView(view, cellForItemAt: place.path)
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
    ) -> Bool {
        guard isReconfigured else { return false }
        do throws(ViewError) {
            try reconfigure(shown, at: place, in: view)
            return true
        } catch {
            view.report(error)
            return false
        }
    }

    /// Has the data source configure the cell that an item has.
    func reconfigure(
        _ shown: CollectionReusableView,
        at place: LayoutPlace,
        in view: SimulatedCollectionView
    ) throws(ViewError) {
        guard view.supply.reconfiguring == nil else {
            throw ViewError(
                .reconfiguration,
                "Attempted to reconfigure a cell while already in the process of reconfiguring a cell:"
                    + " \(place)",
                at: place
            )
        }
        view.supply.reconfiguring = (place, shown)
        view.pass.questionBegan()
        defer {
            view.supply.reconfiguring = nil
            view.pass.questionEnded()
        }
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
}

extension LayoutPlace {
    fileprivate var selector: String {
        category == .cell
            ? "cellForItemAtIndexPath:" : "viewForSupplementaryElementOfKind:atIndexPath:"
    }
}

extension SimulatedCollectionView {
    /// The cell that is being reconfigured, if this asks for it; nil where none is.
    func reconfiguredCell(
        _ identifier: String,
        _ place: LayoutPlace
    ) throws(ViewError) -> CollectionCell? {
        guard let reconfiguring = supply.reconfiguring else { return nil }
        guard reconfiguring.place == place else {
            throw ViewError(
                .reconfiguration,
                "Attempted to dequeue a cell at a different index path (\(place)) than the cell being"
                    + " reconfigured (\(reconfiguring.place))",
                at: place
            )
        }
        guard reconfiguring.view.reuseIdentifier == identifier else {
            throw ViewError(
                .reconfiguration,
                "Attempted to dequeue a cell for a different registration or reuse identifier than the"
                    + " existing cell when reconfiguring: \(identifier) instead of"
                    + " \(reconfiguring.view.reuseIdentifier)",
                at: place
            )
        }
        return reconfiguring.view as? CollectionCell
    }
}
