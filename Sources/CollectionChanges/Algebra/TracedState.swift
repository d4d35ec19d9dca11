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

    // In these loops a section's stretches are taken out and put back, so that they are changed where they are.

    /// Carries out the first run; `takenItems` has then what was removed, in its order.
    private mutating func removeItems(_ edits: [ItemEdit]) {
        takenItems.reserveCapacity(edits.count)
        var start = 0
        while start < edits.count {
            let section = edits[start].path.section
            let end = edits.end(ofSection: section, from: start) { $0.path.section }
            var items = sections[section].takeItems(oldShape)
            if items.isWorthwhile(forEdits: end - start) {
                // Ascending is the way to go through stretches, while the run descends.
                takenItems += items.remove(at: edits[start..<end].reversed().map { $0.path.item })
                    .reversed()
            } else {
                for index in start..<end {
                    takenItems.append(items.remove(at: edits[index].path.item))
                }
            }
            sections[section].items = items
            start = end
        }
        for (index, edit) in edits.enumerated()
        where edit.role == .delete && edit.animation != .automatic {
            removals.note(takenItems[index], edit.animation)
        }
    }

    /// Carries out the fourth run.
    private mutating func insertItems(_ edits: [ItemEdit], removed: [ItemEdit]) {
        var start = 0
        while start < edits.count {
            let section = edits[start].path.section
            let end = edits.end(ofSection: section, from: start) { $0.path.section }
            var items = sections[section].takeItems(oldShape)
            let home = sections[section].home
            if items.isWorthwhile(forEdits: end - start) {
                var arrivals: [ItemStretch] = []
                arrivals.reserveCapacity(end - start)
                for index in start..<end { arrivals.append(arrival(edits[index], removed)) }
                items.insert(arrivals, at: edits[start..<end].map { $0.path.item }, home: home)
            } else {
                for index in start..<end {
                    let arrival = arrival(edits[index], removed)
                    items.insert(arrival, at: edits[index].path.item, home: home)
                }
            }
            sections[section].items = items
            start = end
        }
    }

    /// What an edit of the fourth run brings.
    private mutating func arrival(_ edit: ItemEdit, _ removed: [ItemEdit]) -> ItemStretch {
        let code = options.code(of: edit.animation)
        guard let oldPath = edit.associatedWith else {
            return .fresh(1, ItemStretch.History(arrival: code))
        }
        let position = partitionPoint(removed.count) { removed[$0].path <= oldPath }
        var item = takenItems[position]
        if edit.role == .reload { item.replace(code) } else { item.history.arrival = code }
        return item
    }

    private mutating func reconfigure(_ edits: [ItemReconfiguration]) {
        var start = 0
        while start < edits.count {
            let section = edits[start].newPath.section
            let end = edits.end(ofSection: section, from: start) { $0.newPath.section }
            var items = sections[section].takeItems(oldShape)
            let home = sections[section].home
            if items.isWorthwhile(forEdits: end - start) {
                let places = edits[start..<end].map { $0.newPath.item }
                var codes: [UInt32] = []
                codes.reserveCapacity(places.count)
                for edit in edits[start..<end] { codes.append(options.code(of: edit.animation)) }
                items.reconfigure(at: places, codes)
            } else {
                for edit in edits[start..<end] {
                    var item = items.remove(at: edit.newPath.item)
                    item.reconfigure(options.code(of: edit.animation))
                    items.insert(item, at: edit.newPath.item, home: home)
                }
            }
            sections[section].items = items
            start = end
        }
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
            guard let oldSection = edit.associatedWith else {
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
            for stretch in section.items?.stretches ?? [] { removals.note(stretch, animation) }
        }
        if section.oldSection >= 0 {
            removals.note(section: section.oldSection, deleted ? animation : .automatic)
        }
    }
}

extension Array {
    /// Where the part of a run that concerns one section ends, given where it starts.
    @inline(__always)
    fileprivate func end(
        ofSection section: Int,
        from start: Int,
        _ sectionOf: (Element) -> Int
    ) -> Int {
        var end = start + 1
        while end < count, sectionOf(self[end]) == section { end += 1 }
        return end
    }
}

extension TracedState {
    /// What becomes of the sections, with as few moves as possible.
    struct SectionFates {
        /// By new index.
        private(set) var fates: [Fate] = []
        /// By old index: the new one where the section is kept.
        private(set) var keptSections: [Int]

        enum Fate {
            case stays
            case moves
            case isReloaded
            /// It is new, or it is the replacement of one that would have had to move, which is then deleted.
            case isInserted
        }

        init(_ sections: [TracedSection], oldCount: Int) {
            keptSections = Array(repeating: -1, count: oldCount)
            fates.reserveCapacity(sections.count)
            var (last, isInOrder) = (-1, true)
            for (newSection, section) in sections.enumerated() {
                if section.oldSection < 0 {
                    fates.append(.isInserted)
                    continue
                }
                if section.isKept { keptSections[section.oldSection] = newSection }
                fates.append(section.isReplaced ? .isReloaded : .stays)
                isInOrder = isInOrder && last < section.oldSection
                last = section.oldSection
            }
            if !isInOrder { chooseMoves(sections) }
        }

        private mutating func chooseMoves(_ sections: [TracedSection]) {
            let candidates = sections.indices.filter { fates[$0] != .isInserted }
            let weights = StayingWeights(total: candidates.count)
            var order = HeaviestIncreasingSubsequence(
                bound: keptSections.count,
                capacity: candidates.count
            )
            for newSection in candidates {
                let section = sections[newSection]
                let keeping = weights.kept + (section.arrival == 0 ? weights.unmoved : 0)
                let weight = section.isKept ? keeping : weights.replaced
                order.append(section.oldSection, weight: weight)
                fates[newSection] = section.isKept ? .moves : .isInserted
            }
            var staying: [Int] = []
            order.finish { staying.append(candidates[$0]) }
            for newSection in staying {
                fates[newSection] = sections[newSection].isKept ? .stays : .isReloaded
            }
        }
    }
}
