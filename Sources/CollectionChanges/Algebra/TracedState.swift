/// The state between updates: what is where, and where it came from since the start.
///
/// This is what composition works on. An update changes it as it would change arrays; the update from the start to
/// now follows from it, see `changeSet()`. It has room for what is different from the start, and one small entry for
/// each section.
struct TracedState {
    /// The shape at the start.
    let oldShape: HierarchyShape
    /// The shape now.
    private(set) var newShape: HierarchyShape
    var sections: [TracedSection]
    var removals = RemovalOptions()
    var options = OptionCodes()

    // Kept for their memory only.
    private var takenItems: [ItemStretch] = []

    init(at shape: HierarchyShape) {
        oldShape = shape
        newShape = shape
        sections = shape.itemCounts.indices.map { TracedSection(untouched: $0) }
    }

    /// A state of which everything is known already.
    init(from oldShape: HierarchyShape, to newShape: HierarchyShape, sections: [TracedSection]) {
        self.oldShape = oldShape
        self.newShape = newShape
        self.sections = sections
    }

    /// Goes on by an update that starts from the shape of now, and is no `reloadData`.
    mutating func apply(_ update: ValidatedChangeSet) {
        assert(update.oldShape == newShape && !update.isReloadData)
        let removals = update.itemRemovals
        removeItems(removals)
        if !update.sectionRemovals.isEmpty || !update.sectionInsertions.isEmpty {
            replaceSections(update.sectionRemovals, update.sectionInsertions)
        }
        insertItems(update.itemInsertions, removed: removals)
        takenItems.removeAll(keepingCapacity: true)
        reconfigure(update.reconfigurations)
        for reload in update.supplementaryReloads {
            sections[reload.newSection].reload(reload.kind, reload.animation)
        }
        newShape = update.newShape
    }

    // MARK: Items

    /// Carries out the first run; `takenItems` has then what was removed, in its order.
    private mutating func removeItems(_ edits: [ItemEdit]) {
        guard let first = edits.first else { return }
        takenItems.append(contentsOf: repeatElement(.fresh(1), count: edits.count))
        forEachSection(of: edits, first.path.section, \.path) { state, section, range in
            state.sections[section].touch(state.oldShape)
            // Ascending is the way to go through stretches, while the run descends.
            if state.sections[section].items!.isWorthwhile(forEdits: range.count) {
                state.sections[section].items!.remove(
                    count: range.count,
                    at: { edits[range.upperBound - 1 - $0].path.item },
                    { state.takenItems[range.upperBound - 1 - $0] = $1 }
                )
            } else {
                for index in range {
                    state.takenItems[index] =
                        state.sections[section].items!.remove(at: edits[index].path.item)
                }
            }
        }
        for (index, edit) in edits.enumerated()
        where edit.role == .delete && edit.animation != .automatic {
            removals.note(takenItems[index], edit.animation)
        }
    }

    /// Carries out the fourth run.
    private mutating func insertItems(_ edits: [ItemEdit], removed: [ItemEdit]) {
        guard let first = edits.first else { return }
        forEachSection(of: edits, first.path.section, \.path) { state, section, range in
            state.sections[section].touch(state.oldShape)
            let home = state.sections[section].home
            if state.sections[section].items!.isWorthwhile(forEdits: range.count) {
                let arrivals = range.map { state.arrival(edits[$0], removed) }
                state.sections[section].items!.insert(
                    count: range.count,
                    at: { edits[range.lowerBound + $0].path.item },
                    home: home,
                    { arrivals[$0] }
                )
            } else {
                for index in range {
                    let arrival = state.arrival(edits[index], removed)
                    state.sections[section].items!.insert(
                        arrival,
                        at: edits[index].path.item,
                        home: home
                    )
                }
            }
        }
    }

    /// What an edit of the fourth run brings.
    private mutating func arrival(_ edit: ItemEdit, _ removed: [ItemEdit]) -> ItemStretch {
        let code = options.code(of: edit.animation)
        guard edit.role != .insert, let oldPath = edit.associatedWith else {
            return .fresh(1, ItemStretch.History(arrival: code))
        }
        let position = partitionPoint(removed.count) { removed[$0].path <= oldPath }
        var item = takenItems[position]
        if edit.role == .reload { item.replace(code) } else { item.history.arrival = code }
        return item
    }

    private mutating func reconfigure(_ reconfigurations: [ItemReconfiguration]) {
        guard let first = reconfigurations.first else { return }
        let section = first.newPath.section
        forEachSection(of: reconfigurations, section, \.newPath) { state, section, range in
            state.sections[section].touch(state.oldShape)
            let home = state.sections[section].home
            if state.sections[section].items!.isWorthwhile(forEdits: range.count) {
                let codes = range.map { state.options.code(of: reconfigurations[$0].animation) }
                state.sections[section].items!.update(
                    count: range.count,
                    at: { reconfigurations[range.lowerBound + $0].newPath.item },
                    { $1.reconfigure(codes[$0]) }
                )
            } else {
                for index in range {
                    let place = reconfigurations[index].newPath.item
                    var item = state.sections[section].items!.remove(at: place)
                    item.reconfigure(state.options.code(of: reconfigurations[index].animation))
                    state.sections[section].items!.insert(item, at: place, home: home)
                }
            }
        }
    }

    /// Calls `body` for the part of a run that concerns each section.
    @inline(__always)
    private mutating func forEachSection<Edit>(
        of run: [Edit],
        _ first: Int,
        _ path: (Edit) -> ItemPath,
        _ body: (inout TracedState, _ section: Int, _ range: Range<Int>) -> Void
    ) {
        var (start, section) = (0, first)
        for index in run.indices.dropFirst() where path(run[index]).section != section {
            body(&self, section, start..<index)
            (start, section) = (index, path(run[index]).section)
        }
        body(&self, section, start..<run.count)
    }

    // MARK: Sections

    /// Carries out the second and third run.
    private mutating func replaceSections(_ removed: [SectionEdit], _ inserted: [SectionEdit]) {
        let taken = takeSections(removed)
        for (section, edit) in zip(taken, removed) where edit.role != .move {
            drop(section, deleted: edit.role == .delete, edit.animation)
        }
        var arrivals: [TracedSection] = []
        arrivals.reserveCapacity(inserted.count)
        for edit in inserted {
            let code = options.code(of: edit.animation)
            guard edit.role != .insert, let oldSection = edit.associatedWith else {
                let fresh = edit.freshItemCount
                arrivals.append(TracedSection(freshItems: fresh, replacing: nil, arrival: code))
                continue
            }
            var section = taken[partitionPoint(removed.count) { removed[$0].section <= oldSection }]
            if edit.role == .reload {
                let reloads = section.supplementaryReloads
                section = TracedSection(
                    freshItems: edit.freshItemCount,
                    replacing: section.oldSection < 0 ? nil : section.oldSection,
                    arrival: code
                )
                section.supplementaryReloads = reloads
            } else {
                section.arrival = code
            }
            arrivals.append(section)
        }
        putSections(arrivals, at: inserted)
    }

    private mutating func takeSections(_ edits: [SectionEdit]) -> [TracedSection] {
        if edits.count < 4 { return edits.map { sections.remove(at: $0.section) } }
        let taken = edits.map { sections[$0.section] }
        var next = edits.count - 1
        var rest: [TracedSection] = []
        rest.reserveCapacity(sections.count - edits.count)
        for (index, section) in sections.enumerated() {
            if next >= 0, edits[next].section == index {
                next -= 1
            } else {
                rest.append(section)
            }
        }
        sections = rest
        return taken
    }

    private mutating func putSections(_ arrivals: [TracedSection], at edits: [SectionEdit]) {
        if edits.count < 4 {
            for (section, edit) in zip(arrivals, edits) {
                sections.insert(section, at: edit.section)
            }
            return
        }
        var result: [TracedSection] = []
        result.reserveCapacity(sections.count + arrivals.count)
        var rest = sections[...]
        for (section, edit) in zip(arrivals, edits) {
            let count = edit.section - result.count
            result += rest.prefix(count)
            rest = rest.dropFirst(count)
            result.append(section)
        }
        result += rest
        sections = result
    }

    /// A section goes with all that is left in it.
    private mutating func drop(
        _ section: TracedSection,
        deleted: Bool,
        _ animation: AnimationOption
    ) {
        if animation != .automatic {
            section.items?.forEach { removals.note($0, animation) }
        }
        if section.oldSection >= 0 {
            removals.note(section: section.oldSection, deleted ? animation : .automatic)
        }
    }
}
