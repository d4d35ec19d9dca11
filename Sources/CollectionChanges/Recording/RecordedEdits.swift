/// The operations of a change set, sorted by what they do and where: the validators' working copy.
///
/// Every list ascends by path or index, then by operation. Of a set of sections that reaches beyond
/// the shape only the members that exist, and the nearest and farthest on either side that do not,
/// are kept: enough to find the first fault of range, and no more work than there are sections.
struct RecordedEdits {
    var itemDeletes: [ItemRecord] = []
    var itemInserts: [ItemRecord] = []
    var itemReloads: [ItemRecord] = []
    var itemReconfigurations: [ItemRecord] = []
    var itemMoves: [ItemMoveRecord] = []
    var sectionDeletes: [SectionRecord] = []
    var sectionInserts: [SectionRecord] = []
    var sectionReloads: [SectionRecord] = []
    var sectionReconfigurations: [SectionRecord] = []
    var sectionMoves: [SectionMoveRecord] = []
    var supplementaryReloads: [(kind: SupplementaryKind, sections: [SectionRecord])] = []
    /// How to animate a reload of everything, where the record has one; the last one counts.
    var reloadData: AnimationOption?

    struct ItemRecord {
        var path: ItemPath
        var operation: Int32
        /// Tells the two apart where deletes and reloads stand in one list.
        var isReload = false
        var animation: AnimationOption
    }

    struct SectionRecord {
        var section: Int
        var operation: Int32
        /// Tells the two apart where deletes and reloads stand in one list.
        var isReload: Bool
        var animation: AnimationOption
    }

    struct ItemMoveRecord {
        var oldPath: ItemPath
        var newPath: ItemPath
        var operation: Int32
        var animation: AnimationOption
    }

    struct SectionMoveRecord {
        var oldSection: Int
        var newSection: Int
        var operation: Int32
        var animation: AnimationOption
    }

    init(_ operations: [HierarchyChangeSet.Operation], old: HierarchyShape, new: HierarchyShape) {
        for (index, operation) in operations.enumerated() {
            collect(operation, Int32(truncatingIfNeeded: index), old, new)
        }
        sort()
    }

    // Inlined, because the operation is then looked at where it lies and not copied first.
    @inline(__always)
    private mutating func collect(
        _ operation: HierarchyChangeSet.Operation,
        _ index: Int32,
        _ old: HierarchyShape,
        _ new: HierarchyShape
    ) {
        switch operation {
        case .deleteItems(let paths, let animation):
            Self.append(paths, to: &itemDeletes, index, animation)
        case .insertItems(let paths, let animation):
            Self.append(paths, to: &itemInserts, index, animation)
        case .reloadItems(let paths, let animation):
            Self.append(paths, to: &itemReloads, index, animation, isReload: true)
        case .reconfigureItems(let paths, let animation):
            Self.append(paths, to: &itemReconfigurations, index, animation)
        case .moveItem(let oldPath, let newPath, let animation):
            itemMoves.append(
                ItemMoveRecord(
                    oldPath: oldPath,
                    newPath: newPath,
                    operation: index,
                    animation: animation
                )
            )
        case .deleteSections(let sections, let animation):
            Self.append(sections, old, to: &sectionDeletes, index, animation)
        case .insertSections(let sections, let animation):
            Self.append(sections, new, to: &sectionInserts, index, animation)
        case .reloadSections(let sections, let animation):
            Self.append(sections, old, to: &sectionReloads, index, animation, isReload: true)
        case .reconfigureSections(let sections, let animation):
            Self.append(sections, old, to: &sectionReconfigurations, index, animation)
        case .moveSection(let oldSection, let newSection, let animation):
            sectionMoves.append(
                SectionMoveRecord(
                    oldSection: oldSection,
                    newSection: newSection,
                    operation: index,
                    animation: animation
                )
            )
        case .reloadSupplementaries(let kind, let sections, let animation):
            var records: [SectionRecord] = []
            Self.append(sections, new, to: &records, index, animation)
            supplementaryReloads.append((kind, records))
        case .reloadData(let animation):
            reloadData = animation
        }
    }

    private static func append(
        _ paths: [ItemPath],
        to records: inout [ItemRecord],
        _ operation: Int32,
        _ animation: AnimationOption,
        isReload: Bool = false
    ) {
        records.append(
            contentsOf: paths.lazy.map { path in
                ItemRecord(
                    path: path,
                    operation: operation,
                    isReload: isReload,
                    animation: animation
                )
            }
        )
    }

    private static func append(
        _ sections: SectionSet,
        _ shape: HierarchyShape,
        to records: inout [SectionRecord],
        _ operation: Int32,
        _ animation: AnimationOption,
        isReload: Bool = false
    ) {
        let existing = 0..<shape.numberOfSections
        func append(_ section: Int) {
            records.append(
                SectionRecord(
                    section: section,
                    operation: operation,
                    isReload: isReload,
                    animation: animation
                )
            )
        }
        // Inserts are blamed for the lowest that is missing, deletes for the highest, each side of
        // what exists by itself, because other faults may lie between.
        if let first = sections.first, first < 0 {
            let run = sections.runs.last { $0.lowerBound < 0 }
            let highest = Swift.min(-1, run?.upperBound ?? first)
            SectionSet([first, highest]).forEach(append)
        }
        for run in sections.runs(in: existing) { run.forEach(append) }
        if let last = sections.last, last >= existing.upperBound {
            let run = sections.runs.first { $0.upperBound >= existing.upperBound }
            let lowest = Swift.max(existing.upperBound, run?.lowerBound ?? last)
            SectionSet([lowest, last]).forEach(append)
        }
    }

    private mutating func sort() {
        itemDeletes.sortByPath()
        itemInserts.sortByPath()
        itemReloads.sortByPath()
        itemReconfigurations.sortByPath()
        Self.sort(&sectionDeletes)
        Self.sort(&sectionInserts)
        Self.sort(&sectionReloads)
        Self.sort(&sectionReconfigurations)
        // A move's other end breaks ties, so that identical moves are neighbours.
        itemMoves.sort { ($0.oldPath, $0.newPath) < ($1.oldPath, $1.newPath) }
        sectionMoves.sort { ($0.oldSection, $0.newSection) < ($1.oldSection, $1.newSection) }
    }

    // The standard library's sort is stable, which keeps equal indexes in the order of recording.
    private static func sort(_ records: inout [SectionRecord]) {
        records.sort { $0.section < $1.section }
    }
}
