// Updates: what stayed keeps its size and, as far as possible, its line.

extension FlowAsking {
    /// The layout after an update; nil if the update does not fit what the layout has. Throws if it does not
    /// fit what the view says.
    ///
    /// Complexity: O(k log n) for k edits, and the lines up to where they are as before again.
    func applying(
        _ update: ValidatedChangeSet,
        to state: FlowState
    ) throws(LayoutError) -> FlowState? {
        guard !update.isReloadData, update.oldShape == state.shape else { return nil }
        guard host.numberOfSections() == update.newShape.numberOfSections else {
            throw mismatch("sections", update.newShape.numberOfSections, host.numberOfSections())
        }
        let carried = carriedSizes(of: update, in: state)
        var next = FlowState(
            environment: state.environment,
            sections: state.sections.placingSections(of: update) { index in
                section(index, itemCount: max(0, host.numberOfItems(inSection: index))) { item in
                    carried[ItemPath(section: index, item: item)]
                }
            },
            shape: update.newShape
        )
        let plan = SectionEditPlan(update)
        for section in plan.sections {
            let spans = plan.edits[section]?.spans ?? []
            next = replacing(spans, inSection: section, of: next) { item in
                carried[ItemPath(section: section, item: item)]
            }
        }
        for section in Set(update.supplementaryReloads.map(\.newSection)).sorted() {
            next = replacing([], inSection: section, of: next) { _ in nil }
        }
        let touched = plan.sections + update.sectionPutIns.map(\.section)
        for section in touched {
            let found = host.numberOfItems(inSection: section)
            let expected = update.newShape.itemCounts[section]
            guard expected == found else {
                throw mismatch("items in section \(section)", expected, found)
            }
        }
        return next
    }

    private func mismatch(_ what: String, _ expected: Int, _ found: Int) -> LayoutError {
        let message =
            "expected \(expected) \(what) after the update, found \(found); all is laid out anew"
        return LayoutError(.updateMismatch, message: message)
    }

    /// The sizes of items that move or are updated in place, by new path.
    private func carriedSizes(
        of update: ValidatedChangeSet,
        in state: FlowState
    ) -> [ItemPath: ItemSize] {
        var sizes: [ItemPath: ItemSize] = [:]
        func carry(_ oldPath: ItemPath, to newPath: ItemPath) {
            let section = state.sections.element(at: oldPath.section)
            if let size = section?.sizes.element(at: oldPath.item) { sizes[newPath] = size }
        }
        for change in update.reconfigurations { carry(change.oldPath, to: change.newPath) }
        for edit in update.itemTakeOuts where edit.role == .move {
            if let target = edit.counterpart { carry(edit.path, to: target) }
        }
        return sizes
    }

    /// Asks for items that came or changed, and for the metrics of their section.
    func replacing(
        _ spans: [ItemSpan],
        inSection index: Int,
        of state: FlowState,
        retained: (_ item: Int) -> ItemSize?
    ) -> FlowState {
        guard let former = state.sections.element(at: index) else { return state }
        let own = ownMetrics(ofSection: index)
        let sizes = former.sizes.replacing(spans) {
            self.sizes(ofItems: $0, inSection: index, own, retained)
        }
        let section = FlowSection(
            sizes,
            rules: rules(forSection: index, own),
            former: former,
            spans: spans
        )
        var next = state
        next.sections = state.sections.replacing(at: index, with: layout.laidOut(section, index))
        return next
    }

    /// Asks again for single items, and for the metrics of single sections.
    func refreshing(
        _ items: Set<ItemPath>,
        _ sections: Set<Int>,
        in state: FlowState
    ) -> FlowState {
        var numbers: [Int: [Int]] = [:]
        for path in items.sorted() { numbers[path.section, default: []].append(path.item) }
        for section in sections where numbers[section] == nil { numbers[section] = [] }
        var next = state
        for section in numbers.keys.sorted() {
            guard let former = state.sections.element(at: section) else { continue }
            let existing = (numbers[section] ?? []).filter { former.sizes.element(at: $0) != nil }
            let spans = ItemSpan.spans(changed: existing)
            next = replacing(spans, inSection: section, of: next) {
                former.sizes.element(at: $0)
            }
        }
        return next
    }
}
