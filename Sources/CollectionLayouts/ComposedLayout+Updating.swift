import CollectionChanges
import CollectionElements

extension ComposedLayout {
    func layOut(applying update: ValidatedChangeSet) {
        guard let host else { return }
        let isKnown = sections.count == update.oldShape.numberOfSections
        if isKnown { noteUpdate(update, attributesBefore: queriesOfNow()) }
        guard isKnown, !pending.everything, !update.isReloadData, acrossExtent > 0,
            room(in: host.bounds) > 0
        else {
            pending.counts = true
            layOutPending()
            return
        }
        let before = sections
        let stale = touchedSections(update)
        let fresh = applyStructure(of: update)
        let carrier = PreferredSizeCarrier(update, before)
        var transaction = sections.transaction()
        for section in stale.union(fresh).sorted() where section < transaction.count {
            let layout =
                fresh.contains(section)
                ? resolveLayout(ofSection: section) : transaction[section].layout
            let counted = update.newShape.numberOfItems(inSection: section) ?? 0
            let count = errorLog.usable(counted, as: .itemCount, section: section)
            let preferred = carrier.sizes(forNewSection: section, count: count)
            transaction.replace(at: section, with: layOut(section, layout, count, preferred))
        }
        sections = transaction.commit()
        // The counts are right by now; what else was noted is still to be done.
        pending.counts = false
        pending.sections = []
        layOutPending()
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

    /// The sections, by new index, in which something is not as it was; those that are all new may be
    /// among them or not.
    private func touchedSections(_ update: ValidatedChangeSet) -> Set<Int> {
        var touched = Set(update.itemPutIns.map(\.path.section))
        touched.formUnion(update.reconfigurations.map(\.newPath.section))
        touched.formUnion(update.supplementaryReloads.map(\.newSection))
        let old = Set(update.itemTakeOuts.map(\.path.section)).union(pending.sections)
        touched.formUnion(old.compactMap { update.newSection(for: $0) })
        return touched
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
    let update: ValidatedChangeSet
    let before: ComposedSections
    /// The items that were replaced, by new path.
    private let replaced: Set<ItemPath>
    /// The old sections that items were moved from, by the new section that they are in.
    private var sources: [Int: Set<Int>] = [:]

    init(_ update: ValidatedChangeSet, _ before: ComposedSections) {
        self.update = update
        self.before = before
        replaced = Set(update.itemPutIns.lazy.filter { $0.role == .reload }.map(\.path))
        for edit in update.itemPutIns where edit.role == .move {
            guard let oldPath = edit.counterpart else { continue }
            sources[edit.path.section, default: []].insert(oldPath.section)
        }
    }

    /// Complexity: O(m log k) for m items, unless nobody wanted anything in the sections that they are from.
    func sizes(forNewSection section: Int, count: Int) -> PreferredSizes {
        var sizes = PreferredSizes()
        var origins = sources[section] ?? []
        if let oldSection = update.oldSection(for: section),
            update.sectionPutIn(at: section)?.role != .reload
        {
            origins.insert(oldSection)
            sizes.header = before[oldSection].preferred.header
            sizes.footer = before[oldSection].preferred.footer
        }
        for reload in update.supplementaryReloads where reload.newSection == section {
            if reload.kind == .header { sizes.header = nil }
            if reload.kind == .footer { sizes.footer = nil }
        }
        var known: [Int: [Int: Size]] = [:]
        for origin in origins { known[origin] = before[origin].preferred.items }
        guard known.values.contains(where: { !$0.isEmpty }) else { return sizes }
        for item in 0..<count {
            let path = ItemPath(section: section, item: item)
            guard !replaced.contains(path), let oldPath = update.oldPath(for: path) else {
                continue
            }
            if let size = known[oldPath.section]?[oldPath.item] { sizes.items[item] = size }
        }
        return sizes
    }
}
