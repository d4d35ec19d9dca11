// Reconfigurations, and reloads of supplementary elements alone, are the same in all profiles.

extension RecordedEdits {
    /// Checks that reconfigured items exist, and that supplementary elements are in existing
    /// sections.
    func checkInPlaceUpdates(
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape
    ) throws(HierarchyUpdateError) {
        for record in itemReconfigurations where !oldShape.contains(record.path) {
            throw HierarchyUpdateError(
                .reconfigureItemRange,
                "attempt to reconfigure item at index path (\(record.path)) that does not exist"
                    + " before the update: \(oldShape)",
                operationIndex: Int(record.operation),
                path: record.path,
                hint: "Reconfigurations use the paths before the update"
            )
        }
        for record in sectionReconfigurations
        where !oldShape.itemCounts.indices.contains(record.section) {
            throw HierarchyUpdateError(
                .reconfigureSectionRange,
                "attempt to reconfigure section \(record.section), but there are only"
                    + " \(oldShape.numberOfSections) sections before the update",
                operationIndex: Int(record.operation),
                section: record.section,
                hint: "Reconfigurations use the indexes before the update"
            )
        }
        for reload in supplementaryReloads {
            for record in reload.sections
            where !newShape.itemCounts.indices.contains(record.section) {
                throw HierarchyUpdateError(
                    .supplementarySectionRange,
                    "attempt to reload supplementary elements of kind \(reload.kind) in section"
                        + " \(record.section), but there are only \(newShape.numberOfSections)"
                        + " sections after the update",
                    operationIndex: Int(record.operation),
                    section: record.section,
                    hint: "Reloads of supplementary elements use the indexes after the update"
                )
            }
        }
    }

    /// Returns the reconfigured items, including those of reconfigured sections, once each and
    /// ascending, with the animation that was recorded last.
    func reconfiguredItems(of oldShape: HierarchyShape) -> [ItemRecord] {
        var records = itemReconfigurations
        for record in sectionReconfigurations {
            records += (0..<oldShape.itemCounts[record.section]).lazy.map { item in
                ItemRecord(
                    path: ItemPath(section: record.section, item: item),
                    operation: record.operation,
                    animation: record.animation
                )
            }
        }
        records.keepLastOfEachPath()
        return records
    }

    /// Returns every kind and section once, with the animation that was recorded last.
    func sortedSupplementaryReloads() -> [SupplementaryReload] {
        var latest = supplementaryReloads.flatMap { kind, sections in
            sections.map {
                SupplementaryReload(kind: kind, newSection: $0.section, animation: $0.animation)
            }
        }
        latest.sort { ($0.newSection, $0.kind) < ($1.newSection, $1.kind) }
        var result: [SupplementaryReload] = []
        for reload in latest {
            let last = result.last
            if last?.newSection == reload.newSection, last?.kind == reload.kind {
                result.removeLast()
            }
            result.append(reload)
        }
        return result
    }
}

extension [RecordedEdits.ItemRecord] {
    /// Sorts by path, and keeps the record of the last operation for every path.
    mutating func keepLastOfEachPath() {
        guard !isEmpty else { return }
        sortByPath()
        var end = 1
        for position in 1..<count {
            if self[position].path != self[end - 1].path {
                end += 1
            } else if self[position].operation < self[end - 1].operation {
                continue
            }
            self[end - 1] = self[position]
        }
        removeSubrange(end...)
    }
}
