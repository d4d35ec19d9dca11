/// The operations of a change set, sorted by kind and place: the validators' working copy.
///
/// Every list ascends by path or index, then by operation. If a set of sections reaches beyond the
/// shape, only some of its members are kept: those that exist, and on either side the nearest and
/// the farthest that do not. This is enough to find the first range fault, and the work stays
/// proportional to the number of sections.
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
    /// The animation of a reload of everything, or `nil` if the record has none; the last recorded
    /// one is used.
    var reloadData: AnimationOption?

    struct ItemRecord {
        var path: ItemPath
        var operation: Int32
        /// Whether the record is a reload, in lists that contain both deletes and reloads.
        var isReload = false
        var animation: AnimationOption
    }

    struct SectionRecord {
        var section: Int
        var operation: Int32
        /// Whether the record is a reload, in lists that contain both deletes and reloads.
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

    // Inlined, so that the operation is read in place instead of being copied first.
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
        records.reserveCapacity(records.count + paths.count)
        for path in paths {
            records.append(
                ItemRecord(
                    path: path,
                    operation: operation,
                    isReload: isReload,
                    animation: animation
                )
            )
        }
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
        // A fault of inserts is reported for the lowest missing section, one of deletes for the
        // highest. Each side of the existing sections counts separately, because other faults may
        // lie between.
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

    /// Whether the record deletes, inserts, reloads or moves a section.
    var haveSections: Bool {
        !(sectionDeletes.isEmpty && sectionInserts.isEmpty && sectionReloads.isEmpty
            && sectionMoves.isEmpty)
    }

    private mutating func sort() {
        itemDeletes.sortByPath()
        itemInserts.sortByPath()
        itemReloads.sortByPath()
        itemReconfigurations.sortByPath()
        if !haveSections, sectionReconfigurations.isEmpty, itemMoves.count < 2 { return }
        Self.sort(&sectionDeletes)
        Self.sort(&sectionInserts)
        Self.sort(&sectionReloads)
        Self.sort(&sectionReconfigurations)
        // The other end of a move breaks ties, so that identical moves are neighbours.
        itemMoves.sort { ($0.oldPath, $0.newPath) < ($1.oldPath, $1.newPath) }
        sectionMoves.sort { ($0.oldSection, $0.newSection) < ($1.oldSection, $1.newSection) }
    }

    // The standard library's sort is stable, so equal indexes keep the order of recording.
    private static func sort(_ records: inout [SectionRecord]) {
        records.sort { $0.section < $1.section }
    }
}

// Validation spends most of its time sorting, so long lists are sorted by the bytes of their paths
// instead of by comparing. A byte sort takes one pass over the list for each byte that varies,
// usually three or four. A comparison sort takes one pass for every doubling of the list, and
// mispredicts half of its branches.

extension [RecordedEdits.ItemRecord] {
    /// Sorts by path; records of the same path keep their order.
    ///
    /// Complexity: O(n) for records in order, otherwise O(n · b) for paths that differ in b bytes.
    /// b is at most six, unless limits are raised or indexes are beyond any collection.
    mutating func sortByPath() {
        // Below this length the passes, each with its 256 places, cost more than comparing.
        guard count > 64 else { return sort { $0.path < $1.path } }
        if isAscendingByPath { return }
        var distributed = self
        var places = Array<Int>(repeating: 0, count: 256)
        for byte in varyingBytes {
            distribute(by: byte, into: &distributed, &places)
            swap(&self, &distributed)
        }
    }

    private var isAscendingByPath: Bool {
        indices.dropFirst().allSatisfy { self[$0 - 1].path <= self[$0].path }
    }

    /// The bytes in which the paths differ, least significant first.
    private var varyingBytes: [PathByte] {
        guard let first = self.first?.path else { return [] }
        var (sectionBits, itemBits) = (0, 0)
        for record in self {
            sectionBits |= record.path.section ^ first.section
            itemBits |= record.path.item ^ first.item
        }
        let shifts = stride(from: 0, to: Int.bitWidth, by: 8)
        return shifts.filter { (itemBits >> $0) & 0xff != 0 }.map { .ofItem(shift: $0) }
            + shifts.filter { (sectionBits >> $0) & 0xff != 0 }.map { .ofSection(shift: $0) }
    }

    /// Writes the records to `result`, ascending by one byte; records with equal bytes keep their
    /// order.
    private func distribute(
        by byte: PathByte,
        into result: inout [RecordedEdits.ItemRecord],
        _ places: inout [Int]
    ) {
        for value in places.indices { places[value] = 0 }
        for record in self { places[byte.value(in: record.path)] += 1 }
        var start = 0
        for value in places.indices {
            let count = places[value]
            places[value] = start
            start += count
        }
        for record in self {
            let value = byte.value(in: record.path)
            result[places[value]] = record
            places[value] += 1
        }
    }
}

/// One of the bytes of a path.
private enum PathByte {
    case ofItem(shift: Int)
    case ofSection(shift: Int)

    @inline(__always)
    func value(in path: ItemPath) -> Int {
        switch self {
        case .ofItem(let shift): Self.byte(of: path.item, shift)
        case .ofSection(let shift): Self.byte(of: path.section, shift)
        }
    }

    /// Returns a byte of a number. The sign bit is inverted, so that negative numbers sort first.
    @inline(__always)
    private static func byte(of number: Int, _ shift: Int) -> Int {
        ((number ^ Int.min) &>> shift) & 0xff
    }
}
