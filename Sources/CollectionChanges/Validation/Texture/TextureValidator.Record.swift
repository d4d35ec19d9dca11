// The operations taken apart into deletes, inserts and reloads, as the original keeps them.

extension TextureValidator {
    /// The operations of a change set by what they do, moves counting as a delete and an insert.
    ///
    /// Items ascend by path, each once, with the last operation that names it: the original sorts a
    /// repeated path in twice and counts it once, and here it is applied once too. Sections stay
    /// runs as they were recorded, in order of recording, so that a set costs its runs and not its
    /// members, whether or not there are such sections.
    struct Record {
        private(set) var itemDeletes: [RecordedEdits.ItemRecord] = []
        private(set) var itemInserts: [RecordedEdits.ItemRecord] = []
        private(set) var itemReloads: [RecordedEdits.ItemRecord] = []
        private(set) var itemReconfigurations: [RecordedEdits.ItemRecord] = []
        private(set) var sectionDeletes: [SectionClaim] = []
        private(set) var sectionInserts: [SectionClaim] = []
        private(set) var sectionReloads: [SectionClaim] = []
        private(set) var sectionReconfigurations: [SectionClaim] = []
        private(set) var supplementaryReloads: [(kind: SupplementaryKind, claim: SectionClaim)] = []

        init(_ operations: [HierarchyChangeSet.Operation]) {
            for (index, operation) in operations.enumerated() { collect(operation, index) }
            itemDeletes.keepLastOfEachPath()
            itemInserts.keepLastOfEachPath()
            itemReloads.keepLastOfEachPath()
            itemReconfigurations.keepLastOfEachPath()
        }

        private mutating func collect(_ operation: HierarchyChangeSet.Operation, _ index: Int) {
            switch operation {
            case .deleteItems(let oldPaths, let animation):
                itemDeletes.append(oldPaths, index, animation)
            case .insertItems(let newPaths, let animation):
                itemInserts.append(newPaths, index, animation)
            case .reloadItems(let oldPaths, let animation):
                itemReloads.append(oldPaths, index, animation)
            case .reconfigureItems(let oldPaths, let animation):
                itemReconfigurations.append(oldPaths, index, animation)
            case .moveItem(let oldPath, let newPath, let animation):
                itemDeletes.append([oldPath], index, animation)
                itemInserts.append([newPath], index, animation)
            case .deleteSections(let oldSections, let animation):
                sectionDeletes.append(oldSections, index, animation)
            case .insertSections(let newSections, let animation):
                sectionInserts.append(newSections, index, animation)
            case .reloadSections(let oldSections, let animation):
                sectionReloads.append(oldSections, index, animation)
            case .reconfigureSections(let oldSections, let animation):
                sectionReconfigurations.append(oldSections, index, animation)
            case .moveSection(let oldSection, let newSection, let animation):
                sectionDeletes.append(SectionSet(oldSection), index, animation)
                sectionInserts.append(SectionSet(newSection), index, animation)
            case .reloadSupplementaries(let kind, let newSections, let animation):
                var claims: [SectionClaim] = []
                claims.append(newSections, index, animation)
                for claim in claims { supplementaryReloads.append((kind, claim)) }
            case .reloadData:
                // Records with it never come here.
                break
            }
        }
    }
}

extension [RecordedEdits.ItemRecord] {
    fileprivate mutating func append(
        _ paths: [ItemPath],
        _ operation: Int,
        _ animation: AnimationOption
    ) {
        append(
            contentsOf: paths.lazy.map { path in
                RecordedEdits.ItemRecord(
                    path: path,
                    operation: Int32(truncatingIfNeeded: operation),
                    animation: animation
                )
            }
        )
    }

    /// Sorts by path and leaves of every path the record of the last operation.
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
