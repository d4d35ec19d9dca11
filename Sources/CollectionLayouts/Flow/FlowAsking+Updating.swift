// Updates: what stayed keeps its size and, as far as possible, its line.

extension FlowAsking {
    /// The layout after an update; nil if the update does not fit what the layout has. Throws if it does not
    /// fit what the view says.
    ///
    /// Complexity: O(k log n) for k edits, and the lines up to where they are as before again.
    mutating func applying(
        _ update: ValidatedChangeSet,
        to state: FlowState
    ) throws(LayoutError) -> FlowState? {
        guard state.sections.precedes(update) else { return nil }
        let found = host.numberOfSections()
        guard found == update.newShape.numberOfSections else {
            throw mismatch("sections", update.newShape.numberOfSections, found)
        }
        let plan = SectionEditPlan(update)
        let carried = update.carried(includesReconfigured: true) { path in
            state.sections.element(at: path.section)?.sizes.element(at: path.item)
        }
        var next = state
        next.sections = try state.sections.applying(update, layingOut: plan.touchedSections) {
            (index, former) throws(LayoutError) in
            let (expected, found) = (
                update.newShape.itemCounts[index], host.numberOfItems(inSection: index)
            )
            guard expected == found else {
                throw mismatch("items in section \(index)", expected, found)
            }
            let sizes = carried[index] ?? [:]
            guard let former else { return section(index, itemCount: expected) { sizes[$0] } }
            return replacing(plan.spans(inSection: index), in: former, index) { sizes[$0] }
        }
        return next
    }

    private func mismatch(_ what: String, _ expected: Int, _ found: Int) -> LayoutError {
        let message =
            "expected \(expected) \(what) after the update, found \(found); all is laid out anew"
        return LayoutError(.updateMismatch, message: message)
    }

    /// Asks for items that came or changed, and for the metrics of their section.
    private mutating func replacing(
        _ spans: [ItemSpan],
        in former: FlowSection,
        _ index: Int,
        retained: (_ item: Int) -> ItemSize?
    ) -> FlowSection {
        let own = ownMetrics(ofSection: index)
        let sizes = former.sizes.replacing(spans) {
            self.sizes(ofItems: $0, inSection: index, own, retained)
        }
        let rules = rules(forSection: index, own)
        return notes.laidOut(FlowSection(sizes, rules: rules, former: former, spans: spans), index)
    }

    /// Asks again for single items, and for the metrics of single sections.
    mutating func refreshing(_ stale: LayoutStaleness, in state: FlowState) -> FlowState {
        var next = state
        for index in stale.supplementedSections.union(stale.items.keys).sorted() {
            guard let former = state.sections.element(at: index) else { continue }
            let items = stale.items[index, default: []].sorted()
            let existing = items.filter { former.sizes.element(at: $0) != nil }
            let section = replacing(ItemSpan.spans(changed: existing), in: former, index) {
                former.sizes.element(at: $0)
            }
            next.sections.replace(at: index, with: section)
        }
        return next
    }

    /// Lays out the same sizes anew, in what is the environment now.
    mutating func placing(_ state: FlowState) -> FlowState {
        let environment = environment
        return FlowState(
            environment: environment,
            sections: state.sections.mapped { index, section in
                let rules = FlowRules(environment: environment, metrics: section.rules.metrics)
                return notes.laidOut(FlowSection(section.sizes, rules: rules), index)
            }
        )
    }
}
