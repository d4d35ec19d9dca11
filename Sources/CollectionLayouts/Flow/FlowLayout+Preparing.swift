extension FlowLayout {
    /// Brings the layout up to date, doing no more than what was invalidated asks for.
    func layOut() {
        guard !isPreparing else {
            let text =
                "An attempt to update layout information was detected while already in the process of"
                + " computing the layout (i.e. reentrant call)"
            return errorLog.report(LayoutError(.reentrantPrepare, message: text))
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
        staleness = FlowStaleness()
        bringUpToDate(stale, FlowAsking(self, host, environment))
        isPrepared = !staleness.metrics
    }

    private func bringUpToDate(_ stale: FlowStaleness, _ asking: FlowAsking) {
        guard !stale.everything, let state else {
            return rebuild(keepingSizesOf: nil, asking, stale.mistake)
        }
        var stale = stale
        var current = state
        if stale.counts {
            do throws(LayoutError) {
                guard let update = pendingUpdate,
                    let updated = try asking.applying(update, to: state)
                else { return rebuild(keepingSizesOf: nil, asking, stale.mistake) }
                current = updated
                stale.follow(update)
            } catch {
                return rebuild(keepingSizesOf: nil, asking, error)
            }
        }
        // Only now: what views asked for has gone along with their items.
        if stale.metrics { return rebuild(keepingSizesOf: current, asking, stale.mistake) }
        if stale.attributes || current.environment != asking.environment {
            current = relaid(current, in: asking.environment)
        }
        self.state = asking.refreshing(stale.items, stale.sections, in: current)
    }

    /// Asks for everything.
    ///
    /// - Parameter mistake: what has led to this; it belongs to what is found afterwards.
    private func rebuild(
        keepingSizesOf former: FlowState?,
        _ asking: FlowAsking,
        _ mistake: LayoutError?
    ) {
        errorLog.removeAll()
        if let mistake { errorLog.report(mistake) }
        let count = max(0, asking.host.numberOfSections())
        var sections: FlowSections.Elements = []
        var itemCounts: [Int] = []
        for index in 0..<count {
            let itemCount = max(0, asking.host.numberOfItems(inSection: index))
            let known = former?.sections.element(at: index)?.sizes
            let retained = known?.count == itemCount ? known : nil
            sections.append(
                asking.section(index, itemCount: itemCount) { retained?.element(at: $0) }
            )
            itemCounts.append(itemCount)
        }
        state = FlowState(
            environment: asking.environment,
            sections: FlowSections(sections),
            shape: HierarchyShape(itemCounts)
        )
    }

    /// Lays out the same sizes anew.
    private func relaid(_ state: FlowState, in environment: FlowEnvironment) -> FlowState {
        var sections: FlowSections.Elements = []
        var cursor = state.sections.cursor()
        while let section = cursor.next() {
            let rules = FlowRules(environment: environment, metrics: section.rules.metrics)
            sections.append(laidOut(FlowSection(section.sizes, rules: rules), sections.count))
        }
        return FlowState(
            environment: environment,
            sections: FlowSections(sections),
            shape: state.shape
        )
    }

    /// Takes note of what laying out a section has cost, and shown.
    func laidOut(_ section: FlowSection, _ index: Int) -> FlowSection {
        work.laidOutSections += 1
        work.brokenLines += section.brokenLineCount
        if section.hasOversizeItem {
            errorLog.report(
                .oversizeItem(inSection: index, section.rules.environment.direction)
            )
        }
        return section
    }
}

extension LayoutError {
    static func oversizeItem(
        inSection section: Int,
        _ direction: ScrollDirection
    ) -> LayoutError {
        let (extent, first, second) =
            direction == .vertical ? ("width", "left", "right") : ("height", "top", "bottom")
        return LayoutError(
            .itemExceedsLine,
            message: """
                The behavior of the UICollectionViewFlowLayout is not defined because: the item \
                \(extent) must be less than the \(extent) of the UICollectionView minus the section \
                insets \(first) and \(second) values, minus the content insets \(first) and \
                \(second) values. Please check the values returned by the delegate. (section \
                \(section))
                """
        )
    }
}
