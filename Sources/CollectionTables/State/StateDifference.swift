import CollectionPipeline
import PersistentTrees

/// The parts of two states that differ, found by comparing the trees of both.
///
/// Equal parts are shared between the states of a list, so the cost is proportional to the edits
/// between the two. Rows in differing parts are matched by reference where they have the same
/// order, and otherwise by their keys.
struct StateDifference {
    /// The sections that are in both states, ascending by old index.
    private(set) var sections: [SurvivingSection] = []
    /// The rows that are in both states, in runs that ascend by old path.
    private(set) var runs: [SurvivingRun] = []
    /// The old paths of remaining rows with other contents, ascending.
    private(set) var changed: [ItemPath] = []
    /// The rows that are in one state only, that moved or that have other contents, and perhaps
    /// others. The rest are the same objects in the same order.
    private(set) var rows: [RowChange] = []

    // Rows of differing parts that are not matched by reference, in order.
    private var oldRows: [PlacedRow] = []
    private var newRows: [PlacedRow] = []
    private typealias PlacedRow = (path: ItemPath, id: ErasedID, row: ListRow)

    init(from old: ListState, to new: ListState) {
        collectSections(from: old, to: new)
        matchRows()
    }

    private mutating func collectSections(from old: ListState, to new: ListState) {
        let (oldSections, newSections) = (old.sections, new.sections)
        var oldIndex = 0
        var offset = 0
        let stretches = newSections.differingStretches(from: oldSections) { $0 === $1 }
        var newPlaces: [ErasedID: Int] = [:]
        for stretch in stretches {
            for index in stretch.new { newPlaces[newSections[index].id] = index }
        }
        var surviving: Set<Int> = []
        for stretch in stretches {
            keepSections(oldIndex..<stretch.old.lowerBound, offset, of: oldSections)
            for index in stretch.old {
                let section = oldSections[index]
                if let place = newPlaces[section.id] {
                    surviving.insert(place)
                    compare(section, newSections[place], index, place)
                } else {
                    oldRows += Self.placed(section.rows.unretainedRows[...], of: section, index, 0)
                }
            }
            oldIndex = stretch.old.upperBound
            offset = stretch.new.upperBound - stretch.old.upperBound
        }
        keepSections(oldIndex..<oldSections.count, offset, of: oldSections)
        for stretch in stretches {
            for index in stretch.new where !surviving.contains(index) {
                let section = newSections[index]
                newRows += Self.placed(section.rows.unretainedRows[...], of: section, index, 0)
            }
        }
    }

    private mutating func keepSections(
        _ range: Range<Int>,
        _ offset: Int,
        of old: PersistentSequence<ListSection, RowCount>
    ) {
        var iterator = old.makeIterator(from: range.lowerBound)
        for index in range {
            guard let section = iterator.next() else { return }
            sections.append(SurvivingSection(oldSection: index, newSection: index + offset))
            appendRun(index, 0, index + offset, 0, section.rows.count)
        }
    }

    /// Compares the rows of a section that is in both states.
    private mutating func compare(
        _ old: ListSection,
        _ new: ListSection,
        _ oldIndex: Int,
        _ newIndex: Int
    ) {
        sections.append(SurvivingSection(oldSection: oldIndex, newSection: newIndex))
        var (oldItem, newItem) = (0, 0)
        let stretches =
            old.rows.isIdentical(to: new.rows)
            ? [] : new.rows.differingStretches(from: old.rows) { $0 === $1 }
        for stretch in stretches {
            appendRun(oldIndex, oldItem, newIndex, newItem, stretch.old.lowerBound - oldItem)
            walk(stretch, old, new, oldIndex, newIndex)
            (oldItem, newItem) = (stretch.old.upperBound, stretch.new.upperBound)
        }
        appendRun(oldIndex, oldItem, newIndex, newItem, old.rows.count - oldItem)
    }

    /// Compares the rows of a stretch. Most of them are the same objects in the same order: those
    /// are found without reading any row.
    private mutating func walk(
        _ stretch: RowTree.DifferingStretch,
        _ old: ListSection,
        _ new: ListSection,
        _ oldIndex: Int,
        _ newIndex: Int
    ) {
        var oldRest = old.rows.unretainedRows(at: stretch.old)[...]
        var newRest = new.rows.unretainedRows(at: stretch.new)[...]
        var (oldItem, newItem) = (stretch.old.lowerBound, stretch.new.lowerBound)
        while !oldRest.isEmpty || !newRest.isEmpty {
            let (oldSkip, newSkip) = Self.differingCounts(oldRest, newRest)
            oldRows += Self.placed(oldRest.prefix(oldSkip), of: old, oldIndex, oldItem)
            newRows += Self.placed(newRest.prefix(newSkip), of: new, newIndex, newItem)
            oldRest.removeFirst(oldSkip)
            newRest.removeFirst(newSkip)
            (oldItem, newItem) = (oldItem + oldSkip, newItem + newSkip)
            let same = zip(oldRest, newRest).lazy.prefix { $0.toOpaque() == $1.toOpaque() }
            let count = same.reduce(0) { count, _ in count + 1 }
            appendRun(oldIndex, oldItem, newIndex, newItem, count)
            oldRest.removeFirst(count)
            newRest.removeFirst(count)
            (oldItem, newItem) = (oldItem + count, newItem + count)
        }
        withExtendedLifetime((old, new)) {}
    }

    /// Returns how many rows of each stretch to match by their keys. After them, both stretches
    /// continue with the same row, if there is one nearby.
    private static func differingCounts(
        _ old: ArraySlice<UnretainedRow>,
        _ new: ArraySlice<UnretainedRow>
    ) -> (old: Int, new: Int) {
        // The ends of stretches differ, so a single row is not worth a search.
        if min(old.count, new.count) <= 1 { return (old.count, new.count) }
        for total in 0...64 {
            // If more than four rows are skipped, all of them are in one of the stretches.
            for oldCount in stride(from: 0, through: total, by: total <= 4 ? 1 : total)
            where oldCount < old.count && total - oldCount < new.count {
                let (left, right) = (old.startIndex + oldCount, new.startIndex + total - oldCount)
                if old[left].toOpaque() == new[right].toOpaque() {
                    return (oldCount, total - oldCount)
                }
            }
        }
        return (min(old.count, 8), min(new.count, 8))
    }

    private mutating func appendRun(
        _ oldSection: Int,
        _ oldItem: Int,
        _ newSection: Int,
        _ newItem: Int,
        _ count: Int
    ) {
        if count == 0 { return }
        let run = SurvivingRun(
            oldSection: oldSection,
            oldItem: oldItem,
            newSection: newSection,
            newItem: newItem,
            count: count
        )
        runs.append(run)
    }

    /// Returns consecutive rows of a section with their places, the first of which is `item`.
    private static func placed(
        _ rows: ArraySlice<UnretainedRow>,
        of section: ListSection,
        _ index: Int,
        _ item: Int
    ) -> some Sequence<PlacedRow> {
        zip(item..., rows).lazy.map { item, row in
            (ItemPath(section: index, item: item), section.id, row.takeUnretainedValue())
        }
    }

    /// Matches the rows of differing parts by their keys.
    private mutating func matchRows() {
        var places: [RowKey: Int] = [:]
        places.reserveCapacity(newRows.count)
        for (place, new) in newRows.enumerated() { places[RowKey(row: new.row)] = place }
        var isMatched = [Bool](repeating: false, count: newRows.count)
        for old in oldRows {
            guard let place = places[RowKey(row: old.row)] else {
                rows.append(RowChange(old: (old.id, old.row), new: nil))
                continue
            }
            isMatched[place] = true
            let new = newRows[place]
            appendRun(old.path.section, old.path.item, new.path.section, new.path.item, 1)
            if !old.row.hasSameContents(as: new.row) { changed.append(old.path) }
            rows.append(RowChange(old: (old.id, old.row), new: (new.id, new.row)))
        }
        for (place, new) in newRows.enumerated() where !isMatched[place] {
            rows.append(RowChange(old: nil, new: (new.id, new.row)))
        }
        changed.sort()
        runs = runs.joined
    }
}

/// A row before and after a transaction. Both sides have the same key.
struct RowChange {
    /// The row and its section before; `nil` if the row is new.
    var old: (section: ErasedID, row: ListRow)?
    /// The row and its section after; `nil` if the row is gone.
    var new: (section: ErasedID, row: ListRow)?
}
