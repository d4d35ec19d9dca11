import CollectionLayouts
import CollectionPipeline

// Single views: how each comes into the viewport, is placed and announced, and goes.

extension SimulatedCollectionView {
    /// Makes, places and sizes the view of an element that comes into the viewport, if there is a view for it.
    func show(_ attributes: LayoutAttributes, asksView: Bool) {
        let place = attributes.place
        let view: CollectionReusableView
        if place.category == .cell, let prepared = supply.prefetching.takePrepared(place.path) {
            view = prepared.cell
            // Its element may have changed while it waited.
            refill(view, at: place, isReconfigured: prepared.isStale)
        } else {
            do throws(ViewError) {
                view = try makeView(for: place)
            } catch {
                return report(error)
            }
        }
        display.shown.insert(ShownView(view, attributes))
        settle(view, attributes)
        restoreState(of: view, at: place)
        if asksView { askPreferred(place) }
        if pass.isPrepared { announce(place) }
        pass.shown(place)
    }

    /// Gives a view its place, unless it has it.
    func apply(_ attributes: LayoutAttributes) {
        guard let known = display.shown[attributes.place] else { return }
        known.attributes = attributes
        known.settled()
        settle(known.view, attributes)
    }

    func settle(_ view: CollectionReusableView, _ attributes: LayoutAttributes) {
        guard view.attributes != attributes else { return }
        view.attributes = attributes
        log.append(.apply(attributes.place))
        view.apply(attributes)
    }

    /// Tells of the views that are still to be shown and were not yet announced: their sizes are settled
    /// now, and they have them.
    func announce(_ needed: [LayoutAttributes]) {
        for attributes in needed where display.shown[attributes.place]?.isAnnounced == false {
            apply(attributes)
            announce(attributes.place)
        }
    }

    func announce(_ place: LayoutPlace) {
        guard let known = display.shown[place], !known.isAnnounced else { return }
        known.isAnnounced = true
        if place.category == .cell { supply.prefetching.noteShown(place.path) }
        log.append(.willDisplay(place))
        delegate?.collectionView(self, willDisplay: known.view, at: place)
    }

    /// Asks for the sizes of what is in the viewport, which may have been put off.
    func askForMeasuring() {
        for known in display.shown.all where known.view.wantsMeasuring {
            known.view.wantsMeasuring = false
            known.view.element?.setNeedsMeasuring()
        }
    }

    /// Has everything measured again where that may be for other sizes than it was. Without extent the view waits
    /// until it has one again, and without anything to show until it has that.
    func askForRelayout() {
        guard source.mayOfferOtherSizes, !viewport.bounds.isEmpty, source.version > 0 else {
            return
        }
        source.mayOfferOtherSizes = false
        content.pipelineMap?.setNeedsRelayout()
    }

    /// Takes the views out that are no longer needed.
    ///
    /// - Parameter needed: ascending by place.
    func hide(except needed: [LayoutAttributes]) {
        var next = 0
        for known in display.shown.all {
            while next < needed.count, needed[next].place < known.place { next += 1 }
            if next == needed.count || needed[next].place != known.place { hide(known.place) }
        }
    }

    /// Takes a view out of the viewport.
    func hide(_ place: LayoutPlace) {
        guard let known = display.shown.remove(place) else { return }
        if let update = display.animated, known.isAnnounced, !update.isAtOnce(new: place) {
            // It moves out of sight until the animation ends, with what the update took away.
            display.leaving[display.leaving.count - 1].append(known)
            return
        }
        if known.isAnnounced { tellEnd(known.view, known.lastPlace) }
        // A header may be of a class of cells, but no item comes back to it.
        if supply.prefetching.isEnabled, place.category == .cell,
            let cell = known.view as? CollectionViewCell
        {
            prepare(cell, at: place.path)
        } else {
            recycle(known.view, place.category)
        }
    }

    /// Ends what was visible before an update, and so was announced.
    func endDisplaying(_ leaving: ShownView) {
        tellEnd(leaving.view, leaving.lastPlace)
        recycle(leaving.view, leaving.place.category)
    }

    private func tellEnd(_ view: CollectionReusableView, _ place: LayoutPlace) {
        log.append(.didEndDisplaying(place))
        delegate?.collectionView(self, didEndDisplaying: view, at: place)
    }
}
