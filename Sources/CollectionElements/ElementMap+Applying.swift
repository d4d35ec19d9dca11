/// What a change set brings to a map, gathered from the data source before the new map is built.
package struct ElementMapChange {
    /// The sections of the third run that are inserted or reloaded, in its order.
    package var freshSections: [FreshSection] = []

    /// One element for every edit of the fourth run, in its order; nil for a move, whose element is
    /// carried over.
    package var putInItems: [ElementSlot?] = []

    /// One content for every reconfiguration, in order.
    package var reconfiguredContents: [ElementContent] = []

    /// The whole supplementary elements of the sections whose elements change, by new index,
    /// ascending.
    package var supplementaries: [(newSection: Int, slots: [SupplementarySlot])] = []

    package struct FreshSection {
        package let section: CollectionSection
        /// The items it arrives with, before single items are put in.
        package let slots: [ElementSlot]

        package init(section: CollectionSection, slots: [ElementSlot]) {
            self.section = section
            self.slots = slots
        }
    }

    package init() {}
}

extension ElementMap {
    /// The map after `update`, which must start from this map's shape (or reload everything).
    package func applying(
        _ update: ValidatedChangeSet,
        _ change: ElementMapChange,
        generation: Int
    ) -> ElementMap {
        var builder = Builder(old: storage.entries, update: update, change: change)
        return ElementMap(
            storage: Storage(builder.build(), shape: update.newShape),
            generation: generation
        )
    }

    /// The same places with other contents, by path and by supplementary place.
    package func replacingContents(
        _ contents: [(path: ItemPath, content: ElementContent)],
        supplementaries: [(newSection: Int, slots: [SupplementarySlot])],
        generation: Int
    ) -> ElementMap {
        var entries = storage.entries
        var position = 0
        while position < contents.count {
            let section = contents[position].path.section
            var slots = entries[section].slots
            while position < contents.count, contents[position].path.section == section {
                let (path, content) = contents[position]
                slots[path.item] = ElementSlot(slots[path.item].element, content)
                position += 1
            }
            entries[section] = SectionEntry(
                section: entries[section].section,
                slots: slots,
                supplementaries: entries[section].supplementaries
            )
        }
        for (section, slots) in supplementaries {
            entries[section] = SectionEntry(
                section: entries[section].section,
                slots: entries[section].slots,
                supplementaries: slots
            )
        }
        return ElementMap(storage: Storage(entries, shape: storage.shape), generation: generation)
    }

    /// Builds the sections of a new map: those that nothing touches are shared.
    private struct Builder {
        let old: [SectionEntry]
        let update: ValidatedChangeSet
        let change: ElementMapChange
        // Where the walk over the new sections has come in the lists that ascend with it.
        var nextSectionPutIn = 0
        var nextFreshSection = 0
        var nextItemPutIn = 0
        var nextReconfiguration = 0
        var nextSupplementaries = 0

        init(old: [SectionEntry], update: ValidatedChangeSet, change: ElementMapChange) {
            self.old = old
            self.update = update
            self.change = change
        }

        mutating func build() -> [SectionEntry] {
            var entries: [SectionEntry] = []
            entries.reserveCapacity(update.newShape.numberOfSections)
            for newSection in 0..<update.newShape.numberOfSections {
                let origin = origin(of: newSection)
                let slots = slots(of: newSection, from: origin)
                let supplementaries = supplementaries(of: newSection)
                if case .old(let entry, _) = origin, slots == nil, supplementaries == nil {
                    entries.append(entry)
                    continue
                }
                entries.append(
                    SectionEntry(
                        section: origin.section,
                        slots: slots ?? origin.slots,
                        supplementaries: supplementaries ?? origin.supplementaries
                    )
                )
            }
            return entries
        }

        private enum Origin {
            case old(SectionEntry, oldSection: Int)
            case fresh(ElementMapChange.FreshSection)

            var section: CollectionSection {
                switch self {
                case .old(let entry, _): entry.section
                case .fresh(let fresh): fresh.section
                }
            }

            var slots: [ElementSlot] {
                switch self {
                case .old(let entry, _): entry.slots
                case .fresh(let fresh): fresh.slots
                }
            }

            var supplementaries: [SupplementarySlot] {
                switch self {
                case .old(let entry, _): entry.supplementaries
                case .fresh: []
                }
            }
        }

        private mutating func origin(of newSection: Int) -> Origin {
            let putIns = update.sectionPutIns
            if nextSectionPutIn < putIns.count, putIns[nextSectionPutIn].section == newSection {
                let putIn = putIns[nextSectionPutIn]
                nextSectionPutIn += 1
                if putIn.role == .move, let oldSection = putIn.counterpart {
                    return .old(old[oldSection], oldSection: oldSection)
                }
                nextFreshSection += 1
                return .fresh(change.freshSections[nextFreshSection - 1])
            }
            let oldSection = update.oldSection(for: newSection) ?? newSection
            return .old(old[oldSection], oldSection: oldSection)
        }

        /// The items of a new section, or nil where they are those of its origin.
        private mutating func slots(of newSection: Int, from origin: Origin) -> [ElementSlot]? {
            let putIns = update.itemPutIns
            let firstPutIn = nextItemPutIn
            while nextItemPutIn < putIns.count, putIns[nextItemPutIn].path.section == newSection {
                nextItemPutIn += 1
            }
            let survivors = survivors(of: origin)
            var slots: [ElementSlot]?
            if survivors != nil || firstPutIn < nextItemPutIn {
                var result: [ElementSlot] = []
                let rest = survivors ?? origin.slots
                result.reserveCapacity(rest.count + nextItemPutIn - firstPutIn)
                var nextSurvivor = 0
                for position in firstPutIn..<nextItemPutIn {
                    let gap = putIns[position].path.item - result.count
                    result.append(contentsOf: rest[nextSurvivor..<(nextSurvivor + gap)])
                    nextSurvivor += gap
                    result.append(putInSlot(at: position))
                }
                result.append(contentsOf: rest[nextSurvivor...])
                slots = result
            }
            let reconfigurations = update.reconfigurations
            while nextReconfiguration < reconfigurations.count,
                reconfigurations[nextReconfiguration].newPath.section == newSection
            {
                let item = reconfigurations[nextReconfiguration].newPath.item
                var updated = slots ?? origin.slots
                // Let go of the array first, or every reconfiguration would copy it.
                slots = nil
                updated[item] = ElementSlot(
                    updated[item].element,
                    change.reconfiguredContents[nextReconfiguration]
                )
                slots = updated
                nextReconfiguration += 1
            }
            return slots
        }

        private func putInSlot(at position: Int) -> ElementSlot {
            if let slot = change.putInItems[position] { return slot }
            guard let oldPath = update.itemPutIns[position].counterpart else {
                fatalError("a put-in without a fresh element must be a move")
            }
            return old[oldPath.section].slots[oldPath.item]
        }

        /// What is left of an old section, or nil where nothing was taken out of it.
        private func survivors(of origin: Origin) -> [ElementSlot]? {
            guard case .old(let entry, let oldSection) = origin else { return nil }
            let takeOuts = update.itemTakeOuts(inOldSection: oldSection)
            guard !takeOuts.isEmpty else { return nil }
            var slots: [ElementSlot] = []
            slots.reserveCapacity(entry.slots.count - takeOuts.count)
            var start = 0
            for takeOut in takeOuts.reversed() {
                slots.append(contentsOf: entry.slots[start..<takeOut.path.item])
                start = takeOut.path.item + 1
            }
            slots.append(contentsOf: entry.slots[start...])
            return slots
        }

        private mutating func supplementaries(of newSection: Int) -> [SupplementarySlot]? {
            guard nextSupplementaries < change.supplementaries.count,
                change.supplementaries[nextSupplementaries].newSection == newSection
            else { return nil }
            nextSupplementaries += 1
            return change.supplementaries[nextSupplementaries - 1].slots
        }
    }
}
