// From the state between updates to the one update that leads there from the start, with as few moves as possible.

extension TracedState {
    /// The update from the start to now.
    ///
    /// Complexity: O(r log r + e + s) for r stretches, e resulting edits and s sections.
    func changeSet() -> ValidatedChangeSet {
        let fates = SectionFates(sections, oldCount: oldShape.numberOfSections)
        var items = TracedItems(self, fates)
        items.placeAll()
        let edits = ValidatedChangeSet.Edits(
            itemRemovals: items.removals(),
            sectionRemovals: sectionRemovals(fates),
            sectionInsertions: sectionInsertions(fates, items.arrivalCounts),
            itemInsertions: items.insertions
        )
        let reloads = supplementaryReloads(fates)
        if edits.isEmpty, items.reconfigurations.isEmpty, reloads.isEmpty {
            return .unchanged(oldShape)
        }
        let storage = ValidatedChangeSet.Storage(
            oldShape: oldShape,
            newShape: newShape,
            edits: edits,
            reconfigurations: items.reconfigurations,
            supplementaryReloads: reloads,
            sections: sectionMapping(edits)
        )
        return ValidatedChangeSet(storage)
    }

    private func sectionRemovals(_ fates: SectionFates) -> [SectionEdit] {
        // By old index: where it went, one beyond the sections where it is deleted.
        var places = Array(repeating: sections.count, count: oldShape.numberOfSections)
        for (newSection, section) in sections.enumerated() where section.oldSection >= 0 {
            places[section.oldSection] = newSection
        }
        var edits: [SectionEdit] = []
        for (oldSection, place) in places.enumerated().reversed() {
            func append(_ role: EditRole, _ associatedWith: Int?, _ animation: AnimationOption) {
                edits.append(
                    SectionEdit(
                        section: oldSection,
                        role: role,
                        associatedWith: associatedWith,
                        animation: animation
                    )
                )
            }
            guard place < sections.count else {
                append(.delete, nil, removals.animation(ofSection: oldSection))
                continue
            }
            let animation = options.option(of: sections[place].arrival)
            switch fates.fates[place] {
            case .stays: continue
            case .moves: append(.move, place, animation)
            case .isReloaded: append(.reload, place, animation)
            case .isInserted: append(.delete, nil, animation)
            }
        }
        return edits
    }

    private func sectionInsertions(
        _ fates: SectionFates,
        _ arrivalCounts: [Int: Int]
    ) -> [SectionEdit] {
        var edits: [SectionEdit] = []
        for (newSection, fate) in fates.fates.enumerated() where fate != .stays {
            let section = sections[newSection]
            let role: EditRole =
                switch fate {
                case .isInserted: .insert
                case .isReloaded: .reload
                case .moves, .stays: .move
                }
            let count = newShape.itemCounts[newSection] - (arrivalCounts[newSection] ?? 0)
            edits.append(
                SectionEdit(
                    section: newSection,
                    role: role,
                    associatedWith: role == .insert ? nil : section.oldSection,
                    freshItemCount: role == .move ? 0 : count,
                    animation: options.option(of: section.arrival)
                )
            )
        }
        return edits
    }

    /// A section that is new has its supplementary elements asked for anyway.
    private func supplementaryReloads(_ fates: SectionFates) -> [SupplementaryReload] {
        var result: [SupplementaryReload] = []
        for (newSection, section) in sections.enumerated()
        where !section.supplementaryReloads.isEmpty && fates.fates[newSection] != .isInserted {
            for var reload in section.supplementaryReloads.sorted(by: { $0.kind < $1.kind }) {
                reload.newSection = newSection
                result.append(reload)
            }
        }
        return result
    }

    private func sectionMapping(_ edits: ValidatedChangeSet.Edits) -> IndexMapping {
        let removed = edits.sectionRemovals.reversed().filter { $0.role != .reload }
        let inserted = edits.sectionInsertions.filter { $0.role != .reload }
        let moves = removed.compactMap { edit -> IndexMapping.Move? in
            guard let newIndex = edit.associatedWith else { return nil }
            return IndexMapping.Move(oldIndex: edit.section, newIndex: newIndex)
        }
        return IndexMapping(
            oldCount: oldShape.numberOfSections,
            newCount: newShape.numberOfSections,
            removed: removed.map { $0.section },
            inserted: inserted.map { $0.section },
            moves: moves
        )
    }
}
