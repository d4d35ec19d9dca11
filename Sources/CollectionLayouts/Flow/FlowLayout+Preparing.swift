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
        let stale = staleness
        // What is set while preparing, by a question's answer say, counts for the next time.
        staleness = LayoutStaleness()
        var asking = FlowAsking(self, host, environment)
        state = upToDate(stale, &asking)
        notes.add(asking.notes)
        isPrepared = !staleness.metrics
    }

    private func upToDate(_ stale: LayoutStaleness, _ asking: inout FlowAsking) -> FlowState {
        guard !stale.everything, let state else {
            return rebuilt(keepingSizesOf: nil, &asking, stale.mistake)
        }
        var stale = stale
        var current = state
        if stale.counts {
            guard let update = pendingUpdate, state.sections.precedes(update) else {
                return rebuilt(keepingSizesOf: nil, &asking, stale.mistake)
            }
            let plan = SectionEditPlan(update)
            if let mistake = asking.host.mismatch(with: update, in: plan.touchedSections) {
                return rebuilt(keepingSizesOf: nil, &asking, mistake)
            }
            current.sections = asking.applying(update, plan, to: state.sections)
            stale.follow(update)
        }
        // Only now: what views asked for has gone along with their items.
        if stale.metrics { return rebuilt(keepingSizesOf: current, &asking, stale.mistake) }
        if stale.places || current.environment != asking.environment {
            current = asking.placing(current)
        }
        current.sections = asking.refreshing(stale, in: current.sections)
        return current
    }

    /// Asks for everything.
    ///
    /// - Parameter mistake: what has led to this; it belongs to what is found afterwards.
    private func rebuilt(
        keepingSizesOf former: FlowState?,
        _ asking: inout FlowAsking,
        _ mistake: LayoutError?
    ) -> FlowState {
        clearErrors()
        // What was found while an update was tried that did not fit.
        asking.notes.diagnostics = LayoutDiagnostics()
        if let mistake { report(mistake) }
        return asking.everything(keepingSizesOf: former)
    }
}
