import CollectionChanges
import CollectionElements

extension ComposedLayout {
    func layOut(applying update: ValidatedChangeSet) {
        guard let host else { return }
        let isKnown = sections.count == update.oldShape.numberOfSections
        if isKnown { noteUpdate(update, attributesBefore: queriesOfNow()) }
        if isKnown, !pending.everything, !update.isReloadData, acrossExtent > 0,
            room(in: host.bounds) > 0
        {
            layOutSections(touchedBy: update)
            // The counts are right by now; what else was noted is still to be done.
            pending.counts = false
            pending.sections = []
            pending.items = [:]
        } else {
            pending.counts = true
        }
        layOutPending()
    }

    private func layOutSections(touchedBy update: ValidatedChangeSet) {
        let plan = SectionEditPlan(update)
        let carrier = PreferredSizeCarrier(update, sections)
        let stale = Set(pending.staleSections.compactMap { update.newSection(for: $0) })
        let fresh = applyStructure(of: update)
        let touched = stale.union(fresh).union(plan.sections)
            .union(update.supplementaryReloads.map(\.newSection))
        var transaction = sections.transaction()
        for section in touched.sorted() {
            let counted = update.newShape.itemCounts[section]
            let count = errorLog.usable(counted, as: .itemCount, section: section)
            let spans = plan.edits[section]?.spans ?? []
            let old = transaction[section]
            let new =
                if fresh.contains(section) {
                    layOut(
                        section,
                        resolveLayout(ofSection: section),
                        count,
                        carrier.sizes(forFreshSection: section, count: count)
                    )
                } else {
                    layOut(
                        section,
                        old.layout,
                        count,
                        carrier.sizes(old.preferred, forSection: section, spans, count: count),
                        stale.contains(section) ? nil : SectionChanges(old, spans: spans)
                    )
                }
            transaction.replace(at: section, with: new)
        }
        sections = transaction.commit()
    }

    /// Answers with the sections as they are now, whatever they will be when it is asked.
    private func queriesOfNow() -> (LayoutPlace) -> LayoutAttributes? {
        { [unowned self, sections, acrossExtent] place in
            let current = (self.sections, self.acrossExtent)
            (self.sections, self.acrossExtent) = (sections, acrossExtent)
            defer { (self.sections, self.acrossExtent) = current }
            return attributes(for: place)
        }
    }

    /// Takes sections out and puts them in; those that came are without layout yet, and are the answer.
    private func applyStructure(of update: ValidatedChangeSet) -> Set<Int> {
        var fresh: Set<Int> = []
        var moved: [Int: ComposedSection] = [:]
        var transaction = sections.transaction()
        for edit in update.sectionTakeOuts {
            let section = transaction.remove(at: edit.section)
            if edit.role == .move, let newSection = edit.counterpart { moved[newSection] = section }
        }
        for edit in update.sectionPutIns {
            if let section = moved[edit.section] {
                transaction.insert(section, at: edit.section)
            } else {
                transaction.insert(ComposedSection(defaultLayout), at: edit.section)
                fresh.insert(edit.section)
            }
        }
        sections = transaction.commit()
        return fresh
    }
}

/// Takes the sizes that views wanted to where their elements are now.
private struct PreferredSizeCarrier {
    /// What the views of items wanted that moved or were updated in place, by new section and item.
    private var known: [Int: [Int: Size]] = [:]
    private var askedAgain: [Int: Set<SupplementaryKind>] = [:]

    /// Complexity: O(k log n) for k edits.
    init(_ update: ValidatedChangeSet, _ before: ComposedSections) {
        for change in update.reconfigurations { carry(change.oldPath, to: change.newPath, before) }
        for edit in update.itemTakeOuts where edit.role == .move {
            if let newPath = edit.counterpart { carry(edit.path, to: newPath, before) }
        }
        for reload in update.supplementaryReloads {
            askedAgain[reload.newSection, default: []].insert(reload.kind)
        }
    }

    private mutating func carry(
        _ oldPath: ItemPath,
        to newPath: ItemPath,
        _ before: ComposedSections
    ) {
        guard let size = before[oldPath.section].preferred[.cell(oldPath)] else { return }
        known[newPath.section, default: [:]][newPath.item] = size
    }

    func sizes(forFreshSection section: Int, count: Int) -> PreferredSizes {
        var sizes = PreferredSizes()
        sizes.replaceItems([], known: known[section] ?? [:], count: count)
        return sizes
    }

    func sizes(
        _ former: PreferredSizes,
        forSection section: Int,
        _ spans: [ItemSpan],
        count: Int
    ) -> PreferredSizes {
        var sizes = former
        sizes.replaceItems(spans, known: known[section] ?? [:], count: count)
        if askedAgain[section]?.contains(.header) == true { sizes.header = nil }
        if askedAgain[section]?.contains(.footer) == true { sizes.footer = nil }
        return sizes
    }
}
