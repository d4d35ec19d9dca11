extension FlowLayout {
    /// Brings the layout up to date, doing no more than what was invalidated asks for.
    func layOut() {
        guard !isPreparing else {
            let text =
                "An attempt to update layout information was detected while already in the process of"
                + " computing the layout (i.e. reentrant call)"
            return report(LayoutError(.reentrantPrepare, message: text))
        }
        guard let host,
            let environment = FlowEnvironment(
                host,
                direction: scrollDirection,
                insetReference: sectionInsetReference
            )
        else {
            state = nil
            return
        }
        isPreparing = true
        defer { isPreparing = false }
        var stale = staleness
        // What is set while preparing, by a question's answer say, counts for the next time.
        staleness = LayoutStaleness()
        if adoptPrepared(in: environment, &stale) { return }
        var resolver = FlowResolver(FlowSettings(self), host, environment)
        state = upToDate(stale, &resolver)
        notes.add(resolver.notes)
        isPrepared = !staleness.metrics
    }

    private func upToDate(_ stale: LayoutStaleness, _ resolver: inout FlowResolver) -> FlowState {
        guard !stale.everything, let state else {
            return rebuilt(keepingSizesOf: nil, &resolver, stale.mistake)
        }
        var stale = stale
        var current = state
        if stale.counts {
            guard let update = pendingUpdate, state.sections.precedes(update) else {
                return rebuilt(keepingSizesOf: nil, &resolver, stale.mistake)
            }
            let plan = SectionEditPlan(update)
            if let mistake = resolver.host.mismatch(with: update, in: plan.touchedSections) {
                return rebuilt(keepingSizesOf: nil, &resolver, mistake)
            }
            current.sections = resolver.applying(update, plan, to: state.sections)
            stale.follow(update)
        }
        // Only now: what views asked for has gone along with their items.
        if stale.metrics { return rebuilt(keepingSizesOf: current, &resolver, stale.mistake) }
        if stale.places || current.environment != resolver.environment {
            current = resolver.placing(current)
        }
        current.sections = resolver.refreshing(stale, in: current.sections)
        return current
    }

    /// Asks for everything.
    ///
    /// - Parameter mistake: what has led to this; it belongs to what is found afterwards.
    private func rebuilt(
        keepingSizesOf former: FlowState?,
        _ resolver: inout FlowResolver,
        _ mistake: LayoutError?
    ) -> FlowState {
        clearErrors()
        // What was found while an update was tried that did not fit.
        resolver.notes.diagnostics = LayoutDiagnostics()
        if let mistake { report(mistake) }
        return resolver.everything(keepingSizesOf: former)
    }
}
