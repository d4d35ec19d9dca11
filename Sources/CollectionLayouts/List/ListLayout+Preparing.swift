import PersistentTrees

extension ListLayout {
    /// Brings the list up to date, asking for no more than what was invalidated.
    func layOut() {
        guard !isPreparing, let host else { return }
        isPreparing = true
        defer { isPreparing = false }
        var stale = staleness
        staleness = LayoutStaleness()
        var resolver = ListResolver(self, host)
        var next = ListState(width: roomAcross(.vertical), host: host)
        if let kept = sections(kept: &stale, &resolver) {
            next.sections = resolver.refreshing(stale, in: kept)
        } else {
            clearErrors()
            next.sections = resolver.everything()
        }
        state = next
        notes.add(resolver.notes)
    }

    /// What can be taken over; nil where everything is to be asked for.
    private func sections(kept stale: inout LayoutStaleness, _ resolver: inout ListResolver)
        -> SectionStack<ListSection>?
    {
        guard !stale.everything, let sections = state?.sections else { return nil }
        if let pendingUpdate { stale.follow(pendingUpdate) }
        guard stale.counts else { return sections }
        guard let pendingUpdate, sections.precedes(pendingUpdate) else { return nil }
        let plan = SectionEditPlan(pendingUpdate)
        let mismatch = resolver.host.mismatch(with: pendingUpdate, in: plan.touchedSections)
        return mismatch == nil ? resolver.applying(pendingUpdate, plan, to: sections) : nil
    }

    // MARK: Self-sizing

    func context(forPreferredLayoutAttributes preferred: LayoutAttributes)
        -> LayoutInvalidationContext
    {
        let context = Self.invalidationContextClass.init()
        let (place, height) = (preferred.place, preferred.size.height)
        guard preferred.size.isValid, let state, let old = layoutAttributes(for: place)?.frame,
            var section = state.sections.element(at: place.path.section)
        else { return context }
        switch place.category {
        case .cell:
            section.rows = section.rows.replacing(at: place.path.item, with: height)
            context.invalidateItems(at: [place.path])
        case .supplementary(let kind):
            section.prefer(height, asHeader: kind == .header)
            context.invalidateSupplementaryElements(ofKind: kind, at: [place.path])
        case .decoration: return context
        }
        var next = state
        next.sections.replace(at: place.path.section, with: section)
        self.state = next
        let growth = next.sections.extent - state.sections.extent
        context.adjust(by: growth, of: old, keeping: host?.visibleRect, .vertical)
        notedContext = context
        return context
    }
}
