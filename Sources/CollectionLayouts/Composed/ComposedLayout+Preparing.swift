import CollectionElements

extension ComposedLayout {
    /// The extent across for the sections in such bounds; 0 where there is no room at all.
    private func room(in bounds: Rect) -> Double {
        guard let host, !bounds.isEmpty else { return 0 }
        let room =
            bounds.size.across(scrollDirection)
            - host.adjustedContentInset.across(scrollDirection)
        return (0...ComposedLayout.largestExtent).contains(room) ? room : 0
    }

    func changesRoom(_ newBounds: Rect) -> Bool { room(in: newBounds) != state.acrossExtent }

    /// Takes along what stays in an update, lays out what it touches, and then what else is stale.
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
            var resolver = resolver(askedInsets)
            state.sections = resolver.applying(
                update,
                SectionEditPlan(update),
                stale: staleness,
                to: state.sections
            )
            take(resolver)
            // The counts are right by now; what else was noted is still to be done.
            staleness.counts = false
            staleness.clearLists()
        } else {
            staleness.counts = true
        }
        layOutStale()
    }

    /// Lays out what is stale: nothing, single sections, or everything.
    func layOutStale() {
        guard let host else { return }
        var stale = staleness
        staleness = LayoutStaleness()
        let former = state
        state.acrossExtent = room(in: host.bounds)
        let changesRoom = state.acrossExtent != former.acrossExtent
        if changesRoom || askedInsets.contains(where: { host.insets(of: $0.key) != $0.value }) {
            stale.metrics = true
        }
        let keepsPreferred = !stale.everything && !stale.counts
        guard keepsPreferred, !stale.metrics else {
            return layOutEverything(of: host, keepsPreferred ? former : nil)
        }
        guard state.acrossExtent > 0 else { return }
        var resolver = resolver(askedInsets)
        state.sections = resolver.refreshing(stale, in: former.sections) {
            host.numberOfItems(inSection: $0)
        }
        take(resolver)
    }

    /// - Parameter former: what was laid out, if what views preferred is kept.
    private func layOutEverything(of host: any LayoutHost, _ former: ComposedState?) {
        clearErrors()
        askedInsets = [:]
        let acrossExtent = state.acrossExtent
        guard acrossExtent > 0 else {
            // Sizes are not known to be wrong merely because the view is closed for a moment.
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
                // There is other room, so that sizes that do not fit are no longer preferred.
                preferred.removeItems(thatFill: acrossExtent, scrollDirection)
            }
            return preferred
        }
        take(resolver)
    }

    func resolver(_ askedInsets: [SectionInsetReference: EdgeInsets]) -> ComposedResolver {
        ComposedResolver(self, acrossExtent: state.acrossExtent, askedInsets: askedInsets)
    }

    /// Takes note of what laying out has cost, and shown.
    func take(_ resolver: ComposedResolver) {
        notes.add(resolver.notes)
        askedInsets = resolver.askedInsets
    }
}
