import CollectionPipeline

/// What fills the view, and what drives it without a pipeline. Main lane.
extension SimulatedCollectionView {
    /// What the view shows now.
    var content: any ViewContent { source.content }

    /// Whether the view is in the middle of something that no change may interrupt.
    var isLocked: Bool { pass.isLocked }

    /// Calls `load` at the beginning of every round of a pass.
    func load(by load: @escaping () -> Void) { source.loader = load }

    func note(_ event: @autoclosure () -> ViewEvent) { log.append(event()) }

    /// Asks a data source of views, which has the view to itself meanwhile: nothing lays it out.
    func askingSource<Answer, Fault: Error>(
        _ question: (SimulatedCollectionView) throws(Fault) -> Answer
    ) throws(Fault) -> Answer {
        pass.questionBegan()
        defer { pass.questionEnded() }
        return try question(self)
    }

    /// Takes over a view that was dequeued in the answer that is under way.
    ///
    /// - Returns: false if it was not dequeued for this place.
    func takeDequeued(_ dequeued: CollectionReusableView, for place: LayoutPlace) -> Bool {
        guard let index = supply.dequeued.firstIndex(where: { $0.view === dequeued }),
            supply.dequeued[index].place == place
        else { return false }
        supply.dequeued.remove(at: index)
        return true
    }

    // MARK: Reconfiguring

    /// Configures an item's cell again: immediately if it is shown; a prepared one when it will be shown.
    func reconfigureItem(at path: ItemPath) throws(ViewError) {
        guard let cell = cellForItem(at: path) else { return supply.prefetching.markStale(path) }
        _ = try content.refill(cell, at: .cell(path), isReconfigured: true, in: self)
        invalidatePreferredSize(of: cell)
    }

    /// Asks a data source for a visible view once more.
    ///
    /// - Throws: `reconfiguration` if one is being reconfigured already, and what `question` throws.
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
