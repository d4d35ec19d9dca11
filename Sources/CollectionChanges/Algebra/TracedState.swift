/// A state between updates, with the origin of each section and item since the start.
///
/// Composition works on this type. Applying an update changes it like a collection, and
/// `changeSet()` builds the update that leads from the start to the current state. Its size is
/// proportional to the differences from the start, plus a small entry for each section.
struct TracedState {
    /// The shape at the start.
    let oldShape: HierarchyShape
    /// The current shape.
    private(set) var newShape: HierarchyShape
    var sections: [TracedSection]
    var removals = RemovalOptions()
    var options = OptionCodes()

    // The items that the current update has removed. The array is a property only to reuse its
    // memory.
    private var takenItems: [ItemStretch] = []

    init(at shape: HierarchyShape) {
        oldShape = shape
        newShape = shape
        sections = shape.itemCounts.indices.map { TracedSection(untouched: $0) }
    }

    /// Creates a state from sections that are already known.
    init(from oldShape: HierarchyShape, to newShape: HierarchyShape, sections: [TracedSection]) {
        self.oldShape = oldShape
        self.newShape = newShape
        self.sections = sections
    }

    /// Applies an update that starts from the current shape and is not a `reloadData`.
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

    // These loops move a section's stretches out and back, so that they are changed in place.

    /// Applies the first run of edits. Afterwards `takenItems` contains the removed items in the
    /// order of the run.
    private mutating func removeItems(_ edits: [ItemEdit]) {
        takenItems.reserveCapacity(edits.count)
        var start = 0
        while start < edits.count {
            let section = edits[start].path.section
            let end = edits.end(ofSection: section, from: start) { $0.path.section }
            var items = sections[section].takeItems(oldShape)
            if items.isWorthwhile(forEdits: end - start) {
                // Stretches are traversed in ascending order, but the run descends.
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

    /// Applies the fourth run of edits.
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

    /// Returns the item that an edit of the fourth run inserts.
    private mutating func arrival(_ edit: ItemEdit, _ removed: [ItemEdit]) -> ItemStretch {
        let code = options.code(of: edit.animation)
        guard let oldPath = edit.associatedWith else {
            return .inserted(1, ItemStretch.History(arrival: code))
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

    /// Applies the second and third runs of edits.
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
                arrivals.append(
                    TracedSection(newItems: edit.newItemCount, replacing: nil, arrival: code)
                )
                continue
            }
            var section = taken[partitionPoint(removed.count) { removed[$0].section <= oldSection }]
            if edit.role == .reload {
                let reloads = section.supplementaryReloads
                section = TracedSection(
                    newItems: edit.newItemCount,
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

    /// Removes a section with all its remaining items.
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
    /// Returns the end of the part of a run that concerns one section, given the start of that
    /// part.
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
    /// The effects of the edits on all sections, with as few moves as possible.
    struct SectionEffects {
        /// The effect on each section, by new index.
        private(set) var effects: [Effect] = []
        /// For each old index: the new index if the section is kept, otherwise -1.
        private(set) var keptSections: [Int]

        enum Effect {
            case stays
            case moves
            case isReloaded
            /// The section is new, or it replaces a section that would have to move. The replaced
            /// section is then deleted.
            case isInserted
        }

        init(_ sections: [TracedSection], oldCount: Int) {
            keptSections = Array(repeating: -1, count: oldCount)
            effects.reserveCapacity(sections.count)
            var (last, isInOrder) = (-1, true)
            for (newSection, section) in sections.enumerated() {
                if section.oldSection < 0 {
                    effects.append(.isInserted)
                    continue
                }
                if section.isKept { keptSections[section.oldSection] = newSection }
                effects.append(section.isReplaced ? .isReloaded : .stays)
                isInOrder = isInOrder && last < section.oldSection
                last = section.oldSection
            }
            if !isInOrder { chooseMoves(sections) }
        }

        private mutating func chooseMoves(_ sections: [TracedSection]) {
            let candidates = sections.indices.filter { effects[$0] != .isInserted }
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
                effects[newSection] = section.isKept ? .moves : .isInserted
            }
            var staying: [Int] = []
            order.finish { staying.append(candidates[$0]) }
            for newSection in staying {
                effects[newSection] = sections[newSection].isKept ? .stays : .isReloaded
            }
        }
    }
}

/// A section of a state between updates, with its own origin and the origins of its items.
struct TracedSection {
    /// The section's index at the start; negative if it is new.
    var oldSection: Int

    /// Whether the section replaces the one that existed at the start and was reloaded.
    var isReplaced = false

    /// The code of the option with which the section was last inserted, moved or reloaded; 0 if
    /// none of this happened.
    var arrival: UInt32 = 0

    /// The section's items, or `nil` while they are unchanged since the start.
    var items: StretchRope?

    /// The reloads of supplementary elements, in any order. Their `newSection` is not used.
    var supplementaryReloads: [SupplementaryReload] = []

    /// Creates a section that is unchanged since the start.
    init(untouched oldSection: Int) { self.oldSection = oldSection }

    /// Creates a section that contains only new items.
    init(newItems count: Int, replacing oldSection: Int?, arrival: UInt32) {
        self.oldSection = oldSection ?? -1
        self.arrival = arrival
        isReplaced = oldSection != nil
        items = StretchRope(.inserted(count))
    }

    /// Whether the section is the original one, not its replacement.
    var isKept: Bool { oldSection >= 0 && !isReplaced }

    /// The section's index at the start if its items can stay in it; otherwise negative.
    var home: Int { isKept ? oldSection : -1 }

    /// Moves the items out as an explicit rope. The caller changes the rope and assigns it back.
    mutating func takeItems(_ oldShape: HierarchyShape) -> StretchRope {
        if let items {
            self.items = nil
            return items
        }
        let count = oldShape.itemCounts[oldSection]
        return StretchRope(ItemStretch(oldSection: oldSection, oldItem: 0, count: count))
    }

    /// Records a reload of supplementary elements. Each kind is recorded once, with the latest
    /// option.
    mutating func reload(_ kind: SupplementaryKind, _ animation: AnimationOption) {
        let reload = SupplementaryReload(kind: kind, newSection: 0, animation: animation)
        if let position = supplementaryReloads.firstIndex(where: { $0.kind == kind }) {
            supplementaryReloads[position] = reload
        } else {
            supplementaryReloads.append(reload)
        }
    }
}

/// The animation options with which original items and sections were deleted, if they are not the
/// default.
struct RemovalOptions {
    fileprivate struct Run {
        var items: Range<Int>
        var animation: AnimationOption
    }

    // Keyed by the section at the start, so that the entries of a removed section can be dropped
    // together. The dictionary is never iterated.
    private var items: [Int: [Run]] = [:]
    private var sections: [Int: AnimationOption] = [:]

    /// Records the option of deleted items that existed at the start. Replaced items count; new
    /// items are ignored.
    mutating func note(_ stretch: ItemStretch, _ animation: AnimationOption) {
        guard !stretch.isNew, animation != .automatic else { return }
        let run = Run(
            items: stretch.oldItem..<(stretch.oldItem + stretch.count),
            animation: animation
        )
        items[stretch.oldSection, default: []].append(run)
    }

    /// Records that an original section is gone, and drops the records of its items, which are no
    /// longer needed.
    mutating func note(section: Int, _ animation: AnimationOption) {
        if !items.isEmpty { items[section] = nil }
        if animation != .automatic { sections[section] = animation }
    }

    func animation(ofSection section: Int) -> AnimationOption { sections[section] ?? .automatic }

    /// Returns the options of the items of one section.
    func items(ofSection section: Int) -> Items {
        guard let runs = items[section] else { return Items(runs: []) }
        return Items(runs: runs.sorted { $0.items.lowerBound < $1.items.lowerBound })
    }

    struct Items {
        fileprivate let runs: [Run]

        func animation(of item: Int) -> AnimationOption {
            let position = partitionPoint(runs.count) { runs[$0].items.upperBound > item }
            guard position < runs.count, runs[position].items.contains(item) else {
                return .automatic
            }
            return runs[position].animation
        }
    }
}
