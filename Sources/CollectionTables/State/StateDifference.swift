import CollectionPipeline
import PersistentTrees

/// The parts of two states that differ, found by comparing the trees of both.
///
/// Equal parts are shared between the states of a list, so the cost is proportional to the edits
/// between the two. Only rows in differing parts are compared, by their keys.
struct StateDifference {
    /// The sections that are in both states, ascending by old index.
    private(set) var sections: [SurvivingSection] = []
    /// The rows that are in both states, in runs that ascend by old path.
    private(set) var runs: [SurvivingRun] = []
    /// The old paths of remaining rows with other contents, ascending.
    private(set) var changed: [ItemPath] = []
    /// The rows that are in one state only, that moved or that have other contents.
    private(set) var rows: [RowChange] = []

    // Rows of differing parts, in order.
    private var oldRows: [(path: ItemPath, id: ErasedID, row: ListRow)] = []
    private var newRows: [(path: ItemPath, id: ErasedID, row: ListRow)] = []

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
                    append(section, 0..<section.rows.count, at: index, isOld: true)
                }
            }
            oldIndex = stretch.old.upperBound
            offset = stretch.new.upperBound - stretch.old.upperBound
        }
        keepSections(oldIndex..<oldSections.count, offset, of: oldSections)
        for stretch in stretches {
            for index in stretch.new where !surviving.contains(index) {
                let section = newSections[index]
                append(section, 0..<section.rows.count, at: index, isOld: false)
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
            append(old, stretch.old, at: oldIndex, isOld: true)
            append(new, stretch.new, at: newIndex, isOld: false)
            (oldItem, newItem) = (stretch.old.upperBound, stretch.new.upperBound)
        }
        appendRun(oldIndex, oldItem, newIndex, newItem, old.rows.count - oldItem)
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

    private mutating func append(
        _ section: ListSection,
        _ range: Range<Int>,
        at index: Int,
        isOld: Bool
    ) {
        var iterator = section.rows.makeIterator(from: range.lowerBound)
        for item in range {
            guard let row = iterator.next() else { return }
            let path = ItemPath(section: index, item: item)
            if isOld {
                oldRows.append((path, section.id, row))
            } else {
                newRows.append((path, section.id, row))
            }
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
