import CollectionElements

extension ComposedLayout {
    /// Returns the extent of the sections across the scroll direction in these bounds; 0 if there
    /// is no space.
    private func room(in bounds: Rect) -> Double {
        guard let host, !bounds.isEmpty else { return 0 }
        let room =
            bounds.size.across(scrollDirection)
            - host.adjustedContentInset.across(scrollDirection)
        return (0...ComposedLayout.largestExtent).contains(room) ? room : 0
    }

    func changesAvailableExtent(_ newBounds: Rect) -> Bool {
        room(in: newBounds) != state.acrossExtent
    }

    /// Keeps the sections that survive an update, lays out those that it touches, and then lays out
    /// everything else that is stale.
    func layOut(applying update: ValidatedChangeSet) {
        guard let host else { return }
        let isKnown = state.sections.shape == update.oldShape
        if isKnown {
            let width = host.isRightToLeft ? collectionViewContentSize.width : 0
            noteUpdate(update, of: ComposedLayout.self) { [unowned self, state] in
                scene(of: state, contentWidth: width).attributes(for: $0)
            }
        }
        if isKnown, !staleness.everything, !update.isReloadData, state.acrossExtent > 0,
            room(in: host.bounds) > 0
        {
            var resolver = resolver(usedInsets)
            state.sections = resolver.applying(
                update,
                SectionEditPlan(update),
                stale: staleness,
                to: state.sections
            )
            take(resolver)
            // The counts are correct now; other stale parts are still to be laid out.
            staleness.counts = false
            staleness.clearLists()
        } else {
            staleness.counts = true
        }
        layOutStale()
    }

    /// Lays out the stale parts: none, single sections, or everything.
    func layOutStale() {
        guard let host else { return }
        var stale = staleness
        staleness = LayoutStaleness()
        let former = state
        state.acrossExtent = room(in: host.bounds)
        let changesAvailableExtent = state.acrossExtent != former.acrossExtent
        if changesAvailableExtent
            || usedInsets.contains(where: { host.insets(of: $0.key) != $0.value })
        {
            stale.metrics = true
        }
        let keepsPreferred = !stale.everything && !stale.counts
        guard keepsPreferred, !stale.metrics else {
            return layOutEverything(of: host, keepsPreferred ? former : nil)
        }
        guard state.acrossExtent > 0 else { return }
        var resolver = resolver(usedInsets)
        state.sections = resolver.refreshing(stale, in: former.sections) {
            host.numberOfItems(inSection: $0)
        }
        take(resolver)
    }

    /// - Parameter former: The previous state, if preferred sizes are kept.
    private func layOutEverything(of host: any LayoutHost, _ former: ComposedState?) {
        clearErrors()
        usedInsets = [:]
        let acrossExtent = state.acrossExtent
        guard acrossExtent > 0 else {
            // The known sizes stay valid even if the view temporarily has no extent.
            if former == nil { state.sections = SectionStack() }
            return
        }
        let resolver = resolver([:])
        state.sections = resolver.everything(of: host) { section, itemCount in
            guard let former, let old = former.sections.element(at: section),
                old.itemCount == itemCount
            else { return PreferredSizes() }
            var preferred = old.preferred
            if acrossExtent != former.acrossExtent {
                // The extent across the scroll direction has changed, so preferred sizes that fill
                // it are dropped.
                preferred.removeItems(thatFill: acrossExtent, scrollDirection)
            }
            return preferred
        }
        take(resolver)
    }

    func resolver(_ usedInsets: [SectionInsetReference: EdgeInsets]) -> ComposedResolver {
        ComposedResolver(self, acrossExtent: state.acrossExtent, usedInsets: usedInsets)
    }

    /// Adds the work and errors of a resolver, and keeps the insets that it read.
    func take(_ resolver: ComposedResolver) {
        notes.add(resolver.notes)
        usedInsets = resolver.usedInsets
    }
}
