import CollectionLayouts

// Views say which size they want, and the layout whether it gives in.

extension SimulatedCollectionView {
    /// Asks the views whose attributes were invalidated. Views that stand in one place for want of an extent
    /// come into the bounds one after the other, as those before them grow.
    func askPreferred() {
        for known in display.shown.all where known.needsPreferred {
            let place = known.place
            guard let attributes = attributes(for: place) else { continue }
            // Nobody asks the views of what has gone out of sight.
            guard attributes.frame.intersects(viewport.bounds) else { continue }
            askPreferred(place, attributes)
            pass.asked(place)
        }
    }

    /// Asks a view which size it wants, and the layout whether that invalidates it; within passes only.
    func askPreferred(_ place: LayoutPlace, _ attributes: LayoutAttributes? = nil) {
        guard let known = display.shown[place] else { return }
        let original = attributes ?? known.attributes
        known.needsPreferred = false
        var preferred = known.view.preferredLayoutAttributesFitting(original)
        preferred.place = place
        log.append(.preferred(place, preferred.size))
        let isInvalid = asking {
            $0.shouldInvalidateLayout(
                forPreferredLayoutAttributes: preferred,
                withOriginalAttributes: original
            )
        }
        log.append(.layout(.shouldInvalidateLayoutForPreferred(place, preferred.size, isInvalid)))
        guard isInvalid else { return }
        let context = asking {
            $0.invalidationContext(
                forPreferredLayoutAttributes: preferred,
                withOriginalAttributes: original
            )
        }
        log.append(.layout(.invalidationContextForPreferred(place)))
        shownLayout.invalidateLayout(with: context)
    }

    /// A view prefers another size: it is asked again in the next pass, with any others.
    ///
    /// Does nothing where the view is not in the viewport.
    public func invalidatePreferredSize(of view: CollectionReusableView) {
        requireLane("invalidatePreferredSize(of:)")
        guard let place = place(of: view) else { return }
        display.shown[place]?.needsPreferred = true
        setNeedsLayout()
    }
}
