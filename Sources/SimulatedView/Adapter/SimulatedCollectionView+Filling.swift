import CollectionPipeline

// What fills the view, and drives it without a pipeline, uses it as `FilledView` and `DrivenView`.

extension SimulatedCollectionView: DrivenView {
    var content: any ViewContent { source.content }

    var isLocked: Bool { pass.isLocked }

    func load(by load: @escaping () -> Void) { source.loader = load }

    func note(_ event: @autoclosure () -> ViewEvent) { log.append(event()) }

    func askingSource<Answer, Fault: Error>(
        _ question: (SimulatedCollectionView) throws(Fault) -> Answer
    ) throws(Fault) -> Answer {
        pass.questionBegan()
        defer { pass.questionEnded() }
        return try question(self)
    }

    func takeDequeued(_ dequeued: CollectionReusableView, for place: LayoutPlace) -> Bool {
        guard let index = supply.dequeued.firstIndex(where: { $0.view === dequeued }),
            supply.dequeued[index].place == place
        else { return false }
        supply.dequeued.remove(at: index)
        return true
    }

    // MARK: Reconfiguring

    func reconfigureItem(at path: ItemPath) throws(ViewError) {
        guard let cell = cellForItem(at: path) else { return supply.prefetching.markStale(path) }
        _ = try content.refill(cell, at: .cell(path), isReconfigured: true, in: self)
        invalidatePreferredSize(of: cell)
    }

    func reconfiguring(
        _ shown: CollectionReusableView,
        at place: LayoutPlace,
        _ question: () throws(ViewError) -> Void
    ) throws(ViewError) {
        guard supply.reconfiguring == nil else {
            throw ViewError(
                .reconfiguration,
                "Attempted to reconfigure a cell while already in the process of reconfiguring a cell:"
                    + " \(place)",
                at: place
            )
        }
        supply.reconfiguring = (place, shown)
        pass.questionBegan()
        defer {
            supply.reconfiguring = nil
            pass.questionEnded()
        }
        try question()
    }

    /// The cell that is being reconfigured, if this asks for it; nil where none is.
    func reconfiguredCell(
        _ identifier: String,
        _ place: LayoutPlace
    ) throws(ViewError) -> CollectionViewCell? {
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
        return reconfiguring.view as? CollectionViewCell
    }
}
