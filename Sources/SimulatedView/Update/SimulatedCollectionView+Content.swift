import CollectionElements
import CollectionLayouts

// The content of the view, as its layout queries it.

extension SimulatedCollectionView {
    /// The number of sections that the view shows. Within a batch of updates, this is still the old
    /// number.
    public var numberOfSections: Int {
        requireLane()
        return content.shape.numberOfSections
    }

    /// Returns the number of items of a section in the view; 0 if the section does not exist.
    public func numberOfItems(inSection section: Int) -> Int {
        requireLane()
        return content.numberOfItems(inSection: section)
    }

    /// Returns the context that the data source attached to a section when it was inserted.
    public func context(forSection section: Int) -> (any SectionContext)? {
        requireLane()
        return content.context(forSection: section)
    }

    /// The result of a layout delegate for the current content; `nil` without a layout delegate. If
    /// a `PreparedFlow` belongs to other content, the view reports that and returns `nil`, and the
    /// layout computes everything itself.
    public var preparedLayout: (any Sendable)? {
        requireLane()
        return content.preparedLayout
    }

    /// Returns the size that the pipeline measured for an element; `nil` if a data source of views
    /// fills the view.
    public func measuredSize(of place: LayoutPlace) -> Size? {
        requireLane()
        return content.measuredSize(of: place)
    }
}

/// The connection between the view and the source of its content. Main lane.
extension SimulatedCollectionView {
    /// The content that the view shows.
    var content: any ViewContent { source.content }

    /// Whether a pass, an update or a call to the layout, data source or delegate is in progress,
    /// which no change may interrupt.
    var isLocked: Bool { pass.isLocked }

    /// Sets the closure that runs at the beginning of every round of a pass.
    func load(by load: @escaping () -> Void) { source.loader = load }

    func note(_ event: @autoclosure () -> ViewEvent) { log.append(event()) }

    /// Calls a data source of views, and blocks layout passes during the call.
    func callingDataSource<Value, Fault: Error>(
        _ call: (SimulatedCollectionView) throws(Fault) -> Value
    ) throws(Fault) -> Value {
        pass.callBegan()
        defer { pass.callEnded() }
        return try call(self)
    }

    /// Removes a dequeued view from the list of those that must be returned in the current call.
    ///
    /// - Returns: `false` if the view was not dequeued for this place.
    func takeDequeued(_ dequeued: CollectionReusableView, for place: LayoutPlace) -> Bool {
        guard let index = reuse.dequeued.firstIndex(where: { $0.view === dequeued }),
            reuse.dequeued[index].place == place
        else { return false }
        reuse.dequeued.remove(at: index)
        return true
    }

    // MARK: Reconfiguring

    /// Configures an item's cell again: immediately if it is visible; a prepared cell when it
    /// becomes visible.
    func reconfigureItem(at path: ItemPath) throws(ViewError) {
        guard let cell = cellForItem(at: path) else { return reuse.prefetching.markStale(path) }
        _ = try content.refill(cell, at: .cell(path), isReconfigured: true, in: self)
        invalidatePreferredSize(of: cell)
    }

    /// Lets a data source configure a visible view again.
    ///
    /// - Throws: `reconfiguration` if another view is being reconfigured, or any error from
    ///   `call`.
    func reconfiguring(
        _ shown: CollectionReusableView,
        at place: LayoutPlace,
        _ call: () throws(ViewError) -> Void
    ) throws(ViewError) {
        guard reuse.reconfiguring == nil else {
            throw ViewError(
                .reconfiguration,
                "Attempted to reconfigure a cell while already in the process of reconfiguring a cell:"
                    + " \(place)",
                at: place
            )
        }
        reuse.reconfiguring = (place, shown)
        pass.callBegan()
        defer {
            reuse.reconfiguring = nil
            pass.callEnded()
        }
        try call()
    }

    /// Returns the cell that is being reconfigured, if the identifier and place match; `nil`
    /// outside a reconfiguration.
    func reconfiguredCell(
        _ identifier: String,
        _ place: LayoutPlace
    ) throws(ViewError) -> CollectionViewCell? {
        guard let reconfiguring = reuse.reconfiguring else { return nil }
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
